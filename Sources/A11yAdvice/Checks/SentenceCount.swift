// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// An announcement of more than one sentence, in which nobody can go back.
enum SentenceCount {
  /// The fewest letters of a word before a stop; shorter ones are abbreviations: Dr., St., a.m.
  private static let letters = 4

  static func checkSentences(_ text: borrowing Phrase, into list: inout AdviceList) {
    let bytes = text.bytes
    /// The end of the last word that was looked at.
    var end = 0
    var index = 0
    while let stop = bytes.firstIndex(of: UInt8(ascii: "."), from: index) {
      index = stop + 1
      guard index < bytes.count else { return }
      guard bytes.spaceLength(at: index) > 0 else { continue }
      let word = text.word(at: stop, notBefore: end)
      end = index
      if endsSentence(word, in: text) {
        list.add(
          .announcementLong,
          "event.text",
          "Announce one sentence; who hears \(text.quoted) cannot go back in it."
        )
        return
      }
    }
  }

  private static func endsSentence(_ word: Phrase.Word, in text: borrowing Phrase) -> Bool {
    guard text.tail(word).equals("."), text.core(word).isWord(ofLetters: letters),
      !Abbreviations.stopped.contains(text.key(word)), let next = text.word(after: word)
    else { return false }
    return opensSentence(text.bytes, at: next.start)
  }

  private static func opensSentence(_ text: Span<UInt8>, at index: Int) -> Bool {
    let (first, end) = text.scalar(at: index)
    guard first.isASCII, UInt8(first.value).isDigit else { return first.isCapital }
    // A digit with a mark on it is an emoji: 1️⃣
    return end == text.count || !text.scalar(at: end).scalar.isMark
  }
}
