// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// An amount of bytes in words.
enum ByteSize {
  static func words(_ bytes: Int64) -> String {
    if bytes < 1_024 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var tenths = bytes * 10 / 1_024
    for unit in ["KiB", "MiB"] {
      if tenths < 10_240 { return "\(text(tenths)) \(unit)" }
      tenths /= 1_024
    }
    return "\(text(tenths)) GiB"
  }

  /// Tenths as a number, without a fraction from ten on.
  private static func text(_ tenths: Int64) -> String {
    tenths >= 100 || tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
