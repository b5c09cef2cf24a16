// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Writes entries as they stand in the log and on every subscriber's wire.
///
/// Only the seq, the event and the checksum are different in each line. The stamp is rendered once
/// per turn, the origin once per connection; an entry is then five copies and one checksum.
package struct EntryWriter: ~Copyable {
  private var instant = ByteBuffer(capacity: 64)
  private var lineStart = 0

  package init() {}

  /// Gives the entries of a turn their stamp.
  package mutating func begin(at stamp: Stamp) {
    instant.clear()
    instant.append(",\"time\":")
    instant.append(decimal: stamp.time)
    instant.append(",\"mono\":")
    instant.append(decimal: stamp.mono)
  }

  /// Appends an entry whose event has this type and the members that `members` appends, and
  /// returns its checksum.
  @discardableResult
  package mutating func write(
    _ type: String,
    as seq: Seq,
    origin: borrowing ByteBuffer,
    into out: inout ByteBuffer,
    _ members: (inout ByteBuffer) -> Void
  ) -> UInt32 {
    open(seq, origin: origin, into: &out)
    out.append("{\"type\":\"")
    out.append(text: type)
    out.append("\"")
    members(&out)
    out.append("}")
    return close(into: &out)
  }

  /// Appends all before the event, which the caller appends.
  package mutating func open(_ seq: Seq, origin: borrowing ByteBuffer, into out: inout ByteBuffer) {
    openEnvelope(seq, origin, &out)
    out.append(",\"event\":")
  }

  /// Appends the same for an event with a key against duplicates, which stands in a line that was
  /// read.
  package mutating func open(
    _ seq: Seq,
    origin: borrowing ByteBuffer,
    dedupe: JSONIndex?,
    of line: JSONDocument,
    into out: inout ByteBuffer
  ) {
    openEnvelope(seq, origin, &out)
    if let dedupe {
      out.append(",\"dedupe\":")
      line.copy(dedupe, into: &out)
    }
    out.append(",\"event\":")
  }

  private mutating func openEnvelope(
    _ seq: Seq,
    _ origin: borrowing ByteBuffer,
    _ out: inout ByteBuffer
  ) {
    lineStart = out.count
    out.append("{\"seq\":")
    out.append(decimal: seq.number)
    out.append(instant.bytes)
    out.append(origin.bytes)
  }

  /// Ends the line with its checksum, and returns that.
  package mutating func close(into out: inout ByteBuffer) -> UInt32 { out.seal(from: lineStart) }

  /// The members that state an entry's origin, ready to be copied.
  package static func origin(app: String, uid: UInt32, conn: Int64) -> ByteBuffer {
    var origin = ByteBuffer(capacity: 64 + app.utf8.count)
    origin.append(",\"app\":")
    origin.append(json: app)
    origin.append(",\"uid\":")
    origin.append(decimal: Int64(uid))
    origin.append(",\"conn\":")
    origin.append(decimal: conn)
    return origin
  }

  /// Appends the rest of a forgotten entry: its seq and its stamp.
  package static func writeTombstone(_ seq: Seq, _ stamp: Stamp, into out: inout ByteBuffer) {
    out.appendLine { out in
      out.append(member: "seq", seq.number)
      out.append(member: "time", stamp.time)
      out.append(member: "mono", stamp.mono)
      out.object("event") { $0.append(member: "type", EventType.Own.forgotten.rawValue) }
    }
  }
}
