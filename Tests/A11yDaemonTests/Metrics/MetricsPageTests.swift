// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Foundation
import Testing

@testable import A11yDaemon

/// The page of metrics, as a parser that is not ours reads it.
@Suite struct MetricsPageTests {
  private let directory: ScratchDirectory
  private let bus: HandBus

  init() throws {
    directory = try ScratchDirectory()
    bus = try HandBus(in: directory)
  }

  private func publish(_ event: String, on link: HandLink) {
    link.say(#"{"op":"publish","event":\#(event)}"#)
    bus.settle()
  }

  @Test func `the page of a new bus can be read, and every family is there`() throws {
    let reading = try MetricsReading(bus.bus.metrics)

    #expect(reading.families == Set(Metric.all.map(\.name)))
    #expect(reading["a11yd_events_published_total{type=announcement}"] == 0)
    #expect(reading["a11yd_log_last_seq"] == Double(bus.bus.last.number))
    #expect(reading["a11yd_start_time_seconds"] == 1_795_242_000)
  }

  @Test func `events, refusals and clients are counted`() throws {
    let app = bus.connect()
    publish(#"{"type":"announcement","text":"Secret words"}"#, on: app)
    publish(#"{"type":"announcement","text":"Other words"}"#, on: app)
    publish(#"{"type":"pause"}"#, on: app)
    publish(#"{"type":"nonsense"}"#, on: app)
    app.say("no JSON", #"{"op":"subscribe"}"#)
    bus.settle()

    let page = bus.bus.metrics
    let reading = try MetricsReading(page)

    #expect(reading["a11yd_events_published_total{type=announcement}"] == 2)
    #expect(reading["a11yd_events_published_total{type=pause}"] == 1)
    #expect(reading["a11yd_events_published_total{type=speech}"] == 0)
    #expect(reading["a11yd_refusals_total{code=type.unknown}"] == 1)
    #expect(reading["a11yd_refusals_total{code=json.invalid}"] == 1)
    #expect(reading["a11yd_requests_total"] == 5)
    #expect(reading["a11yd_connections"] == 1)
    #expect(reading["a11yd_subscribers"] == 1)
    let pending = ["held", "queued", "speaking"].map {
      reading["a11yd_events_pending{state=\($0)}"]
    }
    #expect(pending.compactMap { $0 }.reduce(0, +) == 2)
    #expect(!page.contains("words"))
  }

  @Test func `a heard event is an outcome, and its wait is in the histogram`() throws {
    let reader = bus.connect()
    reader.say(
      #"{"id":1,"op":"hello","app":"orca","role":"reader"}"#,
      #"{"id":2,"op":"subscribe","filter":{"types":["deliver"]}}"#
    )
    bus.settle()
    publish(#"{"type":"announcement","text":"a"}"#, on: bus.connect())
    // Nobody reports the end of the speech, so that it is estimated.
    while let due = bus.bus.due, due < bus.time.boot + 60_000_000 {
      bus.time.advance(microseconds: max(0, Int64(due) - Int64(bus.time.boot)))
      bus.bus.wake()
    }

    let reading = try MetricsReading(bus.bus.metrics)

    #expect(reading["a11yd_readers"] == 1)
    #expect(reading["a11yd_outcomes_total{result=heard}"] == 1)
    #expect(reading["a11yd_heard_wait_seconds_count"] == 1)
    #expect(reading["a11yd_heard_wait_seconds_bucket{le=0.05}"] == 1)
    #expect(reading["a11yd_heard_wait_seconds_bucket{le=+Inf}"] == 1)
  }

  @Test func `forgetting is counted, and the figures of the log follow it`() throws {
    let client = bus.connect()
    client.say(#"{"id":1,"op":"hello","app":"gone"}"#)
    publish(#"{"type":"announcement","text":"a"}"#, on: client)
    client.say(#"{"id":2,"op":"forget","apps":["gone"]}"#)
    bus.settle()
    while bus.bus.hasErrands || bus.bus.hasLogWork {
      bus.bus.tendLog()
      bus.syncing.complete()
      bus.bus.takeSyncAnswer()
    }

    let reading = try MetricsReading(bus.bus.metrics)

    #expect(reading["a11yd_forgets_total"] == 1)
    // That the app came is an entry of its own.
    #expect(client.takeLines().contains { $0.contains(#""count":2"#) })
    #expect(reading["a11yd_entries_forgotten_total"] == 2)
    #expect(reading["a11yd_log_last_seq"] == Double(bus.bus.last.number))
    #expect(reading["a11yd_log_degraded"] == 0)
  }

  @Test func `a configuration with a mistake is a figure`() throws {
    bus.bus.reloads.reloaded(refused: "a11yd.toml:2:1: wrong")
    #expect(try MetricsReading(bus.bus.metrics)["a11yd_configuration_mistaken"] == 1)
    #expect(try MetricsReading(bus.bus.metrics)["a11yd_reloads_total"] == 1)

    bus.bus.reloads.reloaded(refused: nil)
    #expect(try MetricsReading(bus.bus.metrics)["a11yd_configuration_mistaken"] == 0)
  }

  @Test func `labels are escaped, and times are exact`() throws {
    func text(_ name: String, _ samples: [Metric.Sample]) throws -> String {
      try #require(Metric.all.first { $0.name == name }).text(samples)
    }
    let version = Metric.Sample(label: ("version", "a\"b\\c\nd"), value: "1")
    let waits = Metric.histogram([50, 1_000], [1, 2, 3], sum: 10)

    let build = try text("a11yd_build", [version])
    let reading = try MetricsReading(text("a11yd_heard_wait_seconds", waits) + "# EOF\n")

    #expect(build.hasSuffix(#"a11yd_build_info{version="a\"b\\c\nd"} 1"# + "\n"))
    #expect(Metric.seconds(1_000_001) == "1.000001")
    #expect(reading["a11yd_heard_wait_seconds_bucket{le=1.0}"] == 3)
    #expect(reading["a11yd_heard_wait_seconds_count"] == 6)
    #expect(reading["a11yd_heard_wait_seconds_sum"] == 0.000_01)
  }

  @Test func `the reading notices a page that is cut off`() {
    #expect(throws: Missing.self) { try MetricsReading(String(bus.bus.metrics.dropLast(6))) }
  }
}

/// The page for operators and the dashboard, beside the things that they name.
@Suite struct MetricsDocumentTests {
  private let package = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  private func text(_ path: String) throws -> String {
    try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }

  /// The names by which a scraper knows the samples of a metric.
  private static let samples = Set(
    Metric.all.flatMap { metric in
      switch metric.kind {
      case .counter: [metric.name + "_total"]
      case .gauge: [metric.name]
      case .info: [metric.name + "_info"]
      case .histogram: ["_bucket", "_count", "_sum"].map { metric.name + $0 }
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

  @Test func `the page explains every metric`() throws {
    let lines = try text("docs/operators.md").replacing("\n  ", with: " ").split(separator: "\n")

    for metric in Metric.all {
      let isThere = lines.contains { line in
        line.hasPrefix("- `\(metric.name)") && line.hasSuffix("`: \(metric.help)")
      }
      #expect(isThere, "\(metric.name)")
    }
  }

  @Test func `the dashboard asks for every metric but those of the log's numbers`() throws {
    let names = names(try text("docs/operators/grafana.json"))

    let left = Metric.all.map(\.name).filter { name in !names.contains { $0.hasPrefix(name) } }

    #expect(
      left == [
        "a11yd_events_duplicate", "a11yd_queue_events", "a11yd_log_segments",
        "a11yd_log_first_seq",
      ]
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
