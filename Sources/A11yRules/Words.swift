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

/// What an event is about: by these its key is made.
public struct KeyParts: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let app = KeyParts(rawValue: 1)
  public static let window = KeyParts(rawValue: 2)
  public static let element = KeyParts(rawValue: 4)
  public static let type = KeyParts(rawValue: 8)
  public static let `class` = KeyParts(rawValue: 16)
  /// The key that the event itself gives.
  public static let key = KeyParts(rawValue: 32)
}

/// So many in so long a time.
public struct Rate: Hashable, Sendable {
  public let count: Int64
  /// In microseconds.
  public let period: Int64

  public init(count: Int64, period: Int64) {
    precondition(count > 0 && period > 0, "a rate lets something pass")
    self.count = count
    self.period = period
  }

  /// Bounds within which no sum of the presenter's comes near an end.
  public static let counts: ClosedRange<Int64> = 1...1_000_000
  public static let periods: ClosedRange<Int64> = 1_000...Times.longest

  /// The time between two, in microseconds.
  public var interval: Int64 { max(1, period / count) }
}
