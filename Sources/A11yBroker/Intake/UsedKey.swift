// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

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
