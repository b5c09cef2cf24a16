// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// The earliest alarm rings first, and at one instant the order does not depend on chance.
@Suite struct AlarmsTests {
  @Test func `the earliest rings first`() {
    var alarms = Alarms()
    alarms.set(.grace, at: .microseconds(30), by: Seq(1))
    alarms.set(.estimate, at: .microseconds(10), by: Seq(2))
    alarms.set(.reading, at: .microseconds(20), by: Seq(3))

    #expect(alarms.due == .microseconds(10))
    #expect(names(&alarms) == ["estimate", "reading", "grace"])
    #expect(alarms.due == nil)
  }

  @Test func `at one instant the one that was set by the earlier entry rings first`() {
    var alarms = Alarms()
    alarms.set(.release(Seq(9)), at: .microseconds(10), by: Seq(9))
    alarms.set(.expiry(Seq(2)), at: .microseconds(10), by: Seq(2))
    alarms.set(.estimate, at: .microseconds(10), by: Seq(5))

    #expect(names(&alarms) == ["expiry", "estimate", "release"])
  }

  @Test func `what one entry has set for one instant rings by its kind, however it was set`() {
    var dice = Dice()
    let kinds = Self.kinds(Seq(4), place: 0)
    for _ in 0..<50 {
      var alarms = Alarms()
      for alarm in kinds.shuffled(using: &dice) {
        alarms.set(alarm, at: .microseconds(7), by: Seq(4))
      }
      #expect(names(&alarms) == Self.order, "seed \(dice.seed)")
    }
  }

  @Test func `an alarm that is set anew rings once, at its new time`() {
    var alarms = Alarms()
    alarms.set(.burst(3), at: .microseconds(10), by: Seq(1))
    alarms.set(.grace, at: .microseconds(20), by: Seq(1))
    alarms.set(.burst(3), at: .microseconds(30), by: Seq(2))

    #expect(alarms.count == 2)
    #expect(alarms.due(of: .burst(3)) == .microseconds(30))
    #expect(names(&alarms) == ["grace", "burst"])
  }

  @Test func `one that is cancelled never rings, and one that never was can be cancelled`() {
    var alarms = Alarms()
    alarms.set(.cut(Seq(3)), at: .microseconds(10), by: Seq(3))
    alarms.cancel(.cut(Seq(4)))
    #expect(alarms.count == 1)
    alarms.cancel(.cut(Seq(3)))
    alarms.cancel(.cut(Seq(3)))

    #expect(alarms.due == nil)
    #expect(alarms.due(of: .cut(Seq(3))) == nil)
  }

  @Test func `whatever is set and cancelled, it rings as a plain list would have it`() {
    var dice = Dice()
    for _ in 0..<60 {
      var alarms = Alarms()
      var list: [Row] = []
      for _ in 0..<300 {
        let alarm = dice.pick(Self.kinds(Seq(Int64(dice.roll(1...9))), place: dice.roll(0...9)))
        switch dice.roll(1...6) {
        case 1:
          alarms.cancel(alarm)
          list.removeAll { $0.alarm == alarm }
        case 2:
          let rung = alarms.pop()
          let first = list.min { $0.sooner < $1.sooner }
          #expect(rung?.due.microseconds == first?.due, "seed \(dice.seed)")
          #expect(rung?.by.number == first?.by, "seed \(dice.seed)")
          #expect(rung.map { Self.rank($0.alarm) } == first?.sooner[2], "seed \(dice.seed)")
          list.removeAll { $0.alarm == rung?.alarm }
        default:
          let row = Row(alarm: alarm, due: Int64(dice.roll(0...20)), by: Int64(dice.roll(1...4)))
          alarms.set(alarm, at: .microseconds(row.due), by: Seq(row.by))
          list.removeAll { $0.alarm == alarm }
          list.append(row)
        }
        #expect(alarms.count == list.count, "seed \(dice.seed)")
        #expect(alarms.due?.microseconds == list.map(\.due).min(), "seed \(dice.seed)")
      }
      let order = alarms.all.map { [$0.due.microseconds, $0.by.number, Self.rank($0.alarm)] }
      let naive = list.map(\.sooner).sorted { $0 < $1 }
      #expect(order == naive, "seed \(dice.seed)")
    }
  }

  @Test
  func `whatever grows old, in its order or out of it, it rings as a plain list would have it`() {
    var dice = Dice()
    for _ in 0..<20 {
      var alarms = Alarms()
      var list: [Row] = []
      for turn in 1...400 {
        // Nearly all live equally long; one in five gets another time, or a new one.
        let isLate = dice.roll(1...5) == 1
        let seq = Seq(Int64(isLate ? dice.roll(1...turn) : turn))
        let row = Row(
          alarm: .expiry(seq),
          due: Int64(isLate ? dice.roll(turn...turn + 90) : turn + 60),
          by: seq.number
        )
        alarms.set(row.alarm, at: .microseconds(row.due), by: seq)
        list.removeAll { $0.alarm == row.alarm }
        list.append(row)
        if dice.roll(1...2) == 1 {
          let gone = dice.pick(list)
          alarms.cancel(gone.alarm)
          list.removeAll { $0.alarm == gone.alarm }
        }
        while let due = alarms.due, due <= .microseconds(Int64(turn)) {
          let first = list.min { $0.sooner < $1.sooner }
          #expect(alarms.pop()?.alarm == first?.alarm, "seed \(dice.seed)")
          list.removeAll { $0.alarm == first?.alarm }
        }
        let asked = list.isEmpty ? nil : dice.pick(list)
        #expect(asked.flatMap { alarms.due(of: $0.alarm)?.microseconds } == asked?.due)
        #expect(alarms.count == list.count, "seed \(dice.seed)")
      }
      let order = alarms.all.map { [$0.due.microseconds, $0.by.number, Self.rank($0.alarm)] }
      #expect(order == list.map(\.sooner).sorted { $0 < $1 }, "seed \(dice.seed)")
    }
  }

  private struct Row {
    let alarm: Alarms.Alarm
    let due: Int64
    let by: Int64

    var sooner: [Int64] { [due, by, AlarmsTests.rank(alarm)] }
  }

  // MARK: Kinds

  /// The order in which what one entry has set rings.
  private static let order = [
    "apps", "release", "burst", "bucket", "storm", "busy", "estimate", "cut", "again", "grace",
    "reading",
    "pause", "expiry", "gesture", "disturbance",
  ]

  private static func kinds(_ seq: Seq, place: Int) -> [Alarms.Alarm] {
    [
      .expiry(seq), .release(seq), .burst(place), .bucket(place), .storm(place), .busy(place),
      .estimate, .cut(seq), .again(seq), .grace, .reading, .pause(seq.number), .gesture(seq),
      .apps, .disturbance,
    ]
  }

  fileprivate static func rank(_ alarm: Alarms.Alarm) -> Int64 {
    Int64(order.firstIndex(of: name(alarm)) ?? -1)
  }

  private static func name(_ alarm: Alarms.Alarm) -> String {
    alarm.kind.word
  }

  private func names(_ alarms: inout Alarms) -> [String] {
    var names: [String] = []
    while let rung = alarms.pop() { names.append(Self.name(rung.alarm)) }
    return names
  }
}

private func < (a: [Int64], b: [Int64]) -> Bool { a.lexicographicallyPrecedes(b) }
