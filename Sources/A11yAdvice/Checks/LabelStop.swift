// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A label that ends with a full stop: it is a name and no sentence.
enum LabelStop {
  /// Longer ones are texts that somebody has written.
  private static let longest = 4
  /// Shorter words before a stop are abbreviations.
  private static let letters = 4

  static func look(
    _ label: Phrase,
    _ traits: TraitSet,
    _ field: String,
    into list: inout AdviceList
  ) {
    guard !traits.isDisjoint(with: .labelled), traits.isDisjoint(with: .keys),
      label.language != .other, isMistake(label)
    else { return }
    list.add(
      .labelFullStop,
      field,
      "End \(label.quoted) without the full stop; a label is a name, and voices pause at the stop."
    )
  }

  private static func isMistake(_ label: Phrase) -> Bool {
    guard label.words.count <= longest, let last = label.words.last, last.tail == "." else {
      return false
    }
    let word = last.lower
    guard word.count >= letters || InterfaceWords.isAction(word, label.language),
      word.allSatisfy(\.isLetter), word.unicodeScalars.allSatisfy({ $0.value < 0x250 }),
      !Abbreviations.stopped.contains(word), !word.hasSuffix("str")
    else { return false }
    // Somebody speaks, or one sentence follows another: this is a message, not a control.
    return !label.lower.contains(where: speakers.contains)
      && !label.words.dropLast().contains(where: \.endsClause)
  }

  private static let speakers: Set<String> = [
    "i", "i'm", "i’m", "me", "you", "we", "he", "she", "they", "it", "us", "is", "are", "was",
    "were",
    "ich", "du", "wir", "er", "sie", "es", "ihr", "mir", "dir", "uns", "ist", "sind", "war",
  ]
}
