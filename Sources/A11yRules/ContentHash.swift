// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// FNV-1a of 128 bits: tells texts apart that nobody has made to collide.
public enum ContentHash {
  /// The hash as 32 lower-case hex digits.
  public static func of(_ bytes: Span<UInt8>) -> String {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for index in bytes.indices {
      hash = (hash ^ UInt128(bytes[index])) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 32 - digits.utf8.count) + digits
  }
}
