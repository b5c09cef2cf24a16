// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// How a stream of bytes becomes lines, and what the end of the stream means.
@Suite(.timeLimit(.minutes(hangs)))
struct FramingTests {
  let daemon: RunningDaemon

  init() throws { daemon = try RunningDaemon() }

  @Test func `blank lines are passed over`() throws {
    let client = try daemon.connect()

    let (one, two) = (#"{"id":1,"op":"ping"}"#, #"{"id":2,"op":"ping"}"#)
    try client.send(bytes: Array("\n\r\n\n\(one)\n\n\r\n\(two)\n".utf8))

    #expect(try client.answer()["id"] == 1)
    #expect(try client.answer()["id"] == 2)
    #expect(try !client.hasUnread())
  }

  @Test func `a line may end with a carriage return and a newline`() throws {
    let client = try daemon.connect()

    try client.send(bytes: Array("{\"id\":1,\"op\":\"ping\"}\r\n".utf8))

    let answer = try client.answer()
    #expect(answer["id"] == 1)
    #expect(answer["ok"].isThere)
  }

  @Test func `the daemon says nothing before the client does`() throws {
    let silent = try daemon.connect()
    let other = try daemon.connect()

    _ = try other.hello("other")
    _ = try other.last()

    #expect(try !silent.hasUnread())
    #expect(try silent.ask(#"{"id":1,"op":"ping"}"#)["id"] == 1)
  }

  @Test func `a last line without its end is never executed`() throws {
    let client = try daemon.connect()
    let whole = #"{"id":1,"op":"publish","event":{"type":"announcement","text":"whole"}}"#
    let cut = #"{"id":2,"op":"publish","event":{"type":"announcement","text":"cut"}}"#

    try client.send(bytes: Array("\(whole)\n\(cut)".utf8))
    try client.endSending()

    let answers = try client.linesUntilEnd().map { try JSON($0) }
    #expect(answers.map { $0["id"] } == [1])
    #expect(try texts() == ["whole"])
  }

  @Test func `a client that has ended sending gets its answers before the daemon closes`() throws {
    let client = try daemon.connect()
    let lines = (1...100).map { number in
      #"{"id":\#(number),"op":"publish","event":{"type":"announcement","text":"\#(number)"}}"#
    }

    try client.send(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    try client.endSending()

    let answers = try client.linesUntilEnd().map { try JSON($0) }
    #expect(answers.map { $0["id"] } == (1...100).map { .integer($0) })
    #expect(answers.allSatisfy { $0["ok"]["seq"].isThere })
  }

  @Test func `a subscriber that has ended sending goes on getting entries`() throws {
    let subscriber = try daemon.connect()
    try subscriber.subscribe()
    try subscriber.endSending()

    let seq = try daemon.connect().publishAccepted(#"{"type":"announcement","text":"still here?"}"#)

    var found = try subscriber.entry()
    while found.seq < seq { found = try subscriber.entry() }
    #expect(found.seq == seq)
  }

  @Test(arguments: [true, false])
  func `what a client has sent is executed though it has closed in full`(
    asksForAnswers: Bool
  )
    throws
  {
    let client = try daemon.connect()
    let id = asksForAnswers ? #""id":1,"# : ""
    let lines = (1...300).map { number in
      #"{\#(id)"op":"publish","event":{"type":"announcement","text":"\#(number)"}}"# + "\n"
    }

    try client.send(bytes: Array(lines.joined().utf8))
    client.close()

    let subscriber = try daemon.connect()
    try subscriber.subscribe(#","from":"start","filter":{"types":["announcement"]}"#)
    let found = try (1...300).map { _ in try subscriber.entry().event()["text"] }
    #expect(found == (1...300).map { .string("\($0)") })
  }

  @Test func `a line of 65,536 bytes is accepted`() throws {
    let client = try daemon.connect()

    let answer = try client.ask(Self.ping(bytes: 65_536))

    #expect(answer["id"] == 1)
    #expect(answer["ok"]["last"].integer != nil)
  }

  @Test(arguments: [65_537, 65_538, 70_000, 131_072, 131_073, 300_000])
  func `a line over 65,536 bytes is refused and reading goes on behind it`(bytes: Int) throws {
    let client = try daemon.connect()

    try client.send(#"{"id":"before","op":"ping"}"#)
    try client.send(Self.ping(bytes: bytes))
    try client.send(#"{"id":"behind","op":"ping"}"#)

    #expect(try client.answer()["id"] == "before")
    try expectTooLong(client.answer())
    let behind = try client.answer()
    #expect(behind["id"] == "behind")
    #expect(behind["ok"].isThere)
  }

  @Test func `lines are the same when they come in slices of 143 bytes`() throws {
    let client = try daemon.connect()
    let lines = [
      Self.ping(bytes: 65_536), Self.ping(bytes: 65_537), #"{"id":"behind","op":"ping"}"#, "",
    ]
    let bytes = Array(lines.joined(separator: "\n").utf8)

    for start in stride(from: 0, to: bytes.count, by: 143) {
      try client.send(bytes: Array(bytes[start..<min(start + 143, bytes.count)]))
    }

    #expect(try client.answer()["ok"].isThere)
    try expectTooLong(client.answer())
    #expect(try client.answer()["id"] == "behind")
  }

  @Test func `a line of ten million bytes takes no memory`() throws {
    let client = try daemon.connect()
    try client.send(Self.ping(bytes: 65_537))
    try expectTooLong(client.answer())
    let before = try daemon.memory()

    try client.send(Self.ping(bytes: 10_000_000))

    try expectTooLong(client.answer())
    #expect(try client.ask(#"{"id":"behind","op":"ping"}"#)["id"] == "behind")
    #expect(try daemon.memory() - before < 2_000_000)
  }

  @Test func `a hundred bad lines in a row end the connection with a bye`() throws {
    let client = try daemon.connect()
    let publish = #"{"op":"publish","event":{"type":"announcement","text":"behind"}}"#
    let lines = repeatElement("{bad", count: 100) + [publish, ""]

    try client.send(bytes: Array(lines.joined(separator: "\n").utf8))

    let answers = try client.linesUntilEnd().map { try JSON($0) }
    let bye = try #require(answers.last)["bye"]
    #expect(bye["code"].string != nil)
    #expect(bye["msg"].string != nil)
    #expect(answers.dropLast().allSatisfy { $0["err"]["code"] == "json.invalid" })
    #expect(answers.count >= 100)
    #expect(try texts() == [])
  }

  @Test func `a good line makes the bad ones before it forgotten`() throws {
    let client = try daemon.connect()

    for _ in 1...3 {
      let bad = String(repeating: "{bad\n", count: 99)
      let answers = try client.converse(Array(bad.utf8), lines: 99)
      #expect(answers.allSatisfy { $0.contains(#""json.invalid""#) })
      #expect(try client.ask(#"{"id":1,"op":"ping"}"#)["ok"].isThere)
    }
  }

  @Test func `bad lines of one client are nothing to another`() throws {
    let (bad, good) = (try daemon.connect(), try daemon.connect())

    for number in 1...60 {
      #expect(try bad.ask("nonsense")["err"]["code"] == "json.invalid")
      #expect(try good.ask(#"{"id":\#(number),"op":"ping"}"#)["ok"].isThere)
    }
    for _ in 61...99 { _ = try bad.ask("nonsense") }

    #expect(try bad.ask(#"{"id":1,"op":"ping"}"#)["ok"].isThere)
  }
}

extension FramingTests {
  /// A valid request of exactly so many bytes; JSON allows space between its tokens.
  static func ping(bytes: Int) -> String {
    let (start, end) = (#"{"id":1,"op":"ping""#, "}")
    let space = String(repeating: " ", count: bytes - start.utf8.count - end.utf8.count)
    return start + space + end
  }

  private func expectTooLong(
    _ answer: JSON,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(answer["id"] == .null, sourceLocation: sourceLocation)
    #expect(answer["err"]["code"] == "line.too-long", sourceLocation: sourceLocation)
    #expect(answer["err"]["msg"].string != nil, sourceLocation: sourceLocation)
  }

  /// The texts of all announcements on the log.
  private func texts() throws -> [String] {
    try daemon.entries().compactMap { try $0.event()["text"].string }
  }
}
