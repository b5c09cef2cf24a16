// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A text whose words are found in its bytes as checks ask for them, without a copy.
struct Phrase: ~Escapable {
  let bytes: Span<UInt8>
  let language: Language

  /// A word, by offsets into the text's bytes.
  struct Word {
    /// The word with the punctuation around it.
    let start: Int
    let end: Int
    /// The word without that punctuation.
    let core: Range<Int>

    /// Whether punctuation behind the word ends a clause.
    var endsClause: Bool { core.upperBound < end }

    var whole: Range<Int> { start..<end }
  }

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, _ language: Language = .unknown) {
    self.bytes = bytes
    self.language = language
  }

  // MARK: Words

  var first: Word? { word(from: 0) }

  var last: Word? { word(to: bytes.count, notBefore: 0) }

  func word(after word: Word) -> Word? { self.word(from: word.end) }

  func word(before word: Word) -> Word? { self.word(to: word.start, notBefore: 0) }

  /// The word around the byte at `index`, which begins at `limit` or behind.
  func word(at index: Int, notBefore limit: Int) -> Word {
    var start = index
    while start > limit, bytes.spaceLength(before: start) == 0 { start -= 1 }
    return word(startingAt: start)
  }

  /// Whether there are more than `count` words.
  func hasMore(than count: Int) -> Bool {
    var left = count
    var next = first
    while let word = next, left > 0 {
      left -= 1
      next = self.word(after: word)
    }
    return next != nil
  }

  private func word(from index: Int) -> Word? {
    var start = index
    while start < bytes.count {
      let space = bytes.spaceLength(at: start)
      if space == 0 { return word(startingAt: start) }
      start += space
    }
    return nil
  }

  private func word(to index: Int, notBefore limit: Int) -> Word? {
    var end = index
    while end > limit {
      let space = bytes.spaceLength(before: end)
      if space == 0 { return word(at: end - 1, notBefore: limit) }
      end -= space
    }
    return nil
  }

  private func word(startingAt start: Int) -> Word {
    var end = start
    while end < bytes.count, bytes.spaceLength(at: end) == 0 { end += 1 }
    return Word(start: start, end: end, core: core(of: start..<end))
  }

  private func core(of word: Range<Int>) -> Range<Int> {
    let inner = bytes.extracting(word)
    var (start, end) = (0, inner.count)
    while start < end {
      let sign = inner.openingLength(at: start)
      if sign == 0 { break }
      start += sign
    }
    while end > start {
      let sign = inner.closingLength(before: end)
      if sign == 0 || end - sign < start { break }
      end -= sign
    }
    return word.lowerBound + start..<word.lowerBound + end
  }

  // MARK: The words themselves

  /// A word without the punctuation around it.
  @_lifetime(copy self)
  func core(_ word: Word) -> Span<UInt8> { bytes.extracting(word.core) }

  /// The signs behind a word's last letter.
  @_lifetime(copy self)
  func tail(_ word: Word) -> Span<UInt8> { bytes.extracting(word.core.upperBound..<word.end) }

  /// A word in small letters, by which tables know it.
  func key(_ word: Word) -> WordKey { WordKey(core(word)) }

  /// The key of a word that may be missing.
  func key(_ word: Word?) -> WordKey { word.map { key($0) } ?? .none }

  /// Whether a word that tables know has no capital.
  func isSmall(_ word: Word, _ key: WordKey) -> Bool { WordKey(asWritten: core(word)) == key }

  func startsSmall(_ word: Word) -> Bool {
    !word.core.isEmpty && bytes.scalar(at: word.core.lowerBound).scalar.isSmall
  }

  /// Whether these words follow each other, the first of them at `word`.
  func spells(_ words: [WordKey], at word: Word?) -> Bool {
    var next = word
    for wanted in words {
      guard let word = next, key(word) == wanted else { return false }
      next = self.word(after: word)
    }
    return true
  }

  // MARK: For messages

  /// The text as a message quotes it: short enough to be read aloud.
  var quoted: String { bytes.quoted }

  func quoted(_ range: Range<Int>) -> String { bytes.extracting(range).quoted }
}

