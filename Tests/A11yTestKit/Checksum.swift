// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// CRC-32C as the textbook has it (RFC 3720, appendix B.4), bit by bit, written anew to judge what
/// the daemon's fast one computes.
package enum Checksum {
  package static func value(of bytes: some Sequence<UInt8>) -> UInt32 {
    var remainder: UInt32 = 0xffff_ffff
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 {
        remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0x82f6_3b78 : remainder >> 1
      }
    }
    return ~remainder
  }

  /// As lines of the log end in it.
  package static func text(of bytes: some Sequence<UInt8>) -> String { hex(value(of: bytes)) }
}

/// Eight lower-case hex digits.
package func hex(_ word: UInt32) -> String {
  let digits = String(word, radix: 16)
  return String(repeating: "0", count: 8 - digits.count) + digits
}
