// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

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
  }

  private var seqs: [Key: Seq] = [:]
  /// The keys in the order of their arrival; those before `oldest` are forgotten.
  private var order: [(key: Key, mono: Int64)] = []
  private var oldest = 0

  /// The seq that this key of this app was first given to.
  mutating func first(uid: UInt32, app: String, key: String, at mono: Int64) -> Seq? {
    while oldest < order.count, order[oldest].mono <= mono - Self.memory { forgetOldest() }
    return seqs[Key(uid: uid, app: app, key: key)]
  }

  mutating func remember(_ used: UsedKey) {
    if seqs.count >= Self.room { forgetOldest() }
    let key = Key(uid: used.uid, app: used.app, key: used.key)
    seqs[key] = used.seq
    order.append((key, used.mono))
  }

  /// Takes back what was remembered of entries that did not come to be.
  mutating func forget(after last: Seq) {
    seqs = seqs.filter { $0.value <= last }
    order.removeSubrange(..<oldest)
    oldest = 0
    order.removeAll { seqs[$0.key] == nil }
  }

  private mutating func forgetOldest() {
    guard oldest < order.count else { return }
    seqs[order[oldest].key] = nil
    oldest += 1
    guard oldest > Self.room else { return }
    order.removeSubrange(..<oldest)
    oldest = 0
  }
}

/// A key against duplicates, and the entry that it was used for.
package struct UsedKey: Equatable, Sendable {
  let uid: UInt32
  let app: String
  let key: String
  let seq: Seq
  package let mono: Int64

  init(uid: UInt32, app: String, key: String, seq: Seq, mono: Int64) {
    self.uid = uid
    self.app = app
    self.key = key
    self.seq = seq
    self.mono = mono
  }

  /// Reads the key off an entry's line in the log; nil where it bears none.
  package init?(_ line: Span<UInt8>, with reader: JSONReader) {
    do throws(JSONFault) { try reader.read(line) } catch { return nil }
    let entry = reader.document
    guard let key = entry.string("dedupe", of: entry.root),
      let app = entry.string("app", of: entry.root),
      let uid = entry.integer("uid", of: entry.root).flatMap(UInt32.init(exactly:)),
      let seq = entry.integer("seq", of: entry.root),
      let mono = entry.integer("mono", of: entry.root)
    else { return nil }
    self.init(uid: uid, app: app, key: key, seq: Seq(seq), mono: mono)
  }

  /// Whether a line is worth being read for its key: only few are.
  package static func mayBe(in line: Span<UInt8>) -> Bool {
    let envelope = line.extracting(0..<min(line.count, envelopeBytes))
    return envelope.firstIndex(of: ",\"dedupe\":") != nil
  }

  /// More than stands before the event of an entry, whatever the app is called.
  private static let envelopeBytes = 768
}
