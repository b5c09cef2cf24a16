// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// What one pass over a text's bytes says of it.
///
/// Nearly every text is all right, and of these there are many thousands a second. So this alone is
/// done for each: it counts characters, and sees whether anything stands there that a closer look
/// could find fault with. It may see too much, and never too little.
struct TextScan {
  private(set) var characters = 0
  private(set) var isWorthALook = false

  /// So many digits in a row may be a number that nobody wants to hear as one.
  static let digits = 5

  init(_ bytes: Span<UInt8>) {
    characters = bytes.scalarCount
    if Self.isSuspicious(bytes) { look(bytes) }
  }

  private static func isSuspicious(_ bytes: Span<UInt8>) -> Bool {
    // Behind a full stop at the end nothing goes on.
    let isSentence = bytes.count > 0 && bytes[bytes.count - 1] == 0x2e
    return bytes.extracting(0..<bytes.count - (isSentence ? 1 : 0)).containsAny(of: signs)
  }

  /// Figures, stops, and what begins the signs of currencies.
  private static let signs = ByteSet(Array(48...57) + [0x24, 0x2e, 0x2f, 0xc2, 0xe2])

  /// Looks closer at a text with figures, stops or signs in it.
  private mutating func look(_ bytes: Span<UInt8>) {
    var letters = 0
    var digits = 0
    /// The word that is being read stands right behind a number and a space.
    var isBehindNumber = false
    var number = false
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case 97...122, 65...90:
        letters += 1
        digits = 0
      case 48...57:
        digits += 1
        letters = 0
        number = true
        if digits == Self.digits { isWorthALook = true }
      case 0x20:
        if isBehindNumber, Abbreviations.areThere(bytes.extracting(index - letters..<index)) {
          isWorthALook = true
        }
        isBehindNumber = number
        number = false
        letters = 0
        digits = 0
      case 0x2b:
        // “2+” is a number still.
        letters = 0
        digits = 0
      case 0x2e:
        if letters >= SentenceCount.letters, Self.goesOn(bytes, behind: index) {
          isWorthALook = true
        }
        if isBehindNumber, Abbreviations.areThere(bytes.extracting(index - letters..<index)) {
          isWorthALook = true
        }
        letters = 0
        digits = 0
        number = false
      case 0x24: isWorthALook = true
      case 0x2f:
        // “w/o”
        if letters == 1, bytes[index - 1] | 0x20 == 0x77 { isWorthALook = true }
        letters = 0
        digits = 0
      case 0x80...:
        letters += 1
        digits = 0
        // € £ ¥
        if byte == 0xe2 || byte == 0xc2, index + 1 < bytes.count,
          Self.isCurrency(byte, bytes[index + 1])
        {
          isWorthALook = true
        }
      default:
        if isBehindNumber, Abbreviations.areThere(bytes.extracting(index - letters..<index)) {
          isWorthALook = true
        }
        isBehindNumber = false
        number = false
        letters = 0
        digits = 0
      }
    }
    if isBehindNumber, letters > 0,
      Abbreviations.areThere(bytes.extracting(bytes.count - letters..<bytes.count))
    {
      isWorthALook = true
    }
  }

  /// Whether a new sentence seems to begin behind a full stop.
  private static func goesOn(_ bytes: Span<UInt8>, behind stop: Int) -> Bool {
    guard stop + 2 < bytes.count, bytes[stop + 1] == 0x20 else { return false }
    switch bytes[stop + 2] {
    case 65...90, 48...57, 0xc3...: return true
    default: return false
    }
  }

  private static func isCurrency(_ first: UInt8, _ second: UInt8) -> Bool {
    first == 0xe2 ? second == 0x82 : second == 0xa3 || second == 0xa5
  }
}
