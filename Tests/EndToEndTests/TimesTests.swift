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

  @Test(arguments: [
    "tail --type announcement --until-caught-up", "log cat --type announcement", "log script",
    "missed", "history", "stats", "report -o -", "lint", "rules try RULES",
  ])
  func `every command begins at an entry, and at a time`(line: String) throws {
    let rules = daemon.directory("none.toml")
    try Data().write(to: URL(filePath: rules))
    let words = line.replacing("RULES", with: rules).split(separator: " ").map(String.init)
    let asksBus = ["tail", "missed", "history", "stats"].contains(words[0])
    let place = asksBus ? ["--socket", daemon.socket] : ["--log", daemon.state]
    let two = try daemon.entries().map { try $0.json() }.first { $0["event"]["text"] == "Two" }
    let seq = try #require(two?["seq"].integer)
    func run(_ more: String...) throws -> (status: Int32, output: String) {
      try Command(LogFiles.tool, words + more + place).run()
    }

    for more in [["--from", "\(seq)"], ["--since", written(times[1])], ["--from", "start"]] {
      let said = try run(more[0], more[1])
      #expect(said.status == 0, "\(said)")
      guard line.contains("announcement") || words[1...].first == "script" else { continue }
      #expect(said.output.contains("One") == (more[1] == "start"), "\(more): \(said.output)")
      #expect(said.output.contains("Two") && said.output.contains("Three"))
    }
    #expect(try run("--since", "yesterday").status == 0)
    let wrong = try run("--since", "soon")
    #expect(wrong.status == 64)
    #expect(wrong.output.contains("--since expects a time, as \"10 min\", "))
  }

  @Test func `stats counts a time by the log`() throws {
    let first = try run("stats", "--since", written(times[1]))
    let later = try run("stats", "--since", "now")

    #expect(first.output.contains("\norg.example.Mail: 3 events, "), "\(first.output)")
    #expect(later.output == "No app has said anything since then.")
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
