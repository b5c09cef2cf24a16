// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// The last intact entry of a segment's file, looked for from its end.
enum LastEntry {
  /// The bytes that are read at first; most lines are much shorter.
  private static let firstReach: Int64 = 16_384
  /// The bytes from the end in which an entry is looked for at most.
  private static let reach: Int64 = 1_048_576

  /// The stamp of that entry; nil where none was found.
  static func stamp(in file: any DiskFile, with json: JSONReader) throws(Errno) -> Stamp? {
    let size = try file.size()
    var length = firstReach
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
      if let stamp = stamp(bytes, with: json) { return stamp }
      if start == 0 || length >= reach { return nil }
      length *= 8
    }
  }

  private static func stamp(_ bytes: borrowing ByteBuffer, with json: JSONReader) -> Stamp? {
    let bytes = bytes.bytes
    var end = bytes.count
    while end > 0 {
      var start = end
      while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
      if let stamp = stamp(bytes.extracting(start..<end), with: json) { return stamp }
      end = start - 1
    }
    return nil
  }

  private static func stamp(_ line: Span<UInt8>, with json: JSONReader) -> Stamp? {
    guard Seq(of: line) != nil, LineChecksum.verified(line) != nil else { return nil }
    do throws(JSONFault) { try json.read(line) } catch { return nil }
    return EntryView(of: json.document).stamp
  }
}
