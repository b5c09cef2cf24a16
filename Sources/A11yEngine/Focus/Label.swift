// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yModel
public import A11yRules
internal import A11yWire

/// What is spoken for an element: its label, value, role and states, then the hint after a pause.
///
/// The words for roles and states are ours, in the user's language; so an app that puts them into a
/// label has them said twice, and is told so.
struct Label {
  private let spoken: Model.Spoken
  private let words: RoleWords
  private let hasHints: Bool

  init(_ spoken: Model.Spoken, _ pace: ReaderPace) {
    self.spoken = spoken
    words = RoleWords(language: pace.language)
    hasHints = pace.speaksHints
  }

  var text: SpokenText {
    var parts: [[UInt8]] = []
    if let label = spoken.label { parts.append(label) }
    if let value = spoken.value { parts.append(value) }
    for word in words.roles(spoken.traits) + words.states(spoken.traits) {
      parts.append(Array(word.utf8))
    }
    var written = Array(parts.joined(separator: Array(", ".utf8)))
    if hasHints, let hint = spoken.hint {
      if !written.isEmpty { written.append(contentsOf: ". ".utf8) }
      written.append(contentsOf: hint)
    }
    var text = SpokenText.nothing
    if !written.isEmpty { text = SpokenText(written: written, language: spoken.language) }
    guard let redacted = spoken.redacted else { return text }
    // What the log does not have stands in front, as it does where it is spoken.
    var secret = SpokenText(redacted: redacted)
    secret.append(text)
    return secret
  }
}

extension Engine {
  /// What is spoken when the focus comes to an element, as it would stand between the brackets of a
  /// list of runs; nil where the element is not there.
  public static func runs(
    of spot: Model.Spot,
    in model: Model,
    _ pace: ReaderPace
  ) -> [UInt8]? {
    model.spoken(spot.element, window: spot.window, app: spot.app).map {
      Label($0, pace).text.runs
    }
  }
}

/// The words that are said for traits, in one language.
struct RoleWords {
  private let table: [(trait: UInt32, role: String)]
  private let selected: String
  private let disabled: String
  let notSelected: String
  let available: String

  /// The words in a language; English where there are none.
  init(language: String) {
    let isGerman = language == "de" || language.hasPrefix("de-") || language.hasPrefix("de_")
    table = isGerman ? Self.german : Self.english
    selected = isGerman ? "ausgewählt" : "selected"
    notSelected = isGerman ? "nicht ausgewählt" : "not selected"
    disabled = isGerman ? "deaktiviert" : "dimmed"
    available = isGerman ? "verfügbar" : "available"
  }

  func roles(_ traits: UInt32) -> [String] {
    table.filter { traits & $0.trait != 0 }.map(\.role)
  }

  func states(_ traits: UInt32) -> [String] {
    var states: [String] = []
    if traits & Traits.selected != 0 { states.append(selected) }
    if traits & Traits.notEnabled != 0 { states.append(disabled) }
    return states
  }

  func isSelected(_ isSo: Bool) -> String { isSo ? selected : notSelected }

  func isDisabled(_ isSo: Bool) -> String { isSo ? disabled : available }

  private static let english = roles([
    ("secure", "secure"), ("text-field", "text field"), ("search-field", "search field"),
    ("button", "button"), ("link", "link"), ("image", "image"), ("keyboard-key", "key"),
    ("header", "heading"), ("adjustable", "adjustable"),
  ])

  private static let german = roles([
    ("secure", "gesichert"), ("text-field", "Textfeld"), ("search-field", "Suchfeld"),
    ("button", "Taste"), ("link", "Link"), ("image", "Bild"), ("keyboard-key", "Tastaturtaste"),
    ("header", "Überschrift"), ("adjustable", "anpassbar"),
  ])

  private static func roles(
    _ words: [(trait: StaticString, role: String)]
  ) -> [(trait: UInt32, role: String)] {
    words.map { (Traits.bit($0.trait), $0.role) }
  }
}
