// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// Events wait in the order of their seqs, whatever order they come in.
@Suite struct LineTests {
  private func item(
    _ seq: Int64,
    of app: String = "mail",
    _ priority: Priority = .low,
    _ standing: Item.Standing = .queued
  ) -> Item {
    var facts = Facts.blank
    facts.app = Name(app)
    facts.priority = priority
    var item = Item(
      .announcement,
      seq: Seq(seq),
      mono: .microseconds(seq),
      facts: facts,
      treatment: RuleSet.defaults.treatment(of: facts),
      text: SpokenText("\(seq)"),
      mode: .all
    )
    item.standing = standing
    return item
  }

  private let lows = Line.Sort(priority: .low, isKeyed: false)

  private func mark(of app: String) -> Int { item(1, of: app).appMark }

  @Test func `whoever comes late stands where its seq belongs`() {
    var dice = Dice()
    for _ in 0..<50 {
      var line = Line()
      var there: Set<Int64> = []
      for _ in 0..<60 {
        let seq = Int64(dice.roll(1...20))
        if there.contains(seq) { line.leave(Seq(seq)) } else { line.join(item(seq)) }
        there.formSymmetricDifference([seq])

        #expect(line.places.map(\.seq.number) == there.sorted(), "seed \(dice.seed)")
        #expect(line.count(lows) == there.count, "seed \(dice.seed)")
      }
    }
  }

  @Test func `who is not there cannot leave`() {
    var line = Line()
    line.join(item(2))
    line.leave(Seq(1))
    line.leave(Seq(3))

    #expect(line.places.map(\.seq.number) == [2])
  }

  @Test func `of an app the oldest has the summary, and the oldest of the others goes into it`()
    throws
  {
    var line = Line()
    for seq: Int64 in [5, 3, 4] { line.join(item(seq)) }
    line.join(item(1, of: "files"))
    line.join(item(2, .high))
    line.join(item(6, .low, .held))

    let first = try #require(line.group(lows, of: mark(of: "mail"), by: nil))
    #expect(first.carrier == Seq(3))
    #expect(first.victim == Seq(4))

    line.noteSummary(Seq(4))
    let second = try #require(line.group(lows, of: mark(of: "mail"), by: nil))
    #expect(second.carrier == Seq(4))
    #expect(second.victim == Seq(3))
    #expect(line.count(lows) == 4)
    #expect(line.count(lows, of: mark(of: "mail")) == 3)
  }

  @Test
  func `the crowd is the app that most wait of, and of several the one that has waited longest`() {
    var line = Line()
    line.join(item(1, of: "alone"))
    for seq: Int64 in [4, 6] { line.join(item(seq, of: "files")) }
    for seq: Int64 in [2, 9] { line.join(item(seq, of: "chat", .default)) }
    for seq: Int64 in [3, 5] { line.join(item(seq, of: "mail")) }

    #expect(line.crowd(lows) == mark(of: "mail"))
    #expect(line.crowd(Line.Sort(priority: .default, isKeyed: false)) == mark(of: "chat"))
    #expect(line.crowd(Line.Sort(priority: .high, isKeyed: false)) == nil)

    line.join(item(10, of: "files"))
    #expect(line.crowd(lows) == mark(of: "files"))
  }

  @Test func `the last value of a key is counted apart, until it stands for others`() {
    var line = Line()
    var value = item(1)
    value.mode = .latest
    value.key = Name("k")
    line.join(value)
    let keyed = Line.Sort(priority: .low, isKeyed: true)

    #expect(line.count(lows) == 0)
    #expect(line.count(keyed) == 1)

    line.noteSummary(Seq(1))
    #expect(line.count(lows) == 1)
    #expect(line.count(keyed) == 0)
  }
}
