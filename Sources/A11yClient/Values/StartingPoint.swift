// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The beginning of a subscription.
public enum StartingPoint: Hashable, Sendable {
  /// The next entry that comes.
  case now
  /// The oldest entry in the log.
  case start
  /// The entry behind this place.
  case cursor(LogCursor)

  var text: String {
    switch self {
    case .now: "now"
    case .start: "start"
    case .cursor(let cursor): cursor.description
    }
  }
}
