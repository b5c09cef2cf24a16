// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A hint that is no sentence, with a capital at its beginning and a full stop at its end.
enum HintSentence {
  static func checkHint(_ hint: borrowing Phrase, _ field: FieldPath, into list: inout AdviceList) {
    guard let first = hint.first, let last = hint.last else { return }
    let isSmall = hint.core(first).isSmallWord
    // A stop within the last word, as in “a.m.”, counts as the end, too.
    let isOpen = !hint.tail(last).hasSentenceEnd && hint.core(last).endsWithLatin
    guard isSmall || isOpen else { return }
    let what =
      isSmall && isOpen
      ? "Begin \(hint.quoted) with a capital and end it with a full stop"
      : isSmall ? "Begin \(hint.quoted) with a capital" : "End \(hint.quoted) with a full stop"
    list.add(.hintNoSentence, field.path, "\(what); a hint is a sentence.")
  }
}

extension Span<UInt8> {
  /// Whether the word is of small letters alone, the first one Latin: not so iPhone and notes.txt.
  fileprivate var isSmallWord: Bool {
    var index = 0
    var isFirst = true
    while index < count {
      let (letter, end) = scalar(at: index)
      guard letter.isSmall, letter.isLetter, !isFirst || letter.isLatin else { return false }
      index = end
      while index < count {
        let (mark, end) = scalar(at: index)
        guard mark.isMark else { break }
        if isFirst, !mark.isLatinMark { return false }
        index = end
      }
      isFirst = false
    }
    return !isFirst
  }

  /// Whether the last character is a letter or digit of a script that ends sentences with a stop.
  fileprivate var endsWithLatin: Bool {
    var index = count
    while index > 0 {
      index = scalarStart(before: index)
      let last = scalar(at: index).scalar
      if last.isLatinMark { continue }
      return last.isLatin && (last.isLetter || last.properties.numericType != nil)
    }
    return false
  }

  fileprivate var hasSentenceEnd: Bool {
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): return true
      // The last byte of “…”, which no other sign behind words has.
      case 0xa6: return true
      default: break
      }
    }
    return false
  }
}
