// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A word as its eight lower-case hex digits, all at once; the first digit is the lowest byte.
///
/// Every line of the log is written and read with one.
enum HexWord {
  static func digits(of word: UInt32) -> UInt64 {
    // A byte of the word in every second byte, and then its halves side by side.
    var spread = UInt64(word.byteSwapped)
    spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff
    spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ff
    let halves = (spread >> 4 & 0x000f_000f_000f_000f) | (spread & 0x000f_000f_000f_000f) << 8
    let letters = (halves + 6 * ones) >> 4 & ones
    return halves + 0x30 * ones + letters * 0x27
  }

  /// nil where these are no such digits.
  static func word(of digits: UInt64) -> UInt32? {
    let letters = digits >> 6 & ones
    let halves = ((digits & low) + letters * 9) & low
    var packed = (halves << 4 | halves >> 8) & 0x00ff_00ff_00ff_00ff
    packed = (packed | packed >> 8) & 0x0000_ffff_0000_ffff
    packed = (packed | packed >> 16) & 0xffff_ffff
    let word = UInt32(packed).byteSwapped
    return self.digits(of: word) == digits ? word : nil
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let low = 0xf * ones
}
