// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// A number of bytes, so that no signature has a bare integer for one.
package struct ByteCount: Hashable, Comparable, Sendable {
  package let bytes: Int

  package init(_ bytes: Int) { self.bytes = bytes }

  package static func kibibytes(_ count: Int) -> ByteCount { ByteCount(count << 10) }

  package static func mebibytes(_ count: Int) -> ByteCount { ByteCount(count << 20) }

  package static func < (one: ByteCount, other: ByteCount) -> Bool { one.bytes < other.bytes }
}

extension ByteCount: CustomStringConvertible {
  /// In the largest unit that leaves no fraction: “16 MiB”, “1500 B”.
  package var description: String {
    let binary = Quantity.byteUnits.filter { $0.name.hasSuffix("iB") }
    let unit = binary.last { bytes != 0 && Int64(bytes).isMultiple(of: $0.size) }
    guard let unit else { return "\(bytes) B" }
    return "\(Int64(bytes) / unit.size) \(unit.name)"
  }
}
