// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The checksum at the end of a stored line.
package enum LineChecksum {
  /// The bytes of `,"crc":"`, eight digits and `"}`.
  package static let width = 18

  /// The checksum that a line without its end bears, if it is the right one.
  package static func verified(_ line: Span<UInt8>) -> UInt32? {
    guard let stated = stated(line), stated == line.extracting(0..<line.count - width).checksum
    else { return nil }
    return stated
  }

  /// The checksum that a line without its end bears.
  package static func stated(_ line: Span<UInt8>) -> UInt32? {
    guard line.count > width else { return nil }
    let tail = line.extracting(line.count - width..<line.count)
    guard tail.extracting(0..<8).equals(",\"crc\":\""), tail.extracting(16..<18).equals("\"}")
    else { return nil }
    return tail.extracting(8..<16).hexWord
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
    return line.extracting(7..<end).decimal.flatMap(Seq.init(stated:))
  }
}
