// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// How many events wait for their turn.
struct Tally: Sendable, Equatable {
  var pending = 0
  /// Those of them that wait for nothing but a reader; and which say nothing.
  var queued = 0
  var silent = 0
  var low = 0
  var high = 0
  var focus = 0
  /// Words of a reader about itself that have not settled.
  var status = 0
  /// Those that were cut, as long as what has cut them is not over.
  var cut = 0

  mutating func count(_ item: Item, _ step: Int) {
    if item.stage == .queued {
      queued += step
      if item.isSilent { silent += step }
      if item.again?.cutter != nil { cut += step }
    }
    switch item.stage {
    case .held, .limited, .queued:
      pending += step
      if item.isAnnouncement, item.priority == .high { high += step }
      if item.kind == .focus { focus += step }
      if item.isAnnouncement, item.priority == .low { low += step }
    case .coalescing: if item.kind == .status { status += step }
    case .busy, .storm, .moving, .speaking: break
    }
  }
}

// Where events wait, and how they end.
extension Presenter {
  /// Lets an event wait.
  mutating func park(_ item: consuming Item, _ stage: Item.Stage) {
    item.stage = stage
    tally.count(item, 1)
    if item.isInLine { line.join(item) }
    if let deadline = item.deadline, stage != .speaking, !isHalted(item) {
      alarms.set(.expiry(item.seq), at: deadline, by: item.seq)
    }
    items[item.seq] = item
  }

  /// Takes an event from where it waits.
  mutating func unpark(_ seq: Seq) -> Item? {
    guard var item = items.removeValue(forKey: seq) else { return nil }
    tally.count(item, -1)
    if item.kind == .status { hasStatusSettled = true }
    if item.isInLine { line.leave(seq) }
    if item.deadline != nil { alarms.cancel(.expiry(seq)) }
    if item.stage == .held { alarms.cancel(.release(seq)) }
    if item.again != nil { alarms.cancel(.again(seq)) }
    item.stage = .moving
    return item
  }

  /// Ends an event.
  mutating func settle(
    _ item: consuming Item,
    _ result: Result,
    by: Seq?,
    rule: String,
    _ why: consuming Why
  ) {
    if item.countsAsFeedback, let action = item.action {
      actions.endFeedback(of: action)
      mayRelease = true
    }
    forgetWaiting(item)
    endCutter(item.seq)
    guard item.endsInOutcome else { return }
    if !cuts.isEmpty { dropCuts(of: item.of) }
    if why.focus == nil { why.focus = item.why.focus }
    if let spot = item.why.suggestion { why.suggestion = suggests(spot, for: item) ? spot : nil }
    decide(
      .outcome(
        Outcome(
          of: item.of,
          app: item.app,
          window: item.facts.window,
          element: item.facts.element,
          priority: item.kind == .announcement ? item.priority : nil,
          result: result,
          by: by,
          rule: rule,
          why: consume why
        )
      )
    )
  }

  /// Ends an event that waits somewhere.
  mutating func settle(
    _ seq: Seq,
    _ result: Result,
    by: Seq?,
    rule: String,
    _ why: consuming Why
  ) {
    guard let item = unpark(seq) else { return }
    settle(item, result, by: by, rule: rule, consume why)
  }

  /// The events that wait for their turn.
  var itemsInLine: [Item] { line.places.compactMap { items[$0.seq] } }

  func waited(_ item: Item) -> Why {
    var why = item.why
    why.waited = now - item.mono
    return why
  }

  /// An event has become too old to be begun.
  mutating func expire(_ seq: Seq) {
    // What it counts may live longer than it did itself.
    if let deadline = items[seq]?.deadline, deadline > now {
      alarms.set(.expiry(seq), at: deadline, by: seq)
      return
    }
    if let item = items[seq], item.stage == .limited, !item.hasLeadingEdge {
      hurry(seq)
      return
    }
    if items[seq]?.again != nil {
      giveUp(seq)
      return
    }
    let obstacle = items[seq].map { self.obstacle(to: $0) }
    guard let item = unpark(seq) else { return }
    var why = waited(item)
    why.heldBy = obstacle
    why.ttl = (item.deadline ?? now) - item.mono
    why.isFromEvent = item.ownTTL != nil
    noteExpired(item)
    let rule = item.ownTTL == nil ? item.treatment.ttl.rule : Self.ownTTL
    settle(item, .expired, by: nil, rule: rule, why)
  }

  /// In the place of a rule's name where the event has given the time itself.
  static var ownTTL: String { "ttl" }
}
