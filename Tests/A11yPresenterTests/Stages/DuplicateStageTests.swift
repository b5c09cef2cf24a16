// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// An event that repeats its source's last message ends.
@Suite struct DuplicateStageTests {
  private var bench = StageBench()
  private var stage = DuplicateStage()

  private mutating func receive(_ text: String, at now: Int64 = 0) -> Passage {
    bench.now = .microseconds(now)
    let item = bench.item(.announcement, text)
    return stage.pass(item, hasLeft: false, &bench.waiting, bench.context)
  }

  private mutating func deliver(_ text: String, at now: Int64 = 0) throws {
    let item = try #require(receive(text, at: now).item)
    stage.remember(item, at: .microseconds(now))
  }

  @Test mutating func `the same words within the time are a duplicate`() throws {
    try deliver("saved")
    #expect(receive("saved", at: 999_999).words == "duplicate announcement default")
    #expect(receive("saved", at: 1_000_000).words == "on")
  }

  @Test mutating func `the last message counts, not any within the time`() throws {
    try deliver("on")
    try deliver("off", at: 100)
    #expect(receive("on", at: 200).words == "on")
  }

  @Test mutating func `an event that waits to be said is the last message`() throws {
    let item = try #require(receive("saved").item)
    bench.waiting.park(item, at: .queued)
    #expect(receive("saved", at: 3).words == "duplicate announcement default")
  }

  @Test mutating func `one that ended unheard is forgotten`() throws {
    let item = try #require(receive("saved").item)
    stage.retract(item)
    #expect(receive("saved").words == "on")
    #expect(stage.rows.count == 1)
  }

  @Test mutating func `a longer life takes the place of a shorter one that waits`() throws {
    var item = try #require(receive("saved").item)
    item.deadline = .microseconds(5)
    bench.waiting.park(item, at: .queued)
    bench.now = .microseconds(3)
    var longer = bench.item(.announcement, "saved")
    longer.deadline = .microseconds(1_000)
    let passed = stage.pass(longer, hasLeft: false, &bench.waiting, bench.context).item
    #expect(passed?.isGranted == true)
    #expect(bench.departures() == ["1 duplicate by 2 announcement default"])
  }

  @Test mutating func `a place to which the user has come back is told again`() throws {
    let first = try #require(
      stage.pass(
        bench.item(.focus, "OK") { $0.element = Name("ok") },
        hasLeft: false,
        &bench.waiting,
        bench.context
      ).item
    )
    stage.remember(first, at: .microseconds(0))
    let again = bench.item(.focus, "OK") { $0.element = Name("ok") }
    #expect(
      stage.pass(again, hasLeft: false, &bench.waiting, bench.context).words
        == "duplicate focus"
    )
    #expect(stage.pass(again, hasLeft: true, &bench.waiting, bench.context).words == "on")
  }
}
