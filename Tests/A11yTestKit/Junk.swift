// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// Bytes that are no line, with a few words for the report of the tests: all bytes of a long one
/// would hide the lines around them.
package struct Junk: CustomTestStringConvertible, Sendable {
  package let bytes: [UInt8]
  package let testDescription: String

  package init(_ text: String) {
    bytes = Array(text.utf8)
    testDescription = "\"\(text)\""
  }

  package init(_ byte: UInt8, times count: Int) {
    bytes = [UInt8](repeating: byte, count: count)
    testDescription = "\(count) times the byte \(byte)"
  }
}
