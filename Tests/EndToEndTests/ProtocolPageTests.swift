// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Foundation
import Testing

/// The page about the wire: its lists are those of `describe`, and its examples are what happens.
@Suite(.timeLimit(.minutes(hangs)))
struct ProtocolPageTests {
  private static let package = URL(filePath: #filePath).appending(path: "../../..")
    .standardizedFileURL
  private static let page = package.appending(path: "docs/protocol.md")
  private let directory: ScratchDirectory
  private let text: String

  init() throws {
    directory = try ScratchDirectory()
    text = try String(contentsOf: Self.page, encoding: .utf8)
  }

  /// Compares a page with the daemon; its lines on the wire are then in the file `transcript`.
  private func compare(_ page: String) throws -> (status: Int32, output: String) {
    try Data().write(to: URL(filePath: directory("empty.toml")))
    return try Command(
      "/usr/bin/env",
      [
        "python3", Self.package.appending(path: "tools/protocol-page").path, "--page", page,
        "--transcript", directory("transcript"), DaemonProcess.program, "--socket", "{socket}",
        "--state", "{state}", "--config", directory("empty.toml"),
      ]
    ).run()
  }

  /// Compares the page with a change.
  private func compare(replacing old: String, with new: String) throws -> String {
    #expect(text.contains(old))
    let changed = text.replacing(old, with: new, maxReplacements: 1)
    try Data(changed.utf8).write(to: URL(filePath: directory("changed.md")))
    let result = try compare(directory("changed.md"))
    #expect(result.status == 1)
    return result.output
  }

  @Test func `all that the page shows is so, and is as describe says`() throws {
    let result = try compare(Self.page.path)
    #expect(result.status == 0, "\(result.output)")

    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    try client.send(#"{"id":1,"op":"describe"}"#)
    let shown = try String(contentsOfFile: directory("transcript"), encoding: .utf8)
    let check = try LineCheck(
      shown.split(separator: "\n").map(String.init) + Self.plainLines(of: text),
      schemas: client.line()
    )
    #expect(check.faults == [])
  }

  @Test func `an example that is not so is told`() throws {
    let output = try compare(
      replacing: #"← {"warn":{"fields":["event.txt"]},"id":1}"#,
      with: #"← {"warn":{"fields":["event.text"]},"id":1}"#
    )
    #expect(output.contains(#"the server does not say: {"warn":{"fields":["event.text"]}"#))
  }

  @Test func `a field that is described otherwise is told`() throws {
    let output = try compare(replacing: "- `priority`: `low`,", with: "- `priority`: `lower`,")
    #expect(output.contains("the list events announcement is not that of describe"))
  }

  @Test func `a checksum that is not that of its line is told`() throws {
    let seal = try #require(text.firstMatch(of: /"crc":"[0-9a-f]{8}"/))
    let output = try compare(replacing: String(seal.0), with: #""crc":"00000000""#)
    #expect(output.contains("the checksum is not that of the line"))
  }

  @Test func `every operation, event, entry and mark has a section`() {
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("### ") }
      .compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
    let names =
      A11yWire.Operation.allCases.map(\.rawValue) + EventType.allCases.map(\.rawValue)
      + EventType.Own.allCases.map(\.rawValue)
      + ["state", "caught-up", "checkpoint", "gap", "skipped", "secret", "refused"]

    let counts = Dictionary(grouping: headings) { $0 }.mapValues(\.count)
    for (name, count) in Dictionary(grouping: names, by: { $0 }).mapValues(\.count) {
      #expect(counts[name] == count, "\(name)")
    }
  }

  @Test(arguments: [
    "README.md", "docs/apps.md", "docs/semantics.md", "docs/benchmarks.md",
    "clients/shell/README.md",
  ])
  func `every line of JSON in a document is one of the wire`(path: String) throws {
    let text = try String(contentsOf: Self.package.appending(path: path), encoding: .utf8)
    let all = Self.plainLines(of: text)
    // A request that is refused is no line of the wire, and its refusal is.
    let lines = zip(all, all.dropFirst() + [""]).filter { !$1.contains(#""err":"#) }.map(\.0)
    if path == "docs/apps.md" { #expect(lines.count >= 6) }
    guard !lines.isEmpty else { return }

    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    try client.send(#"{"id":1,"op":"describe"}"#)
    let asked = #"→ {"id":7,"op":"publish","event":{"type":"pause"}}"#
    let check = try LineCheck([asked] + lines, schemas: client.line())
    #expect(check.faults == [])
  }

  /// The lines of JSON in a document's blocks, put together where they are broken.
  private static func plainLines(of text: String) -> [String] {
    var lines: [String] = []
    var isOpen = false
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isInside.toggle() }
      guard line.hasPrefix("    ") || isInside else {
        isOpen = false
        continue
      }
      // A command may have the line between quotes, or in a text that it is given.
      let code =
        line.split(separator: "'").first { $0.hasPrefix("{\"") }
        ?? line.trimmingPrefix(#/ {4}|> /#)
      if code.hasPrefix("{\"") {
        lines.append(String(code))
      } else if isOpen {
        lines[lines.count - 1] += code.drop { $0 == " " }
      }
      isOpen = lines.last.map { (try? JSON($0)) == nil } ?? false
    }
    return lines
  }
}
