// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// Events that wait have one place each, and their alarms go with them.
@Suite struct WaitingTests {
  private var bench = StageBench()

  @Test mutating func `an event that is withdrawn leaves nothing behind`() {
    var item = bench.item()
    item.deadline = .microseconds(9)
    bench.waiting.park(item, at: .queued)
    #expect(bench.due(.expiry(Seq(1))) == .microseconds(9))
    #expect(bench.waiting.tally.pending == 1)
    #expect(bench.waiting.withdraw(Seq(1))?.standing == .moving)
    #expect(bench.waiting.tally == Tally())
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
    let tenth = bench.item { $0.priority = .low }
    #expect(bench.waiting.makeRoom(for: tenth, bench.context) == nil)
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
