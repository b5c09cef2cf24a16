// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yBroker

/// A client counts as a reader from its first subscription to its last.
@Suite struct ReadingTests {
  let bus = HandDriven()

  init() {
    bus.open()
    bus.commit(after: 10_000_000)
  }

  private func reader(_ voice: String = "", filter: String = "") -> Session {
    let reader = bus.connect()
    _ = bus.say(reader, #"{"op":"hello","app":"reader","role":"reader"\#(voice)}"#)
    _ = bus.say(reader, #"{"op":"subscribe"\#(filter)}"#)
    bus.commit()
    return reader
  }

  private func entries(_ type: String) throws -> [JSON] {
    try bus.log.map { try JSON($0) }.filter { $0["event"]["type"].string == type }
  }

  private func result(_ seq: Int64) throws -> String? {
    try entries("outcome").first { $0["event"]["of"].integer == seq }?["event"]["result"].string
  }

  @Test func `a reader that unsubscribes is none any more`() throws {
    let reader = reader()
    let app = bus.connect(app: "org.x")

    #expect(bus.say(reader, #"{"id":3,"op":"unsubscribe"}"#) == ["{\"id\":3,\"ok\":{}}\n"])
    bus.commit(after: 1_000_000)
    let early = try bus.publish(app)
    bus.commit(after: 10_000_000)
    bus.commit()
    let late = try bus.publish(app, #"{"type":"announcement","text":"Late"}"#)
    bus.commit()

    #expect(try entries("deliver").isEmpty)
    #expect(try result(early) == "undeliverable")
    #expect(try result(late) == "undeliverable")
    #expect(try bus.ask(app, #"{"id":1,"op":"state"}"#)["ok"]["reader"]["conn"] == .null)
  }

  @Test func `what it was speaking is said once more to the next, and to itself when it is back`()
    throws
  {
    let first = reader()
    let app = bus.connect(app: "org.x")
    let seq = try bus.publish(app)
    bus.commit()
    _ = bus.say(first, #"{"op":"unsubscribe"}"#)
    bus.commit(after: 2_000_000)
    _ = bus.say(first, #"{"op":"subscribe"}"#)
    bus.commit()

    let deliveries = try entries("deliver")

    #expect(deliveries.map { $0["event"]["of"][0].integer } == [seq, seq])
    #expect(deliveries.last?["event"]["again"] == true)
  }

  @Test func `a filter that keeps delivers out makes no reader`() throws {
    _ = reader(filter: #","filter":{"types":["outcome"]}"#)
    let app = bus.connect(app: "org.x")
    let seq = try bus.publish(app)
    bus.commit()

    #expect(try result(seq) == "undeliverable")
  }

  @Test func `rank and reports are on the log`() throws {
    _ = reader(#","speech":80,"reports":true"#)

    let entry = try #require(entries("client").last)

    #expect(entry["event"]["state"] == "listening")
    #expect(entry["event"]["speech"] == 80)
    #expect(entry["event"]["reports"] == true)
  }

  @Test func `a rank is 0 to 100`() throws {
    let session = bus.connect()
    let answer = try bus.ask(
      session,
      #"{"id":1,"op":"hello","app":"r","role":"reader","speech":101}"#
    )
    #expect(answer["err"]["field"] == "speech")
  }

  @Test func `the reader in the state is the one that owns speech`() throws {
    let first = reader()
    let second = reader(#","speech":80"#)
    _ = reader(#","speech":0"#)
    let app = bus.connect(app: "org.x")

    func owner() throws -> Int64? {
      try bus.ask(app, #"{"id":1,"op":"state"}"#)["ok"]["reader"]["conn"].integer
    }

    #expect(try owner() == second.conn)
    bus.leave(second)
    #expect(try owner() == first.conn)
  }
}
