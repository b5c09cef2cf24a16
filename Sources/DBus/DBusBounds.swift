// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The most that is read of a message; senders are any program of the session.
package struct DBusBounds: Sendable {
  /// Bytes of one string.
  package let stringBytes: Int
  /// Values in all, each entry of a dictionary and each member of a structure counted.
  package let values: Int
  /// Containers within one another.
  package let depth: Int

  package init(stringBytes: Int, values: Int, depth: Int) {
    self.stringBytes = stringBytes
    self.values = values
    self.depth = depth
  }

  /// Room for everything that programs send in earnest.
  package static let usual = DBusBounds(stringBytes: 65_536, values: 1_024, depth: 8)
}

/// The reason why a message is not read.
package enum DBusMistake: Error, Equatable {
  case stringTooLong
  case tooManyValues
  case tooDeep
  /// The message is not as its signature says.
  case malformed
}
