// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import CBytes

/// The checksum at the end of a stored line.
package enum LineChecksum {
  /// The bytes of `,"crc":"`, eight digits and `"}`.
  package static let width = 18

  /// The checksum that a line without its newline states, if it is right and the line can be one of
  /// ours: an entry with times that no clock has shown is damage, whatever its checksum.
  package static func verified(_ line: Span<UInt8>) -> UInt32? {
    guard let stated = stated(line), stated == line.extracting(0..<line.count - width).checksum,
      EnvelopePeek.isPossible(line)
    else { return nil }
    return stated
  }

  /// The checksum that a line without its newline states.
  package static func stated(_ line: Span<UInt8>) -> UInt32? {
    let digits = unsafe line.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return UInt64(0) }
      return unsafe a11y_stated(start, bytes.count)
    }
    return HexWord.word(of: UInt64(littleEndian: digits))
  }
}

extension ByteBuffer {
  /// Appends a sealed line: an object with the members that `body` appends.
  @inline(__always)
  public mutating func appendLine<E: Error>(
    _ body: (inout ByteBuffer) throws(E) -> Void
  ) throws(E) {
    let start = count
    append(byte: UInt8(ascii: "{"))
    try body(&self)
    seal(from: start)
  }

  /// Ends the line that began at `start`: its checksum, its last brace, its newline.
  @discardableResult
  public mutating func seal(from start: Int) -> UInt32 {
    let checksum = self.checksum(from: start)
    append(",\"crc\":\"")
    append(hex: checksum)
    append("\"}\n")
    return checksum
  }
}
