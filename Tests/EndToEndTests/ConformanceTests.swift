// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Foundation
import Testing

/// The conversations of `Tests/Conformance` with the real daemon, by the tool that strangers use.
@Suite(.timeLimit(.minutes(hangs)))
struct ConformanceTests {
  private static let package = URL(filePath: #filePath).appending(path: "../../..")
    .standardizedFileURL
  private static let folder = package.appending(path: "Tests/Conformance")
  private static let files =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".ndjson") }.sorted()

  /// Plays a file to a daemon of its own.
  private func play(_ file: String) throws -> (status: Int32, output: String) {
    let directory = try ScratchDirectory()
    try Data().write(to: URL(filePath: directory("empty.toml")))
    let tool = Self.package.appending(path: "tools/conformance").path
    return try Command(
      "/usr/bin/env",
      [
        "python3", tool, file, "--", DaemonProcess.program, "--socket", "{socket}", "--state",
        "{state}", "--config", directory("empty.toml"),
      ]
    ).run()
  }

  @Test(arguments: files)
  func `the daemon answers as the file says`(file: String) throws {
    let result = try play(Self.folder.appending(path: file).path)

    #expect(result.status == 0, "\(result.output)")
  }

  @Test func `the files have expectations on many matters`() throws {
    var expectations = 0
    for file in Self.files {
      let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") {
        let step = try #require(try JSON(String(line)).members)
        #expect(step.count == 1 && ["send", "expect", "comment"].contains(step.keys.first ?? ""))
        if step["expect"] != nil { expectations += 1 }
      }
      #expect(text.hasPrefix(#"{"comment":"#), "\(file) does not say what it is about")
    }

    #expect(Self.files.count >= 12)
    #expect(expectations >= 120)
  }

  @Test func `they meet every operation, event, entry, mark and code that one client can`() throws {
    var sent = Set<String>()
    var expected = Set<String>()
    for file in Self.files {
      let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") {
        let step = try JSON(String(line))
        // A line that is sent as it is has its quotes escaped.
        let words = line.replacing(#"\""#, with: "\"").matches(of: /"(?:op|type)":"([a-z-]+)"/)
        if step["send"].isThere { sent.formUnion(words.map { String($0.1) }) }
        let answer = step["expect"]
        let told = [answer["err"]["code"], answer["event"]["type"], answer["mark"]]
        expected.formUnion(told.compactMap(\.string))
      }
    }

    let requests = A11yWire.Operation.allCases.map(\.rawValue) + EventType.allCases.map(\.rawValue)
    #expect(Set(requests).subtracting(sent) == [])
    // The others need a fault, a stop, another start or a client that is slow.
    let met = RefusalCode.allCases.filter {
      ![.cursorFuture, .storageDegraded, .shuttingDown, .internal].contains($0)
    }
    // A seat is that of a machine with other sockets.
    let entries = EventType.Own.allCases.filter { ![.closed, .seat].contains($0) }
    let lines = met.map(\.rawValue) + entries.map(\.rawValue)
    let marks = ["state", "caught-up", "checkpoint", "secret"]
    #expect(Set(lines + marks).subtracting(expected) == [])
  }

  @Test(arguments: [
    #"{"expect":{"id":1,"ok":{"last":"1"}}}"#, #"{"expect":{"id":true}}"#,
    #"{"expect":{"id":1,"ok":{"last":"…","first":"…"}}}"#, #"{"expect":["…"]}"#,
  ])
  func `a difference is told with its line`(expectation: String) throws {
    let directory = try ScratchDirectory()
    let lines = #"{"send":{"id":1,"op":"ping"}}"# + "\n" + expectation + "\n"
    try Data(lines.utf8).write(to: URL(filePath: directory("wrong.ndjson")))

    let result = try play(directory("wrong.ndjson"))

    #expect(result.status == 1)
    #expect(result.output.hasPrefix("wrong, line 2: expected "), "\(result.output)")
    #expect(result.output.contains(#"got {"id":1,"ok":{"last":2}}"#), "\(result.output)")
    #expect(result.output.hasSuffix("0 of 1 files are met."))
  }

  @Test func `a server that does not start is told`() throws {
    let tool = Self.package.appending(path: "tools/conformance").path
    let file = Self.folder.appending(path: "cursor.ndjson").path

    let result = try Command("/usr/bin/env", ["python3", tool, file, "--", "/bin/false"]).run()

    #expect(result.status == 1)
    #expect(result.output.hasPrefix("cursor, the server does not listen"), "\(result.output)")
  }
}
