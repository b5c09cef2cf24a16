// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The kind of an entry, for the journal's catalog and for filters: 128 bits in 32 lower-case
/// hexadecimal digits.
package struct MessageID: Hashable, Sendable {
  package let digits: String

  package init(_ digits: String) {
    let isWellFormed = digits.utf8.count == 32 && digits.utf8.allSatisfy(MessageID.isDigit)
    precondition(isWellFormed, "a message id is 32 lower-case hexadecimal digits")
    self.digits = digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
