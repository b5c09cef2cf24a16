// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// How much of its rate a source has used up, as the instant at which all of it is free again.
///
/// The generic cell rate algorithm on whole microseconds: no drift, nothing to refill.
struct Bucket: Sendable {
  /// The instant at which the whole burst is free again.
  var full: Instant
  var interval: TimeSpan
  var burst: Int64
  /// Events that wait to pass, the oldest first; and some that have gone meanwhile.
  var waiting = SeqQueue()

  /// The instant at which the next one may pass.
  var next: Instant { full - (burst - 1) * interval }

  /// The instant at which one may pass that has so many before it.
  func due(behind others: Int) -> Instant { next + Int64(others) * interval }

  var rate: Why.Rate { Why.Rate(interval: interval, burst: burst) }

  mutating func spend(at now: Instant) { full = max(full, now) + interval }

  /// Drops seqs that wait no longer; afterwards the first one is live and the list is bounded.
  mutating func dropGone(_ waiting: borrowing Waiting) {
    while let first = self.waiting.first, !waiting.holds(first) { self.waiting.removeFirst() }
    guard self.waiting.count > 2 * Bounds.pending else { return }
    var live: [Seq] = []
    for seq in self.waiting.seqs where waiting.holds(seq) { live.append(seq) }
    self.waiting = SeqQueue(live)
  }
}
