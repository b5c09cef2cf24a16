// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The most entries that may leave in a second.
package struct RateBound: Sendable {
  /// Microseconds for an entry; nil without a bound.
  private let share: Double?
  /// The instant at which the next entry may leave.
  private var next: Double = 0

  /// A rate of no entries means no bound.
  package init(perSecond: Int64) { share = perSecond > 0 ? 1_000_000 / Double(perSecond) : nil }

  /// Counts entries that leave, and tells the microseconds until the next may.
  package mutating func wait(behind count: Int, at now: UInt64) -> UInt64 {
    guard let share else { return 0 }
    next = max(next, Double(now)) + share * Double(count)
    return UInt64(next - Double(now))
  }

  /// The entries of a batch that are a tenth of a second's, so that the rate is even.
  package static func batch(perSecond: Int64) -> Int {
    guard perSecond > 0 else { return Batch.mostEntries }
    return Int(min(max(perSecond / 10, 1), Int64(Batch.mostEntries)))
  }
}
