// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// Nobody's flood takes the past of all others away.
@Suite struct LogShareTests {
  private let disk = MemoryDisk()
  private let text = String(repeating: "x", count: 900)

  private func start(_ time: HandTime? = nil, unlimited: Set<UInt32> = []) throws -> HandBus {
    var settings = Settings()
    settings.log.bytesPerUser = ByteCount(20_000)
    settings.limits.unlimitedUsers = unlimited
    guard let time else { return try HandBus(on: disk, settings: settings) }
    return try HandBus(on: disk, settings: settings, time: time)
  }

  /// How many of so many announcements a user gets in, and the answer to the last.
  private func flood(
    _ hand: HandBus,
    uid: UInt32,
    count: Int = 40,
    text: String,
    priority: String = "default"
  ) throws -> (accepted: Int, last: JSON) {
    let app = hand.connect(uid: uid, role: .publish)
    defer { app.close() }
    for id in 1...count {
      let event = #"{"type":"announcement","text":"\#(text)","priority":"\#(priority)"}"#
      app.say(#"{"id":\#(id),"op":"publish","event":\#(event)}"#)
      hand.settle()
    }
    let answers = app.takeLines().compactMap { try? JSON($0) }.filter { $0["id"].integer != nil }
    return (answers.filter { $0["ok"]["seq"].integer != nil }.count, try #require(answers.last))
  }

  @Test func `a user has a part of the log, and is told when there is room again`() throws {
    let hand = try start()

    let nobody = try flood(hand, uid: 65_534, text: text)

    #expect(10...20 ~= nobody.accepted)
    #expect(nobody.last["err"]["code"].string == "quota.exceeded")
    let wait = try #require(nobody.last["err"]["retry_ms"].integer)
    #expect(23 * 3_600_000...24 * 3_600_000 ~= wait)
    #expect(try flood(hand, uid: 1_234, count: 5, text: text).accepted == 5)
    hand.time.advance(microseconds: 86_400_000_000)
    #expect(try flood(hand, uid: 65_534, count: 5, text: text).accepted == 5)
  }

  @Test func `the daemon's own user, root and those who are named have no limit`() throws {
    let hand = try start(unlimited: [77])

    for uid in [1_000, 0, 77] as [UInt32] {
      #expect(try flood(hand, uid: uid, text: text).accepted == 40)
    }
  }

  @Test func `a short alarm still passes, once a second`() throws {
    let hand = try start()
    _ = try flood(hand, uid: 65_534, text: text)

    #expect(try flood(hand, uid: 65_534, count: 3, text: "Fire", priority: "high").accepted == 1)
    hand.time.advance(microseconds: 1_000_000)
    #expect(try flood(hand, uid: 65_534, count: 3, text: "Fire", priority: "high").accepted == 1)
    hand.time.advance(microseconds: 1_000_000)
    let long = String(repeating: "x", count: 1_100)
    #expect(try flood(hand, uid: 65_534, count: 3, text: long, priority: "high").accepted == 0)
  }

  /// The seq of the newest entry.
  private func last(_ hand: HandBus) throws -> Int64 {
    let client = hand.connect(role: .bus)
    defer { client.close() }
    client.say(#"{"id":1,"op":"ping"}"#)
    hand.settle()
    return try #require(JSON(client.takeLines().last ?? "")["ok"]["last"].integer)
  }

  /// Has a user come and go so many times, and returns the last answer.
  @discardableResult
  private func churn(_ hand: HandBus, rounds: Int) throws -> JSON {
    var answer = ""
    for _ in 0..<rounds {
      let app = hand.connect(uid: 65_534, role: .publish)
      app.say(#"{"id":1,"op":"hello","app":"in and out"}"#)
      hand.settle()
      answer = app.takeLines().last ?? ""
      app.close()
    }
    return try JSON(answer)
  }

  @Test func `who comes and goes uses up his part of the log, and then leaves no trace`() throws {
    let hand = try start()

    try churn(hand, rounds: 100)
    let last = try last(hand)
    let answer = try churn(hand, rounds: 100)

    #expect(20...150 ~= last)
    #expect(try self.last(hand) == last)
    #expect(answer["ok"]["conn"].integer != nil)
    #expect(try flood(hand, uid: 65_534, count: 1, text: "Hello").accepted == 0)
  }

  @Test func `the focus that follows a user's reports is part of it, too`() throws {
    let hand = try start()
    let app = hand.connect(uid: 65_534, role: .publish)
    app.say(#"{"id":1,"op":"hello","app":"to and fro"}"#)
    app.say(
      #"{"id":2,"op":"publish","event":{"type":"elements","window":"w","upsert":"#
        + #"[{"id":"a","label":"A"},{"id":"b","label":"B"}]}}"#
    )
    app.say(#"{"id":3,"op":"publish","event":{"type":"window","window":"w","state":"active"}}"#)
    hand.settle()
    for id in 0..<200 {
      app.say(
        #"{"id":1\#(id),"op":"publish","event":{"type":"focus-changed","window":"w","element":""#
          + (id % 2 == 0 ? "a" : "b") + #"","cause":"user"}}"#
      )
      hand.settle()
    }

    let lines = app.takeLines()
    #expect(lines.last?.contains("quota.exceeded") == true, "\(lines.last ?? "")")
    let written = disk.writes.filter { $0.name.hasSuffix(".ndjson") }.reduce(0) { $0 + $1.bytes }
    #expect(19_000...26_000 ~= written)
  }

  @Test func `a client that has left no trace comes onto the log with its alarm`() throws {
    let hand = try start()
    try churn(hand, rounds: 100)
    let last = try last(hand)
    let app = hand.connect(uid: 65_534, role: .publish)
    app.say(#"{"id":1,"op":"hello","app":"in and out"}"#)
    app.say(
      #"{"id":2,"op":"publish","event":{"type":"announcement","priority":"high","text":"Fire"}}"#
    )
    hand.settle()

    // One entry tells that the client is there, and its alarm is the next.
    #expect(try JSON(app.takeLines().last ?? "")["ok"]["seq"].integer == last + 2)
  }

  @Test(arguments: [true, false])
  func `a restart forgets nobody's part`(isOrderly: Bool) throws {
    let hand = try start()
    _ = try flood(hand, uid: 65_534, text: text)
    if isOrderly { hand.bus.close() }
    hand.time.advance(microseconds: 1_000_000)

    let later = try start(hand.time)

    #expect(try flood(later, uid: 65_534, text: text).accepted <= 5)
  }
}
