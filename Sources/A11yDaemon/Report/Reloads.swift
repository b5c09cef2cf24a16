// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yToml

/// How often configuration and rules were read again, and how the last time ended.
package struct Reloads: Equatable, Sendable {
  package private(set) var count: Int64 = 0
  /// Why something is not in force that stands in a file.
  package private(set) var refused: String?

  package init() {}

  /// The answer to `stats` has room for the beginning of a long list.
  private static let shown = 8_192

  /// Notes the mistakes that were found at the start.
  package mutating func begin(refused reason: String?) {
    refused = reason?.shortened(toScalars: Self.shown)
  }

  package mutating func reloaded(refused reason: String?) {
    count += 1
    refused = reason?.shortened(toScalars: Self.shown)
  }
}
