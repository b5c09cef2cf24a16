// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yEngine
import A11yRules
import A11yTestKit
import A11yWire
import Testing

/// Wherever a process ends, the next one brings every event to its one end.
@Suite struct RestartTests {
  @Test func `a crash behind any entry leaves every event one outcome`() throws {
    let dice = Dice()
    for round in 0..<6 {
      let seed = dice.seed &+ UInt64(round)
      var bustle = Bustle(Dice(seed: seed))
      for _ in 0..<120 { _ = bustle.step() }
      let lines = bustle.lines
      var engine = Engine(rules: RuleSet())
      for end in lines.indices {
        engine.follow([lines[end]])
        let whole = try restart(engine, lines[...end], seed: seed)
        let faults = Endings.faults(whole)
        #expect(faults == [], "A11Y_SEED=\(seed), behind \(lines[end])")
        if !faults.isEmpty { print("DUMP", whole.joined()) }
        if !faults.isEmpty { return }
      }
    }
  }

  @Test func `a record of any moment and the entries behind it serve as well`() throws {
    let dice = Dice()
    for round in 0..<6 {
      let seed = dice.seed &+ UInt64(round)
      var bustle = Bustle(Dice(seed: seed))
      for _ in 0..<60 { _ = bustle.step() }
      let start = bustle.lines.count
      let record = Record.lines(bustle.bus.broker.engine)
      for _ in 0..<60 { _ = bustle.step() }
      let lines = bustle.lines
      var engine = try #require(Record.engine(record))
      for end in start..<lines.count {
        engine.follow([lines[end]])
        // As it would be written down by a start that is killed in its turn.
        let twice = try #require(Record.engine(Record.lines(engine)))
        let faults = Endings.faults(try restart(twice, lines[...end], seed: seed))
        #expect(faults == [], "A11Y_SEED=\(seed), behind \(lines[end])")
        if !faults.isEmpty { return }
      }
    }
  }

  @Test func `one crash after the other, each with more to do, leaves every event one outcome`()
    throws
  {
    let dice = Dice()
    for round in 0..<10 {
      let seed = dice.seed &+ UInt64(round)
      var chance = Dice(seed: seed)
      var lines: [String] = []
      for _ in 0..<6 {
        var engine = Engine(rules: RuleSet())
        engine.follow(lines)
        var bustle = Bustle(Dice(seed: chance.next()), on: try bus(engine, lines[...]))
        for _ in 0..<chance.roll(0...50) { _ = bustle.step() }
        lines += bustle.lines
        // The end comes in the middle of a turn.
        lines.removeLast(chance.roll(0...min(3, lines.count)))
      }
      var engine = Engine(rules: RuleSet())
      engine.follow(lines)
      let faults = Endings.faults(try restart(engine, lines[...], seed: seed))
      #expect(faults == [], "A11Y_SEED=\(seed)")
    }
  }

  // MARK: Starting anew

  private func bus(_ engine: Engine, _ lines: ArraySlice<String>) throws -> HandDriven {
    let last = try lines.last.map { try JSON($0) }
    let head = LogHead(
      epochs: [HandDriven.start(HandDriven.epoch, 1)],
      first: Seq(1),
      last: Seq(last?["seq"].integer ?? 0)
    )
    return HandDriven(head, engine: engine, mono: last?["mono"].integer ?? 0)
  }

  /// Starts on what there is, with nobody to read, and lets time pass until nothing waits.
  private func restart(
    _ engine: Engine,
    _ lines: ArraySlice<String>,
    seed: UInt64
  ) throws -> [String] {
    let bus = try bus(engine, lines)
    bus.open()
    bus.commit(after: 0)
    var rings = 0
    while let due = bus.due, rings < 10_000 {
      bus.commit(after: max(0, due - bus.mono))
      rings += 1
    }
    #expect(rings < 10_000, "A11Y_SEED=\(seed)")
    return lines + bus.log + bus.entries
  }
}

/// How the events of a log have ended.
enum Endings {
  private static let presentable: Set<String> = [
    "announcement", "layout-changed", "screen-changed", "page-scrolled", "voiceover-status",
    "focus",
  ]

  /// What is wrong with a log at whose end nothing waits.
  static func faults(_ lines: [String]) -> [String] {
    var faults: [String] = []
    var open: Set<Int64> = []
    var ended: [Int64: Int64] = [:]
    var finished: [Int64: Int64] = [:]
    var delivers: [Int64: Int64] = [:]
    var owner: Int64?
    var listening: [Int64] = []
    var mono: Int64 = 0
    var repeats: Set<Int64> = []
    for line in lines {
      guard let entry = try? JSON(line), let seq = entry["seq"].integer,
        let type = entry["event"]["type"].string
      else { return ["no entry: \(line)"] }
      let event = entry["event"]
      if entry["mono"].integer ?? 0 < mono { faults.append("the clock goes back at \(seq)") }
      mono = entry["mono"].integer ?? 0
      let isPublished = entry["conn"].integer != 0
      if isPublished || type == "focus", presentable.contains(type) { open.insert(seq) }
      switch type {
      case "client":
        guard let conn = event["conn"].integer else { break }
        if event["state"].string == "listening" { listening.append(conn) }
        if event["state"].string == "left" { listening.removeAll { $0 == conn } }
        owner = listening.first
      case "opened":
        listening = []
        owner = nil
      case "speech":
        guard event["state"].string == "finished", entry["conn"].integer == owner,
          let of = event["of"].integer, let told = delivers[of], delivers.values.max() != nil
        else { break }
        // Only the newest words are with the reader.
        if of == delivers.keys.max() { finished[told] = seq }
      case "deliver":
        guard let of = event["of"][0].integer else { break }
        delivers[seq] = of
        let isSummary = event["summary"].isThere
        let isEcho = event["again"].bool == true && repeats.contains(where: { $0 < seq })
        if let end = ended[of], !isEcho, !isSummary {
          faults.append("\(of) ended at \(end) and is delivered at \(seq)")
        }
      case "action": if event["action"].string == "repeat" { repeats.insert(seq) }
      case "outcome":
        guard let of = event["of"].integer else { break }
        if let end = ended[of] { faults.append("\(of) ends at \(end) and at \(seq)") }
        ended[of] = seq
        open.remove(of)
      default: break
      }
    }
    for seq in open.sorted() { faults.append("\(seq) has no outcome") }
    return faults
  }
}
