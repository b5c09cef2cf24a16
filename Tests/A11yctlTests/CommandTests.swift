// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yClient
@testable import a11yctl

/// Commands against a scripted bus, on real sockets.
///
/// Serialised, because getopt(3) keeps its place in variables of the process.
@Suite(.serialized, .timeLimit(.minutes(hangs)))
struct CommandTests {
  /// The output of a command.
  final class Said {
    var lines = ""
    var complaints = ""
    var outcome = StandardOutput.Outcome.written

    var output: Output {
      Output(
        to: { bytes in
          self.lines += String(decoding: bytes, as: UTF8.self)
          return self.outcome
        },
        complaining: { self.complaints += $0 }
      )
    }
  }

  let said = Said()
  let atOnce = Backoff(first: .zero, longest: .zero)

  func tail(_ options: String...) throws -> TailCommand {
    try TailCommand(options)
  }

  // MARK: The command line

  @Test(arguments: [
    ["tial"], [], ["--nonsense"], ["tail", "--from", "soon"],
    ["tail", "--priority", "urgent"],
    ["tail", "word"], ["tail", "--nonsense"], ["tail", "--type"], ["announce"],
    ["announce", "Hi", "--ack", "never"], ["post", "word"], ["post", "--text", "Hi"],
    ["post", "--dedupe", "k"], ["post", "--type", "x", "--field", "modal"],
    ["post", "--type", "x", "--field", "modal=tru"], ["post", "--type", "x", "--ttl", "soon"],
    ["post", "--type", "x", "--field", #"a=1,"b":2"#],
    ["explain"], ["explain", "x"], ["explain", "0"], ["explain", "1", "2", "3"], ["why", "7"],
    ["why", "--count", "0"], ["why", "--count", "many"], ["listen", "word"],
    ["listen", "--voice", "loud"], ["listen", "--ms-per-char", "-1"],
    ["log"], ["log", "list"], ["log", "cat", "--from", "0"], ["log", "cat", "--since", "soon"],
    ["log", "cat", "--from", "9", "--to", "8"], ["log", "cat", "a", "b"],
    ["fleet", "cat", "de sk"], ["fleet", "cat", "*"],
    ["log", "cat", "--type", "anouncement"], ["log", "ls", "--socket", "/s"],
    ["log", "export"], ["log", "export", "--sqlite", "a", "--cloudevents"],
    ["log", "export", "--sqlite", "a", "b"], ["log", "forget"], ["log", "forget", "--yes"],
    ["log", "forget", "--uid", "ada"], ["log", "forget", "--before", "then"],
    ["reader", "maybe"], ["quiet", "loud"], ["quiet", "25 h"], ["quiet", "off", "--level", "5"],
    ["quiet", "--level", "5"], ["quiet", "on", "--level", "101"], ["stop", "it"], ["again", "0"],
    ["again", "33"], ["again", "1", "2"], ["history", "0"], ["history", "all"], ["missed", "a"],
    ["missed", "--since", "soon"], ["mute", "--but-urgent"], ["mute", ""], ["mute", "a", "b"],
    ["mute", "a", "for", "ever"], ["mute", "a", "for", "0 s"], ["unmute", "a", "b"],
    ["doctor", "me"],
  ])
  func `a command line that makes no sense ends with 64 and says so`(words: [String]) {
    let failure = #expect(throws: Failure.self) { try Main.run(words, said.output) }

    #expect(failure?.code == .usage)
    #expect(failure?.words?.isEmpty == false)
  }

  /// A text that would clear a screen, name a window, turn a line round or forge one.
  private static let evil = "\u{1B}[2J\u{1B}]0;x\u{7}\u{202E}\na11yctl: all is well"

  @Test(arguments: [
    [evil], ["log", evil], ["rules", evil], ["tail", evil], ["tail", "--\(evil)"],
    ["tail", "--from", evil], ["tail", "--type", "announcemen\(evil.prefix(1))"],
    ["announce", "Hi", "--ack", evil], ["post", evil], ["post", "--type", "x", "--field", evil],
    ["explain", evil], ["why", "--count", evil], ["listen", "--voice", evil],
    ["log", "forget", "--before", evil], ["log", "forget", "--uid", evil],
    ["ping", "--socket", "/nowhere/\(evil)"], ["log", "ls", "--log", "/nowhere/\(evil)"],
    ["simulate", "/nowhere/\(evil)"], ["replay", "/nowhere/\(evil)"],
    ["rules", "check", "/nowhere/\(evil)"], ["lint", "/nowhere/\(evil)"],
    ["log", "export", "--sqlite", "/nowhere/\(evil)", "--log", "/nowhere"],
    ["reader", evil], ["quiet", evil], ["again", evil], ["mute", evil], ["mute", "a", "for", evil],
  ])
  func `nothing that was typed is repeated raw`(words: [String]) {
    let failure = #expect(throws: Failure.self) { try Main.run(words, said.output) }

    for text in [failure?.words ?? "", said.lines, said.complaints] {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(
        text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
      )
      #expect(!text.unicodeScalars.contains("\u{202E}"))
      #expect(!lines.contains("a11yctl: all is well"), "a line was forged")
    }
  }

  @Test func `every command explains itself and tells its version`() throws {
    try Main.run(["--help"], said.output)
    for command in Main.commands {
      #expect(said.lines.contains("  \(command.name) "))
      let one = Said()
      let name = command.name.split(separator: " ").map(String.init)
      try Main.run(name + ["--help"], one.output)
      #expect(one.lines.hasPrefix("Usage: a11yctl \(command.name) "))
      for option in command.options { #expect(one.lines.contains("--\(option.name)")) }

      let version = Said()
      try Main.run(name + ["--version"], version.output)
      #expect(version.lines.hasPrefix("a11yctl "))
    }
  }

  @Test(arguments: ["--help", "help"])
  func `a group of commands lists what is in it`(word: String) throws {
    try Main.run(["log", word], said.output)

    #expect(said.lines.hasPrefix("Usage: a11yctl log COMMAND "))
    for name in ["ls", "verify", "cat", "export", "forget"] {
      #expect(said.lines.contains("\n  \(name) "))
    }
  }

  @Test func `where nobody listens, the advice says what to do`() {
    let failure = #expect(throws: Failure.self) {
      try Main.run(["ping", "--socket", "/nowhere/bus.sock"], said.output)
    }

    #expect(failure?.code == .unreachable)
    #expect(
      failure?.words == "Cannot reach a11yd at /nowhere/bus.sock: no such file. Is it running? "
        + "Try: a11yd --socket /nowhere/bus.sock"
    )
  }

