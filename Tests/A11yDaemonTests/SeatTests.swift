// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// Only who sits at the machine has the window that the user works in.
@Suite struct SeatTests {
  private let disk = MemoryDisk()
  private let hand: HandBus

  init() throws { hand = try HandBus(on: disk) }

  /// An app of a user that claims an active window, and the reply to that.
  private func show(
    _ uid: UInt32,
    _ state: String = "active",
    on hand: HandBus? = nil
  ) throws
    -> JSON
  {
    let hand = hand ?? self.hand
    let app = hand.connect(uid: uid, role: .publish)
    let event = #"{"type":"window","window":"w\#(uid)","state":"\#(state)"}"#
    app.say(
      #"{"op":"hello","app":"app\#(uid)"}"#,
      #"{"id":1,"op":"publish","event":\#(event)}"#
    )
    hand.settle()
    return try JSON(#require(app.takeLines().last))
  }

  private func active(_ hand: HandBus? = nil) throws -> [String] {
    let hand = hand ?? self.hand
    let looker = hand.connect()
    defer { looker.close() }
    looker.say(#"{"id":1,"op":"state"}"#)
    hand.settle()
    let state = try JSON(#require(looker.takeLines().first))["ok"]
    return (state["windows"].list ?? []).filter { $0["state"] == "active" }
      .compactMap { $0["window"].string }
  }

  @Test func `without a seat all may have the active window`() throws {
    #expect(try show(2_001)["ok"]["warnings"].list == nil)
    #expect(try active() == ["w2001"])
    _ = try show(2_002)
    #expect(try active() == ["w2002"])
  }

  @Test func `another's window stays in the background, and its app is told why`() throws {
    hand.bus.seat([2_001])
    _ = try show(2_001)

    let reply = try show(2_002)

    #expect(reply["ok"]["warnings"][0]["code"] == "background.seat")
    #expect(try active() == ["w2001"])
  }

  @Test func `root and the bus's own user may always`() throws {
    hand.bus.seat([2_001])
    _ = try show(0)
    #expect(try active() == ["w0"])
    _ = try show(1_000)
    #expect(try active() == ["w1000"])
  }

  @Test func `who comes to the seat goes on where he was`() throws {
    hand.bus.seat([2_001])
    _ = try show(2_001)
    _ = try show(2_002)
    hand.bus.seat([2_002])
    #expect(try active() == ["w2002"])
    hand.bus.seat([2_001])
    #expect(try active() == ["w2001"])
    hand.bus.seat([2_003])
    #expect(try active() == [])
    hand.bus.seat(nil)
    #expect(try active().count == 1)
  }

  @Test func `a window that is inactive or closed meanwhile does not come back`() throws {
    hand.bus.seat([2_001])
    _ = try show(2_002)
    _ = try show(2_002, "inactive")
    _ = try show(2_003)
    _ = try show(2_003, "closed")

    hand.bus.seat([2_002, 2_003])

    #expect(try active() == [])
  }

  @Test(arguments: [true, false])
  func `the seat and its claims outlive a restart`(isOrderly: Bool) throws {
    hand.bus.seat([2_001])
    _ = try show(2_001)
    _ = try show(2_002)
    if isOrderly { hand.bus.close() }

    let later = try HandBus(on: disk, time: hand.time)

    #expect(try active(later) == ["w2001"])
    later.bus.seat([2_002])
    #expect(try active(later) == ["w2002"])
  }

  @Test func `the log tells who sits there, whenever that changes`() throws {
    let reader = hand.connect()
    reader.say(#"{"id":1,"op":"subscribe","filter":{"types":["seat"]}}"#)
    hand.settle()
    for uids in [[2_001], [2_001], [2_002], nil, nil] as [[UInt32]?] { hand.bus.seat(uids) }
    hand.settle()

    let told = reader.takeLines().compactMap { try? JSON($0)["event"] }
      .filter { $0["type"] == "seat" }
    #expect(told.map { $0["uids"].list?.count } == [3, 3, nil])
  }
}

/// A person reads what concerns him, and the services of the machine; nothing of another's.
@Suite struct SeatReadersTests {
  private let hand: HandBus

  init() throws {
    hand = try HandBus(on: MemoryDisk())
    hand.bus.seat([2_001], people: [110, 2_001, 2_002])
  }

  private func say(_ text: String, as uid: UInt32, on bus: HandBus? = nil) throws -> Int64 {
    let hand = bus ?? hand
    let app = hand.connect(uid: uid, role: .publish)
    app.say(
      #"{"op":"hello","app":"app\#(uid)"}"#,
      #"{"id":1,"op":"publish","event":{"type":"announcement","text":"\#(text)"}}"#
    )
    hand.settle()
    let reply = try JSON(#require(app.takeLines().last))
    return try #require(reply["ok"]["seq"].integer)
  }

  /// The texts that a reader of a user is sent from the whole log.
  private func texts(
    _ uid: UInt32,
    _ role: Role = .read,
    on bus: HandBus? = nil
  ) throws
    -> [String]
  {
    let hand = bus ?? hand
    let reader = hand.connect(uid: uid, role: role)
    defer { reader.close() }
    reader.say(
      #"{"id":1,"op":"subscribe","from":"start","filter":{"types":["announcement","deliver"]}}"#
    )
    hand.settle()
    return try reader.takeLines().map { try JSON($0)["event"] }
      .compactMap { $0["text"].string ?? $0["speak"][0]["text"].string }
  }

  @Test func `people see their own and the services', services and operators all`() throws {
    for (text, uid) in [("ann", 2_001), ("bob", 2_002), ("machine", 90)] as [(String, UInt32)] {
      _ = try say(text, as: uid)
    }

    #expect(try texts(2_001) == ["ann", "machine"])
    #expect(try texts(2_002) == ["bob", "machine"])
    #expect(try texts(110) == ["machine"])
    #expect(try texts(91) == ["ann", "bob", "machine"])
    #expect(try texts(2_003) == ["ann", "bob", "machine"])
    #expect(try texts(0, .control) == ["ann", "bob", "machine"])
  }

  @Test func `who has logged out stays a person; who has never logged in is a service`() throws {
    for uid in [2_002, 2_003] as [UInt32] { _ = try say("\(uid)", as: uid) }
    hand.bus.seat([2_001], people: [2_001])
    #expect(try texts(2_001) == ["2003"])
  }

  @Test func `a person's reader comes again when somebody logs in for the first time`() throws {
    let readers = [2_001, 2_002, 91].map { hand.connect(uid: $0, role: .read) }
    for reader in readers { reader.say(#"{"id":1,"op":"subscribe","from":"start"}"#) }
    hand.settle()
    for reader in readers { _ = reader.takeLines() }

    hand.bus.seat([2_002], people: [2_001, 2_002])
    hand.settle()
    #expect(readers.allSatisfy { !$0.takeLines().contains { $0.contains("bye") } })
    hand.bus.seat([2_002], people: [2_003])
    hand.settle()

    let ends = try readers.map { try JSON(#require($0.takeLines().last))["bye"]["code"].string }
    #expect(ends == ["role.denied", "role.denied", nil])
    _ = try say("late", as: 2_003)
    #expect(try !texts(2_001).contains("late"))
  }

  @Test func `another's entry is not explained, nor another's window shown`() throws {
    let seq = try say("bob", as: 2_002)
    let app = hand.connect(uid: 2_002, role: .publish)
    app.say(#"{"op":"publish","event":{"type":"window","window":"w","state":"opened"}}"#)
    let reader = hand.connect(uid: 2_001, role: .read)
    reader.say(#"{"id":1,"op":"explain","seq":\#(seq)}"#, #"{"id":2,"op":"state"}"#)
    hand.settle()
    while hand.bus.hasLogWork {
      hand.bus.tendLog()
      hand.settle()
    }

    let replies = try reader.takeLines().map { try JSON($0) }
    #expect(replies.first?["err"]["code"] == "role.denied")
    #expect(replies.first?["err"]["msg"] == .string("entry \(seq) is another person's"))
    #expect(replies.last?["ok"]["windows"].count == 0)
    #expect(replies.last?["ok"]["pending"].count == 0)
  }

  @Test func `an own report about another's speech tells nothing of that`() throws {
    let voice = hand.connect(uid: 2_001, role: .read)
    voice.say(#"{"op":"hello","app":"voice","role":"reader"}"#, #"{"id":1,"op":"subscribe"}"#)
    hand.settle()
    _ = try say("Ann's own letter", as: 2_001)
    let told = try voice.takeLines().map { try JSON($0) }
    let of = try #require(told.first { $0["event"]["type"] == "deliver" }?["seq"].integer)
    voice.say(
      #"{"id":2,"op":"publish","event":{"type":"speech","of":\#(of),"state":"interrupted"}}"#
    )
    hand.settle()
    let spy = hand.connect(uid: 2_002, role: .read)
    let end = #""state":"interrupted","reason":"after 3 of 3 words""#
    spy.say(
      #"{"op":"hello","app":"spy","role":"reader"}"#,
      #"{"id":1,"op":"publish","event":{"type":"speech","of":\#(of),\#(end)}}"#
    )
    hand.settle()
    let seq = try #require(spy.takeLines().compactMap { try JSON($0)["ok"]["seq"].integer }.last)

    spy.say(#"{"id":2,"op":"explain","seq":\#(seq)}"#)
    hand.settle()
    while hand.bus.hasLogWork {
      hand.bus.tendLog()
      hand.settle()
    }
    let answer = spy.takeLines().joined()
    #expect(answer.contains("\"ok\""))
    for word in ["own", "letter", "app2001"] { #expect(!answer.contains(word), "\(answer)") }
  }

  @Test func `without a login manager every reader sees all`() throws {
    let hand = try HandBus(on: MemoryDisk())
    hand.bus.seat(nil)
    _ = try say("bob", as: 2_002, on: hand)
    #expect(try texts(2_001, on: hand) == ["bob"])
  }

  @Test func `people stay people while the login manager is away`() throws {
    _ = try say("bob", as: 2_002)
    hand.bus.seat(nil)
    hand.bus.seat([2_001], people: [2_001])
    #expect(try texts(2_001) == [])
  }

  @Test func `a session's bus is silent while its user is in the background`() throws {
    let reader = hand.connect()
    reader.say(
      #"{"op":"hello","app":"voice","role":"reader"}"#,
      #"{"id":1,"op":"subscribe","filter":{"types":["deliver","outcome"]}}"#
    )
    hand.bus.seat(isAway: true)
    let app = hand.connect()
    app.say(#"{"op":"publish","event":{"type":"announcement","text":"Away"}}"#)
    hand.settle()
    hand.bus.seat(isAway: false)
    app.say(#"{"op":"publish","event":{"type":"announcement","text":"Back"}}"#)
    hand.settle()

    let events = try reader.takeLines().map { try JSON($0)["event"] }.filter(\.isThere)
    #expect(events.map { $0["type"].string } == ["outcome", "deliver"])
    #expect(events.first?["why"]["reason"] == "away")
    #expect(events.last?["speak"][0]["text"] == "Back")
  }
}
