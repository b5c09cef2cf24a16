// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// An announcement about an action waits for the action's own feedback.
@Suite struct HoldStageTests {
  private var bench = StageBench()
  private var actions = Actions()
  private let action = Seq(100)

  init() {
    let app = AppKey(uid: 1_000, app: Name("mail"))
    actions.note(Actions.Action(seq: action, mono: .blank, app: app, window: nil, element: nil))
  }

  private mutating func receive(_ change: (inout Item) -> Void = { _ in }) -> Passage {
    var item = bench.item()
    item.action = action
    change(&item)
    return HoldStage.pass(item, actions, &bench.waiting, bench.context)
  }

  @Test mutating func `without an action nothing waits`() {
    #expect(receive { $0.action = nil }.words == "on")
  }

  @Test mutating func `it waits a short while for feedback that may come`() {
    #expect(receive().words == "waits")
    #expect(bench.due(.release(Seq(1))) == .microseconds(150_000))
  }

  @Test mutating func `while feedback is to be heard it waits for that`() {
    actions.noteFeedback(of: action)
    #expect(receive().words == "waits")
    #expect(bench.due(.release(Seq(1))) == Instant.blank + Bounds.held)
    #expect(HoldStage.ready(actions, bench.waiting) == [])
    actions.endFeedback(of: action)
    #expect(HoldStage.ready(actions, bench.waiting) == [Seq(1)])
  }

  @Test mutating func `feedback that comes later lengthens the wait`() {
    _ = receive()
    HoldStage.extend(for: action, &bench.waiting)
    #expect(bench.due(.release(Seq(1))) == Instant.blank + Bounds.held)
  }

  @Test mutating func `behind finished feedback it goes on at once, directly behind it`() {
    actions.noteFeedback(of: action)
    actions.endFeedback(of: action)
    let item = receive().item
    #expect(item?.wasHeld == true)
    #expect(item?.rank == 36)
  }

  @Test mutating func `high announcements are not held`() {
    #expect(receive { $0.facts.priority = .high }.words == "on")
  }

  @Test mutating func `a newer value is held as long as the older one would have been`() {
    _ = receive {
      $0.key = Name("k")
      $0.mode = .latest
    }
    bench.now = .microseconds(100_000)
    let newer = receive {
      $0.key = Name("k")
      $0.mode = .latest
    }
    #expect(newer.words == "waits")
    #expect(bench.due(.release(Seq(2))) == .microseconds(150_000))
    #expect(bench.departures() == ["1 coalesced by 2 after-action hold"])
  }
}
