// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// How many events wait for their turn.
struct Tally: Sendable, Equatable {
  var pending = 0
  /// Those of them, and of the high ones, that wait for nothing but a reader; and which say nothing.
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
      if item.isAnnouncement, item.priority == .high {
        high += step
        return
      }
      pending += step
      if item.kind == .focus { focus += step }
      if item.isAnnouncement, item.priority == .low { low += step }
    case .coalescing: if item.kind == .status { status += step }
    case .busy, .storm, .moving, .speaking: break
    }
  }
}

// Where events wait, and how they end.
extension Engine {
  /// Lets an event wait.
  mutating func park(_ item: consuming Item, _ stage: Item.Stage) {
    item.stage = stage
    tally.count(item, 1)
    if item.isInLine { line.join(item) }
    let isHalted = readers.pausedAt != nil && isUrgent(item)
    if let deadline = item.deadline, stage != .speaking, !isHalted {
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

  // MARK: The bound

  /// Makes room for one more that waits for its turn; false where it is the one that has to give way,
  /// and has.
  mutating func makeRoom(for item: inout Item) -> Bool {
    if item.isAnnouncement, item.priority == .high {
      guard tally.high >= Bounds.pendingHigh else { return true }
      demote(&item)
    }
    if item.kind == .focus { return makeFocusRoom() }
    if item.isAnnouncement, item.priority == .low, tally.low >= Bounds.pendingLow {
      return mergeOne(with: item, priority: .low)
    }
    guard tally.pending >= Bounds.pending else { return true }
    if tally.low > 0 { return mergeOne(with: item, priority: .low) }
    return mergeOne(with: item, priority: .default)
  }

  /// Puts one of those that wait into “N more from App”: the oldest of the same app, or else of the app
  /// that waits longest.
  private mutating func mergeOne(with item: Item, priority: Priority) -> Bool {
    let isOwn = item.isAnnouncement && item.priority == priority
    let group = line.group(of: item.appMark, priority)
    var why = Why()
    why.count = Int64(line.countable(priority))
    if isOwn, let carrier = group.carrier {
      guard let victim = group.victim.flatMap({ unpark($0) }) else {
        count(item, into: carrier, rule: Self.queueBound, consume why)
        return false
      }
      count(victim, into: carrier, rule: Self.queueBound, consume why)
      return true
    }
    if let crowd = line.crowd(priority), let carrier = crowd.carrier,
      let victim = crowd.victim.flatMap({ unpark($0) })
    {
      count(victim, into: carrier, rule: Self.queueBound, consume why)
      return true
    }
    // Each is from another app: the one that has waited longest has had its time.
    if let oldest = line.oldest(where: { $0.mayBeCounted(priority) }) {
      settle(oldest.seq, .expired, by: nil, rule: Self.queueBound, consume why)
      return true
    }
    settle(item, .expired, by: nil, rule: Self.queueBound, consume why)
    return false
  }

  /// Counts an event that does not wait any more in the summary that another one carries.
  mutating func count(_ item: consuming Item, into carrier: Seq, rule: String, _ why: consuming Why)
  {
    guard let place = items.index(forKey: carrier) else { return }
    let there = item.summary ?? Item.Summary(count: 1, from: item.seq, to: item.seq)
    if let here = items.values[place].summary {
      items.values[place].summary = here.with(there)
    } else {
      items.values[place].summary = Item.Summary(count: 1, from: carrier, to: carrier).with(there)
      line.noteSummary(carrier)
    }
    settle(item, .summarised, by: carrier, rule: rule, consume why)
  }

  private mutating func makeFocusRoom() -> Bool {
    guard tally.focus >= Bounds.pendingFocus else { return true }
    let oldest = line.oldest { $0.kind == .focus && $0.stage == .queued }
    if let oldest = oldest.flatMap({ items[$0.seq] }) {
      settle(oldest.seq, .superseded, by: cause, rule: oldest.treatment.rule, waited(oldest))
    }
    return true
  }

  static var queueBound: String { "queue bound" }
  /// In the place of a rule's name where the event has given the time itself.
  static var ownTTL: String { "ttl" }
}
