// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// A key against duplicates, and the entry that it was used for.
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

  /// Reads the key off an entry's line in the log; nil where it bears none.
  package init?(_ line: Span<UInt8>, with reader: JSONReader) {
    do throws(JSONFault) { try reader.read(line) } catch { return nil }
    let entry = reader.document
    guard let key = entry.string("dedupe", of: entry.root),
      let app = entry.string("app", of: entry.root),
      let uid = entry.integer("uid", of: entry.root).flatMap(UInt32.init(exactly:)),
      let seq = entry.seq("seq", of: entry.root),
      let mono = entry.integer("mono", of: entry.root).flatMap(Stamp.stated)
    else { return nil }
    self.init(uid: uid, app: app, key: key, seq: seq, mono: mono)
  }

  /// Appends the key as a fact of a `.state` file.
  package func write(into out: inout ByteBuffer) {
    let start = out.count
    out.append("{\"key\":{")
    out.append(member: "app", app)
    out.append(member: "uid", Int64(uid))
    out.append(member: "key", key)
    out.append(member: "seq", seq.number)
    out.append(member: "mono", mono)
    out.append("}")
    out.seal(from: start)
  }

  /// Reads such a fact back; nil where the line is none.
  package init?(state line: JSONDocument) {
    guard let fact = line.member("key", of: line.root), line.kind(fact) == .object,
      let key = line.string("key", of: fact), let app = line.string("app", of: fact),
      let uid = line.integer("uid", of: fact).flatMap(UInt32.init(exactly:)),
      let seq = line.seq("seq", of: fact),
      let mono = line.integer("mono", of: fact).flatMap(Stamp.stated)
    else { return nil }
    self.init(uid: uid, app: app, key: key, seq: seq, mono: mono)
  }

  /// Whether a line is worth being read for its key: only few are.
  package static func mayBe(in line: Span<UInt8>) -> Bool {
    let envelope = line.extracting(0..<min(line.count, envelopeBytes))
    return envelope.firstIndex(of: ",\"dedupe\":") != nil
  }

  /// More than stands before the event of an entry, whatever the app is called.
  private static let envelopeBytes = 768
}
