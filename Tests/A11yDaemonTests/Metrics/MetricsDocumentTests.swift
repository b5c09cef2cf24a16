// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

@testable import A11yDaemon

/// The page for operators and the dashboard, beside the things that they name.
@Suite struct MetricsDocumentTests {
  private let package = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  private func text(_ path: String) throws -> String {
    try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }

  /// The names by which a scraper knows the samples of a metric.
  private static let samples = Set(
    Metric.allCases.flatMap { metric in
      switch metric.kind {
      case .counter: [metric.rawValue + "_total"]
      case .gauge: [metric.rawValue]
      case .info: [metric.rawValue + "_info"]
      case .histogram: ["_bucket", "_count", "_sum"].map { metric.rawValue + $0 }
      }
    }
  )

  /// The words of a text that look like metrics.
  private func names(_ text: String) -> Set<String> {
    Set(text.matches(of: /\ba11yd_[a-z_]+/).map { String($0.0) })
  }

  @Test func `every metric on the dashboard and on the page exists`() throws {
    for path in ["docs/operators/grafana.json", "docs/operators.md"] {
      let names = names(try text(path))

      #expect(names.count > 20, "\(path)")
      #expect(names.subtracting(Self.samples) == [], "\(path)")
    }
  }

  @Test(arguments: Metric.allCases)
  func `the page explains every metric`(metric: Metric) throws {
    let lines = try text("docs/operators.md").replacing("\n  ", with: " ").split(separator: "\n")

    #expect(
      lines.contains { line in
        line.hasPrefix("- `\(metric.rawValue)") && line.hasSuffix("`: \(metric.help)")
      }
    )
  }

  @Test func `the dashboard asks for every metric but those of the log's numbers`() throws {
    let names = names(try text("docs/operators/grafana.json"))
    let shown = Metric.allCases.filter { metric in
      names.contains { $0.hasPrefix(metric.rawValue) }
    }

    #expect(
      Set(Metric.allCases).subtracting(shown) == [.duplicates, .queue, .logSegments, .logFirst]
    )
    _ = try JSON(text("docs/operators/grafana.json"))
  }

  @Test(arguments: ["a11yd", "a11y-speech", "a11y-atspi", "a11y-forward"])
  func `the page has every entry of the journal, by the name that its catalog gives it`(
    program: String
  ) throws {
    let page = try text("docs/operators.md").replacing("\n  ", with: " ")
    let entries = try text("systemd/\(program).catalog")
      .matches(of: /-- ([0-9a-f]{32})\nSubject: (.+)\n/)

    #expect(!entries.isEmpty)
    for entry in entries {
      #expect(page.contains("- \(entry.2): `\(entry.1)`. "), "\(entry.2)")
    }
  }
}
