// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// The entries that came from foreign programs through AT-SPI, as far back as matters.
struct OriginTable {
  /// Longer than anything waits for its turn.
  private static let most = 2_048

  private var known: [Int64: Bool] = [:]
  private var order: [Int64] = []

  /// Notes an entry: an event that came through AT-SPI, or a move of the focus that one has led to.
  mutating func note(_ entry: Entry) {
    let isFocus = entry.conn == 0 && entry.type == "focus"
    let came =
      isFocus
      ? entry.integer("by").map { known[$0] != nil } ?? false : entry.string("origin") == "atspi"
    guard came, known.updateValue(isFocus, forKey: entry.seq) == nil else { return }
    order.append(entry.seq)
    guard order.count >= 2 * Self.most else { return }
    for seq in order.prefix(Self.most) { known[seq] = nil }
    order.removeFirst(Self.most)
  }

  /// Whether Orca, there since an entry, has heard this one by itself.
  ///
  /// Of the focus it tells by itself as soon as it comes.
  func wasHeard(_ seq: Int64, since: Int64) -> Bool {
    known[seq].map { isFocus in isFocus || seq > since } ?? false
  }
}
