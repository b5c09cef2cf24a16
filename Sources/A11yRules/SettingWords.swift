// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The priority of an event, in the words of the wire.
public enum Priority: String, Sendable, CaseIterable, Comparable {
  case low, `default`, high

  /// Its place in the list of all, the least first.
  public var rank: Int {
    switch self {
    case .low: 0
    case .default: 1
    case .high: 2
    }
  }

  public static func < (a: Priority, b: Priority) -> Bool { a.rank < b.rank }
}

/// The way in which events of one key follow each other.
public enum Mode: String, Sendable, CaseIterable {
  /// Each event is presented for itself.
  case all
  /// A newer event replaces those that still wait.
  case latest
  /// A newer event also cuts the one that is being spoken.
  case latestInterrupt = "latest-interrupt"
  /// A newer event replaces those that wait, and never cuts the one that is being spoken.
  case currentThenLatest = "current-then-latest"
}

/// The way in which an event is presented.
public enum Presentation: String, Sendable, CaseIterable {
  case speech, sound, log
}

/// The treatment of an event over its rate.
public enum Excess: String, Sendable, CaseIterable {
  /// The event waits for the rate, within its time to live.
  case `defer`
  /// The event goes into the newest that waits under its key, or is counted in a summary.
  case merge
  /// The event counts as one of the next lower priority.
  case demote
}
