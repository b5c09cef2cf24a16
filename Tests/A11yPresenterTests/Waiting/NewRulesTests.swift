// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// What becomes of events that wait when other rules come into force.
@Suite struct NewRulesTests {
  private let bus = HandDriven()
  private let app: Session

  init() {
    bus.open()
    let reader = bus.connect(app: "orca", more: #","role":"reader","reports":true"#)
    _ = bus.say(reader, #"{"op":"subscribe"}"#)
    app = bus.connect(app: "chatty")
    bus.commit()
  }

  private func says(_ text: String, _ more: String = "") throws -> Int64 {
    try bus.publish(app, #"{"type":"announcement","text":"\#(text)"\#(more)}"#)
  }

  private func load(_ change: (inout Rule) -> Void) {
    var rule = Rule("own")
    rule.place = Rule.Place(file: "own.toml", line: 1, column: 1)
    rule.matchers.apps = [Pattern("chatty")]
    change(&rule)
    bus.load(RuleSet(RuleSet.defaults.rules + [rule]))
    bus.commit()
  }

  private func entries(_ type: String) throws -> [JSON] {
    bus.commit()
    return try bus.log.map { try JSON($0) }.filter { $0["event"]["type"].string == type }
  }

  /// "inhibited by own", "not ended".
  private func end(_ seq: Int64) throws -> String {
    guard let outcome = try entries("outcome").last(where: { $0["event"]["of"].integer == seq })
    else { return "not ended" }
    return "\(outcome["event"]["result"].string ?? "") by \(outcome["event"]["rule"].string ?? "")"
  }

  @Test func `what is muted now is not heard any more, wherever it stands`() throws {
    let seqs = try (0..<12).map { try says("Text \($0)", #","queue":true"#) }
    bus.commit(after: 100_000)

    load { $0.settings.present = .log }

    // The first is with the reader, the others wait for their turn or their rate.
    let delivered = try entries("deliver").compactMap { $0["seq"].integer }
    #expect(try entries("silence").compactMap { $0["event"]["of"].integer } == delivered)
    bus.commit(after: 4_000_000)
    for seq in seqs { #expect(try end(seq) == "inhibited by own") }
    #expect(try entries("deliver").count == delivered.count)
  }

  @Test func `what had ended does not come back, and what comes goes by the new rules`() throws {
    load { $0.settings.present = .log }
    let muted = try says("One")
    bus.load(.defaults)
    let heard = try says("Two")

    #expect(try end(muted) == "inhibited by own")
    #expect(try end(heard) == "not ended")
    #expect(try entries("deliver").map { $0["event"]["of"][0].integer } == [heard])
  }

  @Test func `a new ttl counts from when the event came`() throws {
    _ = try says(String(repeating: "x", count: 400))
    let waits = try says("Waits", #","queue":true"#)
    bus.commit(after: 2_000_000)

    load { $0.settings.ttl = .some(.milliseconds(2_500)) }
    #expect(try end(waits) == "not ended")
    bus.commit(after: 501_000)
    #expect(try end(waits) == "expired by own")

    let old = try says("Old", #","queue":true"#)
    bus.commit(after: 1_000_000)
    load { $0.settings.ttl = .some(.milliseconds(900)) }
    #expect(try end(old) == "expired by own")
  }

  @Test func `its own ttl is not for a rule to change`() throws {
    _ = try says(String(repeating: "x", count: 400))
    let waits = try says("Waits", #","queue":true,"ttl_ms":9000"#)
    bus.commit(after: 2_000_000)
    load { $0.settings.ttl = .some(.milliseconds(100)) }

    #expect(try end(waits) == "not ended")
  }

  @Test func `a priority is that of the rules in force, and its own when they say nothing`() throws
  {
    load { $0.settings.priority = .low }
    _ = try says(String(repeating: "x", count: 400))
    bus.commit(after: 1_000_000)
    let waits = try says("Waits")
    bus.commit()
    #expect(bus.broker.presenter.waiting[Seq(waits)]?.priority == .low)

    bus.load(.defaults)
    bus.commit()

    // It was default all along; and it is as new as it was, so that it cuts nothing of its own.
    #expect(try end(waits) == "not ended")
    #expect(try entries("deliver").count == 2)
  }

  @Test func `what waits for a rate waits for the new one`() throws {
    for number in 0..<5 { _ = try says("Text \(number)", #","queue":true"#) }
    let limited = try says("Sixth", #","queue":true"#)
    bus.commit()
    #expect(bus.broker.presenter.waiting[Seq(limited)]?.standing == .limited)

    load { $0.settings.rate = .some(nil) }

    #expect(bus.broker.presenter.waiting[Seq(limited)]?.standing == .queued)
  }

  @Test func `each in line for a rate is due at its own turn`() throws {
    for number in 0..<5 { _ = try says("Text \(number)", #","queue":true"#) }
    let waiting = try (0..<4).map { try says("More \($0)", #","queue":true,"ttl_ms":60000"#) }
    bus.commit()

    let dues = waiting.map { bus.broker.presenter.pending(of: Seq($0))?.due?.microseconds }

    #expect(dues == [1_000_000, 2_000_000, 3_000_000, 4_000_000])
  }

  @Test func `a text by which a rule knows it is known of what came before the rule`() throws {
    _ = try says(String(repeating: "x", count: 400))
    let spam = try says("Buy now", #","queue":true"#)
    let other = try says("Saved", #","queue":true"#)
    bus.commit()

    load { rule in
      rule.matchers.texts = [Pattern("Buy*")]
      rule.settings.present = .log
    }

    #expect(try end(spam) == "inhibited by own")
    #expect(try end(other) == "not ended")
  }

  @Test func `the user's pause outlives a restart, until the machine is started anew`() throws {
    let seat = bus.connect(app: "seat")
    _ = try bus.publish(seat, #"{"type":"action","action":"pause"}"#)
    bus.open(isSameBoot: true)
    bus.commit()
    #expect(bus.broker.presenter.waiting.quiet.pausedAt != nil)
    bus.open(isSameBoot: false)
    bus.commit()
    #expect(bus.broker.presenter.waiting.quiet.pausedAt == nil)
  }
}
