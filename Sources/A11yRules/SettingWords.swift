// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How much an event asks for attention, in the words of the wire.
public enum Priority: String, Sendable, CaseIterable, Comparable {
  case low, `default`, high

  var rank: Int {
    switch self {
    case .low: 0
    case .default: 1
    case .high: 2
    }
  }

  public static func < (a: Priority, b: Priority) -> Bool { a.rank < b.rank }
}

/// What becomes of events of one key.
public enum Mode: String, Sendable, CaseIterable {
  /// Each is presented for itself.
  case all
  /// A newer one takes the place of those that still wait.
  case latest
  /// It also cuts the one that is being spoken.
  case latestInterrupt = "latest-interrupt"
  /// It never cuts the one that is being spoken.
  case currentThenLatest = "current-then-latest"
}

/// How an event is presented at all.
public enum Presentation: String, Sendable, CaseIterable {
  case speech, sound, log
}

/// What becomes of an event over its rate.
public enum Excess: String, Sendable, CaseIterable {
  /// It waits for the rate, within its time to live.
  case `defer`
  /// It goes into the newest that waits under its key, or is counted in a summary.
  case merge
  /// It counts as one of the next lower priority.
  case demote
}
