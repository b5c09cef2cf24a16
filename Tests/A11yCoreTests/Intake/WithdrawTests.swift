// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yTestKit
import A11yWire
import Testing

/// A turn that the log could not take has not happened, as far as anybody can see later.
@Suite struct WithdrawTests {
  let bus = HandDriven()

  @Test func `its seqs are given again, and its entries are gone`() throws {
    let session = bus.connect(app: "x")
    _ = try bus.publish(session)
    _ = try bus.publish(session)

    bus.withdraw()

    #expect(bus.last == 1)
    #expect(bus.entries == [])
    #expect(try bus.publish(session) == 2)
  }

  @Test(arguments: [#"{"op":"hello","app":"x"}"#, #"{"op":"publish","event":{"type":"pause"}}"#])
  func `who came in it comes again with the next event`(line: String) throws {
    let session = bus.connect()
    _ = bus.say(session, line)
    bus.withdraw()

    #expect(try bus.publish(session) == 2)
    let states = try bus.entries.map { try JSON($0)["event"]["state"].string }
    #expect(states == ["joined", nil])
  }

  @Test func `who came before it does not come again`() throws {
    let session = bus.connect(app: "x")
    _ = try bus.publish(session)
    bus.withdraw()

    #expect(try bus.publish(session) == 2)
    #expect(bus.entries.count == 1)
  }

  @Test func `who came and left in it is not there`() throws {
    let session = bus.connect()
    _ = try bus.publish(session)
    bus.leave(session)
    bus.withdraw()

    bus.leave(session)

    #expect(bus.entries == [])
    #expect(bus.last == 0)
  }

  @Test func `publishers are told with their ids, all others get their answers`() throws {
    let session = bus.connect(app: "x")
    _ = bus.say(session, #"{"id":"a","op":"publish","event":{"type":"pause"}}"#)
    _ = bus.say(session, #"{"op":"publish","event":{"type":"pause"}}"#)
    _ = bus.say(session, #"{"id":2,"op":"nonsense"}"#)

    let answers = try bus.refusedReplies(because: Refusal(.storageDegraded, "no room"))
      .map { try JSON($0) }

    try #require(answers.count == 3)
    #expect(answers.prefix(2).allSatisfy { $0["err"]["code"].string == "storage.degraded" })
    #expect(answers[0]["id"].string == "a")
    #expect(answers[1]["id"] == .null)
    #expect(answers[2]["id"].integer == 2)
    #expect(answers[2]["err"]["code"].string == "op.unknown")
  }

  @Test func `counters do not count it`() throws {
    let session = bus.connect(app: "x")
    _ = try bus.publish(session)
    bus.withdraw()

    #expect(bus.broker.entryCount == 1)
  }
}
