// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How much an event asks for attention, in the words of the wire.
package enum Priority: String, Sendable, CaseIterable, Comparable {
  case low, `default`, high

  var rank: Int {
    switch self {
    case .low: 0
    case .default: 1
    case .high: 2
    }
  }

  package static func < (a: Priority, b: Priority) -> Bool { a.rank < b.rank }

  // Compared at nearly every stage: without a call.
  @inlinable @inline(__always) package static func == (a: Priority, b: Priority) -> Bool {
    switch (a, b) {
    case (.low, .low), (.default, .default), (.high, .high): true
    case (.low, _), (.default, _), (.high, _): false
    }
  }
}

/// What becomes of events of one key.
package enum Mode: String, Sendable, CaseIterable {
  /// Each is presented for itself.
  case all
  /// A newer one takes the place of those that still wait.
  case latest
  /// It also cuts the one that is being spoken.
  case latestInterrupt = "latest-interrupt"
  /// It never cuts the one that is being spoken.
  case currentThenLatest = "current-then-latest"

  // As with priorities.
  @inlinable package static func == (a: Mode, b: Mode) -> Bool {
    switch (a, b) {
    case (.all, .all), (.latest, .latest), (.latestInterrupt, .latestInterrupt),
      (.currentThenLatest, .currentThenLatest):
      true
    case (.all, _), (.latest, _), (.latestInterrupt, _), (.currentThenLatest, _): false
    }
  }
}

/// How an event is presented at all.
package enum Presentation: String, Sendable, CaseIterable {
  case speech, sound, log
}

/// What becomes of an event over its rate.
package enum Excess: String, Sendable, CaseIterable {
  /// It waits for the rate, within its time to live.
  case `defer`
  /// It goes into the newest that waits under its key, or is counted in a summary.
  case merge
  /// It counts as one of the next lower priority.
  case demote
}

/// What an event is about: by these its key is made.
package struct KeyParts: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let app = KeyParts(rawValue: 1)
  package static let window = KeyParts(rawValue: 2)
  package static let element = KeyParts(rawValue: 4)
  package static let type = KeyParts(rawValue: 8)
  package static let `class` = KeyParts(rawValue: 16)
  /// The key that the event itself gives.
  package static let key = KeyParts(rawValue: 32)
}

/// So many in so long a time.
package struct Rate: Hashable, Sendable {
  package let count: Int64
  /// In microseconds.
  package let period: Int64

  package init(count: Int64, period: Int64) {
    precondition(count > 0 && period > 0, "a rate lets something pass")
    self.count = count
    self.period = period
  }

  /// Bounds within which no sum of the engine's comes near an end.
  package static let counts: ClosedRange<Int64> = 1...1_000_000
  package static let periods: ClosedRange<Int64> = 1_000...Times.longest

  /// The time between two, in microseconds.
  package var interval: Int64 { max(1, period / count) }
}
