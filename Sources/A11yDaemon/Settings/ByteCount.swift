// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yToml
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

extension TomlValue {
  /// A size: an integer of bytes, or a text with a unit.
  package var asBytes: ByteCount? {
    switch self {
    case .integer(let integer) where integer >= 0: Int(exactly: integer).map(ByteCount.init)
    case .string(let text): Quantity.bytes(text).map { ByteCount(Int($0)) }
    case .table, .integer, .number, .boolean, .time, .array: nil
    }
  }
}
