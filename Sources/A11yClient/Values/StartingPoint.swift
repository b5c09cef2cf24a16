// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Where a subscription begins.
public enum StartingPoint: Hashable, Sendable {
  /// With the next entry.
  case now
  /// With the oldest entry that the log still has.
  case start
  /// With the entry behind this place.
  case cursor(LogCursor)

  var text: String {
    switch self {
    case .now: "now"
    case .start: "start"
    case .cursor(let cursor): cursor.description
    }
  }
}