  @Test func `options become the fields of an event`() throws {
    let post = try PostCommand(
      [
        "--text", "Hi", "--window=main", "--cause", "7", "--ttl", "500", "--sensitive", "--field",
        #"frame=[1,2,3,4]"#,
      ]
    )

    #expect(
      try post.event("announcement").json
        == #"{"type":"announcement","text":"Hi","window":"main","cause":7,"ttl_ms":500,"#
        + #""sensitive":true,"frame":[1,2,3,4]}"#
    )
  }

  @Test func `options become a subscription`() throws {
    let tail = try tail(
      "--from",
      "start",
      "--type",
      "announcement",
      "--type=window",
      "--app",
      "a",
      "--state",
      "--priority",
      "high",
      "--no-seq"
    )

    let subscription = try tail.subscription(at: "")
    #expect(subscription.from == .start)
    #expect(subscription.filter.types == ["announcement", "window"])
    #expect(subscription.filter.priorities == [.high])
    #expect(subscription.state)
    #expect(tail.showing == .words(withSeq: false))
  }

  @Test func `lines of tail bear the seq unless told otherwise`() throws {
    #expect(try tail().showing == .words(withSeq: true))
    #expect(try tail("--seq").showing == .words(withSeq: true))
  }

  @Test(arguments: [
    ("qiet", "; did you mean quiet?"), ("hist", "; did you mean history?"),
    ("xylophone", ". a11yctl --help names those that there are."),
  ])
  func `a command that is misspelt is answered with the nearest`(word: String, end: String) {
    let failure = #expect(throws: Failure.self) { try Main.run([word], said.output) }

    #expect(failure?.words == "There is no command \(word)\(end)")
  }

  // MARK: Publishing

  @Test func `announce says hello, publishes and prints the seq`() throws {
    let bus = try FakeBus(
      .init(
        .hear(["hello", #""app":"org.x""#, #""advice":true"#]),
        .say([Says.greeted]),
        .hear([#""text":"Item was added","priority":"high""#]),
        .say([Says.accepted(2, seq: 9)]),
        .wait
      )
    )

    try Main.run(
      ["announce", "Item was added", "--priority", "high", "--app", "org.x", "--socket", bus.path],
      said.output
    )

    #expect(said.lines == "9\n")
  }

  @Test func `a refused event ends with 65 and the words of the bus`() throws {
    let error = #"{"code":"field.invalid","field":"event.priority","msg":"expected low"}"#
    let bus = try FakeBus(
      .init(
        .hear(["hello", #""advice":true"#]),
        .say([Says.greeted]),
        .hear(["publish"]),
        .say([Says.refused(2, error)]),
        .wait
      )
    )

    let failure = #expect(throws: Failure.self) {
      try Main.run(["post", "--type", "announcement", "--socket", bus.path], said.output)
    }

    #expect(failure?.code == .refused)
    #expect(
      failure?.words == "The bus refused it (field.invalid, event.priority): expected low."
    )
  }

  @Test(arguments: [
    ["post", "--type", "anouncement"], ["post", "--type", "Announcement", "--text", "a"],
    ["tail", "--type", "window", "--type", "anouncement"],
  ])
  func `a type that is misspelt is answered with the one that was meant`(words: [String]) {
    let failure = #expect(throws: Failure.self) {
      try Main.run(words + ["--socket", "/nowhere"], said.output)
    }

    #expect(failure?.code == .usage)
    #expect(failure?.words?.hasPrefix("There is no event type ") == true)
    #expect(failure?.words?.hasSuffix("; did you mean announcement?") == true)
  }

  @Test func `a type that is like none is left to the bus, and its list is not read aloud`() throws
  {
    let error = #"{"code":"type.unknown","field":"event.type","msg":"expected announcement, …"}"#
    let bus = try FakeBus(
      .init(
        .hear(["hello", #""advice":true"#]),
        .say([Says.greeted]),
        .hear(["publish"]),
        .say([Says.refused(2, error)]),
        .wait
      )
    )

    let failure = #expect(throws: Failure.self) {
      try Main.run(["post", "--type", "weather", "--socket", bus.path], said.output)
    }

    #expect(failure?.code == .refused)
    #expect(
      failure?.words
        == "There is no event type weather. a11yctl describe prints those that there are."
    )
  }

  @Test func `a misspelt type in the input is answered with its line`() throws {
    let error = #"{"code":"type.unknown","field":"event.type","msg":"expected announcement, …"}"#
    let bus = try FakeBus(
      .init(
        .hear(["hello", #""advice":true"#]),
        .say([Says.greeted]),
        .hear(["publish"]),
        .say([Says.refused(2, error)]),
        .wait
      )
    )

    #expect(throws: Failure.self) { try post(#"{"type":"anouncement","text":"a"}"#, to: bus) }

    #expect(
      said.complaints
        == "Line 1 was refused: There is no event type anouncement; did you mean announcement?\n"
    )
  }

  @Test func `lines of the input are published, and refusals named by their line`() throws {
    let bus = try FakeBus(
      .init(
        .hear(["hello"]),
        .say([Says.greeted]),
        .hear([#""text":"One"}"#]),
        .hear([#""event":{"type":"announcement"}}"#]),
        .say([
          Says.accepted(2, seq: 4),
          Says.refused(
            3,
            #"{"code":"field.missing","field":"event.text","msg":"expected a text"}"#
          ),
        ]),
        // It has no end, so it is a line only when the input has ended.
        .hear([#""text":"Last"}"#]),
        .say([Says.accepted(4, seq: 5)]),
        .wait
      )
    )
    let input = """
      {"type":"announcement","text":"One"}

      nonsense
      {"type":"announcement"}
      {"a":1}} , {"b":2}
      {"type":"announcement","text":"Last"}
      """

    let failure = #expect(throws: Failure.self) { try post(input, to: bus) }

    #expect(said.lines == "4\n5\n")
    let complaints = said.complaints.split(separator: "\n")
    #expect(complaints.count == 3)
    #expect(complaints.first?.hasPrefix("Line 3 was refused (json.invalid): ") == true)
    #expect(
      complaints.contains("Line 4 was refused (field.missing, event.text): expected a text.")
    )
    #expect(complaints.contains { $0.hasPrefix("Line 5 was refused (json.invalid): ") })
    #expect(failure == Failure(.refused, "3 lines were refused."))
  }

  private func post(_ input: String, to bus: FakeBus) throws {
    let pair = try UnixStream.pair()
    let ends = Ends(pair)
    _ = ends.near.send(Array(input.utf8).span)
    try ends.near.shutdownSending()
    let publishing = try PostCommand(["--socket", bus.path]).publishing
    var posting = Posting(publishing, said.output, input: ends.far())
    try posting.postAll()
  }

  /// The two ends of a pair, one of them to be given away.
  final class Ends {
    let near: FileDescriptor
    private let number: Int32

    init(_ pair: consuming UnixStream.Pair) {
      near = pair.first
      number = pair.second.relinquish()
    }

    func far() -> FileDescriptor { FileDescriptor(adopting: number) }
  }

  // MARK: Why

  private static let answer =
    #"{"entry":\#(Says.entry(7, "Saved")),"outcome":null,"result":"expired","rule":"r","why":{},"#
    + #""related":[],"sentence":"Not heard: it had to be begun within 10 s."}"#

  @Test func `explain asks the bus and says the sentence first`() throws {
    let bus = try FakeBus(
      .init(
        .hear([#"{"id":1,"op":"explain","seq":7}"#]),
        .say([#"{"id":1,"ok":\#(Self.answer)}"#]),
        .wait
      )
    )

    try Main.run(["explain", "7", "--socket", bus.path], said.output)

    #expect(said.lines.hasPrefix("Not heard: it had to be begun within 10 s.\nEntry 7, "))
    #expect(
      said.lines.contains("org.test announces: Saved.\nThe result is expired.\nThe rule is r.\n")
    )
    #expect(bus.complaint == nil)
  }

  @Test func `explain tells what the bus has against it`() throws {
    let bus = try FakeBus(
      .init(
        .hear(["explain"]),
        .say([Says.refused(1, #"{"code":"seq.unknown","field":"seq","msg":"expected less"}"#)]),
        .wait
      )
    )

    let failure = #expect(throws: Failure.self) {
      try Main.run(["explain", "7", "--socket", bus.path], said.output)
    }

    #expect(failure?.code == .refused)
    #expect(failure?.words?.contains("expected less") == true)
  }

  @Test func `where there is neither a bus nor a log, why says how to find one`() {
    let failure = #expect(throws: Failure.self) {
      try Main.run(["why", "--socket", "/nowhere/bus.sock"], said.output)
    }

    #expect(failure?.code == .unreachable)
    #expect(said.lines == "")
  }

  @Test func `where there is no log in the directory, explain says so`() {
    let failure = #expect(throws: Failure.self) {
      try Main.run(["explain", "7", "--log", "/nowhere"], said.output)
    }

    #expect(failure?.code == .noInput)
  }
}
