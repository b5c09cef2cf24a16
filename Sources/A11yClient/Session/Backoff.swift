// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The waits between attempts to reach a bus that is not there.
///
/// The waits double, so that a bus that stays away costs nothing, and vary, so that the clients of
/// a restarted bus do not come all at once.
package struct Backoff: Sendable {
  /// About the time of a restart, so that the first attempt after it mostly succeeds.
  package static let first: Duration = .milliseconds(50)
  /// The longest that a user who has started the bus by hand should have to wait.
  package static let longest: Duration = .seconds(2)

  private let first: Duration
  private let longest: Duration
  private var next: Duration

  package init(first: Duration = first, longest: Duration = longest) {
    self.first = first
    self.longest = longest
    next = first
  }

  /// The wait before the next attempt: from half of its bound, for luck 0, to the bound, for 1.
  package mutating func nextWait(luck: Double = .random(in: 0...1)) -> Duration {
    let bound = next
    next = min(next * 2, longest)
    return bound * (0.5 + luck / 2)
  }

  /// Forgets earlier failures.
  package mutating func reset() { next = first }
}

extension Duration {
  /// Whole milliseconds, clamped to 64 bits.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return carry ? .max : sum
  }
}
