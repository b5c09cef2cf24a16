// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// `a11yctl lint` on logs that the real daemon has written.
@Suite(.timeLimit(.minutes(hangs)))
struct LintTests {
  private let daemon: RunningDaemon

  init() throws { daemon = try RunningDaemon() }

  /// Has an app publish events, and waits until they are on record.
  private func publish(_ app: String, _ events: [String]) throws {
    let client = try daemon.connect()
    _ = try client.ask(#"{"id":1,"op":"hello","app":"\#(app)"}"#)
    for event in events { _ = try client.ask(#"{"id":2,"op":"publish","event":\#(event)}"#) }
  }

  private func lint(_ words: String...) throws -> (status: Int32, output: String) {
    try Command(LogFiles.tool, ["lint"] + words).run()
  }

  private func element(_ label: String) -> String {
    #"{"type":"elements","window":"w","upsert":[{"id":"a","label":"\#(label)","#
      + #""traits":["button"]}]}"#
  }

  private let fine = #"{"type":"announcement","text":"Item was added"}"#

  @Test func `a log with nothing to say about ends with 0`() throws {
    try publish("org.example.Mail", [fine])
    try daemon.stop()

    let (status, output) = try lint(daemon.state)

    #expect(status == 0)
    #expect(output.wholeMatch(of: /There is nothing to say about \d+ entries\./) != nil)
  }

  @Test func `advice is told by app and kind, with examples, and ends with 1`() throws {
    try publish(
      "org.example.Mail",
      ["1", "2", "3", "4", "5"].map { element("Delete \($0) button") }
    )
    try publish("org.example.Files", [#"{"type":"layout-changed","text":"Saved"}"#, fine])
    try daemon.stop()

    let (status, output) = try lint(daemon.state)

    #expect(status == 1)
    let lines = output.split(separator: "\n").map(String.init)
    try #require(lines.count == 7)
    #expect(lines[0] == "org.example.Files: a layout-changed bears a text, once (layout.text).")
    #expect(
      lines[2]
        == "org.example.Mail: a label says what its traits say already, 5 times (label.names-type)."
    )
    #expect(lines[3].wholeMatch(of: #/  Entry \d+, event\.upsert\[0\]\.label: Leave .+\./#) != nil)
    #expect(lines[6].hasPrefix("6 pieces of advice for 2 apps, by "))
  }

  @Test func `programs get one object for each kind, and one for the sum`() throws {
    try publish("org.example.Mail", ["1", "2", "3", "4"].map { element("Delete \($0) button") })
    let (status, output) = try lint("--json", daemon.state)

    #expect(status == 1)
    let objects = try output.split(separator: "\n").map { try JSON(String($0)) }
    try #require(objects.count == 2)
    #expect(objects[0]["app"].string == "org.example.Mail")
    #expect(objects[0]["code"].string == "label.names-type")
    #expect(objects[0]["count"].integer == 4)
    #expect(objects[0]["examples"].count == 3)
    #expect(objects[0]["examples"][0]["field"].string == "event.upsert[0].label")
    let seq = try #require(objects[0]["examples"][0]["seq"].integer)
    let entry = try #require(try daemon.entries().first { $0.seq == seq })
    #expect(entry.line.contains("Delete 1 button"))
    #expect(objects[1]["count"].integer == 4)
    #expect(objects[1]["apps"].integer == 1)
  }

  @Test func `a selection leaves out the rest`() throws {
    try publish("org.example.Mail", [element("Delete button")])
    try publish("org.example.Files", [element("Open button")])
    try daemon.stop()

    let one = try lint("--app", "org.example.Files", daemon.state)
    #expect(one.status == 1)
    #expect(one.output.contains("Open button"))
    #expect(!one.output.contains("Delete button"))
    #expect(try lint("--app", "org.example.Other", daemon.state).status == 0)
    #expect(try lint("--since", "1 hour ago", daemon.state).status == 1)
    #expect(try lint("--since", "2100-01-01", daemon.state).status == 0)
  }

  @Test func `a file and a pipe do as well as a directory`() throws {
    try publish("org.example.Mail", [element("Delete button")])
    try daemon.stop()
    let file = "\(daemon.state)/\(try #require(try daemon.segments().first))"

    let directory = try lint(daemon.state)

    #expect(try lint(file) == directory)
    let pipe = try Command("/bin/sh", ["-c", #""$0" lint - < "$1""#, LogFiles.tool, file]).run()
    #expect(pipe == directory)
  }

  @Test func `what the log does not know takes no part`() throws {
    try publish(
      "org.example.Mail",
      [
        #"{"type":"announcement","text":"98110","sensitive":true}"#,
        #"""
        {"type":"elements","window":"w","sensitive":true,"upsert":[{"id":"a","label":"delete.",\#
        "traits":["button"],"hint":"tap"}]}
        """#,
      ]
    )

    #expect(try lint(daemon.state).status == 0)
  }

  @Test func `a pause is told when its app has left without a resume`() throws {
    try publish("org.example.Mail", [#"{"type":"pause"}"#])
    try daemon.stop()

    let (status, output) = try lint(daemon.state)

    #expect(status == 1)
    #expect(output.contains("(pause.unresumed)"))
  }

  @Test func `where there is no log it says so`() throws {
    let (status, output) = try lint(daemon.directory("nothing"))

    #expect(status == 66)
    #expect(output.contains("There is no log"))
  }

  @Test func `the daemon tells the same in its replies`() throws {
    let client = try daemon.connect()
    _ = try client.ask(#"{"id":0,"op":"hello","advice":true}"#)

    let answer = try client.ask(
      #"{"id":1,"op":"publish","event":{"type":"layout-changed","text":"Saved"}}"#
    )

    #expect(answer["ok"]["warnings"][0]["code"].string == "layout.text")
  }

  @Test func `a file that is no log is no log without mistakes`() throws {
    let text = daemon.directory("text")
    try Data("Nothing of a log.\n".utf8).write(to: URL(filePath: text))

    #expect(try lint(text).status == 66)
    let why = try Command(LogFiles.tool, ["why", "--log", text]).run()
    #expect(why.status == 66)
    #expect(why.output.contains("There are no entries in"))
  }
}
