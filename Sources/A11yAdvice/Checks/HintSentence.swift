// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A hint that is no sentence: a capital at its beginning, a full stop at its end.
enum HintSentence {
  static func look(_ hint: Phrase, _ field: String, into list: inout AdviceList) {
    guard let first = hint.words.first, let last = hint.words.last else { return }
    let isSmall = startsSmall(first)
    let isOpen = endsOpen(last)
    guard isSmall || isOpen else { return }
    let what =
      isSmall && isOpen
      ? "Begin \(hint.quoted) with a capital and end it with a full stop"
      : isSmall ? "Begin \(hint.quoted) with a capital" : "End \(hint.quoted) with a full stop"
    list.add(.hintNoSentence, field, "\(what); a hint is a sentence.")
  }

  /// iPhone and notes.txt begin as they are called.
  private static func startsSmall(_ word: Phrase.Word) -> Bool {
    guard let first = word.core.first, first.isLowercase, isLatin(first) else { return false }
    return word.core.allSatisfy { $0.isLetter && $0.isLowercase }
  }

  /// Whether the last thing is a letter or a digit of a script that ends sentences with a stop.
  private static func endsOpen(_ word: Phrase.Word) -> Bool {
    guard let last = word.core.last else { return false }
    let hasEnd = word.tail.contains { ".!?…".contains($0) }
    // An inner stop, as in “a.m.”, ends it, too.
    return !hasEnd && (isLatin(last) && (last.isLetter || last.isNumber))
  }

  private static func isLatin(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { $0.value < 0x250 || (0x300..<0x370).contains($0.value) }
  }
}
