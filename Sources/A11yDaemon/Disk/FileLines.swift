// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// The lines of a file, read in pieces that stay in the processor's cache.
enum FileLines {
  private static let piece = 262_144

  /// Goes through all whole lines up to the end, or up to a line that is too long to be one.
  ///
  /// Returns how many bytes there were to read.
  static func each(
    of file: borrowing FileDescriptor,
    _ take: (Span<UInt8>) -> Void
  ) throws(Errno) -> Int64 {
    var window = ByteBuffer(capacity: piece + Limits.answerBytes)
    var offset: UInt64 = 0
    while window.count <= Limits.answerBytes {
      let before = window.count
      try window.append(room: piece) { target throws(Errno) in
        try file.read(into: target, at: offset)
      }
      if window.count == before { break }
      offset += UInt64(window.count - before)
      var start = 0
      while let newline = window.bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) {
        take(window.bytes.extracting(start..<newline))
        start = newline + 1
      }
      window.removeFirst(start)
    }
    return Int64(offset)
  }
}
