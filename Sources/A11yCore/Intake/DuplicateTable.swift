// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Remembers which keys of publishers were used, so that a repeated publish is one event.
///
/// A client that lost its connection does not know whether its last event arrived. It sends it
/// again with the same key and is given the first one's seq.
package struct DuplicateTable {
  /// How long a key is remembered, by the bus clock.
  package static let memory: Int64 = 600_000_000
  /// Keys at most, 100 a second for 10 minutes; beyond that the oldest goes first.
  static let room = 65_536

  private struct Key: Hashable {
    let uid: UInt32
    let app: String
    let key: String

    init(_ used: UsedKey) {
      uid = used.uid
      app = used.app
      key = used.key
    }

    init(uid: UInt32, app: String, key: String) {
      self.uid = uid
      self.app = app
      self.key = key
    }
  }

  private var seqs: [Key: Seq] = [:]
  /// In the order of their arrival; those before `oldest` are forgotten.
  private var order: [UsedKey] = []
  private var oldest = 0

  /// What is remembered, oldest first.
  package var keys: ArraySlice<UsedKey> { order[oldest...] }

  /// The seq that this key of this app was first given to.
  mutating func first(uid: UInt32, app: String, key: String, at mono: Int64) -> Seq? {
    while oldest < order.count, order[oldest].mono <= mono - Self.memory { forgetOldest() }
    return seqs[Key(uid: uid, app: app, key: key)]
  }

  mutating func remember(_ used: UsedKey) {
    if seqs.count >= Self.room { forgetOldest() }
    seqs[Key(used)] = used.seq
    order.append(used)
  }

  /// Forgets the keys that are meant.
  mutating func forget(_ isMeant: (UsedKey) -> Bool) {
    order.removeSubrange(..<oldest)
    oldest = 0
    order.removeAll(where: isMeant)
    seqs = seqs.filter { key, _ in
      !isMeant(UsedKey(uid: key.uid, app: key.app, key: key.key, seq: .none, mono: 0))
    }
  }

  private mutating func forgetOldest() {
    guard oldest < order.count else { return }
    let used = order[oldest]
    // Read back at a start, a key may have been used again since.
    if seqs[Key(used)] == used.seq { seqs[Key(used)] = nil }
    oldest += 1
    guard oldest > Self.room else { return }
    order.removeSubrange(..<oldest)
    oldest = 0
  }
}
