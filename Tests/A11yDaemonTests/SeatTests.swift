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
