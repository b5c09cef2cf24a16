// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yTestKit
import A11yWire
import Testing

@Suite struct PublishTests {
  let bus = HandDriven()

  @Test func `an event is answered with its seq and how safe it is`() throws {
    let session = bus.connect(app: "x")

    let answers = bus.say(
      session,
      #"{"id":7,"op":"publish","event":{"type":"announcement","text":"Item was added"}}"#
    )

    #expect(answers == ["{\"id\":7,\"ok\":{\"seq\":2,\"durability\":\"written\"}}\n"])
  }

  @Test func `an entry is the event between its envelope and its checksum`() throws {
    let session = bus.connect(uid: 1_234, app: "contacts")
    bus.commit(after: 5_000)

    _ = try bus.publish(
      session,
      #"{"text":"a","type":"announcement"}"#,
      more: #","dedupe":"k""#
    )

    let line = try #require(bus.entries.first)
    let body = """
      {"seq":2,"time":\(HandDriven.wall + 5_000),"mono":5000,"app":"contacts","uid":1234,\
      "conn":\(session.conn),"dedupe":"k","event":{"type":"announcement","text":"a"}
      """
    #expect(line == body + ",\"crc\":\"\(Checksum.text(of: body.utf8))\"}\n")
    #expect(bus.checksums == [Checksum.value(of: body.utf8)])
  }

