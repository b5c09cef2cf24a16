// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The stage at which an event that is not presented at all ends, whatever comes.
///
/// It has no table of its own: whether an event is admitted follows from the rules and from where
/// the user is.
enum Admission {
  /// The surroundings of the place that an event comes from.
  struct Place {
    /// Something modal lies over the element or the window of a layout or a page.
    let isCovered: Bool
    /// A window of another app locks the session.
    let isLocked: Bool
    /// The user listens to a medium that he has started.
    let hasMedia: Bool
  }

  static func pass(
    _ item: consuming Item,
    at place: Place,
    _ notes: inout Presenter.Notes,
    _ context: Context
  ) -> Passage {
    if let ending = ending(of: &item, at: place, &notes, context) { return .ends(item, ending) }
    item.deadline = item.life.map { item.mono + $0 }
    item.countsAsFeedback = item.isFeedback && item.action != nil
    return .on(item)
  }

  /// The end of an event that the rules do not let be presented, be it one that comes or one that
  /// waits when other rules do; an announcement from the background is lowered.
  static func ending(of item: inout Item, by context: Context) -> Ending? {
    if item.treatment.present.value == .log {
      return Ending(.inhibited, by: nil, rule: item.treatment.present.rule)
    }
    if item.treatment.onlyIfUser.value, !item.isByUser {
      return Ending(.inhibited, by: nil, rule: item.treatment.onlyIfUser.rule)
    }
    guard item.kind == .announcement, item.isBackground, item.priority != .high else { return nil }
    guard item.priority != .low else { return refuse(&item, .inhibited, .background, .background) }
    item.facts.priority = .low
    item.treatment = context.rules.treatment(of: item.facts)
    return nil
  }

  private static func ending(
    of item: inout Item,
    at place: Place,
    _ notes: inout Presenter.Notes,
    _ context: Context
  ) -> Ending? {
    if let ending = ending(of: &item, by: context) {
      notes.isLowInBackground = ending.rule == OwnRule.background.name
      return ending
    }
    if place.isLocked, let ending = lockRefusal(of: &item) { return ending }
    switch item.kind {
    case .status, .focus, .value, .report, .digest, .reading: return nil
    case .announcement where item.priority == .high: return nil
    case .layout, .screen, .page:
      if item.isBackground {
        let asksForFocus = item.kind != .page && item.facts.element != nil
        return refuse(&item, asksForFocus ? .denied : .inhibited, .background, .background)
      }
      if item.kind != .screen, place.isCovered { return refuse(&item, .denied, .modal, .modal) }
      return item.kind == .layout && !item.text.isEmpty ? mediaRefusal(of: &item, at: place) : nil
    case .announcement:
      return mediaRefusal(of: &item, at: place)
    }
  }

  private static func refuse(
    _ item: inout Item,
    _ result: Result,
    _ rule: OwnRule,
    _ reason: Reason
  ) -> Ending {
    item.why.reason = reason
    return Ending(result, by: nil, rule: rule)
  }

  /// Whoever stands before a locked screen need not be its user: of other apps only what cannot
  /// wait is heard, alarms and timers.
  static func lockRefusal(of item: inout Item) -> Ending? {
    guard item.kind == .announcement || item.kind == .layout, !item.text.isEmpty,
      item.priority != .high, item.facts.speechClass != .timer
    else { return nil }
    return refuse(&item, .inhibited, .lock, .locked)
  }

  /// The user listens to something that he has started: only urgent announcements and answers to
  /// his own actions talk over it.
  private static func mediaRefusal(of item: inout Item, at place: Place) -> Ending? {
    guard place.hasMedia, !item.isAnswer else { return nil }
    return refuse(&item, .inhibited, .mediaSession, .mediaSession)
  }
}
