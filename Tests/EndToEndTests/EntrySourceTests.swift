// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yTestKit
import A11yWire
import Foundation
import Testing

@testable import a11yctl

/// The places that have entries: all of them answer the same questions alike.
@Suite(.timeLimit(.minutes(hangs)))
struct EntrySourceTests {
  private let daemon: RunningDaemon
  private let scratch: ScratchDirectory

  init() throws {
    daemon = try RunningDaemon()
    scratch = try ScratchDirectory()
  }

  /// What a source says of a text that was spoken, and of its repetition, which was not.
  private struct Answers: Equatable {
    let spoken: [String]
    let unheard: [Seq]
    let sentence: String?
    let time: Int64?
  }

  private func answers(_ source: any EntrySource, about seq: Seq) throws -> Answers {
    try source.needEntries()
    return Answers(
      spoken: try source.fold(SpokenHistory(count: 10)).utterances.map(\.text),
      unheard: try source.unheard(app: "org.x", atMost: 10),
      sentence: try source.explain(seq)["sentence"]?.string,
      time: try source.time(of: seq)
    )
  }

  private func log(_ path: String) throws -> LogReader {
    try LogReader(path, Progress("Read", clock: { 0 }, onProgress: nil))
  }

  /// A program that prints these lines as those of one machine in an engine.
  private func engine(_ lines: String, epoch: String = "e") throws -> String {
    let program = scratch("a11y-forward")
    let script = "#!/bin/sh\nsed 's/^/desk \(epoch) /' \(lines)\n"
    try Data(script.utf8).write(to: URL(filePath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
    return program
  }

  /// The whole log as lines in a file.
  private func lines() throws -> String {
    let lines = scratch("lines")
    let text = try Command(LogFiles.tool, ["log", "cat", "--json", daemon.state]).output()
    try Data("\(text)\n".utf8).write(to: URL(filePath: lines))
    return lines
  }

  @Test func `the bus, its log as a directory, a file and a stream, and an engine`() throws {
    let reader = try daemon.connect()
    try reader.hello("reader", role: "reader")
    try reader.subscribe(#","filter":{"types":["deliver"]}"#)
    let app = try daemon.connect()
    try app.hello("org.x")
    try app.publishAccepted(#"{"type":"announcement","text":"Saved"}"#)
    let seq = Seq(try app.publishAccepted(#"{"type":"announcement","text":"Saved"}"#))
    let lines = try lines()
    let stream = Pipe()
    try stream.fileHandleForWriting.write(contentsOf: Data(contentsOf: URL(filePath: lines)))
    try stream.fileHandleForWriting.close()

    let expected = try answers(BusEntries(daemon.socket), about: seq)

    #expect(expected.spoken == ["Saved"])
    #expect(expected.unheard == [seq])
    #expect(expected.sentence?.contains("was not heard") == true)
    #expect(try answers(log(daemon.state), about: seq) == expected)
    #expect(try answers(log(lines), about: seq) == expected)
    let descriptor = stream.fileHandleForReading.fileDescriptor
    #expect(try answers(log("/dev/fd/\(descriptor)"), about: seq) == expected)
    let program = try engine(lines)
    let machine = try MachineEntries(
      of: "desk",
      in: a11yctl.FleetEngine(address: nil, program: program)
    )
    #expect(try answers(machine, about: seq) == expected)
    reader.close()
  }

  /// The output of a command without what grows meanwhile: ages of entries, and the time by which
  /// they are counted.
  private func output(_ tool: String, _ words: [String]) throws -> String {
    let (status, text) = try Command(tool, words).run()
    let steady =
      text
      .replacing(/(just now|less than a second|[0-9]+ (second|minute)s?)( ago)?/, with: "then")
      .replacing(/Made by a11yctl [^<]*/, with: "Made")
      .replacing(/Since [^,]*,/, with: "Since then,")
    return "\(status)\n\(steady)"
  }

  /// Has the engine forget the first entries, so that a gap stands where reading begins.
  private func tellsOfAGapInFront(_ file: String, _ tool: String) throws {
    let whole = try String(contentsOfFile: file, encoding: .utf8)
    let lines = whole.split(separator: "\n")
    let mark = #"{"mark":"gap","from":1,"to":6,"reason":"retention"}"#
    let rest = lines.filter { line in
      line.firstMatch(of: /^{"seq":([0-9]+),/).flatMap { Int($0.1) }.map { $0 > 6 } ?? false
    }
    try Data(([mark[...]] + rest).joined(separator: "\n").utf8 + [0x0a])
      .write(to: URL(filePath: file))
    let there = ["--from", "nats://engine:4222", "desk", "--from", "3"]
    let history = try output(tool, ["history"] + there)
    #expect(history.contains("Open"), "\(history)")
    try Data(whole.utf8).write(to: URL(filePath: file))
  }

  @Test func `every command that reads says the same of a log, its lines and an engine`() throws {
    let reader = try daemon.connect()
    try reader.hello("reader", role: "reader")
    try reader.subscribe(#","filter":{"types":["deliver"]}"#)
    let app = try daemon.connect()
    try app.hello("org.x")
    for event in [
      #"{"type":"window","window":"w","state":"opened","title":"Files"}"#,
      #"{"type":"elements","window":"w","upsert":[{"id":"a","label":"Open"}]}"#,
      #"{"type":"screen-changed","window":"w","element":"a"}"#,
    ] { try app.publishAccepted(event) }
    try app.publishAccepted(#"{"type":"announcement","text":"Saved"}"#)
    let seq = try app.publishAccepted(#"{"type":"announcement","text":"Saved"}"#)
    // They stay until the daemon goes: five seconds after an app its windows are closed.
    try daemon.stop()
    reader.close()
    app.close()
    let epoch = try #require(
      try Command(LogFiles.tool, ["log", "export", "--cloudevents", "--log", daemon.state])
        .output().firstMatch(of: /"id":"([0-9a-f]+):/)?.1
    )
    let file = try lines()
    _ = try engine(file, epoch: String(epoch))
    // The engine's program is found beside this one. Another program copies it: a program that any
    // process has open for writing cannot be started, and what we open, our children have, too.
    let tool = scratch("a11yctl")
    _ = try Command("/bin/cp", [LogFiles.tool, tool]).output()
    let rules = scratch("rules.toml")
    try Data("[[rule]]\nname = \"hush\"\napp = \"org.x\"\npresent = \"log\"\n".utf8)
      .write(to: URL(filePath: rules))

    for (command, operands) in [
      ("log cat", []), ("log cat --seq --type announcement", []), ("log cat --from 4", []),
      ("log cat --json --since yesterday", []), ("log script", []), ("lint", []),
      ("report -o - --until 2099-01-01", []), ("missed --from start", []), ("missed", []),
      ("history", []), ("history --from 3", []), ("stats", []), ("stats --since yesterday", []),
      ("why", []), ("why --all --count 9", []), ("explain", ["\(seq)"]), ("tail --from 3", []),
      ("tail --app org.x --from start --until-caught-up", []), ("replay", []),
      ("rules try", [rules]),
      ("focus", []), ("focus --history", []), ("tree", []), ("tree --json --at \(seq)", []),
    ] as [(String, [String])] {
      let words = command.split(separator: " ").map(String.init)
      let expected = try output(tool, words + operands + ["--log", daemon.state])
      // A source that is refused tells nothing of how it is read.
      #expect(["0\n", "1\n"].contains { expected.hasPrefix($0) }, "\(command): \(expected)")
      #expect(expected.utf8.count > 2, "\(command)")
      #expect(try output(tool, words + operands + ["--log", file]) == expected, "\(command)")
      let there = ["--from", "nats://engine:4222", "desk"]
      #expect(try output(tool, words + there + operands) == expected, "\(command)")
    }
    let events = ["log", "export", "--cloudevents"]
    let exported = try output(tool, events + ["--log", daemon.state])
    #expect(try output(tool, events + ["--from", "nats://engine:4222", "desk"]) == exported)
    try tellsOfAGapInFront(file, tool)
    let mark = #"{"mark":"gap","from":900,"to":902,"reason":"retention"}"#
    try Data((String(contentsOfFile: file, encoding: .utf8) + mark + "\n").utf8)
      .write(to: URL(filePath: file))
    for place in [["--log", file], ["--from", "nats://engine:4222", "desk"]] {
      let text = try output(tool, ["log", "cat"] + place)
      #expect(text.hasSuffix("Entries 900 to 902 are missing: retention."), "\(place)")
    }
    let both = ["--from", "nats://engine:4222", "desk", "--log", file]
    #expect(try Command(tool, ["history"] + both).run().status == 64)
  }
}
