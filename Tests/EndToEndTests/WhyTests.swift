// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// “Why did I not hear that?”, asked of the real daemon, by a program and by a person.
@Suite(.timeLimit(.minutes(hangs)))
struct WhyTests {
  let daemon: RunningDaemon
  let app: RawClient

  init() throws {
    daemon = try RunningDaemon()
    app = try daemon.connect()
    try app.hello("org.x")
  }

  /// A reader that gets what is delivered.
  private func reader() throws -> RawClient {
    let reader = try daemon.connect()
    try reader.hello("reader", role: "reader")
    try reader.subscribe(#","filter":{"types":["deliver","silence"]}"#)
    return reader
  }

  private func announce(_ text: String, more: String = "") throws -> Int64 {
    try app.publishAccepted(#"{"type":"announcement","text":"\#(text)"\#(more)}"#)
  }

  private func explain(_ seq: Int64) throws -> JSON {
    try app.ask(#"{"id":"e","op":"explain","seq":\#(seq)}"#)
  }

  /// `a11yctl` beside the tests.
  private func ctl(_ arguments: String...) -> Command {
    let program = URL(filePath: DaemonProcess.program).deletingLastPathComponent()
      .appending(path: "a11yctl").path
    return Command(program, arguments)
  }

  @Test func `a rule that is not there is told, with near names, by the bus and by its log`() throws
  {
    let rule = ["why", "--rule", "anouncement default"]
    let words =
      "There is no rule of the name anouncement default; did you mean announcement default?"

    #expect(try Command(LogFiles.tool, rule + ["--socket", daemon.socket]).output() == words)
    #expect(try Command(LogFiles.tool, rule + [daemon.state]).output() == words)
    let known = ["why", "--rule", "queue bound", daemon.state]
    #expect(try Command(LogFiles.tool, known).output().hasSuffix(" by the rule queue bound."))
  }

  @Test func `a repetition is explained with its numbers`() throws {
    let reader = try reader()
    // Until the end: without a reader nothing is delivered.
    defer { reader.close() }
    let first = try announce("Saved")
    let second = try announce("Saved")

    let ok = try explain(second)["ok"]

    #expect(ok["entry"]["seq"].integer == second)
    #expect(ok["outcome"]["event"]["result"] == "duplicate")
    #expect(ok["rule"] == "announcement default")
    #expect(ok["why"]["window_ms"] == 1_000)
    #expect(ok["related"].list?.contains { $0["seq"].integer == first } == true)
    #expect(
      ok["sentence"].string?
        .hasPrefix("\(second) was not heard: it was the same text as \(first) ") == true
    )
  }

  @Test func `what has no end yet is pending`() throws {
    let seq = try announce("Saved")

    let ok = try explain(seq)["ok"]

    #expect(ok["outcome"] == .null)
    #expect(ok["pending"]["state"] == "queued")
  }

  @Test func `hello says that it is offered, and describe what it takes`() throws {
    let other = try daemon.connect()
    let hello = try other.hello("org.y")
    let described = try other.ask(#"{"id":1,"op":"describe"}"#)["ok"]["ops"]["explain"]

    #expect(hello["features"].strings?.contains("explain") == true)
    #expect(described["required"].strings?.contains("seq") == true)
  }

  @Test func `what the future has, and what was forgotten, is unknown`() throws {
    let seq = try announce("Saved")

    #expect(try explain(seq + 1_000)["err"]["code"] == "seq.unknown")
    _ = try app.ask(#"{"id":1,"op":"forget","apps":["org.x"]}"#)
    #expect(try explain(seq)["err"]["code"] == "seq.unknown")
  }

  // MARK: a11yctl

  @Test func `why says the sentence first, with the bus and without`() throws {
    let reader = try reader()
    // Until the end: without a reader nothing is delivered.
    defer { reader.close() }
    let first = try announce("Saved")
    let second = try announce("Saved")
    let sentence =
      "\(second) was not heard: it was the same text as \(first) from the same app, delivered "

    let asked = try ctl("why", "--socket", daemon.socket).output()
    let explained = try ctl("explain", "\(second)", "--socket", daemon.socket).output()
    try daemon.stop()
    let read = try ctl("why", "--log", daemon.state).output()
    let readAgain = try ctl("explain", "\(second)", "--log", daemon.state).output()

    for words in [asked, explained, read, readAgain] {
      #expect(words.hasPrefix(sentence), "\(words)")
      #expect(words.contains("\nThe rule is announcement default.\n"), "\(words)")
      #expect(words.contains("\nIt repeats \(first)."), "\(words)")
    }
  }

  @Test func `why speaks first of what still waits, then of what ended last`() throws {
    let reader = try reader()
    // Until the end: without a reader nothing is delivered.
    defer { reader.close() }
    _ = try announce("Saved")
    let ended = try announce("Saved")
    try app.publishAccepted(#"{"type":"do-not-disturb","level":60}"#)
    let waiting = try announce("New mail")

    let one = try ctl("why", "--socket", daemon.socket).output()
    let two = try ctl("why", "--count", "2", "--json", "--socket", daemon.socket).output()

    #expect(one.hasPrefix("\(waiting) has not been heard yet: do not disturb is on, "), "\(one)")
    let answers = try two.split(separator: "\n").map { try JSON(String($0)) }
    #expect(answers.map { $0["entry"]["seq"].integer } == [waiting, ended])
    #expect(answers.first?["pending"]["by"] == "do-not-disturb")
  }

  @Test func `why looks at one app, and says so where nothing was missed`() throws {
    let reader = try reader()
    // Until the end: without a reader nothing is delivered.
    defer { reader.close() }
    _ = try announce("Saved")
    _ = try announce("Saved")

    let mine = try ctl("why", "--app", "org.x", "--socket", daemon.socket).output()
    let other = try ctl("why", "--app", "org.y", "--socket", daemon.socket).output()

    #expect(mine.contains(" was not heard: "))
    let lines = other.split(separator: "\n")
    #expect(lines.first == "The log has nothing of org.y that was not heard.")
    #expect(lines.last?.hasPrefix("No app of the name org.y has been on the bus") == true)
  }

  @Test func `with --json the answer is the bus's own`() throws {
    let seq = try announce("Saved")

    let printed = try JSON(ctl("explain", "\(seq)", "--json", "--socket", daemon.socket).output())

    #expect(printed["entry"] == (try explain(seq))["ok"]["entry"])
    #expect(printed["pending"]["state"] == "queued")
  }

  @Test func `tail says what became of an event, under its number`() throws {
    let reader = try reader()
    // Until the end: without a reader nothing is delivered.
    defer { reader.close() }
    let first = try announce("Saved")
    let second = try announce("Saved")

    let lines = try ctl("tail", "--from", "start", "--until-caught-up", "--socket", daemon.socket)
      .output().split(separator: "\n")

    let mine = lines.filter { $0.hasPrefix("\(second) ") }
    try #require(mine.count == 2)
    #expect(mine[0].hasSuffix(" org.x announces: Saved"))
    #expect(mine[1].hasSuffix(" was not heard: it repeats \(first)"))
  }

  // MARK: Secrets

  @Test func `a secret reaches the reader, and is nowhere on disk`() throws {
    let reader = try reader()
    _ = try announce("hunter2-of-the-test", more: #","sensitive":true"#)

    let (deliver, mark) = (try reader.entryOrMark(), try reader.entryOrMark())

    #expect(deliver["event"]["speak"] == [["redacted": "9-32"]])
    #expect(mark["mark"] == "secret")
    #expect(mark["of"] == deliver["seq"])
    #expect(mark["speak"] == [["text": "hunter2-of-the-test"]])
    let again = try daemon.connect()
    try again.hello("again", role: "reader")
    try again.subscribe(#","from":"start""#)
    #expect(!(try again.entriesUntilCaughtUp()).contains { $0.line.contains("hunter2") })
    try daemon.stop()
    #expect(try Command("/bin/grep", ["-r", "hunter2", daemon.directory("")]).run().status == 1)
    #expect(!daemon.process.said.contains("hunter2"))
  }

  // MARK: Listening

  @Test func `listen prints what would be spoken, and reports it`() throws {
    let (process, lines) = try ctl("listen", "--ms-per-char", "1", "--socket", daemon.socket)
      .beginReading()
    // It may have been started with signals blocked.
    defer { kill(process.processIdentifier, SIGKILL) }
    try waitForReader()
    let long = String(repeating: "long ", count: 400)
    let first = try announce(long)
    #expect(lines.next()?.hasPrefix("long long ") == true)
    let second = try announce("Fire", more: #","priority":"high""#)

    #expect(lines.next()?.hasPrefix("(interrupted ") == true)
    #expect(lines.next() == "Fire")
    let heard = try outcome(of: second)
    #expect(heard["result"] == "heard")
    #expect(heard["why"]["estimated"] != true)
    #expect(first < second)
  }

  /// Waits until somebody listens.
  private func waitForReader() throws {
    let watcher = try daemon.connect()
    try watcher.subscribe(#","from":"start","filter":{"types":["client"]}"#)
    while true {
      let line = try JSON(watcher.line())
      if line["event"]["state"] == "listening" { return }
    }
  }

  /// Waits for how an event ends.
  private func outcome(of seq: Int64) throws -> JSON {
    let watcher = try daemon.connect()
    try watcher.subscribe(#","from":"start","filter":{"types":["outcome"]}"#)
    while true {
      let line = try JSON(watcher.line())
      if line["event"]["of"].integer == seq { return line["event"] }
    }
  }
}

extension RawClient {
  /// The next line of a subscription that is a deliver or the secret behind it.
  fileprivate func entryOrMark() throws -> JSON {
    while true {
      let line = try JSON(self.line())
      if line["mark"] == "caught-up" || line["mark"] == "checkpoint" { continue }
      return line
    }
  }
}
