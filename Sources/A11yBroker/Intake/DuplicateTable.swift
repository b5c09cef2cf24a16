// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Remembers which keys of publishers were used, so that a repeated publish is one event.
///
/// A client that lost its connection does not know whether its last event arrived. It sends it
/// again with the same key and is given the first one's seq.
///
/// Every user has a table of their own, so that nobody's keys push out another's.
package struct DuplicateTable {
  /// How long a key is remembered, by the bus clock.
  package static let memory: Int64 = 600_000_000
  /// Keys of one user at most, 100 a second for 10 minutes; beyond that the user's oldest goes first.
  static let room = 65_536
  /// Users with keys at most; beyond that the keys of the one who has used none for longest go.
  static let mostUsers = 256

  private var tables: [UInt32: UserTable] = [:]

  /// What is remembered: each user's oldest first.
  package var keys: ArraySlice<UsedKey> {
    if tables.count == 1, let only = tables.first { return only.value.keys }
    return tables.sorted { $0.key < $1.key }.flatMap { $0.value.keys }[...]
  }

  /// Users of whom keys are remembered.
  var users: Int { tables.count }

  /// The seq that this key of this app was first given to.
  mutating func first(uid: UInt32, app: String, key: String, at mono: Int64) -> Seq? {
    guard let known = tables[uid]?.first(app: app, key: key, at: mono) else { return nil }
    if known.isEmpty { tables[uid] = nil }
    return known.seq
  }

  mutating func remember(_ used: UsedKey) {
    if tables[used.uid] == nil, tables.count >= Self.mostUsers { forgetOldestUser() }
    tables[used.uid, default: UserTable()].remember(used)
  }

  /// Forgets the keys that are meant.
  mutating func forget(_ isMeant: (UsedKey) -> Bool) {
    for uid in tables.keys {
      tables[uid]?.forget(isMeant)
      if tables[uid]?.keys.isEmpty ?? false { tables[uid] = nil }
    }
  }

  private mutating func forgetOldestUser() {
    let oldest = tables.min {
      ($0.value.keys.last?.seq ?? .none) < ($1.value.keys.last?.seq ?? .none)
    }
    if let oldest { tables[oldest.key] = nil }
  }
}

/// The keys of one user.
private struct UserTable {
  private struct Key: Hashable {
    let app: String
    let key: String
  }

  private var seqs: [Key: Seq] = [:]
  /// In the order of their arrival; those before `oldest` are forgotten.
  private var order: [UsedKey] = []
  private var oldest = 0

  var keys: ArraySlice<UsedKey> { order[oldest...] }

  mutating func first(app: String, key: String, at mono: Int64) -> (seq: Seq?, isEmpty: Bool) {
    while oldest < order.count, order[oldest].mono <= mono - DuplicateTable.memory {
      forgetOldest()
    }
    return (seqs[Key(app: app, key: key)], seqs.isEmpty)
  }

  mutating func remember(_ used: UsedKey) {
    if seqs.count >= DuplicateTable.room { forgetOldest() }
    seqs[Key(app: used.app, key: used.key)] = used.seq
    order.append(used)
  }

  mutating func forget(_ isMeant: (UsedKey) -> Bool) {
    order.removeSubrange(..<oldest)
    oldest = 0
    order.removeAll(where: isMeant)
    seqs = Dictionary(
      order.map { (Key(app: $0.app, key: $0.key), $0.seq) },
      uniquingKeysWith: { _, later in later }
    )
  }

  private mutating func forgetOldest() {
    guard oldest < order.count else { return }
    let used = order[oldest]
    let key = Key(app: used.app, key: used.key)
    // Read back at a start, a key may have been used again since.
    if seqs[key] == used.seq { seqs[key] = nil }
    oldest += 1
    guard oldest > DuplicateTable.room else { return }
    order.removeSubrange(..<oldest)
    oldest = 0
  }
}
