// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A label that ends with a full stop: it is a name and no sentence.
enum LabelStop {
  /// The most words of a label; longer ones are somebody's texts.
  private static let longest = 4
  /// The fewest letters of a word before a stop; shorter ones are abbreviations.
  private static let letters = 4

  static func checkLabel(
    _ label: borrowing Phrase,
    _ traits: TraitSet,
    _ field: FieldPath,
    into list: inout AdviceList
  ) {
    guard !traits.isDisjoint(with: .labelled), traits.isDisjoint(with: .keys),
      label.language != .other, isMistake(label)
    else { return }
    list.add(
      .labelFullStop,
      field.path,
      "End \(label.quoted) without the full stop; a label is a name, and voices pause at the stop."
    )
  }

  private static func isMistake(_ label: borrowing Phrase) -> Bool {
    guard let last = label.last, label.tail(last).equals("."), !label.hasMore(than: longest) else {
      return false
    }
    let key = label.key(last)
    guard
      label.core(last).isWord(ofLetters: letters, areLatin: true)
        || InterfaceWords.isAction(key, label.language),
      !Abbreviations.stopped.contains(key), !label.core(last).isStreet
    else { return false }
    // A label in which somebody speaks, or one sentence follows another, is a message.
    if speakers.contains(key) { return false }
    var before = label.word(before: last)
    while let word = before {
      if word.endsClause || speakers.contains(label.key(word)) { return false }
      before = label.word(before: word)
    }
    return true
  }

  private static let speakers: WordTable = [
    "i", "i'm", "i’m", "me", "you", "we", "he", "she", "they", "it", "us", "is", "are", "was",
    "were",
    "ich", "du", "wir", "er", "sie", "es", "ihr", "mir", "dir", "uns", "ist", "sind", "war",
  ]
}

extension Span<UInt8> {
  /// Whether the word is an abbreviated street, as “Hauptstr.”, whose stop is its own.
  fileprivate var isStreet: Bool {
    count >= 3 && WordKey(extracting(count - 3..<count)) == "str"
  }
}
