// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// Writes entries as they stand in the log and on every subscriber's wire.
///
/// Of an entry's line only the seq, the event and the checksum are its own. What all entries of a
/// turn have in common is rendered once per turn, what all of a connection have once per
/// connection; an entry is then five copies and one checksum.
package struct EntryWriter: ~Copyable {
  private var instant = ByteBuffer(capacity: 64)
  private var lineStart = 0

  package init() {}

  /// From now on entries bear `stamp`.
  package mutating func begin(at stamp: Stamp) {
    instant.clear()
    instant.append(",\"time\":")
    instant.append(decimal: stamp.time)
    instant.append(",\"mono\":")
    instant.append(decimal: stamp.mono)
  }

  /// Appends all that stands before the event.
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

  /// Ends the line, with the checksum over all of it.
  package mutating func close(into turn: inout Turn) {
    turn.checksums.append(turn.entries.seal(from: lineStart))
  }

  /// The members that say who an entry is from, ready to be copied.
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

extension ByteBuffer {
  /// Ends the line that began at `start`: its checksum, its last brace, its newline.
  @discardableResult
  mutating func seal(from start: Int) -> UInt32 {
    let checksum = self.checksum(from: start)
    append(",\"crc\":\"")
    append(hex: checksum)
    append("\"}\n")
    return checksum
  }
}

/// The checksum at the end of a stored line.
package enum LineChecksum {
  /// The bytes of `,"crc":"`, eight digits and `"}`.
  package static let width = 18

  /// The checksum that a line without its end bears, if it is the right one.
  package static func verified(_ line: Span<UInt8>) -> UInt32? {
    guard line.count > width else { return nil }
    let body = line.count - width
    let tail = line.extracting(body..<line.count)
    guard tail.extracting(0..<8).equals(",\"crc\":\""), tail.extracting(16..<18).equals("\"}"),
      let stated = tail.extracting(8..<16).hexWord,
      stated == line.extracting(0..<body).checksum
    else { return nil }
    return stated
  }
}

/// The seq at the very front of a stored entry.
package enum LineSeq {
  /// Reads it without reading the line; nil where the line is no entry.
  package static func of(_ line: Span<UInt8>) -> Seq? {
    guard line.count > 8, line.extracting(0..<7).equals("{\"seq\":") else { return nil }
    var end = 7
    while end < line.count, (48...57).contains(line[end]) { end += 1 }
    guard end < line.count, line[end] == UInt8(ascii: ",") else { return nil }
    return line.extracting(7..<end).decimal.map(Seq.init)
  }
}
