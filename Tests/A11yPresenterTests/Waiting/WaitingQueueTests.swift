// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// Events that wait have one place each, in the order of their seqs, and their alarms go with them.
@Suite struct WaitingQueueTests {
  private var bench = StageBench()

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

  private let lows = WaitingQueue.Sort(.low, isKeyed: false)

  private func mark(of app: String) -> Int { item(1, of: app).appMark }

  @Test func `whoever comes late stands where its seq belongs`() {
    var dice = Dice()
    for _ in 0..<50 {
      var queue = WaitingQueue()
      var there: Set<Int64> = []
      for _ in 0..<60 {
        let seq = Int64(dice.roll(1...20))
        if there.contains(seq) { _ = queue.withdraw(Seq(seq)) } else { queue.restore(item(seq)) }
        there.formSymmetricDifference([seq])

        #expect(queue.line.map(\.seq.number) == there.sorted(), "seed \(dice.seed)")
        #expect(queue.count(lows) == there.count, "seed \(dice.seed)")
      }
    }
  }

  @Test func `who is not there cannot leave`() {
    var queue = WaitingQueue()
    queue.restore(item(2))
    _ = queue.withdraw(Seq(1))
    _ = queue.withdraw(Seq(3))

    #expect(queue.line.map(\.seq.number) == [2])
  }

  @Test func `of an app the oldest has the summary, and the oldest of the others goes into it`()
    throws
  {
    var queue = WaitingQueue()
    for seq: Int64 in [5, 3, 4] { queue.restore(item(seq)) }
    queue.restore(item(1, of: "files"))
    queue.restore(item(2, .high))
    queue.restore(item(6, .low, .held))

    let first = try #require(queue.group(lows, of: mark(of: "mail"), by: nil))
    #expect(first.carrier == Seq(3))
    #expect(first.victim.map { queue.line[$0].seq } == Seq(4))

    queue.summarise(item(7), in: Seq(4))
    let second = try #require(queue.group(lows, of: mark(of: "mail"), by: nil))
    #expect(second.carrier == Seq(4))
    #expect(second.victim.map { queue.line[$0].seq } == Seq(3))
    #expect(queue.count(lows) == 4)
    #expect(queue.count(lows, of: mark(of: "mail")) == 3)
  }

  @Test
  func `the crowd is the app that most wait of, and of several the one that has waited longest`() {
    var queue = WaitingQueue()
    queue.restore(item(1, of: "alone"))
    for seq: Int64 in [4, 6] { queue.restore(item(seq, of: "files")) }
    for seq: Int64 in [2, 9] { queue.restore(item(seq, of: "chat", .default)) }
    for seq: Int64 in [3, 5] { queue.restore(item(seq, of: "mail")) }

    #expect(queue.crowd(lows) == mark(of: "mail"))
    #expect(queue.crowd(WaitingQueue.Sort(.default, isKeyed: false)) == mark(of: "chat"))
    #expect(queue.crowd(WaitingQueue.Sort(.high, isKeyed: false)) == nil)

    queue.restore(item(10, of: "files"))
    #expect(queue.crowd(lows) == mark(of: "files"))
  }

  @Test func `the last value of a key is counted apart, until it stands for others`() {
    var queue = WaitingQueue()
    var value = item(1)
    value.mode = .latest
    value.key = Name("k")
    queue.restore(value)
    let keyed = WaitingQueue.Sort(.low, isKeyed: true)

    #expect(queue.count(lows) == 0)
    #expect(queue.count(keyed) == 1)

    queue.summarise(item(7), in: Seq(1))
    #expect(queue.count(lows) == 1)
    #expect(queue.count(keyed) == 0)
  }

  @Test mutating func `an event that is withdrawn leaves nothing behind`() {
    var item = bench.item()
    item.deadline = .microseconds(9)
    bench.waiting.park(item, at: .queued)
    #expect(bench.due(.expiry(Seq(1))) == .microseconds(9))
    #expect(bench.waiting.tally.pending == 1)
    #expect(bench.waiting.withdraw(Seq(1))?.standing == .moving)
    #expect(bench.waiting.tally == WaitingQueue.Tally())
    #expect(bench.waiting.alarms.count == 0)
    #expect(bench.waiting.withdraw(Seq(1)) == nil)
  }

  @Test mutating func `the time of a high event stands still while the user has paused speech`() {
    bench.waiting.quiet.pausedAt = .microseconds(0)
    var high = bench.item { $0.priority = .high }
    high.deadline = .microseconds(9)
    bench.waiting.park(high, at: .queued)
    #expect(bench.due(.expiry(Seq(1))) == nil)
    var other = bench.item()
    other.deadline = .microseconds(9)
    bench.waiting.park(other, at: .queued)
    #expect(bench.due(.expiry(Seq(2))) == .microseconds(9))
  }

  @Test mutating func `the tenth low event of an app counts the second oldest`() {
    for _ in 0..<9 {
      let item = bench.item { $0.priority = .low }
      bench.waiting.park(item, at: .queued)
    }
    var tenth = bench.item { $0.priority = .low }
    #expect(bench.waiting.makeRoom(for: &tenth, bench.context) == nil)
    #expect(bench.departures() == ["2 summarised by 1 queue bound"])
  }

  @Test mutating func `departures are taken in their order, each once`() {
    bench.waiting.release(bench.item(), behind: .storm)
    bench.waiting.release(bench.item(), behind: .rate)
    bench.waiting.letEnd(bench.item(), Ending(.expired, by: nil, rule: .queueBound))
    #expect(bench.departures() == ["1 on hold", "2 on queue", "3 expired queue bound"])
    #expect(bench.departures() == [])
  }
}
