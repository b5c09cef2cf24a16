// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// Events that are not presented at all end at admission, each with its reason.
@Suite struct AdmissionTests {
  private var bench = StageBench()
  private var notes = Presenter.Notes()

  private mutating func admit(
    _ item: Item,
    isCovered: Bool = false,
    hasMedia: Bool = false
  ) -> Passage {
    let place = Admission.Place(isCovered: isCovered, isLocked: false, hasMedia: hasMedia)
    return Admission.pass(item, at: place, &notes, bench.context)
  }

  @Test mutating func `an event of the active app goes on, with its time to start`() {
    let item = admit(bench.item()).item
    #expect(item?.deadline == .microseconds(10_000_000))
  }

  @Test mutating func `the event's own time to start counts before the rule's`() {
    bench.now = .microseconds(5)
    var item = bench.item()
    item.ownTTL = .microseconds(7)
    #expect(admit(item).item?.deadline == .microseconds(12))
  }

  @Test mutating func `from the background a default announcement becomes low`() {
    var item = bench.item { $0.isForeground = false }
    item.isBackground = true
    let admitted = admit(item).item
    #expect(admitted?.priority == .low)
    #expect(admitted?.deadline == .microseconds(45_000_000))
    #expect(!notes.isLowInBackground)
  }

  @Test
  mutating func `from the background a low announcement is not heard, and its sender is told`() {
    var item = bench.item { $0.priority = .low }
    item.isBackground = true
    #expect(admit(item).words == "inhibited background")
    #expect(notes.isLowInBackground)
  }

  @Test mutating func `from the background a high announcement goes on as it is`() {
    var item = bench.item { $0.priority = .high }
    item.isBackground = true
    #expect(admit(item).item?.priority == .high)
  }

  @Test mutating func `a layout in the background that asks for the focus is denied`() {
    var item = bench.item(.layout) { $0.element = Name("ok") }
    item.isBackground = true
    #expect(admit(item).words == "denied background")
    var page = bench.item(.page) { $0.element = Name("list") }
    page.isBackground = true
    #expect(admit(page).words == "inhibited background")
  }

  @Test mutating func `below something modal a layout is denied, and a screen is not`() {
    #expect(admit(bench.item(.layout), isCovered: true).words == "denied modal")
    #expect(admit(bench.item(.screen), isCovered: true).words == "on")
  }

  @Test mutating func `while a medium plays only answers and high announcements talk over it`() {
    #expect(admit(bench.item(), hasMedia: true).words == "inhibited media session")
    var answer = bench.item()
    answer.isAnswer = true
    #expect(admit(answer, hasMedia: true).words == "on")
    let high = bench.item { $0.priority = .high }
    #expect(admit(high, hasMedia: true).words == "on")
    #expect(admit(bench.item(.focus), hasMedia: true).words == "on")
  }
}
