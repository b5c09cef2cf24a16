// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The first stage: what is not presented at all, whatever comes.
extension Presenter {
  mutating func admit(_ item: consuming Item) {
    item.deadline = deadline(of: item)
    if let objection = objection(to: &item) {
      var why = Why()
      why.reason = objection.reason
      settle(item, objection.result, by: nil, rule: objection.rule, why)
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

  private struct Objection {
    let result: Result
    let rule: String
    var reason: String?
  }

  /// Why an event is not presented, if so.
  private mutating func objection(to item: inout Item) -> Objection? {
    let treatment = item.treatment
    if treatment.present.value == .log {
      return Objection(result: .inhibited, rule: treatment.present.rule)
    }
    if treatment.onlyIfUser.value, !item.isByUser {
      return Objection(result: .inhibited, rule: treatment.onlyIfUser.rule)
    }
    switch item.kind {
    case .status, .focus, .value, .report, .digest: return nil
    case .announcement where item.priority == .high: return nil
    case .layout, .screen, .page:
      if item.isBackground {
        let asksForFocus = item.kind != .page && item.facts.element != nil
        return Objection(
          result: asksForFocus ? .denied : .inhibited,
          rule: Self.background,
          reason: "background"
        )
      }
      if item.kind != .screen, isCovered(item) {
        return Objection(result: .denied, rule: Self.modal, reason: "modal")
      }
      return item.kind == .layout && !item.text.isEmpty ? mediaObjection(to: item) : nil
    case .announcement:
      if item.isBackground {
        if item.priority == .low {
          notes.isLowInBackground = true
          return Objection(result: .inhibited, rule: Self.background, reason: "background")
        }
        item.facts.priority = .low
        item.treatment = rules.treatment(of: item.facts)
        item.deadline = deadline(of: item)
      }
      return mediaObjection(to: item)
    }
  }

  /// The user listens to something that he has started: only urgent announcements and answers to his
  /// own actions talk over it.
  private func mediaObjection(to item: Item) -> Objection? {
    guard focus.media != nil, !item.isAnswer else { return nil }
    return Objection(result: .inhibited, rule: Self.mediaSession, reason: "media-session")
  }

  func isCovered(_ item: Item) -> Bool {
    model.isCovered(window: item.facts.window, element: item.facts.element, app: item.app)
  }

  static var background: String { "background" }
  static var modal: String { "modal" }
  static var mediaSession: String { "media session" }
}
