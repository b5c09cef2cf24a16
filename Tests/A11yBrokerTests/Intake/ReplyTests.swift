// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yTestKit
import A11yWire
import Testing

/// The order of replies, and the words around an answer.
@Suite struct ReplyTests {
  let bus = HandDriven()

  // MARK: Ids

  @Test(arguments: [
    "1", "0", "-1", "-0", "9223372036854775807", "-9223372036854775808", #""a""#, #""\u0041\n""#,
    #""ß🙂""#, #""\#(String(repeating: "i", count: 64))""#,
  ])
  func `an id comes back as it was written`(id: String) {
    let session = bus.connect(app: "x")

    let ping = bus.say(session, #"{"op":"ping","id":\#(id)}"#)
    let publish = bus.say(session, #"{"op":"publish","id":\#(id),"event":{"type":"pause"}}"#)
    let refused = bus.say(session, #"{"id":\#(id),"op":"nonsense"}"#)

    #expect(ping == ["{\"id\":\(id),\"ok\":{\"last\":1}}\n"])
    #expect(publish == ["{\"id\":\(id),\"ok\":{\"seq\":2,\"durability\":\"written\"}}\n"])
    #expect(refused.first?.hasPrefix("{\"id\":\(id),\"err\":{\"code\":\"op.unknown\"") == true)
  }

  @Test(arguments: [
    "1.0", "1e3", "9223372036854775808", "true", "[]", "{}", #""""#,
    #""\#(String(repeating: "i", count: 65))""#,
  ])
  func `what is no id is refused, and nothing is done`(id: String) throws {
    let session = bus.connect(app: "x")

    let answer = try bus.ask(session, #"{"id":\#(id),"op":"publish","event":{"type":"pause"}}"#)

    #expect(answer["id"] == .null)
    #expect(answer["err"]["code"].string == "field.invalid")
    #expect(answer["err"]["field"].string == "id")
    #expect(bus.entries == [])
  }

  @Test(arguments: ["", #""id":null,"#])
  func `without an id success is silent and failure is not`(id: String) throws {
    let session = bus.connect(app: "x")

    #expect(bus.say(session, #"{\#(id)"op":"ping"}"#) == [])
    #expect(bus.say(session, #"{\#(id)"op":"describe"}"#) == [])
    #expect(bus.say(session, #"{\#(id)"op":"publish","event":{"type":"pause"}}"#) == [])
    #expect(bus.entries.count == 1)
    let answer = try bus.ask(session, #"{\#(id)"op":"publish","event":{}}"#)
    #expect(answer["id"] == .null)
    #expect(answer["err"]["field"].string == "event.type")
  }

  @Test func `many requests at once are answered in their order`() throws {
    var dice = Dice()
    let session = bus.connect(app: "x")
    var answers: [String] = []
    for number in 0..<200 {
      let op = dice.pick([
        #""op":"ping""#, #""op":"describe""#, #""op":"nonsense""#, #""op":"publish""#,
        #""op":"publish","event":{"type":"pause"}"#, #""op":"unsubscribe""#,
        #""op":"publish","ack":"synced","event":{"type":"pause","foo\#(number)":1}"#,
      ])
      answers += bus.say(session, #"{"id":\#(number),\#(op)}"#)
    }

    let replies = try answers.map { try JSON($0) }.filter { !$0["warn"].isThere }

    #expect(replies.map { $0["id"].integer } == (0..<200).map { Int64($0) }, "seed \(dice.seed)")
  }

  @Test func `ping tells the last seq, of this turn too`() throws {
    let session = bus.connect(app: "x")
    let seq = try bus.publish(session)

    #expect(try bus.ask(session, #"{"id":1,"op":"ping"}"#)["ok"]["last"].integer == seq)
  }

  @Test func `describe names every operation, type and limit`() throws {
    let ok = try bus.ask(bus.connect(), #"{"id":1,"op":"describe"}"#)["ok"]

    #expect(ok["ops"].names == Set(Operation.allCases.map(\.rawValue)))
    #expect(ok["events"].names.isSuperset(of: EventType.allCases.map(\.rawValue)))
    #expect(ok["limits"].count == 13)
    #expect(ok["entries"].names == Set(EventType.Own.allCases.map(\.rawValue) + ["envelope"]))
    #expect(
      ok["marks"].names == [
        "state", "caught-up", "checkpoint", "gap", "skipped", "secret", "refused",
      ]
    )
    #expect(ok["replies"].names == ["error", "warn", "bye"])
  }

  @Test func `describe fits a line and gives every property a meaning`() throws {
    let answer = bus.say(bus.connect(), #"{"id":1,"op":"describe"}"#)[0]
    var count = 0
    func check(_ value: JSON, _ path: String) {
      for (name, property) in value["properties"].members ?? [:] {
        count += 1
        let meaning = property["description"].string
        #expect(meaning?.hasSuffix(".") == true, "\(path) \(name) has no meaning")
      }
      for (name, inner) in value.members ?? [:] { check(inner, "\(path) \(name)") }
      for inner in value.list ?? [] { check(inner, path) }
    }

    let ok = try JSON(answer)["ok"]
    for table in ["ops", "events", "entries", "marks", "replies"] {
      for (name, schema) in ok[table].members ?? [:] {
        let dialect = "https://json-schema.org/draft/2020-12/schema"
        #expect(schema["$schema"].string == dialect, "\(name)")
        check(schema, "\(table) \(name)")
      }
    }

    #expect(count > 1_000)
    #expect(answer.utf8.count <= Limits.answerBytes)
  }

  @Test func `the counters are valid JSON`() throws {
    let session = bus.connect(app: #"a\"b"#)
    _ = try bus.publish(session)
    _ = bus.say(session, "{")
    var out = ByteBuffer(capacity: 0)
    out.append("{")
    bus.writeCounters(into: &out)
    out.append("}")

    let counters = try JSON(out.bytes.string)

    #expect(counters["published"].integer == 1)
    #expect(counters["refused"]["json.invalid"].integer == 1)
    let app = counters["apps"][(counters["apps"].count ?? 1) - 1]
    #expect(app["app"].string == #"a"b"#)
    #expect(app["uid"].integer == 1_000)
    #expect(app["connections"].integer == 1)
    #expect(app["published"].integer == 1)
  }

  // MARK: Unknown fields

  @Test func `unknown fields are named once per connection, before the answer`() {
    let session = bus.connect(app: "x")
    let line = #"{"id":1,"op":"publish","foo":1,"event":{"type":"pause","bar":2,"baz":3}}"#

    let first = bus.say(session, line)
    let again = bus.say(session, line)
    let other = bus.say(bus.connect(), line)

    #expect(first.count == 2)
    let warning = #"{"warn":{"fields":["foo","event.bar","event.baz"]},"id":1}"#
    #expect(first.first == warning + "\n")
    #expect(again.count == 1)
    #expect(other.first == first.first)
  }

  @Test func `only what is new is named`() {
    let session = bus.connect(app: "x")
    _ = bus.say(session, #"{"op":"ping","foo":1}"#)

    let answers = bus.say(session, #"{"op":"ping","foo":1,"bar":1}"#)

    #expect(answers == [#"{"warn":{"fields":["bar"]},"id":null}"# + "\n"])
  }

  @Test(arguments: [
    (#"{"op":"hello","a":1}"#, ["a"]),
    (#"{"op":"subscribe","a":1,"filter":{"b":1}}"#, ["a", "filter.b"]),
    (#"{"op":"ping","event":{}}"#, ["event"]),
    (#"{"op":"publish","event":{"type":"pause","id":1,"op":2}}"#, ["event.id", "event.op"]),
    (
      #"{"op":"publish","event":{"type":"announcement","text":[{"text":"a","b":1}]}}"#,
      ["event.text[].b"]
    ),
    (#"{"op":"stats","\u0061\n":1}"#, ["a\n"]),
  ])
  func `each operation names what it does not know`(line: String, fields: [String]) throws {
    let answers = bus.say(bus.connect(), line)

    #expect(try JSON(try #require(answers.first))["warn"]["fields"].strings == fields)
  }

  @Test func `a refused request names them too, by the whole way`() throws {
    let answers = bus.say(
      bus.connect(),
      """
      {"id":1,"op":"publish","event":{"type":"elements","window":"w","upsert":\
      [{"id":"a","foo":1,"label":7}],"bar":1}}
      """
    )

    try #require(answers.count == 2)
    #expect(
      try JSON(answers[0])["warn"]["fields"].strings == ["event.bar", "event.upsert[].foo"]
    )
    #expect(try JSON(answers[1])["err"]["field"].string == "event.upsert[0].label")
  }

  @Test func `who sends new names for ever is told of a bounded number`() throws {
    let session = bus.connect()
    var named = 0
    for number in 0..<1_000 {
      for answer in bus.say(session, #"{"op":"ping","f\#(number)":1}"#) {
        named += try JSON(answer)["warn"]["fields"].count ?? 0
      }
    }

    #expect(named >= 100)
    #expect(named <= 1_000 / 2)
  }

  // MARK: Lines that are none

  @Test(arguments: ["", " ", "\t", "\r", " \t \r"])
  func `blank lines are ignored`(line: String) {
    #expect(bus.say(bus.connect(), line) == [])
  }

  @Test func `a bad line is refused without an id and costs nothing else`() throws {
    let session = bus.connect(app: "x")

    let answer = try bus.ask(session, #"{"id":1,"op":"ping""#)

    #expect(answer["id"] == .null)
    #expect(answer["err"]["code"].string == "json.invalid")
    #expect(session.farewell == nil)
    #expect(try bus.publish(session) == 2)
  }

  @Test func `bytes that are no text are a bad line`() {
    let answers = bus.say(bus.connect(), bytes: [0x7b, 0xff, 0x7d])

    #expect(answers.count == 1)
    #expect(answers.first?.contains("json.invalid") == true)
  }

  @Test func `a line over the limit is refused`() throws {
    let answers = bus.sayTooMuch(bus.connect())

    let answer = try JSON(try #require(answers.first))
    #expect(answer["id"] == .null)
    #expect(answer["err"]["code"].string == "line.too-long")
  }

  @Test func `after 100 bad lines in a row the connection is given up`() {
    let session = bus.connect()
    for number in 1...99 {
      #expect((number % 2 == 0 ? bus.say(session, "{") : bus.sayTooMuch(session)).count == 1)
    }
    #expect(session.farewell == nil)

    #expect(bus.say(session, "{").count == 1)

    #expect(session.farewell?.code == .jsonInvalid)
    #expect(session.farewell?.message.isEmpty == false)
  }

  @Test func `a good line in between starts the count again`() {
    let session = bus.connect()
    for _ in 1...99 { _ = bus.say(session, "{") }
    _ = bus.say(session, #"{"op":"nonsense"}"#)
    for _ in 1...99 { _ = bus.say(session, "{") }

    #expect(session.farewell == nil)
  }

  @Test func `one connection's bad lines are no other's`() {
    let one = bus.connect()
    let other = bus.connect()
    for _ in 1...99 { _ = bus.say(one, "{") }
    _ = bus.say(other, "{")

    #expect(one.farewell == nil)
    #expect(other.farewell == nil)
  }
}
