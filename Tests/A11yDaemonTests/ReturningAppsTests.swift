// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yDaemon

/// A stop of the daemon, orderly or not, is nothing that an app has done: it is waited for anew.
@Suite struct ReturningAppsTests {
  private let disk = MemoryDisk()

  /// A bus on which an app shows a window that has the focus.
  private func showing() throws -> (HandBus, HandLink) {
    let hand = try HandBus(on: disk)
    let app = hand.connect()
    app.say(
      #"{"op":"hello","app":"contacts"}"#,
      publish(#"{"type":"elements","window":"main","upsert":[{"id":"ok","label":"OK"}]}"#),
      publish(#"{"type":"window","window":"main","state":"active"}"#),
      publish(#"{"type":"screen-changed","window":"main","element":"ok"}"#)
    )
    hand.settle()
    return (hand, app)
  }

  private func publish(_ event: String) -> String { #"{"op":"publish","event":\#(event)}"# }

  /// The next bus on the same log, so much later.
  private func restarted(_ hand: HandBus, after seconds: Int64, isOrderly: Bool) throws -> HandBus {
    if isOrderly { hand.bus.close() }
    hand.time.advance(microseconds: seconds * 1_000_000)
    return try HandBus(on: disk, time: hand.time)
  }

  private func state(_ hand: HandBus) throws -> JSON {
    let looker = hand.connect()
    looker.say(#"{"id":1,"op":"state"}"#)
    hand.settle()
    defer { looker.close() }
    return try JSON(#require(looker.takeLines().first))["ok"]
  }

  /// Lets time pass, and what is due in it happen.
  private func wait(_ hand: HandBus, milliseconds: Int64) {
    hand.time.advance(microseconds: milliseconds * 1_000)
    hand.bus.wake()
    hand.settle()
  }

  @Test(arguments: [true, false])
  func `a restart that takes six seconds keeps windows, elements and focus`(isOrderly: Bool) throws
  {
    let (first, _) = try showing()
    try #require(try state(first)["focus"]["element"] == "ok")

    let hand = try restarted(first, after: 6, isOrderly: isOrderly)
    wait(hand, milliseconds: 4_900)

    #expect(try state(hand)["windows"].list?.count == 1)
    #expect(try state(hand)["focus"]["element"] == "ok")
  }

  @Test(arguments: [true, false])
  func `an app that comes back within five seconds keeps them for good`(isOrderly: Bool) throws {
    let hand = try restarted(showing().0, after: 6, isOrderly: isOrderly)
    let app = hand.connect()
    app.say(#"{"op":"hello","app":"contacts"}"#)
    hand.settle()

    wait(hand, milliseconds: 60_000)

    #expect(try state(hand)["windows"].list?.count == 1)
    #expect(try state(hand)["focus"]["element"] == "ok")
  }

  @Test(arguments: [true, false])
  func `of one that stays away the windows go after five seconds, and the focus is told`(
    isOrderly: Bool
  ) throws {
    let hand = try restarted(showing().0, after: 6, isOrderly: isOrderly)
    let listener = hand.connect()
    listener.say(#"{"op":"subscribe","filter":{"types":["focus"]}}"#)
    hand.settle()
    _ = listener.takeLines()

    wait(hand, milliseconds: 5_000)

    #expect(try state(hand)["windows"].list?.count == 0)
    let told = try #require(listener.takeLines().first { $0.contains(#""type":"focus""#) })
    #expect(try JSON(told)["event"]["element"] == .null)
  }

  @Test func `one that had left just before the stop has the five seconds too`() throws {
    let first: HandBus
    do {
      // Only the bus and the test hold a client, and both let go of it.
      let (hand, app) = try showing()
      app.close()
      hand.turn()
      first = hand
    }
    wait(first, milliseconds: 2_000)

    let hand = try restarted(first, after: 6, isOrderly: true)

    wait(hand, milliseconds: 4_900)
    #expect(try state(hand)["windows"].list?.count == 1)
    wait(hand, milliseconds: 200)
    #expect(try state(hand)["windows"].list?.count == 0)
  }
}
