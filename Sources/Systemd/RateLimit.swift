// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Keeps one cause from filling the log.
///
/// Ten entries of a kind within thirty seconds show all there is to see; the rest are counted, and
/// the count is told when the kind is next let through. The journal would drop too, above 10,000
/// entries of a service in the same time, but whatever comes, and the one that mattered with it.
package struct RateLimit {
  package static let burst = 10
  package static let windowMicroseconds: UInt64 = 30_000_000

  /// The kind of an entry, or the place of one without a kind.
  ///
  /// Both are written in the program, which bounds the table below.
  package enum Cause: Hashable {
    case message(MessageID)
    case place(SourcePlace)
  }

  package enum Verdict: Equatable {
    /// Let it through; this many were held back before it.
    case pass(suppressed: Int)
    case suppress
  }

  private struct Window {
    let began: UInt64
    var count: Int
  }

  private var windows: [Cause: Window] = [:]

  package init() {}

  /// Decides on an entry at a time in microseconds.
  package mutating func judge(_ cause: Cause, at now: UInt64) -> Verdict {
    guard var window = windows[cause] else { return open(cause, at: now, suppressed: 0) }
    guard now < window.began || now - window.began < RateLimit.windowMicroseconds else {
      return open(cause, at: now, suppressed: max(0, window.count - RateLimit.burst))
    }
    window.count += 1
    windows[cause] = window
    return window.count <= RateLimit.burst ? .pass(suppressed: 0) : .suppress
  }

  private mutating func open(_ cause: Cause, at now: UInt64, suppressed: Int) -> Verdict {
    windows[cause] = Window(began: now, count: 1)
    return .pass(suppressed: suppressed)
  }
}
