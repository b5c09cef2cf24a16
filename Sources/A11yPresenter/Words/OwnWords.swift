// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yWire

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
  private let more: @Sendable (_ count: Int64, _ apps: String) -> String
  private let missed: @Sendable (_ count: Int64, _ apps: String) -> String
  private let and: String
  private let otherApps: String

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
    more: { count, apps in "\(count) more from \(apps)" },
    missed: { count, apps in
      count == 1
        ? "1 announcement from \(apps) was missed"
        : "\(count) announcements from \(apps) were missed"
    },
    and: "and",
    otherApps: "other apps"
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
    more: { count, apps in "\(count) weitere von \(apps)" },
    missed: { count, apps in
      count == 1
        ? "1 Ansage von \(apps) wurde verpasst" : "\(count) Ansagen von \(apps) wurden verpasst"
    },
    and: "und",
    otherApps: "anderen Apps"
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

  /// So many of these apps, beside what was said.
  func more(_ count: Int64, from apps: [AppKey]) -> String { more(count, list(apps)) }

  /// So many of these apps while nobody was to be disturbed.
  func missed(_ count: Int64, of apps: [AppKey]) -> String { missed(count, list(apps)) }

  /// "Mail, Chat and Notes"; of many apps some are named.
  private func list(_ apps: [AppKey]) -> String {
    var names: [String] = []
    for app in apps.prefix(Bounds.namedApps) where !names.contains(app.app.text) {
      names.append(app.app.text)
    }
    if apps.count > Bounds.namedApps { names.append(otherApps) }
    guard names.count > 1, let last = names.popLast() else { return names.first ?? otherApps }
    return "\(names.joined(separator: ", ")) \(and) \(last)"
  }
}
