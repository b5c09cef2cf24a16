// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// Events of a busy element wait until it is ready, and no longer than the bound.
@Suite struct BusyStageTests {
  private var bench = StageBench()
  private var stage = BusyStage()
  private let key = BusyStage.key(AppKey(uid: 1_000, app: Name("mail")), Name("list"))

  private mutating func receive(_ item: Item) -> String {
    stage.pass(item, &bench.waiting, bench.context).words
  }

  private mutating func begin() {
    stage.markBusy(key, (.seconds(5), "busy"), &bench.waiting, bench.context)
  }

  @Test mutating func `nothing waits as long as no element is busy`() {
    #expect(receive(bench.item { $0.element = Name("list") }) == "on")
  }

  @Test mutating func `events of the busy element alone wait, and go on in their order`() {
    begin()
    #expect(receive(bench.item { $0.element = Name("list") }) == "waits")
    #expect(receive(bench.item { $0.element = Name("other") }) == "on")
    #expect(receive(bench.item { $0.element = Name("list") }) == "waits")
    stage.lapse(key, &bench.waiting)
    #expect(bench.departures() == ["1 on storm", "3 on storm"])
    #expect(bench.waiting.isEmpty)
  }

  @Test mutating func `focus, screens and high announcements do not wait`() {
    begin()
    #expect(receive(bench.item(.focus) { $0.element = Name("list") }) == "on")
    #expect(receive(bench.item(.screen) { $0.element = Name("list") }) == "on")
    let high = bench.item {
      $0.element = Name("list")
      $0.priority = .high
    }
    #expect(receive(high) == "on")
  }

  @Test mutating func `a newer layout takes the place of the older one`() {
    begin()
    _ = receive(bench.item(.layout) { $0.element = Name("list") })
    _ = receive(bench.item(.layout) { $0.element = Name("list") })
    #expect(bench.departures() == ["1 coalesced by 2 busy"])
    #expect(bench.waiting.seqs == [Seq(2)])
  }

  @Test mutating func `saying so again does not lengthen the wait`() {
    begin()
    bench.now = .microseconds(4_000_000)
    begin()
    #expect(bench.due(.busy(0)) == .microseconds(5_000_000))
  }

  @Test mutating func `beyond the bound the oldest are counted`() {
    begin()
    for _ in 0..<Bounds.pending + 1 { _ = receive(bench.item { $0.element = Name("list") }) }
    #expect(bench.departures() == ["2 summarised by 1 busy"])
    #expect(bench.waiting[Seq(1)]?.summary?.count == 2)
  }
}
