// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import CBytes

/// The checksum at the end of a stored line.
package enum LineChecksum {
  /// The bytes of `,"crc":"`, eight digits and `"}`.
  package static let width = 18

  /// The checksum that a line without its newline states, if it is right and the line can be one of
  /// ours: an entry with times that no clock has shown is damage, whatever its checksum.
  package static func verified(_ line: Span<UInt8>) -> UInt32? {
    guard let stated = stated(line), stated == line.extracting(0..<line.count - width).checksum,
      EnvelopePeek.isPossible(line)
    else { return nil }
    return stated
  }

  /// The checksum that a line without its newline states.
  package static func stated(_ line: Span<UInt8>) -> UInt32? {
    let digits = unsafe line.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return UInt64(0) }
      return unsafe a11y_stated(start, bytes.count)
    }
    return HexWord.word(of: UInt64(littleEndian: digits))
  }
}

extension ByteBuffer {
  /// Appends a sealed line: an object with the members that `body` appends.
  @inline(__always)
  public mutating func appendLine<E: Error>(
    _ body: (inout ByteBuffer) throws(E) -> Void
  ) throws(E) {
    let start = count
    append(byte: UInt8(ascii: "{"))
    try body(&self)
    seal(from: start)
  }

  /// Ends the line that began at `start`: its checksum, its last brace, its newline.
  @discardableResult
  public mutating func seal(from start: Int) -> UInt32 {
    let checksum = self.checksum(from: start)
    append(",\"crc\":\"")
    append(hex: checksum)
    append("\"}\n")
    return checksum
  }
}

/// Turns a 32-bit word into eight lower-case hex digits and back, all at once.
///
/// The first digit is the lowest byte. Every line of the log carries such a word, its checksum.
enum HexWord {
  static func digits(of word: UInt32) -> UInt64 {
    // Each byte of the word goes into every second byte, and is then parted into two halves.
    var spread = UInt64(word.byteSwapped)
    spread = (spread | spread << 16) & 0x0000_ffff_0000_ffff
    spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ff
    let halves = (spread >> 4 & 0x000f_000f_000f_000f) | (spread & 0x000f_000f_000f_000f) << 8
    let letters = (halves + 6 * ones) >> 4 & ones
    return halves + 0x30 * ones + letters * 0x27
  }

  /// The word that eight digits spell; nil where one of them is no lower-case hex digit.
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
