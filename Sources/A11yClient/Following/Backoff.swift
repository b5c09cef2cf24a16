// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How long to wait before the next attempt to reach a bus that is not there.
///
/// The waits double, so that a bus that stays away costs nothing, and vary, so that the clients of
/// one that was restarted do not come all at once.
package struct Backoff: Sendable {
  /// A restart takes about this long, so the first attempt behind it mostly succeeds.
  package static let first: Duration = .milliseconds(50)
  /// A user who has started the bus by hand should not have to wait longer than this.
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
  package mutating func wait(luck: Double = .random(in: 0...1)) -> Duration {
    let bound = next
    next = min(next * 2, longest)
    return bound * (0.5 + luck / 2)
  }

  /// Forgets earlier failures.
  package mutating func reset() { next = first }
}
