// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The stage that lets the feedback of an action be heard first.
///
/// An announcement about the action waits until the feedback is finished, so that no app has to
/// guess how long that takes. The stage has no table of its own: the held events and their alarms
/// are in `WaitingQueue`, the feedback of an action in `Actions`.
enum HoldStage {
  static func pass(
    _ item: consuming Item,
    _ actions: borrowing Actions,
    _ waiting: inout WaitingQueue,
    _ context: Context
  ) -> Passage {
    // A newer value of its key is held as long as the older one would have been.
    if let older = older(than: item, waiting), let gone = waiting.withdraw(older.seq) {
      let action = gone.action
      waiting.coalesce(gone, into: &item, rule: OwnRule.afterActionHold.name, context.now)
      if item.priority != .high, item.action == nil || item.action == action {
        item.action = action
        item.blamed = OwnRule.afterActionHold.name
        waiting.alarms.set(.release(item.seq), at: older.due, by: item.seq)
        waiting.park(item, at: .held)
        return .waits
      }
    }
    guard item.treatment.hold.value > .zero, !item.isFeedback, item.priority != .high,
      item.kind == .announcement || (item.kind == .layout && item.facts.element == nil),
      let action = item.action
    else { return .on(item) }
    let hadFeedback = actions.hadFeedback(action)
    let hasFeedback = actions.hasFeedback(action)
    if hadFeedback, !hasFeedback { return .on(released(item, actions)) }
    let wait = hasFeedback ? Bounds.held : min(item.treatment.hold.value, Bounds.held)
    waiting.alarms.set(.release(item.seq), at: item.mono + wait, by: item.seq)
    item.blamed = OwnRule.afterActionHold.name
    if let ending = waiting.makeRoom(for: &item, context) { return .ends(item, ending) }
    waiting.park(item, at: .held)
    return .waits
  }

  /// The event of the same key that is held, and until when.
  private static func older(
    than item: Item,
    _ waiting: borrowing WaitingQueue
  ) -> (seq: Seq, due: Instant)? {
    guard item.mode != .all, let key = item.coalescingKey,
      let seq = waiting.older(than: item, of: key), waiting[seq]?.standing == .held,
      let due = waiting.alarms.due(of: .release(seq))
    else { return nil }
    return (seq, due)
  }

  /// Feedback of an action has come: the events that are held behind the action wait for it now.
  static func extend(for action: Seq, _ waiting: inout WaitingQueue) {
    for place in waiting.line where place.standing == .held && place.action == action {
      guard let item = waiting[place.seq] else { continue }
      waiting.alarms.set(.release(item.seq), at: item.mono + Bounds.held, by: item.seq)
    }
  }

  /// The held events whose action has no feedback left to be heard.
  static func ready(_ actions: borrowing Actions, _ waiting: borrowing WaitingQueue) -> [Seq] {
    guard waiting.tally.pending > 0 else { return [] }
    var ready: [Seq] = []
    for place in waiting.line where place.standing == .held {
      guard let action = place.action, actions.hadFeedback(action), !actions.hasFeedback(action)
      else { continue }
      ready.append(place.seq)
    }
    return ready.sorted()
  }

  /// Lets an event go on that was held: directly behind the feedback of its action.
  static func released(_ item: consuming Item, _ actions: borrowing Actions) -> Item {
    item.wasHeld = true
    item.blamed = nil
    if let action = item.action, actions.hadFeedback(action) {
      item.rankOverride = Item.behindFeedback
    }
    return item
  }
}

extension Item {
  /// Behind screens and focus, before everything that came on its own account.
  fileprivate static var behindFeedback: Int64 { 36 }
  /// Of events that feedback has cut: the answer belongs to the feedback, and comes first.
  static var behindAnswers: Int64 { 38 }
}
