// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The used keys of publishers, so that a repeated publish is one event.
///
/// A client that has lost its connection does not know whether its last event has arrived. It sends
/// that again with the same key, and gets the first one's seq.
///
/// Each user has a table, so that nobody's keys push out another's.
package struct DuplicateTable {
  /// The time that a key is remembered, by the bus clock.
  package static let memory: Int64 = 600_000_000
  /// The keys of one user at most, 100 a second for 10 minutes; beyond that the oldest goes.
  static let room = 65_536
  /// The users with keys at most; beyond that the keys go of the user with the oldest last key.
  static let mostUsers = 256

  private var tables: [UInt32: UserTable] = [:]

  /// All keys, each user's oldest first.
  package var keys: ArraySlice<UsedKey> {
    if tables.count == 1, let only = tables.first { return only.value.keys }
    return tables.sorted { $0.key < $1.key }.flatMap { $0.value.keys }[...]
  }

  /// The number of users with keys.
  var users: Int { tables.count }

  /// The seq of the first entry with this key of this app.
  mutating func first(uid: UInt32, app: String, key: String, at mono: Int64) -> Seq? {
    guard let known = tables[uid]?.first(app: app, key: key, at: mono) else { return nil }
    if known.isEmpty { tables[uid] = nil }
    return known.seq
  }

  mutating func remember(_ used: UsedKey) {
    if tables[used.uid] == nil, tables.count >= Self.mostUsers { forgetOldestUser() }
    tables[used.uid, default: UserTable()].remember(used)
  }

  /// Forgets all keys that `isMeant` selects.
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
  /// The keys in the order of their arrival; those before `oldest` are forgotten.
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
    // Keys that a start has restored may have been used again since.
    if seqs[key] == used.seq { seqs[key] = nil }
    oldest += 1
    guard oldest > DuplicateTable.room else { return }
    order.removeSubrange(..<oldest)
    oldest = 0
  }
}

/// A key against duplicates, with the entry that it was used for.
package struct UsedKey: Equatable, Sendable {
  package let uid: UInt32
  package let app: String
  package let key: String
  package let seq: Seq
  package let mono: Int64

  init(uid: UInt32, app: String, key: String, seq: Seq, mono: Int64) {
    self.uid = uid
    self.app = app
    self.key = key
    self.seq = seq
    self.mono = mono
  }

  /// Reads the key off an entry's line; nil where the entry has none.
  package init?(_ line: Span<UInt8>, with json: JSONReader) {
    do throws(JSONFault) { try json.read(line) } catch { return nil }
    let envelope = EntryView(of: json.document)
    guard let key = envelope.dedupe, let app = envelope.app,
      let uid = envelope.uid.flatMap(UInt32.init(exactly:)), let seq = envelope.seq,
      let mono = envelope.mono.flatMap(Stamp.stated)
    else { return nil }
    self.init(uid: uid, app: app, key: key, seq: seq, mono: mono)
  }

  /// Appends the key as a line of a `.state` file.
  package func write(into out: inout ByteBuffer) {
    out.appendLine { out in
      out.object("key") { out in
        out.append(member: "app", app)
        out.append(member: "uid", Int64(uid))
        out.append(member: "key", key)
        out.append(member: "seq", seq.number)
        out.append(member: "mono", mono)
      }
    }
  }

  /// Reads such a line; nil where it is another.
  package init?(state line: JSONDocument) {
    guard let fact = line.member("key", of: line.root), line.kind(fact) == .object,
      let key = line.string("key", of: fact), let app = line.string("app", of: fact),
      let uid = line.integer("uid", of: fact).flatMap(UInt32.init(exactly:)),
      let seq = line.seq("seq", of: fact),
      let mono = line.integer("mono", of: fact).flatMap(Stamp.stated)
    else { return nil }
    self.init(uid: uid, app: app, key: key, seq: seq, mono: mono)
  }

  /// Whether a line may have a key and is worth being read: few are.
  package static func mayBe(in line: Span<UInt8>) -> Bool {
    let envelope = line.extracting(0..<min(line.count, envelopeBytes))
    return envelope.firstIndex(of: ",\"dedupe\":") != nil
  }

  /// More bytes than an entry has before its event, whatever the app is called.
  private static let envelopeBytes = 768
}
