// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPresenter
import A11yRules
import A11yTestKit
import A11yWire
import Testing

/// Wherever a process ends, the next one brings every event to its one end.
@Suite struct RestartTests {
  @Test func `a crash behind any entry leaves every event one outcome`() throws {
    let dice = Dice()
    for round in 0..<5 {
      let seed = dice.seed &+ UInt64(round)
      var bustle = Bustle(Dice(seed: seed))
      for _ in 0..<100 { _ = bustle.step() }
      var before = Past()
      for line in bustle.lines {
        before.take(line)
        let faults = before.restarted()
        #expect(faults == [], "A11Y_SEED=\(seed), behind \(line)")
        if !faults.isEmpty { return }
      }
    }
  }

  @Test func `a record of any moment and the entries behind it serve as well`() throws {
    let dice = Dice()
    for round in 0..<5 {
      let seed = dice.seed &+ UInt64(round)
      var bustle = Bustle(Dice(seed: seed))
      for _ in 0..<50 { _ = bustle.step() }
      var before = Past()
      for line in bustle.lines { before.take(line) }
      before.presenter = try #require(Record.presenter(Record.lines(bustle.bus.broker.presenter)))
      let start = bustle.lines.count
      for _ in 0..<50 { _ = bustle.step() }
      for line in bustle.lines[start...] {
        before.take(line)
        // As a start writes it down that is killed before it has written anything else.
        var again = before
        again.presenter = try #require(Record.presenter(Record.lines(before.presenter)))
        let faults = again.restarted()
        #expect(faults == [], "A11Y_SEED=\(seed), behind \(line)")
        if !faults.isEmpty { return }
      }
    }
  }

  @Test func `one crash after the other, each with more to do, leaves every event one outcome`()
    throws
  {
    let dice = Dice()
    for round in 0..<20 {
      let seed = dice.seed &+ UInt64(round)
      var chance = Dice(seed: seed)
      var before = Past()
      for _ in 0..<6 {
        let record = Record.lines(before.presenter)
        var bustle = Bustle(Dice(seed: chance.next()), on: before.bus())
        for _ in 0..<chance.roll(0...50) { _ = bustle.step() }
        // The end comes in the middle of a turn.
        let lines = bustle.lines.dropLast(chance.roll(0...3))
        for line in lines { before.take(line) }
        guard chance.once(in: 2) else { continue }
        // From the state that this life has begun with.
        before.presenter = try #require(Record.presenter(record))
        before.presenter.follow(lines)
      }
      let faults = before.restarted()
      #expect(faults == [], "A11Y_SEED=\(seed)")
    }
  }

  @Test func `entries that the log has lost keep no later event from its end`() throws {
    let dice = Dice()
    for round in 0..<20 {
      let seed = dice.seed &+ UInt64(round)
      var chance = Dice(seed: seed)
      var bustle = Bustle(Dice(seed: seed))
      for _ in 0..<100 { _ = bustle.step() }
      let lines = bustle.lines
      let lost = chance.roll(2...lines.count - 4)
      let count = chance.roll(1...4)
      var before = Past()
      for line in lines[..<lost] { before.take(line) }
      before.lose(count)
      for line in lines[(lost + count)...] { before.take(line) }
      let faults = before.restarted()
      #expect(faults == [], "A11Y_SEED=\(seed), without \(count) behind \(lost)")
    }
  }
}

/// The log that a start finds.
private struct Past {
  /// As it comes from going over the log.
  var presenter = Presenter(rules: RuleSet())
  private var endings = Endings()
  private var mono: Int64 = 0

  mutating func take(_ line: String) {
    presenter.follow([line])
    endings.take(line)
    Record.read(line) { mono = $0.integer("mono", of: 0) ?? mono }
  }

  /// So many entries are damaged.
  mutating func lose(_ count: Int) { endings.lose(Int64(count)) }

  func bus() -> HandDriven {
    let head = LogHead(
      epochs: [HandDriven.start(HandDriven.epoch, 1)],
      first: Seq(1),
      last: Seq(endings.last)
    )
    return HandDriven(head, presenter: presenter, mono: mono)
  }

  /// Starts with nobody to read, and lets time pass until nothing waits: what is wrong then.
  func restarted() -> [String] {
    let bus = bus()
    bus.open()
    bus.commit(after: 0)
    // Announcements of high priority wait for as long as nobody is to be disturbed.
    let seat = bus.connect(role: .control, app: "seat")
    do {
      _ = try bus.publish(seat, #"{"type":"do-not-disturb","level":0}"#)
    } catch { return ["\(error)"] }
    var rings = 0
    while let due = bus.due {
      bus.commit(after: max(0, due - bus.mono))
      rings += 1
      if rings > 10_000 { return ["no end"] }
    }
    var endings = endings
    for line in bus.log + bus.entries { endings.take(line) }
    return endings.faults
  }
}

/// How the events of a log have ended so far.
struct Endings {
  private static let presentable: Set<String> = [
    "announcement", "layout-changed", "screen-changed", "page-scrolled", "voiceover-status",
    "focus",
  ]

  private(set) var wrong: [String] = []
  private var open: [Int64: String] = [:]
  private var ended: [Int64: Int64] = [:]
  private var mono: Int64 = 0
  private var hasRepeated = false
  private var focuses: Set<Int64> = []
  private(set) var last: Int64 = 0

  /// The faults of a log at whose end nothing waits.
  var faults: [String] { wrong + open.sorted { $0.key < $1.key }.map { "no outcome: \($1)" } }

  mutating func lose(_ count: Int64) { last += count }

  mutating func take(_ line: String) {
    guard let entry = try? JSON(line), let seq = entry["seq"].integer,
      let mono = entry["mono"].integer, let type = entry["event"]["type"].string
    else {
      wrong.append("no entry: \(line)")
      return
    }
    let event = entry["event"]
    if seq != last + 1 { wrong.append("\(seq) behind \(last)") }
    last = seq
    if mono < self.mono { wrong.append("the clock goes back at \(seq)") }
    self.mono = mono
    if entry["conn"].integer != 0 || type == "focus", Self.presentable.contains(type) {
      open[seq] = line
    }
    switch type {
    case "focus": focuses.insert(seq)
    case "deliver":
      guard let of = event["of"][0].integer, let end = ended[of] else { return }
      // The user may ask for it once more, who begins to read is told where the focus is, and a
      // summary speaks of what has ended.
      let isEcho = event["again"].bool == true && (hasRepeated || focuses.contains(of))
      if !isEcho, !event["summary"].isThere {
        wrong.append("\(of) ended at \(end) and is delivered at \(seq)")
      }
    case "action": if event["action"].string == "repeat" { hasRepeated = true }
    case "outcome":
      guard let of = event["of"].integer else { return }
      if let end = ended[of] { wrong.append("\(of) ends at \(end) and at \(seq)") }
      ended[of] = seq
      open[of] = nil
    default: break
    }
  }
}
