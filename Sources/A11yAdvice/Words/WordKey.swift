// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A word in small letters as the number of its UTF-8 bytes, by which tables find it.
///
/// Words of more than sixteen bytes are in no table, and all have the key `none`.
struct WordKey: Hashable, Sendable {
  private var bytes: UInt128 = 0

  static let none = WordKey()
  private static let longest = 16

  private init() {}

  init(_ word: Span<UInt8>) { self.init(word, isFolded: true) }

  /// The key with capitals as written.
  init(asWritten word: Span<UInt8>) { self.init(word, isFolded: false) }

  private init(_ word: Span<UInt8>, isFolded: Bool) {
    var plain: UInt128 = 0
    var index = 0
    // Nearly all words are ASCII and short enough.
    while index < word.count, index < Self.longest {
      let byte = word[index]
      guard byte &- 1 < 0x7f else { break }
      let isCapital = isFolded && byte &- 65 < 26
      plain = plain &<< 8 | UInt128(isCapital ? byte | 0x20 : byte)
      index += 1
    }
    bytes = plain
    if index < word.count { appendFolded(word, from: index, isFolded: isFolded) }
  }

  private mutating func appendFolded(_ word: Span<UInt8>, from start: Int, isFolded: Bool) {
    var length = start
    var index = start
    while index < word.count {
      let byte = word[index]
      index += 1
      switch byte {
      case 65...90: appendByte(isFolded ? byte | 0x20 : byte, &length)
      case 0xc3 where index < word.count:
        let next = word[index]
        index += 1
        appendByte(0xc3, &length)
        // À to Þ without ×.
        let isCapital = next >= 0x80 && next <= 0x9e && next != 0x97
        appendByte(isFolded && isCapital ? next | 0x20 : next, &length)
      case 0xcc where index < word.count && word[index] == 0x88 && takeDots(&length): index += 1
      case 0:
        // A zero byte would look like the room that shorter words leave.
        length = Self.longest + 1
      default: appendByte(byte, &length)
      }
      guard length <= Self.longest else {
        bytes = 0
        return
      }
    }
  }

  private mutating func appendByte(_ byte: UInt8, _ length: inout Int) {
    bytes = bytes &<< 8 | UInt128(byte)
    length += 1
  }

  /// Joins two combining dots with the vowel before them, into ä, ö or ü.
  private mutating func takeDots(_ length: inout Int) -> Bool {
    let vowel = UInt8(truncatingIfNeeded: bytes)
    let letter: UInt8
    switch vowel {
    case UInt8(ascii: "a"): letter = 0xa4
    case UInt8(ascii: "o"): letter = 0xb6
    case UInt8(ascii: "u"): letter = 0xbc
    default: return false
    }
    bytes = (bytes &>> 8) &<< 16 | 0xc300 | UInt128(letter)
    length += 1
    return true
  }

  /// A number that spreads words over a table.
  var spread: UInt64 {
    UInt64(truncatingIfNeeded: bytes ^ bytes &>> 64) &* 0x9e37_79b9_7f4a_7c15
  }

  /// The word, for messages.
  var text: String {
    let letters = (0..<Self.longest).map { UInt8(truncatingIfNeeded: bytes >> (120 - 8 * $0)) }
    return String(decoding: letters.drop { $0 == 0 }, as: UTF8.self)
  }
}

extension WordKey: ExpressibleByStringLiteral {
  init(stringLiteral word: String) { self.init(word) }

  init(_ word: String) {
    self.init(word.utf8.span)
    precondition(self != .none, "\(word) is short enough for a table")
  }
}
