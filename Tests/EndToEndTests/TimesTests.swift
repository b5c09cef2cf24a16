// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Places in the log that a person names by the time, and names of apps that were typed wrongly.
@Suite(.timeLimit(.minutes(hangs)))
struct TimesTests {
  let daemon: RunningDaemon
  /// The times of three announcements, in microseconds since 1970.
  let times: [Int64]

  init() throws {
    daemon = try RunningDaemon()
    let app = try daemon.connect()
    try app.hello("org.example.Mail")
    try app.publishAccepted(
      #"{"type":"elements","window":"w","replace":[{"id":"a","label":"Early"}]}"#
    )
    for text in ["One", "Two", "Three"] {
      try app.publishAccepted(#"{"type":"announcement","text":"\#(text)"}"#)
    }
    try app.publishAccepted(
      #"{"type":"elements","window":"w","upsert":[{"id":"a","label":"Late"}]}"#
    )
    times = try daemon.entries().map { try $0.json() }
      .filter { $0["event"]["type"] == "announcement" }.compactMap { $0["time"].integer }
  }

  private func run(_ words: String...) throws -> (status: Int32, output: String) {
    try Command(LogFiles.tool, words + ["--socket", daemon.socket]).run()
  }

  /// A moment in the form of RFC 3339, to the microsecond.
  private func written(_ time: Int64) -> String {
    let date = Date(timeIntervalSince1970: TimeInterval(time / 1_000_000))
    let day = date.formatted(.iso8601).dropLast()
    return "\(day).\(String(1_000_000 + time % 1_000_000).dropFirst())Z"
  }

  @Test func `tail begins at a time`() throws {
    let two = written(times[1])

    let said = try run("tail", "--type", "announcement", "--from", two, "--until-caught-up").output

    #expect(!said.contains("One") && said.contains("Two") && said.contains("Three"))
    #expect(try run("tail", "--from", "1 hour ago", "--until-caught-up").output.contains("One"))
    #expect(try !run("tail", "--from", "now", "--until-caught-up").output.contains("Three"))
  }

  @Test func `the elements are told as they were at a time`() throws {
    #expect(try run("tree", "--at", written(times[1])).output.contains("Early"))
    #expect(try run("tree", "--at", "now").output.contains("Late"))
    let before = try run("focus", "--at", "1 hour ago")
    #expect(before.status == 66)
    #expect(before.output == "a11yctl: No entry is as old as that.")
  }

  @Test func `an app that was typed wrongly is told with the one that was meant`() throws {
    let words = "; did you mean org.example.Mail?"

    for line in [
      ["tail", "--app", "org.example.Mial", "--until-caught-up"], ["why", "--app", "Mial"],
    ] {
      let said = try Command(LogFiles.tool, line + ["--socket", daemon.socket]).run().output
      #expect(said.contains(words), "\(said)")
    }
    let log = ["--log", daemon.state]
    for line in [["log", "cat", "--app", "Mial"], ["lint", "--app", "Mial", daemon.state]] {
      let more = line[0] == "log" ? log : []
      let said = try Command(LogFiles.tool, line + more).run().output
      #expect(said.contains("has been in the log\(words)"), "\(said)")
    }
  }
}
