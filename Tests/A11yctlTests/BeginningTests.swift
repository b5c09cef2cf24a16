// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire
import Testing

@testable import a11yctl

/// The one grammar of `--from` and `--since`.
struct BeginningTests {
  private static let now: Int64 = 1_795_266_307_000_000
  private static let epoch = "00112233445566778899aabbccddeeff"

  /// A command with these options and no others.
  private struct Reading: Command {
    static let name = "read"
    static let summary = "read"
    static let notes = ""

    let reading = ReadingOptions(usually: "now")

    func run(_ output: Output) {}
  }

  private func beginning(_ words: String...) throws -> Beginning {
    try Reading(words, now: Self.now).reading.beginning
  }

  @Test func `a place is a seq, a cursor, a word or a time`() throws {
    #expect(EntryPlace("41", now: Self.now) == .seq(Seq(41)))
    #expect(EntryPlace("start", now: Self.now) == .start)
    #expect(EntryPlace("now", now: Self.now) == .now(Self.now))
    #expect(EntryPlace("10 min", now: Self.now) == .time(Self.now - 600_000_000))
    let cursor = try #require(LogCursor("\(Self.epoch):41"))
    #expect(EntryPlace("\(Self.epoch):41", now: Self.now) == .cursor(cursor))
    for word in ["0", "-1", "soon", "", "x:1"] {
      #expect(EntryPlace(word, now: Self.now) == nil, "\(word)")
    }
  }

  @Test func `both options say the same, and the later one counts`() throws {
    #expect(try beginning("--from", "2 hours").time == (try beginning("--since", "2 hours").time))
    #expect(
      try beginning("--from", "2 hours", "--since", "1 hour").time == Self.now - 3_600_000_000
    )
    #expect(try beginning("--from", "\(Self.epoch):41").first == Seq(42))
    #expect(try beginning("--from", "now").time == Self.now)
    #expect(try !beginning().isStated)
    #expect(try beginning().time { _ in 7 } == nil)
    #expect(try beginning("--from", "start").time { _ in 7 } == 0)
    #expect(try beginning("--from", "41").time { $0 == Seq(41) ? 7 : nil } == 7)
    #expect(try beginning("--from", "41", "--since", "1 hour").time { _ in 7 } != 7)
  }

  @Test(arguments: [["--from", "soon"], ["--since", "soon"], ["--since", "41"]])
  func `a wrong value gets a hint with examples`(words: [String]) {
    let failure = #expect(throws: Failure.self) { try Reading(words, now: Self.now) }

    #expect(failure?.code == .usage)
    #expect(failure?.words?.contains("\"yesterday\"") == true)
    #expect(failure?.words?.contains("--from takes it") == (words == ["--since", "41"]))
  }

  @Test func `every command that reads has both options`() {
    let reading = Main.commands.filter { command in
      command.options.contains { ["from", "since"].contains($0.name) }
    }
    let names = reading.map { $0.name }
    let wanted = [
      "history", "missed", "report", "tail", "stats", "lint", "rules try", "fleet quiet",
      "fleet apps", "fleet tail", "fleet cat", "log cat", "log export", "log script",
    ]

    #expect(Set(wanted).subtracting(names) == [])
    for command in reading where wanted.contains(command.name) {
      let flags = Set(command.options.map(\.name))
      #expect(flags.isSuperset(of: ["from", "since"]), "\(command.name)")
      #expect(command.help.contains("yesterday"), "\(command.name)")
    }
  }
}