extension Span<UInt8> {
  /// The most characters of a quote that are read aloud without being a burden.
  private static var longestQuote: Int { 40 }

  /// The text between quotes, cut off where it is long.
  var quoted: String {
    let end = offset(behindScalars: Self.longestQuote)
    return end == count ? "\"\(string)\"" : "\"\(extracting(0..<end).string)…\""
  }
}

extension String {
  /// The text between quotes, cut off where it is long.
  var quoted: String { utf8.span.quoted }
}

/// The language of a text, as far as there are tables for it.
enum Language: Equatable {
  /// No language was named.
  case unknown
  case english, german
  /// A language without tables.
  case other

  /// The language of a tag such as `de-AT`.
  init(_ tag: Span<UInt8>) {
    var end = 0
    while end < tag.count, tag[end] != UInt8(ascii: "-"), tag[end] != UInt8(ascii: "_") { end += 1 }
    switch WordKey(tag.extracting(0..<end)) {
    case "en": self = .english
    case "de": self = .german
    case "und": self = .unknown
    default: self = tag.count == 0 ? .unknown : .other
    }
  }

  init(_ tag: String?) {
    guard let tag else {
      self = .unknown
      return
    }
    self.init(tag.utf8.span)
  }

  /// Whether a text may be in `language`; one of an unknown language may be in any.
  func mayBe(_ language: Language) -> Bool { self == language || self == .unknown }
}

/// Letters, spaces and the signs around words, told apart at a place in a text.
///
/// Nearly all bytes are ASCII, for which a comparison is enough; Unicode's tables tell the rest.
extension Span<UInt8> {
  // MARK: Spaces

  /// The bytes of the space at `index`; 0 where there is none.
  @inline(__always)
  func spaceLength(at index: Int) -> Int {
    let byte = self[index]
    if byte < 0x80 { return byte == 0x20 || byte >= 9 && byte <= 13 ? 1 : 0 }
    return byte == 0xc2 || byte >= 0xe1 && byte <= 0xe3 ? wideSpaceLength(at: index) : 0
  }

  private func wideSpaceLength(at index: Int) -> Int {
    guard index + 1 < count else { return 0 }
    let (first, second) = (self[index], self[index + 1])
    if first == 0xc2 { return second == 0x85 || second == 0xa0 ? 2 : 0 }
    guard index + 2 < count else { return 0 }
    let third = self[index + 2]
    switch (first, second) {
    case (0xe1, 0x9a), (0xe3, 0x80): return third == 0x80 ? 3 : 0
    case (0xe2, 0x80):
      return third >= 0x80 && third <= 0x8a || third == 0xa8 || third == 0xa9 || third == 0xaf
        ? 3 : 0
    case (0xe2, 0x81): return third == 0x9f ? 3 : 0
    default: return 0
    }
  }

  /// The bytes of the space that ends before `index`; 0 where none does.
  @inline(__always)
  func spaceLength(before index: Int) -> Int {
    let byte = self[index - 1]
    if byte < 0x80 { return byte == 0x20 || byte >= 9 && byte <= 13 ? 1 : 0 }
    for length in 2...3 where index >= length && spaceLength(at: index - length) == length {
      return length
    }
    return 0
  }

  // MARK: Signs around words

