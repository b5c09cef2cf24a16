// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// An announcement that is longer than a sentence: it is over before anybody can stop it, and cannot
/// be gone over again.
enum SentenceCount {
  /// Words before a stop that are shorter are abbreviations: Dr., St., a.m.
  static let letters = 4

  static func look(_ text: Phrase, into list: inout AdviceList) {
    for (word, next) in zip(text.words, text.words.dropFirst()) where ends(word, before: next) {
      list.add(
        .announcementLong,
        "event.text",
        "Announce one sentence; who hears \(text.quoted) cannot go back in it."
      )
      return
    }
  }

  private static func ends(_ word: Phrase.Word, before next: Phrase.Word) -> Bool {
    guard word.tail == ".", word.core.count >= letters, word.core.allSatisfy(\.isLetter),
      !Abbreviations.stopped.contains(word.lower), let first = next.whole.first
    else { return false }
    return first.isUppercase || first.isASCII && first.isNumber
  }
}
