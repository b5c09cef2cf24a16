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
    guard let app = entry.appKey, let window = entry.name("window", of: event) else {
      return watched
    }
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
    guard let app = entry.appKey, let window = entry.name("window", of: event) else { return }
    for (element, old, action) in before.places {
      guard let old, let new = model.showing(element, window: window, app: app), new != old else {
        continue
      }
      let text = Self.words(old, new, RoleWords(language: pace.language))
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

  private static func words(
    _ old: Model.Showing,
    _ new: Model.Showing,
    _ words: RoleWords
  ) -> SpokenText {
    var text = SpokenText.nothing
    if new.redacted != old.redacted || new.value != old.value {
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
