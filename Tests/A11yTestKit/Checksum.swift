// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// CRC-32C as the textbook has it, bit by bit: what the daemon's fast one is measured by.
package func castagnoli(_ bytes: some Sequence<UInt8>) -> UInt32 {
  var crc: UInt32 = 0xffff_ffff
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82f6_3b78 : crc >> 1 }
  }
  return ~crc
}

/// Eight lower-case hex digits.
package func hex(_ word: UInt32) -> String {
  let digits = String(word, radix: 16)
  return String(repeating: "0", count: 8 - digits.count) + digits
}

/// CRC-32C by the book (RFC 3720, appendix B.4), written anew to judge what the daemon computes.
package enum Checksum {
  /// Eight lower-case hex digits.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    let digits = String(value(of: bytes), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  package static func value(of bytes: some Sequence<UInt8>) -> UInt32 {
    var remainder: UInt32 = 0xffff_ffff
    for byte in bytes {
      remainder = (remainder >> 8) ^ table[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)]
    }
    return ~remainder
  }

  /// What each byte contributes, for the reflected polynomial of Castagnoli.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 0 ? value >> 1 : (value >> 1) ^ 0x82f6_3b78
    }
  }
}