  @Test func `the first accepted event of a client comes behind the news that it is there`() throws
  {
    let session = bus.connect()

    let first = try bus.publish(session)
    let second = try bus.publish(session, #"{"type":"announcement","text":"Another was added"}"#)

    let events = try bus.entries.map { try JSON($0)["event"]["type"].string }
    #expect(events == ["client", "announcement", "announcement"])
    #expect([first, second] == [2, 3])
    #expect(try JSON(bus.entries[0])["event"]["state"].string == "joined")
  }

  @Test(arguments: [
    #"{"type":"announcement","text":""}"#, #"{"type":"nonsense"}"#, #"{"type":"opened"}"#, "{}",
    "7",
    #"{"type":"cancel","of":1}"#, #"{"type":"pause","cause":99}"#,
  ])
  func `a refused first event leaves no trace and uses no seq`(event: String) throws {
    let session = bus.connect()

    let refused = bus.say(session, #"{"id":1,"op":"publish","event":\#(event)}"#)

    #expect(refused.count == 1)
    #expect(refused[0].contains("\"err\""))
    #expect(bus.entries == [])
    #expect(bus.checksums == [])
    #expect(bus.last == 0)
    #expect(try bus.publish(session) == 2)
    #expect(try JSON(bus.entries[0])["event"]["state"].string == "joined")
  }

  @Test func `a refused event among others leaves no hole`() throws {
    let session = bus.connect(app: "x")

    let first = try bus.publish(session)
    _ = bus.say(
      session,
      #"{"op":"publish","event":{"type":"announcement","text":"a","ttl_ms":-1}}"#
    )
    let second = try bus.publish(session, #"{"type":"announcement","text":"Another was added"}"#)

    #expect([first, second] == [2, 3])
    #expect(bus.entries.count == 2)
    #expect(try bus.entries.map { try JSON($0)["seq"].integer } == [2, 3])
  }

  @Test func `while the disk fails, who asks for synced is refused, and nothing is taken`() throws {
    let session = bus.connect()
    bus.degrade(true)

    let event = HandDriven.announcement
    let refused = try bus.ask(session, #"{"id":1,"op":"publish","ack":"synced","event":\#(event)}"#)

    #expect(refused["err"]["code"].string == "storage.degraded")
    #expect(refused["err"]["field"].string == "ack")
    #expect(bus.entries == [])
    #expect(bus.last == 0)
    #expect(try bus.publish(session) == 2, "others are taken")
    bus.degrade(false)
    #expect(try bus.publish(session, more: #","ack":"synced""#) == 3)
  }

  @Test(arguments: [("received", nil), ("written", nil), ("synced", 2)] as [(String, Int64?)])
  func `who asks for synced waits for the disk, and nobody else`(ack: String, seq: Int64?) throws {
    let session = bus.connect(app: "x")

    let answer = bus.say(
      session,
      #"{"id":1,"op":"publish","ack":"\#(ack)","event":{"type":"pause"}}"#
    )

    #expect(answer.count == 1)
    #expect(bus.waits == [seq.map(Seq.init)])
  }

  @Test(arguments: [
    (#""ack":"soon""#, "ack"), (#""ack":null"#, "ack"), (#""ack":true"#, "ack"),
    (#""dedupe":"""#, "dedupe"),
    (#""dedupe":7"#, "dedupe"),
    (#""dedupe":"\#(String(repeating: "k", count: 65))""#, "dedupe"),
  ])
  func `a wrong field of the request is refused by its name`(field: String, name: String) throws {
    let session = bus.connect(app: "x")

    let answer = try bus.ask(
      session,
      #"{"id":1,"op":"publish",\#(field),"event":{"type":"pause"}}"#
    )

    #expect(answer["err"]["code"].string == "field.invalid")
    #expect(answer["err"]["field"].string == name)
    #expect(bus.last == 1)
  }

  @Test func `a publish without an event misses it`() throws {
    let answer = try bus.ask(bus.connect(), #"{"id":1,"op":"publish"}"#)

    #expect(answer["err"]["code"].string == "field.missing")
    #expect(answer["err"]["field"].string == "event")
  }

  @Test(arguments: [
    (#"[]"#, "event"), (#""a""#, "event"), ("null", "event"), ("{}", "event.type"),
    (#"{"type":"announcement","text":7}"#, "event.text"),
    (
      #"{"type":"elements","window":"w","upsert":[{"id":"a","frame":[1,2,3,"4"]}]}"#,
      "event.upsert[0].frame[3]"
    ),
  ])
  func `a refusal names the field by the whole way to it`(event: String, field: String) throws {
    let answer = try bus.ask(bus.connect(), #"{"id":1,"op":"publish","event":\#(event)}"#)

    #expect(answer["err"]["field"].string == field)
  }

  // MARK: References

  @Test(arguments: [
    (#"{"type":"pause","cause":3}"#, "event.cause"),
    (#"{"type":"pause","basis":3}"#, "event.basis"),
    (#"{"type":"cancel","of":3}"#, "event.of"),
    (#"{"type":"cancel","of":9223372036854775807}"#, "event.of"),
  ])
  func `an event cannot refer to what has not happened`(event: String, field: String) throws {
    let session = bus.connect(app: "x")
    _ = try bus.publish(session)

    let answer = try bus.ask(session, #"{"id":1,"op":"publish","event":\#(event)}"#)

    #expect(answer["err"]["code"].string == "seq.unknown")
    #expect(answer["err"]["field"].string == field)
    #expect(answer["err"]["last"].integer == 2)
    #expect(bus.last == 2)
  }

  @Test func `an event may refer to the last entry, even of the same turn`() throws {
    let session = bus.connect(app: "x")
    let seq = try bus.publish(session)

    #expect(try bus.publish(session, #"{"type":"cancel","of":\#(seq)}"#) == 3)
  }

  @Test(arguments: [
    (#"{"type":"pause","basis":2}"#, "event.basis"),
    (#"{"type":"handled","of":2,"handled":true}"#, "event.of"),
    (#"{"type":"speech","of":2,"state":"started"}"#, "event.of"),
  ])
  func `what is referred to has to be of the right kind`(event: String, field: String) throws {
    let session = bus.connect(app: "x")
    let seq = try bus.publish(session)
    #expect(seq == 2)

    let answer = try bus.ask(session, #"{"id":1,"op":"publish","event":\#(event)}"#)

    #expect(answer["err"]["code"].string == "field.invalid")
    #expect(answer["err"]["field"].string == field)
    #expect(bus.last == 2)
  }

  @Test(arguments: [true, false])
  func `a cause is an action, of this turn or an earlier one`(isEarlier: Bool) throws {
    let session = bus.connect(app: "x")
    let action = try bus.publish(session, #"{"type":"action","action":"next"}"#)
    let pause = try bus.publish(session, #"{"type":"pause"}"#)
    if isEarlier { bus.commit() }

    let refused = try bus.ask(
      session,
      #"{"id":1,"op":"publish","event":{"type":"pause","cause":\#(pause)}}"#
    )

    #expect(refused["err"]["code"].string == "field.invalid")
    #expect(refused["err"]["field"].string == "event.cause")
    #expect(try bus.publish(session, #"{"type":"pause","cause":\#(action)}"#) == 4)
  }

  @Test(arguments: [true, false])
  func `an app cancels its own events and nobody else's`(isEarlier: Bool) throws {
    let mine = bus.connect(uid: 1, app: "x")
    let again = bus.connect(uid: 1, app: "x")
    let others = [
      bus.connect(uid: 1, app: "y"), bus.connect(uid: 2, app: "x"),
      bus.connect(uid: 1, role: .publish, app: "z"),
    ]
    let seq = try bus.publish(mine)
    if isEarlier { bus.commit() }
    let line = #"{"id":1,"op":"publish","event":{"type":"cancel","of":\#(seq)}}"#

    for other in others {
      let answer = try bus.ask(other, line)
      #expect(answer["err"]["code"].string == "role.denied")
      #expect(answer["err"]["field"].string == "event.of")
    }
    #expect(bus.last == seq)
    #expect(try bus.ask(again, line)["ok"]["seq"].integer == seq + 1)
  }

  @Test func `nobody cancels what the daemon has written`() throws {
    let session = bus.connect(app: "x")

    let answer = try bus.ask(
      session,
      #"{"id":1,"op":"publish","event":{"type":"cancel","of":1}}"#
    )

    #expect(answer["err"]["code"].string == "role.denied")
  }

  @Test func `an event cannot refer to the news of its own sender's coming`() throws {
    let answer = try bus.ask(
      bus.connect(),
      #"{"id":1,"op":"publish","event":{"type":"cancel","of":1}}"#
    )

    #expect(answer["err"]["code"].string == "seq.unknown")
    #expect(answer["err"]["last"].integer == 0)
  }

  @Test func `what is older than the log is stored as given`() throws {
    let bus = HandDriven(
      LogHead(epochs: [HandDriven.start(HandDriven.epoch, 1)], first: Seq(50), last: Seq(60))
    )

    #expect(try bus.publish(bus.connect(), #"{"type":"pause","cause":2,"basis":49}"#) == 62)
  }

  // MARK: Going

  @Test func `who was there is seen to leave, with the reason`() throws {
    let session = bus.connect(uid: 5, app: "x")

    bus.leave(session, reason: "quota.exceeded")

    let event = try JSON(try #require(bus.entries.first))["event"]
    #expect(event["type"].string == "client")
    #expect(event["state"].string == "left")
    #expect(event["app"].string == "x")
    #expect(event["uid"].integer == 5)
    #expect(event["conn"].integer == session.conn)
    #expect(event["reason"].string == "quota.exceeded")
  }

  @Test func `who was never there does not leave, and nobody leaves twice`() {
    let silent = bus.connect()
    let joined = bus.connect(app: "x")
    _ = bus.say(silent, #"{"id":1,"op":"ping"}"#)

    bus.leave(silent)
    bus.leave(joined)
    bus.leave(joined)

    #expect(bus.entries.count == 1)
  }

  @Test func `counters count what the log has`() throws {
    let session = bus.connect(app: "x")
    _ = try bus.publish(session, more: #","dedupe":"k""#)
    _ = try bus.publish(session, more: #","dedupe":"k""#)
    _ = bus.say(
      session,
      #"{"op":"publish","event":{"type":"announcement","text":"a","ttl_ms":-1}}"#
    )
    _ = bus.say(session, #"{"op":"publish","event":{"type":"cancel","of":99}}"#)
    _ = bus.say(session, "nonsense")

    #expect(bus.broker.entryCount == 2)
    #expect(bus.broker.counters.allPublished == 1)
    #expect(bus.broker.counters.duplicates == 1)
    #expect(bus.broker.counters.requests == 5)
    #expect(bus.broker.counters.refused == [.fieldInvalid: 1, .seqUnknown: 1, .jsonInvalid: 1])
  }
}
