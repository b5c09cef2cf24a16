// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A text cut into words, for the checks that look at words.
struct Phrase {
  let text: String
  let language: Language
  let words: [Word]
  /// The words' cores in small letters.
  let lower: [String]

  struct Word {
    /// As it stands there.
    let whole: Substring
    /// Without the punctuation around it.
    let core: Substring
    /// Its core in small letters, by which tables know it.
    let lower: String

    init(_ whole: Substring) {
      self.whole = whole
      var core = whole.unicodeScalars
      while let first = core.first, Phrase.opens(first) { core.removeFirst() }
      while let last = core.last, Phrase.closes(last) { core.removeLast() }
      self.core = Substring(core)
      lower = self.core.lowercased()
    }

    /// What stands behind its last letter.
    var tail: Substring { whole[core.endIndex...] }

    /// Whether a clause ends with it.
    var endsClause: Bool { !tail.isEmpty }
  }

  init(_ text: String, _ language: Language) {
    self.text = text
    self.language = language
    words = text.unicodeScalars.split { $0 == " " || $0.properties.isWhitespace }
      .map { Word(Substring($0)) }
    lower = words.map(\.lower)
  }

  private static func opens(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\"", "'", "“", "„", "‚", "‘", "«", "»", "(", "[", "{", "¿", "¡": true
    default: false
    }
  }

  private static func closes(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", ",", ";", ":", "!", "?", "…", "\"", "'", "”", "“", "’", "‘", "»", "«", ")", "]", "}":
      true
    default: false
    }
  }

  /// The text as a message quotes it: short enough to be read aloud.
  var quoted: String { Self.quoted(text) }

  static func quoted(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > longestQuote else { return "\"\(text)\"" }
    return "\"\(String(String.UnicodeScalarView(scalars.prefix(longestQuote))))…\""
  }

  private static let longestQuote = 40
}
