// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The name under which an engine keeps the log of a machine.
package struct MachineName: Equatable, Sendable {
  package let text: String

  /// The longest name that the contract allows.
  private static let longest = 64

  /// Accepts letters, digits, underscores and hyphens, and nothing else.
  package init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    guard isPlain, (1...Self.longest).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  /// The name for the log of a user on the machine, who may not be the only one; nil where the
  /// name leaves no room.
  package func ofUser(_ uid: UInt32) -> MachineName? {
    let ending = "-\(uid)"
    return text.hasSuffix(ending) ? self : MachineName(text + ending)
  }

  /// The subject of its entries in NATS.
  package var subject: String { "a11yd.\(text).log" }

  /// The key of its stream in Redis; the braces keep all keys of a machine in one slot.
  package var key: String { "a11yd:{\(text)}:log" }
}
