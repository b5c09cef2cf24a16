// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// Alarms of events that become too old, the earliest first.
///
/// Most events live equally long, so that the first to come is the first to go, and nothing has to
/// be sorted: in a flood every event sets such an alarm, and nearly all of them are cancelled.
struct ExpiryQueue: Sendable {
  private struct Alarm: Sendable {
    let seq: Seq
    let due: Instant
    var isSet = true
  }

  /// In the order of their seqs, which is that of the instants at which they are due.
  ///
  /// The one at `start` is set; others behind it were cancelled. Places before it are free.
  private var store: [Alarm] = []
  private var start = 0
  /// The number of those that are set.
  private(set) var count = 0

  /// So many cancelled ones are always kept, so that a short queue is not tidied all the time.
  private static var slack: Int { 64 }

  var first: (seq: Seq, due: Instant)? {
    count > 0 ? (store[start].seq, store[start].due) : nil
  }

  /// All that are set, the earliest first.
  var all: [(seq: Seq, due: Instant)] {
    store[start...].filter(\.isSet).map { ($0.seq, $0.due) }
  }

  func due(of seq: Seq) -> Instant? { place(of: seq).map { store[$0].due } }

  /// Sets an alarm behind all others; false where its place is among them.
  mutating func schedule(_ seq: Seq, due: Instant) -> Bool {
    if let last = store.last, last.seq >= seq || last.due > due { return false }
    store.append(Alarm(seq: seq, due: due))
    count += 1
    return true
  }

  /// Cancels an alarm; false where it is not set here.
  mutating func cancel(_ seq: Seq) -> Bool {
    guard let place = place(of: seq) else { return false }
    count -= 1
    if place == start + 1 {
      // In a flood the oldest carries the summary, and the one behind it leaves.
      store[place] = store[start]
      start = place
    } else {
      store[place].isSet = false
      while start < store.count, !store[start].isSet { start += 1 }
    }
    if store.count > 2 * count + Self.slack {
      store.removeFirst(start)
      store.removeAll { !$0.isSet }
      start = 0
    }
    return true
  }

  private func place(of seq: Seq) -> Int? {
    // Nearly all that are looked for in vain are about to be set.
    guard let last = store.last, seq <= last.seq else { return nil }
    if start + 1 < store.count, store[start + 1].seq == seq {
      return store[start + 1].isSet ? start + 1 : nil
    }
    var (low, high) = (start, store.count)
    while low < high {
      let middle = (low + high) / 2
      if store[middle].seq < seq { low = middle + 1 } else { high = middle }
    }
    return low < store.count && store[low].seq == seq && store[low].isSet ? low : nil
  }
}
