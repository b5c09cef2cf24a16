// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// A source speaks as often as its rate allows; the rest waits, is counted, or is demoted.
@Suite struct RateStageTests {
  private var bench = StageBench()
  private var stage = RateStage()

  private mutating func receive(_ change: (inout Facts) -> Void = { _ in }) -> Passage {
    let item = bench.item(.announcement, "text", change)
    return stage.pass(item, &bench.waiting, bench.context)
  }

  @Test mutating func `a burst passes, and the next waits for its turn`() throws {
    for _ in 0..<5 { #expect(receive().words == "on") }
    #expect(receive().words == "waits")
    let place = try #require(
      bench.waiting.alarms.all.compactMap { alarm, _, _ in
        alarm.kind == .bucket ? alarm.place : nil
      }.first
    )
    #expect(bench.due(.bucket(place)) == .microseconds(1_000_000))
    bench.now = .microseconds(1_000_000)
    let next = stage.withdrawFirst(of: place, &bench.waiting, bench.now)
    #expect(next?.seq == Seq(6))
  }

  @Test mutating func `before the rate is free nobody passes`() {
    for _ in 0..<6 { _ = receive() }
    #expect(stage.withdrawFirst(of: 0, &bench.waiting, .microseconds(999_999)) == nil)
  }

  @Test mutating func `low ones above the rate are counted by the first that waits`() {
    for _ in 0..<6 { _ = receive { $0.priority = .low } }
    #expect(receive { $0.priority = .low }.words == "summarised announcement low")
    #expect(bench.waiting[Seq(6)]?.summary?.count == 2)
  }

  @Test mutating func `apps do not spend each other's rate`() {
    for _ in 0..<6 { _ = receive() }
    #expect(receive { $0.app = Name("chat") }.words == "on")
  }

  @Test mutating func `an answer does not wait behind what its app has said before`() {
    for _ in 0..<6 { _ = receive() }
    var answer = bench.item()
    answer.isAnswer = true
    #expect(stage.pass(answer, &bench.waiting, bench.context).words == "on")
  }

  @Test mutating func `the last word of something does not wait`() {
    for _ in 0..<8 {
      var last = bench.item(.announcement, "100 %", { $0.speechClass = .progress }, key: "k")
      last.isFinal = true
      #expect(stage.pass(last, &bench.waiting, bench.context).words == "on")
    }
  }

  @Test mutating func `an event that stands in the place of one that had passed does not wait`() {
    for _ in 0..<6 { _ = receive() }
    var granted = bench.item()
    granted.isGranted = true
    #expect(stage.pass(granted, &bench.waiting, bench.context).words == "on")
  }
}
