// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A word for the role of an element, which its traits name already.
struct RoleWord {
  enum Kind {
    /// The word means the control and nothing else, wherever it stands.
    case plain
    /// The word is also a name, a thing, a key on a keyboard. Written small it means the control,
    /// unless a thing stands before it; with a capital only behind an action.
    case common
    /// The same as `common`, but behind an action the word is its object: “Copy link”.
    case object
    /// The word stands at the beginning.
    case opening
  }

  let trait: StaticString
  let traits: TraitSet
  let word: String
  /// The words of `word`.
  let parts: [WordKey]
  let kind: Kind
  let language: Language

  /// The traits that a label can name.
  static let traits = TraitSet(bits: all.reduce(0) { $0 | $1.traits.bits })

  /// All words, by which traits they name.
  static let all: [RoleWord] =
    of(
      .english,
      .common,
      [("button", "button"), ("adjustable", "slider"), ("keyboard-key", "key")]
    )
    + of(.english, .object, [("link", "link")])
    + of(
      .english,
      .plain,
      [
        ("search-field", "search field"), ("search-field", "search box"),
        ("search-field", "search bar"), ("text-field", "text field"), ("text-field", "text box"),
        ("text-field", "edit box"), ("text-field", "edit field"), ("text-field", "input field"),
      ]
    )
    + of(.english, .opening, [("image", "image of")])
    + of(.german, .common, [("button", "button"), ("button", "knopf")])
    + of(
      .german,
      .plain,
      [
        ("button", "schaltfläche"), ("search-field", "suchfeld"), ("search-field", "suchleiste"),
        ("text-field", "textfeld"), ("text-field", "eingabefeld"), ("adjustable", "schieberegler"),
      ]
    )
    + of(.german, .opening, [("image", "bild von")])

  private static func of(
    _ language: Language,
    _ kind: Kind,
    _ words: [(StaticString, String)]
  ) -> [RoleWord] {
    words.map { trait, word in
      RoleWord(
        trait: trait,
        traits: TraitSet(named: [trait.description]),
        word: word,
        parts: word.split(separator: " ").map { WordKey(String($0)) },
        kind: kind,
        language: language
      )
    }
  }

  /// Whether a word before that of a role makes it a thing: “Power button”, “Public key”.
  static func isThing(_ word: WordKey, of trait: StaticString) -> Bool {
    switch trait.description {
    case "button": buttons.contains(word)
    case "keyboard-key": keys.contains(word)
    default: false
    }
  }

  private static let buttons: WordTable = [
    "action", "belly", "camera", "crown", "door", "green", "hardware", "headset", "home", "left",
    "middle", "mouse", "panic", "physical", "power", "radio", "red", "remote", "right", "shutter",
    "side", "volume",
  ]

  private static let keys: WordTable = ["foreign", "house", "primary", "private", "public"]

  /// Words with which a label speaks of a control instead of naming one.
  static let articles: WordTable = [
    "a", "an", "the", "this", "that", "my", "your", "our", "for", "of", "with", "and", "or", "ein",
    "eine", "einen", "einem", "der", "die", "das", "den", "dem", "diese", "dieser", "mit", "und",
    "oder", "für",
  ]

  /// The most words of a label; longer ones are titles or texts.
  static let longest = 4
}