  /// The bytes of the quote or bracket at `index` that may open a word; 0 where there is none.
  func openingLength(at index: Int) -> Int {
    switch self[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: "["),
      UInt8(ascii: "{"):
      1
    case 0xc2 where index + 1 < count: isAngleQuote(self[index + 1]) || isTurned(index) ? 2 : 0
    case 0xe2 where index + 2 < count && self[index + 1] == 0x80:
      switch self[index + 2] {
      // ‘ ‚ “ „
      case 0x98, 0x9a, 0x9c, 0x9e: 3
      default: 0
      }
    default: 0
    }
  }

  /// The bytes of the sign before `index` that may close a word; 0 where there is none.
  func closingLength(before index: Int) -> Int {
    switch self[index - 1] {
    case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
      UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"),
      UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      return 1
    case 0x80...:
      if index >= 2, self[index - 2] == 0xc2 { return isAngleQuote(self[index - 1]) ? 2 : 0 }
      guard index >= 3, self[index - 3] == 0xe2, self[index - 2] == 0x80 else { return 0 }
      switch self[index - 1] {
      // ‘ ’ “ ” …
      case 0x98, 0x99, 0x9c, 0x9d, 0xa6: return 3
      default: return 0
      }
    default: return 0
    }
  }

  /// Whether a sign is « or », which stand on either side of words.
  private func isAngleQuote(_ second: UInt8) -> Bool { second == 0xab || second == 0xbb }

  /// Whether a sign is ¡ or ¿, which stand before words alone.
  private func isTurned(_ index: Int) -> Bool {
    self[index + 1] == 0xa1 || self[index + 1] == 0xbf
  }

  // MARK: Scalars

  /// The scalar at `index`, and the offset of the next one.
  func scalar(at index: Int) -> (scalar: Unicode.Scalar, end: Int) {
    let first = self[index]
    if first < 0x80 { return (Unicode.Scalar(first), index + 1) }
    let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    guard first >= 0xc0, index + length <= count else { return ("\u{fffd}", index + 1) }
    var value = UInt32(first) & (0x7f >> UInt32(length))
    for place in index + 1..<index + length { value = value << 6 | UInt32(self[place] & 0x3f) }
    return (Unicode.Scalar(value) ?? "\u{fffd}", index + length)
  }

  /// The offset of the scalar that ends before `index`.
  func scalarStart(before index: Int) -> Int {
    var start = index - 1
    while start > 0, index - start < 4, self[start] & 0xc0 == 0x80 { start -= 1 }
    return start
  }

  /// The offset behind the first `limit` scalars, or the end if there are no more.
  func offset(behindScalars limit: Int) -> Int {
    var (index, left) = (0, limit)
    while index < count, left > 0 {
      index += 1
      while index < count, self[index] & 0xc0 == 0x80 { index += 1 }
      left -= 1
    }
    return index
  }

  /// Whether the bytes are letters alone, and at least `least` of them.
  func isWord(ofLetters least: Int, areLatin: Bool = false) -> Bool {
    var letters = 0
    var index = 0
    while index < count {
      let (scalar, end) = scalar(at: index)
      index = end
      if letters > 0, !areLatin, scalar.isMark { continue }
      guard scalar.isLetter, !areLatin || scalar.isLatin else { return false }
      letters += 1
    }
    return letters >= least
  }

  /// Whether the bytes are digits alone, and not empty.
  var isDigits: Bool {
    for index in indices where !self[index].isDigit { return false }
    return count > 0
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 48 && self <= 57 }

  var isCapital: Bool { self >= 65 && self <= 90 }
}

extension Unicode.Scalar {
  var isLetter: Bool {
    isASCII ? UInt8(value).isCapital || UInt8(value & ~0x20).isCapital : properties.isAlphabetic
  }

  var isSmall: Bool { isASCII ? value >= 97 && value <= 122 : properties.isLowercase }

  var isCapital: Bool { isASCII ? UInt8(value).isCapital : properties.isUppercase }

  /// Whether it belongs to the letter before it.
  var isMark: Bool {
    guard value >= 0x300 else { return false }
    return properties.isGraphemeExtend || self == "\u{200d}"
      || properties.generalCategory == .spacingMark
  }

  /// Whether it is of the Latin blocks, up to Latin Extended-B.
  var isLatin: Bool { value < 0x250 }

  /// Whether it is an accent or another mark that stands on Latin letters.
  var isLatinMark: Bool { value >= 0x300 && value < 0x370 }
}
