// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The first stage: what is not presented at all, whatever comes.
extension Engine {
  mutating func admit(_ item: consuming Item) {
    item.deadline = deadline(of: item)
    if let (result, rule, why) = objection(to: &item) {
      settle(item, result, by: nil, rule: rule, why)
      return
    }
    if item.isFeedback, let action = item.action {
      actions.noteFeedback(of: action)
      item.countsAsFeedback = true
      extendHold(for: action)
    }
    collectBusy(item)
  }

  private func deadline(of item: Item) -> Int64? {
    (item.ownTTL ?? item.treatment.ttl.value).map { item.mono + $0 }
  }

  /// Why an event is not presented, if so.
  private mutating func objection(to item: inout Item) -> (Result, String, Why)? {
    var why = Why()
    let treatment = item.treatment
    if treatment.present.value == .log {
      return (.inhibited, treatment.present.rule, why)
    }
    if treatment.onlyIfUser.value, !item.isByUser {
      return (.inhibited, treatment.onlyIfUser.rule, why)
    }
    switch item.kind {
    case .status, .focus, .value, .report, .digest: return nil
    case .announcement where item.priority == .high: return nil
    case .layout, .screen, .page:
      if item.isBackground {
        why.reason = "background"
        let asksForFocus = item.kind != .page && item.facts.element != nil
        return (asksForFocus ? .denied : .inhibited, Self.background, why)
      }
      if item.kind != .screen, isCovered(item) {
        why.reason = "modal"
        return (.denied, Self.modal, why)
      }
      return nil
    case .announcement:
      if item.isBackground {
        if item.priority == .low {
          notes.isLowInBackground = true
          why.reason = "background"
          return (.inhibited, Self.background, why)
        }
        item.facts.priority = .low
        item.treatment = rules.treatment(of: item.facts)
        item.deadline = deadline(of: item)
      }
      if model.hasMediaSession {
        why.reason = "media-session"
        return (.inhibited, Self.mediaSession, why)
      }
      return nil
    }
  }

  func isCovered(_ item: Item) -> Bool {
    model.isCovered(window: item.facts.window, element: item.facts.element, app: item.app)
  }

  static var background: String { "background" }
  static var modal: String { "modal" }
  static var mediaSession: String { "media session" }
}
