// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// Of a burst the first event and the last one go on.
@Suite struct CoalesceStageTests {
  private var bench = StageBench()
  private var stage = CoalesceStage()

  private mutating func status(_ key: String, at now: Int64) -> String {
    bench.now = .microseconds(now)
    let item = bench.item(.announcement, "v", { $0.speechClass = .status }, key: key)
    return stage.pass(item, &bench.waiting, bench.context).words
  }

  @Test mutating func `the first goes on, of the others the newest waits for quiet`() {
    #expect(status("k", at: 0) == "on")
    #expect(status("k", at: 10_000) == "waits")
    #expect(status("k", at: 20_000) == "waits")
    #expect(bench.departures() == ["2 coalesced by 3 class status"])
    #expect(bench.due(.burst(0)) == .microseconds(170_000))
    stage.lapse(0, &bench.waiting, .microseconds(170_000))
    #expect(bench.departures() == ["3 on duplicates"])
  }

  @Test mutating func `keys do not touch each other`() {
    _ = status("a", at: 0)
    #expect(status("b", at: 10_000) == "on")
  }

  @Test mutating func `a burst that never rests is told after the longest wait`() {
    var now: Int64 = 0
    while now <= 1_200_000 {
      _ = status("k", at: now)
      now += 100_000
    }
    #expect(bench.due(.burst(0)) == .microseconds(1_100_000))
  }

  @Test mutating func `after quiet the next is a first one again`() {
    _ = status("k", at: 0)
    #expect(status("k", at: 150_000) == "on")
  }

  @Test mutating func `an event without a key of its own goes on`() {
    #expect(stage.pass(bench.item(), &bench.waiting, bench.context).words == "on")
    #expect(stage.pass(bench.item(), &bench.waiting, bench.context).words == "on")
  }
}
