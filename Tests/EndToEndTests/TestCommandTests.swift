// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// `a11yctl test` with real programs on a real bus.
@Suite(.timeLimit(.minutes(hangs)))
struct TestCommandTests {
  private let scratch: ScratchDirectory
  private let demo = URL(filePath: LogFiles.tool)
    .deletingLastPathComponent().appending(path: "a11y-demo").path

  init() throws { scratch = try ScratchDirectory() }

  private func run(_ words: String...) throws -> (status: Int32, output: String) {
    try Command(LogFiles.tool, ["test"] + words, environment: ["TMPDIR": scratch("")]).run()
  }

  /// A program that announces texts, one after the other.
  private func app(_ texts: String..., then rest: String = "") throws -> String {
    let events = texts.map {
      #"{"op":"publish","event":{"type":"announcement","text":"\#($0)"}}"#
    }
    let lines = ([#"{"op":"hello","app":"org.example.Shell"}"#] + events).joined(separator: "\n")
    let program = """
      #!/bin/sh
      socat -u - "UNIX:$A11YD_SOCKET" <<'END'
      \(lines)
      END
      \(rest)
      """
    return try write(program, to: "app.sh", mode: 0o755)
  }

  private func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
    try text.write(toFile: scratch(name), atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: scratch(name))
    return scratch(name)
  }

  /// The directories that tests have left.
  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch(""))
      .filter { $0.hasPrefix("a11yctl-") }
  }

  @Test func `it tells what was heard, with times, and leaves nothing behind`() throws {
    let (status, output) = try run("--", app("One", "Two"))

    let lines = output.split(separator: "\n").map(String.init)
    #expect(status == 0)
    try #require(lines.count == 3, "\(output)")
    #expect(lines[0] == "Heard, 2 texts:")
    #expect(lines[1].wholeMatch(of: #/  \d+\.\d\d s: One/#) != nil)
    #expect(lines[2].wholeMatch(of: #/  \d+\.\d\d s: Two/#) != nil)
    #expect(try leftovers() == [])
  }

  @Test func `what was not heard is told with its reason, and advice with an example`() throws {
    let more = #"{"op":"publish","event":{"type":"layout-changed","text":"Stored"}}"#
    let program = try app("Saved", "Saved", then: "echo '\(more)' | socat -u - UNIX:$A11YD_SOCKET")
    let (status, output) = try run("--", program)

    #expect(status == 0)
    #expect(output.contains("Not heard, or not to the end:"))
    #expect(output.contains("announces: Saved: "))
    #expect(output.contains("was not heard: it was the same text as"))
    #expect(output.contains("Advice:"))
    #expect(output.contains("(layout.text)"))
  }

  @Test func `texts as expected end with 0`() throws {
    let expected = try write("One\n…\nThe … end\n", to: "heard.txt")
    let (status, output) = try run("--expect", expected, "--", app("One", "Two", "The very end"))

    #expect(status == 0)
    #expect(output.hasSuffix("All texts were as expected by \(expected)."))
  }

  @Test func `a difference ends with 1, and names the texts and the line`() throws {
    let expected = try write("One\n\nThree\n", to: "heard.txt")
    let (status, output) = try run("--expect", expected, "--", app("One", "Two"))

    #expect(status == 1)
    #expect(output.contains("\nLine 3 was not heard: Three\n"))
    #expect(output.contains(#/Not expected behind line 3, after \d+\.\d\d s: Two\n/#))
    #expect(output.hasSuffix("2 differences from \(expected)."))
  }

  @Test func `an update writes the file, and says so; then it is right`() throws {
    let expected = scratch("heard.txt")
    let program = try app("One", "Two # 50 %")

    let first = try run("--expect", expected, "--update", "--", program)
    #expect(first.status == 0)
    #expect(first.output.hasSuffix("\(expected) was written: it expects 2 texts."))
    #expect(try String(contentsOfFile: expected, encoding: .utf8) == "One\nTwo # 50 %\n")
    #expect(try run("--expect", expected, "--", program).status == 0)
    let again = try run("--expect", expected, "--update", "--", program)
    #expect(again.output.hasSuffix("\(expected) is right, and stays as it is."))
  }

  @Test func `a program that fails changes no file`() throws {
    let expected = try write("One\n", to: "heard.txt")
    let program = try app("Two", then: "exit 3")
    let (status, output) = try run("--expect", expected, "--update", "--", program)

    #expect(status == 3)
    #expect(output.hasSuffix("stays as it is, because the program has failed."))
    #expect(try String(contentsOfFile: expected, encoding: .utf8) == "One\n")
  }

  @Test(
    arguments: [
      ("exit 7", 7, "\nsh ended with 7."), ("exit 255", 255, "\nsh ended with 255."),
      ("kill -9 $$", 137, "\nsh was ended by signal 9, Killed."), ("true", 0, "Nothing was heard."),
    ] as [(String, Int32, String)]
  )
  func `it ends as its program does, and says how`(
    program: String,
    status: Int32,
    words: String
  ) throws {
    let end = try run("--", "sh", "-c", program)
    #expect(end.status == status)
    #expect(end.output.hasSuffix(words), "\(end.output)")
    #expect(try leftovers() == [])
  }

  @Test func `a program that cannot be started ends with 69`() throws {
    let (status, output) = try run("--", scratch("nothing"))

    #expect(status == 69)
    #expect(output.contains("nothing cannot be started: No such file or directory"))
    #expect(try leftovers() == [])
  }

  @Test func `mistakes in files are told before anything is started`() throws {
    let mark = scratch("started")
    let bad = try write("x = 1\n", to: "bad.toml")

    #expect(try run("--rules", bad, "--", "touch", mark).status == 78)
    let none = try run("--expect", scratch("none"), "--", "touch", mark)
    #expect(none.status == 66)
    #expect(none.output.hasSuffix("none is not there. With --update, it is written."))
    #expect(try run("--update", "--", "touch", mark).status == 64)
    #expect(try run().status == 64)
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test func `rules over the shipped ones decide`() throws {
    let rules = try write(
      "[[rule]]\nname = \"quiet\"\napp = \"*\"\npresent = \"log\"\n",
      to: "r.toml"
    )
    let (status, output) = try run("--rules", rules, "--", app("One"))

    #expect(status == 0)
    #expect(output.hasPrefix("Nothing was heard."))
    #expect(output.contains("\"quiet\""))
  }

  @Test func `a program that hangs is ended, with all that it has started`() throws {
    let mark = scratch("mark")
    let program = "trap '' TERM; (while :; do echo; read -r line < \(mark); done) & wait"
    #expect(mkfifo(mark, 0o600) == 0)
    let (status, output) = try run("--timeout", "300 ms", "--", "sh", "-c", program)

    #expect(status == 137)
    #expect(output.contains("sh did not end in time, and was ended."))
    // Nobody is left that reads the pipe.
    #expect(open(mark, O_WRONLY | O_NONBLOCK) < 0)
    #expect(try leftovers() == [])
  }

  @Test func `an interrupt ends the program and the bus, and cleans up`() throws {
    let mark = scratch("mark")
    #expect(mkfifo(mark, 0o600) == 0)
    let words = ["test", "--", "sh", "-c", "echo ready > \(mark); read -r line < \(mark)"]
    let command = Command(LogFiles.tool, words, environment: ["TMPDIR": scratch("")])
    let process = try command.begin()
    #expect(FileHandle(forReadingAtPath: mark)?.availableData.isEmpty == false)

    process.interrupt()
    process.waitUntilExit()

    #expect(process.terminationStatus == 130)
    #expect(try leftovers() == [])
  }

  @Test func `what a rate holds back is heard at its time, without waiting for it`() throws {
    let rows = (1...3).map {
      #"{"op":"publish","event":{"type":"announcement","text":"\#($0) %","class":"progress","#
        + #""key":"k"}}"#
    }
    let lines = rows.joined(separator: "\\n")
    let program = #"printf '\#(lines)\n' | socat -u - "UNIX:$A11YD_SOCKET""#
    let began = ContinuousClock.now

    let (status, output) = try run("--", "sh", "-c", program.replacing("%", with: "%%"))

    #expect(status == 0)
    #expect(output.contains(#/ 10\.\d\d s: 3 %/#), "\(output)")
    #expect(ContinuousClock.now - began < .seconds(8))
  }

  @Test func `the demo is tested within seconds, and its kept log is a log`() throws {
    let log = scratch("heard.ndjson")
    let (status, output) = try run("--keep", log, "--", demo, "--play")

    #expect(status == 0)
    #expect(output.contains("s: Ada Lovelace saved\n"))
    #expect(output.contains("s: Backup is done\n"))
    #expect(try Command(LogFiles.tool, ["replay", log]).run().status == 0)
    #expect(try Command(LogFiles.tool, ["lint", log]).run().status == 0)
    let why = try Command(LogFiles.tool, ["why", "--log", log]).output()
    #expect(why.contains("was not heard"))
    // A simulation of the log hears the same.
    let script = try Command(LogFiles.tool, ["log", "script", log]).output()
    let path = try write(script + "\n", to: "script")
    let simulated = try Command(
      LogFiles.tool,
      ["simulate", "--heard", "--reader", "none", path]
    ).output()
    #expect(simulated.contains("s: Ada Lovelace saved\n"))
  }

  @Test func `the demo is heard the same each time`() throws {
    let expected = scratch("heard.txt")

    #expect(try run("--expect", expected, "--update", "--", demo, "--play").status == 0)
    for _ in 0..<3 {
      let (status, output) = try run("--expect", expected, "--", demo, "--play")
      #expect(status == 0, "\(output)")
    }
  }

  @Test(arguments: ["tap", "junit", "github"])
  func `standard output has the form alone, whatever the program prints`(format: String) throws {
    let expected = try write("Two\n", to: "heard.txt")
    let program = try app("One", then: "echo noise")
    let words = ["test", "--format", format, "--expect", expected, "--", program]
    let (process, lines) = try Command(LogFiles.tool, words).beginReading()
    let output = Array(lines)
    process.waitUntilExit()

    #expect(process.terminationStatus == 1)
    #expect(!output.contains("noise"))
    let begins = ["tap": "TAP version 13", "junit": "<?xml", "github": "::error file="]
    #expect(output.first?.hasPrefix(begins[format] ?? "") == true)
  }

  @Test func `lint and rules check name the line`() throws {
    let log = scratch("log")
    let app = try write(
      """
      #!/bin/sh
      echo '{"op":"publish","event":{"type":"layout-changed","text":"Saved"}}' |
        socat -u - "UNIX:$A11YD_SOCKET"
      """,
      to: "app.sh",
      mode: 0o755
    )
    #expect(try run("--keep", log, "--", app).status == 0)
    let rows = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    let line =
      try #require(rows.firstIndex { $0.contains(#""event":{"type":"layout-changed""#) }) + 1

    let lint = try Command(LogFiles.tool, ["lint", "--format", "github", log]).run()
    #expect(lint.status == 1)
    #expect(lint.output.hasPrefix("::warning file=\(log),line=\(line),title="))
    #expect(lint.output.contains("layout.text::Entry "))

    let bad = try write("[[rule]]\nname = 3\n", to: "bad.toml")
    let check = try Command(LogFiles.tool, ["rules", "check", "--format", "github", bad]).run()
    #expect(check.status == 78)
    #expect(check.output.hasPrefix("::error file=\(bad),line=2,col="))
  }

  @Test func `requests that the bus has refused are told`() throws {
    let program = try write(
      """
      #!/bin/sh
      echo '{"op":"publish","event":{"type":"announcement","text":"a","priority":"urgent"}}' |
        socat -u - "UNIX:$A11YD_SOCKET"
      """,
      to: "wrong.sh",
      mode: 0o755
    )

    let (status, output) = try run("--", program)

    #expect(status == 0)
    #expect(output.contains("The bus refused 1 request of \(program): field.invalid 1 time."))
  }

  @Test func `a mark in front of a file of texts is passed over, and bytes are refused`() throws {
    let marked = try write("\u{FEFF}Hello\n", to: "marked.txt")
    #expect(try run("--expect", marked, "--", app("Hello")).status == 0)

    try Data([0xff, 0xfe]).write(to: URL(filePath: scratch("bytes.txt")))
    let (status, output) = try run("--expect", scratch("bytes.txt"), "--", "/bin/true")
    #expect(status == 66)
    #expect(output.contains("is no text in UTF-8"))
  }
}
