// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// After an action its own feedback is heard first. What an app has to say about the action waits until
// that is finished, so that no app has to guess how long it takes.
extension Presenter {
  mutating func hold(_ item: consuming Item) {
    // A newer value of its key is held as long as the older one would have been.
    if let older = heldOlder(than: item), let gone = unpark(older.seq) {
      item.succeed(gone)
      settle(gone, .coalesced, by: item.seq, rule: Self.afterActionHold, waited(gone))
      if item.priority != .high, item.action == nil || item.action == gone.action {
        item.action = gone.action
        item.blamed = Self.afterActionHold
        alarms.set(.release(item.seq), at: older.due, by: item.seq)
        park(item, .held)
        return
      }
    }
    guard item.treatment.hold.value > 0, !item.isFeedback, item.priority != .high,
      item.kind == .announcement || (item.kind == .layout && item.facts.element == nil),
      let action = item.action
    else {
      coalesce(item)
      return
    }
    let hadFeedback = actions[action]?.hadFeedback ?? false
    let hasFeedback = isFeedbackPending(of: action)
    if hadFeedback, !hasFeedback {
      letGo(item)
      return
    }
    let wait = hasFeedback ? Bounds.held : min(item.treatment.hold.value, Bounds.held)
    alarms.set(.release(item.seq), at: item.mono + wait, by: item.seq)
    item.blamed = Self.afterActionHold
    guard makeRoom(for: item) else { return }
    park(item, .held)
  }

  /// The event of the same key that is held, and until when.
  private func heldOlder(than item: Item) -> (seq: Seq, due: Int64)? {
    guard item.mode != .all, let key = coalescingKey(of: item),
      let seq = older(than: item, of: key), items[seq]?.stage == .held,
      let due = alarms.due(of: .release(seq))
    else { return nil }
    return (seq, due)
  }

  func isFeedbackPending(of action: Seq) -> Bool {
    (actions[action]?.feedback ?? 0) > 0
  }

  /// Feedback has come: what is held behind its action waits for it now.
  mutating func extendHold(for action: Seq) {
    for place in line.places where place.stage == .held && place.action == action {
      guard let item = items[place.seq] else { continue }
      alarms.set(.release(item.seq), at: item.mono + Bounds.held, by: item.seq)
    }
  }

  /// Lets those go on whose action has no feedback left to be heard.
  mutating func releaseHeld() {
    mayRelease = false
    guard tally.pending > 0 else { return }
    let held = line.places.filter { place in
      guard place.stage == .held, let action = place.action else { return false }
      return (actions[action]?.hadFeedback ?? false) && !isFeedbackPending(of: action)
    }
    for seq in held.map(\.seq).sorted() { release(seq) }
  }

  mutating func release(_ seq: Seq) {
    guard let item = unpark(seq) else { return }
    letGo(item)
  }

  /// What was held stands directly behind the feedback of its action.
  private mutating func letGo(_ given: consuming Item) {
    var item = given
    item.wasHeld = true
    item.blamed = nil
    if let action = item.action, actions[action]?.hadFeedback ?? false {
      item.rankOverride = Item.behindFeedback
    }
    coalesce(item)
  }

  static var afterActionHold: String { "after-action hold" }
}

extension Item {
  /// Behind screens and focus, before everything that came on its own account.
  fileprivate static var behindFeedback: Int64 { 36 }
  /// Of what feedback has cut: the answer belongs to the feedback, and comes first.
  static var behindAnswers: Int64 { 38 }
}
