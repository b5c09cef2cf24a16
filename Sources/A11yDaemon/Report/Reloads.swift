// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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

extension String {
  /// The text, or its beginning where it is longer than that.
  func shortened(toScalars most: Int) -> String {
    unicodeScalars.count > most
      ? String(UnicodeScalarView(unicodeScalars.prefix(most))) + "…" : self
  }
}
