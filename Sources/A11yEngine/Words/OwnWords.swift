// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel

/// All that is said in our own words, in one language: roles and states, and how many there were of
/// what is not said one by one.
///
/// Another language is another of these, with a name that `of` knows.
struct OwnWords: Sendable {
  private let table: [(trait: UInt32, role: String)]
  private let selected: String
  private let notSelected: String
  private let disabled: String
  private let available: String
  private let more: @Sendable (_ count: Int64, _ app: String) -> String
  private let missed: @Sendable (_ count: Int64) -> String

  /// The words in a language, by its tag; English where there are none.
  static func of(_ language: String) -> OwnWords {
    language == "de" || language.hasPrefix("de-") || language.hasPrefix("de_") ? german : english
  }

  private static let english = OwnWords(
    table: roles([
      ("secure", "secure"), ("text-field", "text field"), ("search-field", "search field"),
      ("button", "button"), ("link", "link"), ("image", "image"), ("keyboard-key", "key"),
      ("header", "heading"), ("adjustable", "adjustable"),
    ]),
    selected: "selected",
    notSelected: "not selected",
    disabled: "dimmed",
    available: "available",
    more: { count, app in "\(count) more from \(app)" },
    missed: { count in
      count == 1 ? "1 announcement was missed" : "\(count) announcements were missed"
    }
  )

  private static let german = OwnWords(
    table: roles([
      ("secure", "gesichert"), ("text-field", "Textfeld"), ("search-field", "Suchfeld"),
      ("button", "Taste"), ("link", "Link"), ("image", "Bild"), ("keyboard-key", "Tastaturtaste"),
      ("header", "Überschrift"), ("adjustable", "anpassbar"),
    ]),
    selected: "ausgewählt",
    notSelected: "nicht ausgewählt",
    disabled: "deaktiviert",
    available: "verfügbar",
    more: { count, app in "\(count) weitere von \(app)" },
    missed: { count in
      count == 1 ? "1 Ansage wurde verpasst" : "\(count) Ansagen wurden verpasst"
    }
  )

  private static func roles(
    _ words: [(trait: StaticString, role: String)]
  ) -> [(trait: UInt32, role: String)] {
    words.map { (Traits.bit($0.trait), $0.role) }
  }

  // MARK: What is said

  /// The words for what an element is, in their order.
  func roles(_ traits: UInt32, _ body: (String) -> Void) {
    for (trait, role) in table where traits & trait != 0 { body(role) }
  }

  /// The words for how it is, where that is not as usual.
  func states(_ traits: UInt32, _ body: (String) -> Void) {
    if traits & Traits.selected != 0 { body(selected) }
    if traits & Traits.notEnabled != 0 { body(disabled) }
  }

  func isSelected(_ isSo: Bool) -> String { isSo ? selected : notSelected }

  func isDisabled(_ isSo: Bool) -> String { isSo ? disabled : available }

  /// Of an app, so many beside what was said.
  func more(_ count: Int64, from app: String) -> String { more(count, app) }

  /// So many while nobody was to be disturbed.
  func missed(_ count: Int64) -> String { missed(count) }
}
