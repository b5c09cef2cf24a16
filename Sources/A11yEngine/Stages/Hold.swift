// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// After an action its own feedback is heard first. What an app has to say about the action waits until
// that is finished, so that no app has to guess how long it takes.
extension Engine {
  mutating func hold(_ item: consuming Item) {
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
    replaceHeld(by: item)
    let wait = hasFeedback ? Bounds.held : min(item.treatment.hold.value, Bounds.held)
    alarms.set(.release(item.seq), at: item.mono + wait, by: item.seq)
    item.blamed = Self.afterActionHold
    guard makeRoom(for: &item) else { return }
    park(item, .held)
  }

  /// Of those of one key that want only the latest, only the latest waits.
  private mutating func replaceHeld(by item: Item) {
    guard item.mode != .all, let key = coalescingKey(of: item) else { return }
    let held = line.places.filter { $0.stage == .held }.map(\.seq).sorted()
    for other in held.compactMap({ items[$0] }) where coalescingKey(of: other) == key {
      settle(other.seq, .coalesced, by: item.seq, rule: Self.afterActionHold, waited(other))
    }
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
}
