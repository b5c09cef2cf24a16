// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// Many elements that speak at once are told in one sentence, few go on one by one.
@Suite struct StormStageTests {
  private var bench = StageBench()
  private var stage = StormStage()

  private mutating func speak(_ element: Int, at now: Int64) -> String {
    bench.now = .microseconds(now)
    let item = bench.item { $0.element = Name("e\(element)") }
    return stage.pass(item, &bench.waiting, bench.context).words
  }

  @Test mutating func `the first element goes on, the second is collected`() {
    #expect(speak(1, at: 0) == "on")
    #expect(speak(1, at: 10) == "on")
    #expect(speak(2, at: 20) == "waits")
  }

  @Test mutating func `few go on in their order when it is quiet`() {
    _ = speak(1, at: 0)
    _ = speak(2, at: 10)
    _ = speak(3, at: 20)
    stage.lapse(0, &bench.waiting, bench.context)
    #expect(bench.departures() == ["2 on hold", "3 on hold"])
  }

  @Test mutating func `nine elements behind the first are no storm`() {
    for element in 0...9 { _ = speak(element, at: Int64(element)) }
    stage.lapse(0, &bench.waiting, bench.context)
    #expect(bench.departures() == (2...10).map { "\($0) on hold" })
  }

  @Test mutating func `ten elements make a storm, which one of them carries`() {
    // The first goes on at once, and nine are few.
    for element in 0...10 { _ = speak(element, at: Int64(element)) }
    _ = bench.departures()
    stage.lapse(0, &bench.waiting, bench.context)
    let departures = bench.departures()
    #expect(departures.last == "2 on hold")
    #expect(departures.dropLast().allSatisfy { $0.contains("summarised by 2") })
    #expect(bench.waiting.isEmpty)
  }

  @Test mutating func `after a silence it is all new`() {
    _ = speak(1, at: 0)
    #expect(speak(2, at: 60_000_000) == "on")
  }

  @Test mutating func `high announcements and those at the focus are no part of a storm`() {
    _ = speak(1, at: 0)
    let high = bench.item {
      $0.element = Name("e2")
      $0.priority = .high
    }
    #expect(stage.pass(high, &bench.waiting, bench.context).words == "on")
    let focused = bench.item {
      $0.element = Name("e2")
      $0.isFocused = true
    }
    #expect(stage.pass(focused, &bench.waiting, bench.context).words == "on")
  }
}
