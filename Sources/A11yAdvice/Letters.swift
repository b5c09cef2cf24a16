// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
