// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// Changes in the element that the user is at, or has just acted on: they are heard without the app
// having to announce them.
extension Presenter {
  /// The watched elements with what they show, before an entry changes them.
  struct Watched {
    var places: [(element: Name, showing: Model.Showing?, action: Seq?)] = []
  }

  func watched(_ event: borrowing WireEvent) -> Watched {
    var watched = Watched()
    guard let window = event.name(.window) else { return watched }
    let app = head.app
    if let last = actions.last(of: app), now - last.mono <= Bounds.feedback,
      let element = last.element, last.window == nil || last.window == window
    {
      watched.places.append(
        (element, model.showing(element, window: window, app: app), last.seq)
      )
    }
    if let focus = model.focusPlace(of: app), focus.window == window,
      !watched.places.contains(where: { $0.element == focus.element })
    {
      watched.places.append(
        (focus.element, model.showing(focus.element, window: window, app: app), nil)
      )
    }
    return watched
  }

  mutating func presentChanges(since before: Watched, _ event: borrowing WireEvent) {
    guard let window = event.name(.window) else { return }
    let app = head.app
    var changed: [Item] = []
    for (element, old, action) in before.places {
      guard let old, let new = model.showing(element, window: window, app: app) else { continue }
      // Of a secret there is nothing to compare but its length: that it was set is what is new.
      let isSecretAnew = new.redacted != nil && Self.sets(element, in: event)
      guard new != old || isSecretAnew else { continue }
      let isFocused = model.hasFocus(element, window: window, app: app)
      // A window that is told anew has other elements, though they may bear the same ids.
      let isRenamed = isFocused && event.member(.replace) == nil
      let text = Self.words(
        isRenamed ? old : old.called(new.label),
        new,
        isSecretAnew,
        model.language(of: element, window: window, app: app),
        pace
      )
      guard !text.isEmpty else { continue }
      var facts = facts(.elements, event)
      facts.speechClass = .value
      facts.element = element
      facts.isFocused = isFocused
      facts.traits = model.traits(of: element, window: window, app: app)
      if action != nil { facts.cause = .user }
      let kind: Item.Kind
      if facts.traits & Traits.updatesFrequently != 0 {
        // A value that changes all the time is told like a timer that its app announces.
        facts.topic = .announcement
        facts.speechClass = .timer
        facts.priority = facts.speechClass.priority
        kind = .announcement
      } else {
        kind = .value
      }
      guard var item = item(kind, facts, text, event) else { continue }
      item.action = action ?? item.action
      item.isActed = action != nil
      changed.append(item)
    }
    // One entry ends once, with the last of them.
    for index in changed.indices {
      if index < changed.count - 1 {
        changed[index].seq = newID()
        changed[index].endsInOutcome = false
      }
      present(changed[index])
    }
  }

  /// Whether an entry gives an element a text that it does not have itself.
  private static func sets(_ element: Name, in event: borrowing WireEvent) -> Bool {
    for field in [WireEvent.Member.upsert, .replace] {
      guard let list = event.member(field), event.line.kind(list) == .list else { continue }
      var item = list + 1
      while item < event.line.end(list) {
        if event.line.name("id", of: item) == element,
          event.line.member("redacted", of: item) != nil
        {
          return true
        }
        item = event.line.end(item)
      }
    }
    return false
  }

  private static func words(
    _ old: Model.Showing,
    _ new: Model.Showing,
    _ isSecretAnew: Bool,
    _ language: [UInt8]?,
    _ pace: ReaderPace
  ) -> SpokenText {
    let own = language.flatMap { OwnWords.of(tag: $0) }
    let words = own ?? OwnWords.of(pace.language)
    let ownLanguage = own == nil ? nil : language
    var text = SpokenText.nothing
    // A voice makes a little pause between the parts.
    var pause: String { text.isEmpty ? "" : ", " }
    if new.label != old.label, let label = new.label, label != new.value {
      text.append(SpokenText(written: label.span, language: language))
    }
    if isSecretAnew || new.redacted != old.redacted || new.value != old.value {
      if let redacted = new.redacted {
        text.append(SpokenText(redacted: redacted))
      } else if let value = new.value {
        text.append(SpokenText(written: (Array(pause.utf8) + value).span, language: language))
      }
    }
    words.changes(from: old.states, to: new.states, new.role) {
      text.append(SpokenText(pause + $0, language: ownLanguage))
    }
    return text
  }
}
