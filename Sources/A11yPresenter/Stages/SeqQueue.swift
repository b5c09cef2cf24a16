// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// Seqs of events that wait, the oldest first.
///
/// In a flood the oldest leaves for each that comes. The free places in front are closed up when
/// they are as many as the others.
struct SeqQueue: Sendable {
  private var store: [Seq] = []
  private var start = 0

  var seqs: ArraySlice<Seq> { store[start...] }

  var count: Int { store.count - start }
  var isEmpty: Bool { start == store.count }
  var first: Seq? { start < store.count ? store[start] : nil }

  init() {}

  init(_ seqs: [Seq]) { store = seqs }

  mutating func enqueue(_ seq: Seq) { store.append(seq) }

  mutating func removeFirst() {
    start += 1
    guard 2 * start >= store.count else { return }
    store.removeFirst(start)
    start = 0
  }

  mutating func remove(_ seq: Seq) { self = SeqQueue(seqs.filter { $0 != seq }) }

  /// Puts a seq in the place of another that is there.
  mutating func replace(_ old: Seq, by new: Seq) {
    if let index = seqs.firstIndex(of: old) { store[index] = new }
  }
}
