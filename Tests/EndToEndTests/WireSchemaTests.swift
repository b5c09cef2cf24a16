// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Every line on the wire and in the log is as `describe` says.
@Suite(.timeLimit(.minutes(hangs)))
struct WireSchemaTests {
  let daemon: RunningDaemon
  let client: RawClient

  init() throws {
    daemon = try RunningDaemon()
    client = try daemon.connect()
  }

  /// Sends a line with an id, and reads until its reply; all of it is appended.
  private func ask(_ id: Int, _ members: String, _ lines: inout [String]) throws {
    let request = #"{"id":\#(id),\#(members)}"#
    try client.send(request)
    lines.append("→ " + request)
    while true {
      let line = try client.line()
      lines.append("← " + line)
      // Faults of requests have the reply's own members alone.
      if line.hasPrefix(#"{"id":\#(id),"#) { return }
    }
  }

  private func check(_ lines: [String]) throws {
    let other = try daemon.connect()
    try other.send(#"{"id":1,"op":"describe"}"#)
    #expect(try LineCheck(lines, schemas: other.line()).faults.prefix(5) == [])
  }

  @Test func `requests, replies, marks and the log of a session are`() throws {
    var lines: [String] = []
    let hello = #""op":"hello","app":"app","role":"reader","reports":true,"advice":true"#
    try ask(1, hello, &lines)
    try ask(2, #""op":"subscribe","from":"start","state":true"#, &lines)
    var id = 2
    let events =
      EventTable.right + EventTable.wrong.map(\.event) + EventTable.incomplete.map(\.event)
    for event in events {
      id += 1
      let names = ["$own": 5, "$action": 7, "$focus": 1, "$gesture": 1, "$deliver": 6]
      let filled = names.reduce(event) { $0.replacing($1.key, with: "\($1.value)") }
      try ask(id, #""op":"publish","dedupe":"\#(id % 40)","event":\#(filled)"#, &lines)
    }
    for seq in 1...200 {
      id += 1
      try ask(id, #""op":"explain","seq":\#(seq)"#, &lines)
    }
    for rest in [
      #""op":"state""#, #""op":"state","at":100"#, #""op":"rules""#, #""op":"stats""#,
      #""op":"describe""#, #""op":"ping","foo":1"#, #""op":"forget","apps":["nobody"]"#,
      #""op":"reload""#, #""op":"dance""#, #""op":"unsubscribe""#, #""op":"forget","apps":["app"]"#,
      #""op":"subscribe","mode":"latest","filter":{"types":["outcome","forgotten"]}"#,
    ] {
      id += 1
      try ask(id, rest, &lines)
    }

    #expect(lines.count { $0.contains(#","ok":{"#) } > 150)
    try check(lines + daemon.linesOnDisk())
  }

  @Test func `answers to the lines that fuzzers begin with are`() throws {
    let corpus = URL(filePath: #filePath).appending(path: "../../Corpus/lines").standardizedFileURL
    var lines: [String] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: corpus.path).sorted() {
      let client = try daemon.connect()
      let bytes = try Data(contentsOf: corpus.appending(path: name))
      try client.send(bytes: Array(bytes) + Array("\n{\"id\":\"end\",\"op\":\"ping\"}\n".utf8))
      while let line = try client.lineOrEnd(), !line.hasPrefix(#"{"id":"end""#) {
        // Which request an answer is for cannot be told from bytes that are no text.
        if try !JSON(line)["ok"].isThere { lines.append(line) }
      }
    }

    #expect(lines.count > 30)
    try check(lines + daemon.linesOnDisk())
  }
}
