// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Ids, ops, what is unknown, and what every reply looks like.
@Suite(.timeLimit(.minutes(hangs)))
struct RequestTests {
  let daemon: RunningDaemon
  let client: RawClient

  init() throws {
    daemon = try RunningDaemon()
    client = try daemon.connect()
  }

  @Test(arguments: [
    #""a""#, #""7""#, #""with \"quotes\" and \\""#, #""déjà vu 😀""#,
    "\"\(String(repeating: "i", count: 64))\"", "\"\(String(repeating: "é", count: 32))\"",
    "\"\(String(repeating: #"\u0061"#, count: 64))\"", #""\u0041\ud83d\ude00\n\u0001""#,
    "0", "1", "-1", "9223372036854775807", "-9223372036854775808",
  ])
  func `an id comes back as it was, with success and with failure`(id: String) throws {
    let wanted = try JSON(id)

    let success = try client.ask(#"{"id":\#(id),"op":"ping"}"#)
    let failure = try client.ask(#"{"id":\#(id),"op":"nonsense"}"#)

    #expect(success["id"] == wanted)
    #expect(success["ok"].isThere)
    #expect(failure["id"] == wanted)
    #expect(failure["err"]["code"] == "op.unknown")
  }

  @Test(arguments: [
    #""""#, "\"\(String(repeating: "i", count: 65))\"", "\"\(String(repeating: "é", count: 33))\"",
    "1.5", "1.0", "1e3", "true", "false", "[]", "[1]", "{}", #"{"a":1}"#,
    "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890",
  ])
  func `an id of another kind is refused, and the request with it`(id: String) throws {
    let last = try client.last()
    let event = #"{"type":"announcement","text":"refused"}"#

    let answer = try client.ask(#"{"id":\#(id),"op":"publish","event":\#(event)}"#)

    #expect(answer["id"] == .null)
    #expect(answer["err"]["code"] == "field.invalid", "\(answer)")
    #expect(answer["err"]["field"] == "id")
    #expect(answer["err"]["msg"].string?.isEmpty == false)
    #expect(try client.last() == last)
  }

  @Test func `an id may stand anywhere in a request`() throws {
    #expect(try client.ask(#"{"op":"ping","id":1}"#)["id"] == 1)
    #expect(try client.ask(#"{"op":"nonsense","id":2}"#)["id"] == 2)
    let answer = try client.ask(#"{"op":"publish","event":{"type":"announcement"},"id":"z"}"#)
    #expect(answer["id"] == "z")
    #expect(answer["err"]["code"] == "field.missing")
  }

  @Test(arguments: [
    #"{"id":1,"op":"pin\u0067"}"#, #"{"\u0069d":1,"op":"ping"}"#,
    #"{"id":1,"op":"subscribe","from":"n\u006fw"}"#,
    #"{"id":1,"op":"subscribe","mode":"lossles\u0073"}"#,
    #"{"id":1,"op":"hello","role":"reade\u0072"}"#,
    #"{"id":1,"op":"publish","ack":"synce\u0064","event":{"type":"pause"}}"#,
  ])
  func `a word is the same word when it is written with escapes`(line: String) throws {
    let answer = try client.ask(line)

    #expect(answer["id"] == 1)
    #expect(answer["ok"].isThere, "\(answer)")
  }

  @Test(arguments: ["", #""id":null,"#])
  func `without an id success is silent and failure is told`(id: String) throws {
    try client.send(#"{\#(id)"op":"ping"}"#)
    try client.send(#"{\#(id)"op":"publish","event":{"type":"announcement","text":"a"}}"#)
    try client.send(#"{\#(id)"op":"nonsense"}"#)
    try client.send(#"{"id":1,"op":"ping"}"#)

    let failure = try client.answer()
    #expect(failure["id"] == .null)
    #expect(failure["err"]["code"] == "op.unknown")
    #expect(try client.answer()["id"] == 1)
  }

  @Test(
    arguments: [
      (#"{"id":1,"op":"nonsense"}"#, "op.unknown", nil),
      (#"{"id":1,"op":"PING"}"#, "op.unknown", nil),
      (#"{"id":1,"op":"ping "}"#, "op.unknown", nil),
      (#"{"id":1}"#, "field.missing", "op"),
      (#"{"id":1,"event":{"type":"announcement","text":"a"}}"#, "field.missing", "op"),
      (#"{"id":1,"op":7}"#, "field.invalid", "op"),
      (#"{"id":1,"op":true}"#, "field.invalid", "op"),
      (#"{"id":1,"op":["ping"]}"#, "field.invalid", "op"),
      (#"{"id":1,"op":{}}"#, "field.invalid", "op"),
      (#"{"id":1,"op":"publish"}"#, "field.missing", "event"),
      (#"{"id":1,"op":"publish","event":"announcement"}"#, "field.invalid", "event"),
      (#"{"id":1,"op":"publish","event":[]}"#, "field.invalid", "event"),
      (#"{"id":1,"op":"publish","event":1}"#, "field.invalid", "event"),
      (#"{"id":1,"op":"publish","event":{}}"#, "field.missing", "event.type"),
      (#"{"id":1,"op":"publish","event":{"text":"a"}}"#, "field.missing", "event.type"),
      (#"{"id":1,"op":"publish","event":{"type":1}}"#, "field.invalid", "event.type"),
      (#"{"id":1,"op":"publish","event":{"type":["pause"]}}"#, "field.invalid", "event.type"),
      (#"{"id":1,"op":"publish","event":{"type":"nonsense"}}"#, "type.unknown", nil),
      (#"{"id":1,"op":"publish","event":{"type":"Announcement","text":"a"}}"#, "type.unknown", nil),
    ] as [(String, String, String?)]
  )
  func `a request that says not what it wants is refused`(
    line: String,
    code: String,
    field: String?
  ) throws {
    let answer = try client.ask(line)

    #expect(answer["id"] == 1)
    #expect(answer["err"]["code"] == .string(code), "\(answer)")
    #expect(answer["err"]["msg"].string?.isEmpty == false)
    if let field { #expect(answer["err"]["field"] == .string(field)) }
    #expect(try client.ask(#"{"id":2,"op":"ping"}"#)["ok"].isThere)
  }

  @Test func `ping tells the last seq, which covers all that was published before`() throws {
    for number in 1...50 {
      try client.send(#"{"op":"publish","event":{"type":"announcement","text":"\#(number)"}}"#)
    }

    let last = try client.last()

    let entries = try daemon.entries().prefix { $0.seq <= last }
    let texts = try entries.compactMap { try $0.event()["text"].string }
    #expect(texts == (1...50).map { "\($0)" })
  }

  @Test func `stats holds counters`() throws {
    let answer = try client.ask(#"{"id":1,"op":"stats"}"#)

    #expect(try #require(answer["ok"].members).isEmpty == false)
  }

  @Test func `describe names every op, every event type and every limit`() throws {
    try client.send(#"{"id":1,"op":"describe"}"#)
    let line = try client.line()

    #expect(try JSON(line)["ok"].members != nil)
    let ops = ["hello", "publish", "subscribe", "unsubscribe", "stats", "ping", "describe"]
    for name in ops + EventTable.published + HelloTests.limits.map(\.key) {
      #expect(line.contains("\"\(name)\""), "\(name)")
    }
    #expect(line.utf8.count <= 262_144)
  }
}

/// Fields that the daemon does not know.
@Suite(.timeLimit(.minutes(hangs)))
struct UnknownFieldTests {
  let daemon: RunningDaemon
  let client: RawClient

  init() throws {
    daemon = try RunningDaemon()
    client = try daemon.connect()
  }

  @Test func `an unknown field is named once in a connection, before the reply`() throws {
    #expect(try client.ask(#"{"id":1,"op":"ping","foo":1}"#) == Self.warning("foo", 1))
    #expect(try client.answer()["id"] == 1)

    #expect(try client.ask(#"{"id":2,"op":"ping","foo":"again"}"#)["id"] == 2)
    #expect(try client.ask(#"{"id":3,"op":"ping","foo":1,"bar":null}"#) == Self.warning("bar", 3))
    #expect(try client.answer()["id"] == 3)

    let other = try daemon.connect()
    #expect(try other.ask(#"{"id":4,"op":"ping","foo":1}"#) == Self.warning("foo", 4))
  }

  @Test func `an unknown field of an event is named with its path and not stored`() throws {
    let event = #"{"foo":{"bar":[1]},"type":"announcement","text":"a"}"#

    let warning = try client.publish(event)
    #expect(warning["warn"]["fields"] == ["event.foo"])
    let seq = try client.answer()["ok"]["seq"].integer
    #expect(try client.publish(event)["ok"].isThere)

    let stored = try #require(try daemon.entries().first { $0.seq == seq })
    #expect(try stored.event() == ["type": "announcement", "text": "a"])
    #expect(!stored.line.contains("foo"))
  }

  @Test func `an unknown field of an element in an event is named and not stored`() throws {
    let event = #"{"type":"elements","window":"w","upsert":[{"id":"a","shade":"red","label":"A"}]}"#

    let warning = try client.publish(event)
    let seq = try client.answer()["ok"]["seq"].integer

    let fields = try #require(warning["warn"]["fields"].list)
    let field = try #require(fields.first?.string)
    #expect(fields.count == 1)
    #expect(field.hasPrefix("event.upsert"))
    #expect(field.hasSuffix(".shade"))
    let stored = try #require(try daemon.entries().first { $0.seq == seq })
    #expect(try stored.event()["upsert"] == [["id": "a", "label": "A"]])
  }

  @Test func `several unknown fields are named together`() throws {
    let line = #"{"id":1,"op":"publish","one":1,"event":{"type":"pause","two":2},"three":3}"#

    let warning = try client.ask(line)

    let fields = try #require(warning["warn"]["fields"].list).compactMap(\.string)
    #expect(fields.sorted() == ["event.two", "one", "three"])
    #expect(try client.answer()["ok"].isThere)
  }

  @Test(arguments: [#"x\"y\\z"#, #"\u001b[1m\n"#, "😀", ""])
  func `however an unknown field is called, the warning can be read`(name: String) throws {
    let warning = try client.ask(#"{"id":1,"op":"ping","\#(name)":1}"#)

    #expect(try warning == Self.warning(#require(JSON("\"\(name)\"").string), 1))
    #expect(try client.answer()["ok"].isThere)
  }

  @Test func `thousands of unknown fields are no harm`() throws {
    for round in 1...20 {
      let fields = (1...4000).map { #""u\#(round)-\#($0)":0"# }.joined(separator: ",")
      var answer = try client.ask(#"{"id":1,"op":"ping",\#(fields)}"#)
      if answer["warn"].isThere { answer = try client.answer() }
      #expect(answer["ok"].isThere)
    }
  }

  @Test func `an unknown field of a silent request is named too`() throws {
    try client.send(#"{"op":"publish","event":{"type":"pause","foo":1}}"#)
    try client.send(#"{"id":1,"op":"ping"}"#)

    #expect(try client.answer() == Self.warning("event.foo", .null))
    #expect(try client.answer()["id"] == 1)
  }

  private static func warning(_ field: String, _ id: JSON) -> JSON {
    ["warn": ["fields": [.string(field)]], "id": id]
  }
}
