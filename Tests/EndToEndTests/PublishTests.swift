// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Accepted and refused events, and the words of the answers.
@Suite(.timeLimit(.minutes(hangs)))
struct PublishTests {
  let daemon: RunningDaemon
  let client: RawClient
  private let own: Int64
  private let action: Int64

  init() throws {
    daemon = try RunningDaemon()
    client = try daemon.connect()
    try client.hello("app")
    own = try client.publishAccepted(#"{"type":"announcement","text":"mine"}"#)
    action = try client.publishAccepted(#"{"type":"action","action":"next"}"#)
  }

  @Test(arguments: EventTable.right)
  func `an event is logged with its fields as they were given`(event: String) throws {
    let event = try JSON(filled(event, try references()))

    let first = try client.publishAccepted(event.text(descending: false))
    let second = try client.publishAccepted(event.text(descending: true))

    let entries = try daemon.entries().filter { $0.seq == first || $0.seq == second }
    try #require(entries.count == 2)
    #expect(try entries[0].event() == event)
    // They stand in one order, in whatever order they were given.
    #expect(try entries[0].eventText() == entries[1].eventText())
  }

  @Test func `the table of right events has every type`() throws {
    let types = try EventTable.right.map { try JSON(filled($0))["type"].string }

    #expect(Set(types) == Set(EventTable.published))
  }

  @Test(arguments: EventTable.wrong)
  func `a field that is wrong is named, with what was expected and what came`(
    wrong: EventTable.Wrong
  ) throws {
    let answer = try client.publish(filled(wrong.event))

    #expect(answer["err"]["code"] == "field.invalid", "\(answer)")
    #expect(answer["err"]["field"] == .string(wrong.field))
    let words = try #require(answer["err"]["msg"].string)
    #expect(words.contains("expected"), "\(words)")
    #expect(words.contains("got"), "\(words)")
    #expect(try client.last() == action)
  }

  @Test func `words that are not known are answered with those that are`() throws {
    let answer = try client.publish(#"{"type":"announcement","text":"a","priority":"urgent"}"#)

    let words = try #require(answer["err"]["msg"].string)
    for word in ["low", "default", "high", "urgent"] { #expect(words.contains(word), "\(words)") }
  }

  @Test(arguments: EventTable.incomplete)
  func `a field that is missing is named`(wrong: EventTable.Wrong) throws {
    let answer = try client.publish(filled(wrong.event))

    #expect(answer["err"]["code"] == "field.missing", "\(answer)")
    #expect(answer["err"]["field"] == .string(wrong.field))
    #expect(answer["err"]["msg"].string?.isEmpty == false)
    #expect(try client.last() == action)
  }

  @Test(arguments: EventTable.daemons)
  func `what only the daemon writes nobody may publish`(type: String) throws {
    let answer = try client.publish(#"{"type":"\#(type)","of":\#(own),"text":"a"}"#)

    #expect(answer["err"]["code"] == "role.denied", "\(answer)")
    #expect(try client.last() == action)
  }

  @Test(arguments: [
    #"{"type":"announcement","text":"a","cause":$seq}"#,
    #"{"type":"announcement","text":"a","basis":$seq}"#,
    #"{"type":"layout-changed","cause":$seq}"#,
    #"{"type":"cancel","of":$seq}"#,
    #"{"type":"handled","of":$seq,"handled":true}"#,
    #"{"type":"speech","of":$seq,"state":"started"}"#,
  ])
  func `a seq beyond the last is unknown`(event: String) throws {
    for seq in [action + 1, action + 1000, Int64.max] {
      let answer = try client.publish(event.replacing("$seq", with: "\(seq)"))
      #expect(answer["err"]["code"] == "seq.unknown", "\(seq): \(answer)")
    }
    #expect(try client.last() == action)
  }

  @Test func `the last seq is known`() throws {
    try client.publishAccepted(#"{"type":"announcement","text":"a","cause":\#(action)}"#)
  }

  @Test func `what an app has not published it cannot cancel`() throws {
    let other = try daemon.connect()
    try other.hello("other")

    let answer = try other.publish(#"{"type":"cancel","of":\#(own)}"#)

    #expect(answer["err"]["code"] == "role.denied", "\(answer)")
  }

  @Test(arguments: [
    #"{"type":"\u0070ause"}"#,
    #"{"\u0074ype":"pause"}"#,
    #"{"type":"announcement","te\u0078t":"a"}"#,
    #"{"type":"announcement","text":"a","priority":"h\u0069gh"}"#,
    #"{"type":"announcement","text":"a","class":"stat\u0075s"}"#,
    #"{"type":"announcement","text":"a","mode":"\u006catest"}"#,
    #"{"type":"announcement","text":"a","cause":"us\u0065r"}"#,
    #"{"type":"announcement","text":[{"\u0074ext":"a"}]}"#,
    #"{"type":"elements","window":"w","upsert":[{"i\u0064":"a","traits":["\u0062utton"]}]}"#,
    #"{"type":"window","window":"w","state":"open\u0065d"}"#,
    #"{"type":"action","action":"\u006eext"}"#,
  ])
  func `a word is the same word when it is written with escapes`(event: String) throws {
    let answer = try client.publish(event)

    let seq = try #require(answer["ok"]["seq"].integer, "\(event): \(answer)")
    let entry = try #require(try daemon.entries().first { $0.seq == seq })
    #expect(try entry.event() == JSON(event))
  }

  @Test(arguments: ["window", "element"])
  func `a length is that of the text, not of its escapes`(field: String) throws {
    let letter = #"\u0061"#
    func event(_ count: Int) -> String {
      let id = String(repeating: letter, count: count)
      return #"{"type":"announcement","text":"a","\#(field)":"\#(id)"}"#
    }

    try client.publishAccepted(event(128))
    #expect(try client.publish(event(129))["err"]["field"] == .string("event.\(field)"))
    try client.publishAccepted(
      #"{"type":"announcement","text":"\#(String(repeating: letter, count: 10_000))"}"#
    )
  }

  @Test(arguments: [
    #"x\"y\\z"#, #"\u0001\u001b[1m\n"#, #"\ud83d\ude00"#, String(repeating: "é", count: 30_000),
    String(repeating: #"\""#, count: 30_000),
  ])
  func `whatever is wrong with a field, the answer can be read`(word: String) throws {
    try client.send(#"{"id":1,"op":"publish","event":{"type":"pause","cause":"\#(word)"}}"#)
    let line = try client.line()

    #expect(try JSON(line)["err"]["field"] == "event.cause", "\(line)")
    #expect(line.utf8.count <= 262_144)
  }

  /// Where the names of entries stand that no publisher writes, once there are such entries.
  private func references() throws -> [String: Int64] {
    let reader = try daemon.connect()
    _ = try reader.ask(#"{"id":1,"op":"hello","app":"voice","role":"reader"}"#)
    try reader.subscribe("")
    try client.publishAccepted(
      #"{"type":"elements","window":"ours","replace":[{"id":"a","label":"A","traits":["button"]}]}"#
    )
    try client.publishAccepted(#"{"type":"window","window":"ours","state":"active"}"#)
    try client.publishAccepted(#"{"type":"action","action":"activate"}"#)
    var last: [String: Int64] = [:]
    for entry in try daemon.entries() {
      if let type = try entry.event()["type"].string { last["$\(type)"] = entry.seq }
    }
    return last
  }

  private func filled(_ event: String, _ references: [String: Int64] = [:]) -> String {
    var filled = event.replacing("$own", with: "\(own)").replacing("$action", with: "\(action)")
    for name in ["$focus", "$gesture", "$deliver"] {
      filled = filled.replacing(name, with: "\(references[name] ?? 1)")
    }
    return filled
  }
}

/// How safe an event is when it is acknowledged, and in which order the answers come.
@Suite(.timeLimit(.minutes(hangs)))
struct AcknowledgementTests {
  let daemon: RunningDaemon
  let client: RawClient
  private let event = #"{"type":"announcement","text":"a"}"#

  init() throws {
    daemon = try RunningDaemon()
    client = try daemon.connect()
  }

  @Test func `written is what is acknowledged when nothing is asked`() throws {
    let answer = try client.publish(event)

    #expect(answer["ok"]["durability"] == "written")
    #expect(try #require(answer["ok"]["seq"].integer) > 1)
  }

  @Test(arguments: ["received", "written", "synced"])
  func `an event is acknowledged as it was asked for`(ack: String) throws {
    let answer = try client.publish(event, with: #","ack":"\#(ack)""#)

    #expect(answer["ok"]["durability"] == .string(ack), "\(answer)")
    #expect(try client.last() == answer["ok"]["seq"].integer)
  }

  @Test(arguments: [#""safe""#, #""Written""#, "1", "true", "[]"])
  func `another word is refused`(ack: String) throws {
    let answer = try client.publish(event, with: #","ack":\#(ack)"#)

    #expect(answer["err"]["code"] == "field.invalid", "\(answer)")
    #expect(answer["err"]["field"] == "ack")
  }

  @Test func `answers come in the order of the requests, however safe each is to be`() throws {
    let acks = ["synced", "received", "written", "synced", "written", "received"]
    var lines = (0..<60).map { number in
      let ack = acks[number % acks.count]
      return #"{"id":\#(number),"op":"publish","ack":"\#(ack)","event":\#(event)}"# + "\n"
    }
    lines.insert("{\"id\":\"middle\",\"op\":\"ping\"}\n", at: 31)
    lines.append("{\"id\":\"end\",\"op\":\"ping\"}\n")

    let answers = try client.converse(Array(lines.joined().utf8), lines: 62).map { try JSON($0) }

    var wanted = (0..<60).map { JSON.integer($0) }
    wanted.insert("middle", at: 31)
    wanted.append("end")
    #expect(answers.map { $0["id"] } == wanted)
    for answer in answers {
      guard let number = answer["id"].integer else { continue }
      #expect(answer["ok"]["durability"] == .string(acks[Int(number) % acks.count]))
    }
  }

  @Test func `ten thousand events in one go are answered in order, without a gap`() throws {
    let count: Int64 = 10_000
    let lines = (1...count).map { number in
      let event = #"{"type":"announcement","text":"\#(number)"}"#
      return #"{"id":\#(number),"op":"publish","event":\#(event)}"# + "\n"
    }

    let answers = try client.converse(Array(lines.joined().utf8), lines: Int(count))

    let seqs = try answers.map { try JSON($0)["ok"]["seq"].integer }
    #expect(try answers.map { try JSON($0)["id"] } == (1...count).map { .integer($0) })
    let entries = try daemon.entries()
    #expect(entries.map(\.seq) == Array(1...Int64(entries.count)))
    // Their ends stand between them.
    let published = try entries.filter { try $0.event()["type"] == "announcement" }
    #expect(published.map(\.seq) == seqs)
    #expect(try published.map { try $0.event()["text"].string } == (1...count).map(String.init))
  }

  @Test func `several who publish at once have every seq once`() throws {
    let clients = try (0..<8).map { _ in try daemon.connect() }

    for number in 1...200 {
      let line = #"{"id":\#(number),"op":"publish","event":\#(event)}"#
      for client in clients { try client.send(line) }
    }
    let seqs = try clients.map { client in
      try (1...200).map { _ in try #require(try client.answer()["ok"]["seq"].integer) }
    }

    #expect(seqs.allSatisfy { $0 == $0.sorted() })
    #expect(Set(seqs.joined()).count == 1600)
    let entries = try daemon.entries()
    #expect(entries.map(\.seq) == Array(1...Int64(entries.count)))
  }
}

/// Publishing once what may be sent twice.
@Suite(.timeLimit(.minutes(hangs)))
struct DedupeTests {
  let daemon: RunningDaemon
  let client: RawClient
  private let event = #"{"type":"announcement","text":"a"}"#

  init() throws {
    daemon = try RunningDaemon()
    client = try daemon.connect()
    try client.hello("app")
  }

  @Test func `the same key gives the first seq and logs nothing`() throws {
    let first = try client.publish(event, with: #","dedupe":"k""#)
    let last = try client.last()

    let second = try client.publish(#"{"type":"pause"}"#, with: #","dedupe":"k""#)

    #expect(first["ok"]["seq"].isThere)
    #expect(first["ok"]["duplicate"] != true)
    #expect(second["ok"]["seq"] == first["ok"]["seq"])
    #expect(second["ok"]["duplicate"] == true)
    #expect(try client.last() == last)
  }

  @Test func `another key is another event`() throws {
    let first = try client.publishAccepted(event, with: #","dedupe":"k""#)
    let second = try client.publishAccepted(event, with: #","dedupe":"K""#)
    let third = try client.publishAccepted(event)

    #expect(Set([first, second, third]).count == 3)
  }

  @Test func `a key is an app's own`() throws {
    let (same, other) = (try daemon.connect(), try daemon.connect())
    try same.hello("app")
    try other.hello("other")
    let first = try client.publishAccepted(event, with: #","dedupe":"k""#)

    let sameApp = try same.publish(event, with: #","dedupe":"k""#)
    let otherApp = try other.publish(event, with: #","dedupe":"k""#)

    #expect(sameApp["ok"]["seq"] == .integer(first))
    #expect(sameApp["ok"]["duplicate"] == true)
    #expect(otherApp["ok"]["seq"] != .integer(first))
    #expect(otherApp["ok"]["duplicate"] != true)
  }

  @Test func `the same key in one go is logged once`() throws {
    let line = #"{"id":1,"op":"publish","dedupe":"k","event":\#(event)}"# + "\n"

    let answers = try client.converse(Array((line + line + line).utf8), lines: 3)

    let seqs = try answers.map { try JSON($0)["ok"]["seq"] }
    #expect(Set(seqs.compactMap(\.integer)).count == 1)
    #expect(try daemon.entries().count { try $0.event() == JSON(event) } == 1)
  }

  @Test func `a key is the same when it is written with escapes`() throws {
    let first = try client.publishAccepted(event, with: #","dedupe":"k1""#)

    let second = try client.publish(event, with: #","dedupe":"\u006b1""#)

    #expect(second["ok"]["seq"] == .integer(first))
    #expect(second["ok"]["duplicate"] == true)
  }

  @Test(arguments: [true, false])
  func `a key is known after a restart`(isClean: Bool) throws {
    let first = try client.publishAccepted(event, with: #","dedupe":"k""#)
    if isClean { try daemon.stop() } else { daemon.kill() }
    try daemon.start()

    let client = try daemon.connect()
    try client.hello("app")
    let second = try client.publish(event, with: #","dedupe":"k""#)

    #expect(second["ok"]["seq"] == .integer(first))
    #expect(second["ok"]["duplicate"] == true)
  }

  @Test func `a refused event leaves its key free`() throws {
    let refused = try client.publish(#"{"type":"announcement"}"#, with: #","dedupe":"k""#)
    let accepted = try client.publish(event, with: #","dedupe":"k""#)

    #expect(refused["err"].isThere)
    #expect(accepted["ok"]["seq"].isThere)
    #expect(accepted["ok"]["duplicate"] != true)
  }

  @Test func `a key stands in the entry before the event`() throws {
    let seq = try client.publishAccepted(event, with: #","dedupe":"a key""#)

    let entry = try #require(try daemon.entries().first { $0.seq == seq })
    #expect(entry.line.contains(#","dedupe":"a key","event":{"#))
  }

  @Test(arguments: ["x", String(repeating: "x", count: 64), String(repeating: "é", count: 32)])
  func `a key has up to 64 bytes`(key: String) throws {
    try client.publishAccepted(event, with: #","dedupe":"\#(key)""#)
    #expect(try client.publish(event, with: #","dedupe":"\#(key)""#)["ok"]["duplicate"] == true)
  }

  @Test(arguments: [
    #""""#, "\"\(String(repeating: "x", count: 65))\"", "\"\(String(repeating: "é", count: 33))\"",
    "7", "true", "[]", "{}",
  ])
  func `a key of another kind is refused`(key: String) throws {
    let answer = try client.publish(event, with: #","dedupe":\#(key)"#)

    #expect(answer["err"]["code"] == "field.invalid", "\(answer)")
    #expect(answer["err"]["field"] == "dedupe")
  }
}
