// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// Bytes that are no line, with a few words for the report of the tests: all bytes of a long one
/// would hide the lines around them.
struct Junk: CustomTestStringConvertible, Sendable {
  let bytes: [UInt8]
  let testDescription: String

  init(_ text: String) {
    bytes = Array(text.utf8)
    testDescription = "\"\(text)\""
  }

  init(_ byte: UInt8, times count: Int) {
    bytes = [UInt8](repeating: byte, count: count)
    testDescription = "\(count) times the byte \(byte)"
  }
}
