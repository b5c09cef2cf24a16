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

  /// Appends the members before the event.
  package mutating func open(
    _ seq: Seq,
    origin: borrowing ByteBuffer,
    into out: inout ByteBuffer
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
}
