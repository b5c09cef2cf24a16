// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Letters, spaces and the signs around words, told apart at a place in a text.
///
/// Nearly all of it is ASCII, for which a comparison does; the rest is asked of Unicode's tables.
extension Span<UInt8> {
  // MARK: Spaces

  /// How many bytes the space at `index` has; 0 where none stands.
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

  /// How many bytes the space has that ends before `index`; 0 where none does.
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

  /// How many bytes the quote or bracket at `index` has that a word may stand behind; else 0.
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

  /// How many bytes the sign before `index` has that a word may be ended by; else 0.
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

  /// « and », which stand on either side of words.
  private func isAngleQuote(_ second: UInt8) -> Bool { second == 0xab || second == 0xbb }

  /// ¡ and ¿, which stand before words alone.
  private func isTurned(_ index: Int) -> Bool {
    self[index + 1] == 0xa1 || self[index + 1] == 0xbf
  }

  // MARK: Scalars

  /// The scalar at `index`, and where the next one begins.
  func scalar(at index: Int) -> (scalar: Unicode.Scalar, end: Int) {
    let first = self[index]
    if first < 0x80 { return (Unicode.Scalar(first), index + 1) }
    let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    guard first >= 0xc0, index + length <= count else { return ("\u{fffd}", index + 1) }
    var value = UInt32(first) & (0x7f >> UInt32(length))
    for place in index + 1..<index + length { value = value << 6 | UInt32(self[place] & 0x3f) }
    return (Unicode.Scalar(value) ?? "\u{fffd}", index + length)
  }

  /// Where the scalar begins that ends before `index`.
  func scalarStart(before index: Int) -> Int {
    var start = index - 1
    while start > 0, index - start < 4, self[start] & 0xc0 == 0x80 { start -= 1 }
    return start
  }

  /// Where the scalars begin that `limit` of them stand before; the end, if there are no more.
  func offset(behindScalars limit: Int) -> Int {
    var (index, left) = (0, limit)
    while index < count, left > 0 {
      index += 1
      while index < count, self[index] & 0xc0 == 0x80 { index += 1 }
      left -= 1
    }
    return index
  }

  /// Whether it consists of letters, of so many or more.
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

  /// Whether these bytes are all digits, of which there are some.
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

  /// It belongs to the letter before it.
  var isMark: Bool {
    guard value >= 0x300 else { return false }
    return properties.isGraphemeExtend || self == "\u{200d}"
      || properties.generalCategory == .spacingMark
  }

  /// Latin letters, and others of Western Europe's scripts.
  var isLatin: Bool { value < 0x250 }

  /// Accents and other marks that stand on Latin letters.
  var isLatinMark: Bool { value >= 0x300 && value < 0x370 }
}
