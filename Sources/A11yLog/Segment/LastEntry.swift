// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yPosix
import A11yWire

/// The last intact entry of a segment's file, looked for from its end.
enum LastEntry {
  /// What is read at first; most lines are much shorter.
  private static let window: Int64 = 16_384
  /// Where there is none within so much, there may be none at all.
  private static let reach: Int64 = 1_048_576

  /// Its stamp, in microseconds since 1970; nil where none was found.
  static func time(in file: any DiskFile, with reader: JSONReader) throws(Errno) -> Int64? {
    let size = try file.size()
    var length = window
    while true {
      let start = max(0, size - length)
      var bytes = ByteBuffer(capacity: Int(size - start))
      while bytes.count < Int(size - start) {
        let before = bytes.count
        try bytes.append(room: Int(size - start) - before) { target throws(Errno) in
          try file.read(into: target, at: start + Int64(before))
        }
        if bytes.count == before { break }
      }
      if let time = time(bytes, with: reader) { return time }
      if start == 0 || length >= reach { return nil }
      length *= 8
    }
  }

  private static func time(_ bytes: borrowing ByteBuffer, with reader: JSONReader) -> Int64? {
    let bytes = bytes.bytes
    var end = bytes.count
    while end > 0 {
      var start = end
      while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
      if let time = time(bytes.extracting(start..<end), with: reader) { return time }
      end = start - 1
    }
    return nil
  }

  private static func time(_ line: Span<UInt8>, with reader: JSONReader) -> Int64? {
    guard LineSeq.of(line) != nil, LineChecksum.verified(line) != nil else { return nil }
    do throws(JSONFault) { try reader.read(line) } catch { return nil }
    return reader.document.integer("time", of: reader.document.root)
  }
}
