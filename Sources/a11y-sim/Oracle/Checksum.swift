// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// CRC-32C from a table that is made here: the judge does not borrow the scales of who is judged.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { remainder, _ in
      remainder & 1 == 1 ? remainder >> 1 ^ 0x82f6_3b78 : remainder >> 1
    }
  }

  static func value(of bytes: ArraySlice<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      bytes.withUnsafeBufferPointer { bytes in
        var remainder: UInt32 = 0xffff_ffff
        for byte in bytes {
          remainder = remainder >> 8 ^ table[Int((remainder ^ UInt32(byte)) & 0xff)]
        }
        return ~remainder
      }
    }
  }

  /// The bytes of `,"crc":"`, eight digits and `"}`.
  static let width = 18
  static let opening = Array(",\"crc\":\"".utf8)

  /// Whether a line without its newline ends in its own checksum.
  static func isRight(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count > width else { return false }
    let body = line.prefix(line.count - width)
    let tail = Array(line.suffix(width))
    guard Array(tail[0..<8]) == opening, tail[16] == UInt8(ascii: "\""),
      tail[17] == UInt8(ascii: "}")
    else { return false }
    var stated: UInt32 = 0
    for digit in tail[8..<16] {
      switch digit {
      case 48...57: stated = stated << 4 | UInt32(digit - 48)
      case 97...102: stated = stated << 4 | UInt32(digit - 87)
      default: return false
      }
    }
    return stated == value(of: body)
  }
}
