// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The ways to name a log, and what is said of one that has not what was asked for.
@Suite(.timeLimit(.minutes(hangs)))
struct NamedLogTests {
  private let log: LogFiles
  /// The entries of the log as lines of one file.
  private let file: String
  private let last: Int64

  init() throws {
    log = try LogFiles(announcements: 18)
    file = log.directory("entries.ndjson")
    let lines = try log.output("cat", "--json").split(separator: "\n")
    last = try Entry(String(try #require(lines.last))).seq
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: file,
      atomically: true,
      encoding: .utf8
    )
  }

  private func run(_ words: [String]) throws -> (status: Int32, output: String) {
    try Command(LogFiles.tool, words).run()
  }

  /// Runs a command line of a shell, in which `$F` is the file.
  private func shell(_ line: String) throws -> (status: Int32, output: String) {
    let words = ["-c", "a11yctl() { \"$T\" \"$@\"; }; \(line)"]
    return try Command("/bin/sh", words, environment: ["F": file, "T": LogFiles.tool]).run()
  }

  @Test(arguments: ["why", "explain 4", "focus", "tree", "log cat", "log script"])
  func `a file, a directory and standard input are a log, by word or by option`(
    command: String
  ) throws {
    let words = command.split(separator: " ").map(String.init)
    let expected = try run(words + ["--log", log.path])

    #expect(expected.output != "")
    for way in ["--log", ""] {
      for (place, line) in [(log.path, ""), (file, ""), ("-", " < $F")] {
        let end = try shell("a11yctl \(command) \(way) \(place)\(line)")
        #expect(end == expected, "\(way) \(place)")
      }
      #expect(try shell("cat $F | a11yctl \(command) \(way) -") == expected)
    }
    #expect(try run(words + ["--log", file, file]).status == 64)
  }

  @Test func `the number of an entry is no log`() throws {
    let end = try run(["why", "42"])

    #expect(end.status == 64)
    #expect(end.output == "a11yctl: 42 is no log. Try: a11yctl explain 42")
  }

  @Test(arguments: ["why", "explain 4", "focus", "tree", "log cat", "log script", "lint"])
  func `a log without entries is told`(command: String) throws {
    let end = try shell("a11yctl \(command) - < /dev/null")

    #expect(end.status == 66)
    #expect(end.output == "a11yctl: There are no entries in standard input.")
  }

  @Test(arguments: [["--from", "9999"], ["--since", "2100-01-01"], ["--from", "2100-01-01"]])
  func `a place behind the log's end is told, with the end`(place: [String]) throws {
    let end = try run(["log", "cat", file] + place)

    #expect(end.status == 0)
    #expect(end.output == "The log ends before that, with entry \(last).")
    #expect(try log.run("cat", place[0], place[1]) == end)
    #expect(try shell("a11yctl log cat --from \(last) $F | grep -c .").output == "2")
  }

  @Test func `damaged lines of a file are counted`() throws {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing("0/0/0", with: "0/0/9").replacing("0/1/0", with: "0/1/9")
      .write(toFile: file, atomically: true, encoding: .utf8)

    for command in ["cat", "script"] {
      let end = try run(["log", command, file])
      #expect(end.status == 0)
      let words = /[0-9]+ lines are damaged in .*entries.ndjson, and passed over\./
      #expect(end.output.contains(words), "\(end.output)")
    }
    #expect(try !log.output("cat").contains("damaged"))
  }

  @Test func `a log is no script, and the way to one is told`() throws {
    let end = try run(["simulate", "--heard", file])

    #expect(end.status == 65)
    #expect(end.output.hasSuffix("A script is made by: a11yctl log script \(file)"))
  }
}
