// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// Changes in the element that the user is at, or has just acted on: they are heard without the app
// having to announce them.
extension Engine {
  /// What the elements show that are watched, before an entry changes them.
  struct Watched {
    var places: [(element: Name, showing: Model.Showing?, action: Seq?)] = []
  }

  func watched(_ entry: JSONDocument, _ event: JSONIndex) -> Watched {
    var watched = Watched()
    guard let window = entry.name("window", of: event) else { return watched }
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

  mutating func presentChanges(since before: Watched, _ entry: JSONDocument, _ event: JSONIndex) {
    guard let window = entry.name("window", of: event) else { return }
    let app = head.app
    for (element, old, action) in before.places {
      guard let old, let new = model.showing(element, window: window, app: app) else { continue }
      // Of a secret there is nothing to compare but its length: that it was set is what is new.
      let isSecretAnew = new.redacted != nil && Self.sets(element, in: entry, event)
      guard new != old || isSecretAnew else { continue }
      let text = Self.words(old, new, isSecretAnew, RoleWords(language: pace.language))
      guard !text.isEmpty else { continue }
      var facts = facts(.elements, entry, event)
      facts.speechClass = .value
      facts.element = element
      facts.isFocused = model.hasFocus(element, window: window, app: app)
      facts.traits = model.traits(of: element, window: window, app: app)
      if action != nil { facts.cause = .user }
      guard var item = item(.value, facts, text, entry, event) else { continue }
      item.action = action ?? item.action
      item.isActed = action != nil
      admit(item)
      // One entry ends once.
      return
    }
  }

  /// Whether an entry gives an element a text that it does not have itself.
  private static func sets(_ element: Name, in entry: JSONDocument, _ event: JSONIndex) -> Bool {
    for field in ["upsert", "replace"] as [StaticString] {
      guard let list = entry.member(field, of: event), entry.kind(list) == .list else { continue }
      var item = list + 1
      while item < entry.end(list) {
        if entry.name("id", of: item) == element, entry.member("redacted", of: item) != nil {
          return true
        }
        item = entry.end(item)
      }
    }
    return false
  }

  private static func words(
    _ old: Model.Showing,
    _ new: Model.Showing,
    _ isSecretAnew: Bool,
    _ words: RoleWords
  ) -> SpokenText {
    var text = SpokenText.nothing
    if isSecretAnew || new.redacted != old.redacted || new.value != old.value {
      if let redacted = new.redacted {
        text.append(SpokenText(redacted: redacted))
      } else if let value = new.value {
        text.append(SpokenText(written: value, language: nil))
      }
    }
    if new.isSelected != old.isSelected {
      text.append(SpokenText(words.isSelected(new.isSelected)))
    }
    if new.isDisabled != old.isDisabled {
      text.append(SpokenText(words.isDisabled(new.isDisabled)))
    }
    return text
  }
}
