// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yLog
import A11yPosix
import A11yWire

/// The last segment, read through.
struct SegmentTail {
  let header: SegmentHeader?
  let end: SegmentEnd
  /// The highest seq of any whole entry in it.
  let highest: Seq
  let isClosed: Bool
  let tornBytes: Int64
  let lastStamp: Stamp?

  init(path: String, first: Seq, reader: JSONReader) throws(Errno) {
    let file = try FileDescriptor.open(path, [.readOnly, .noFollow])
    var header: SegmentHeader?
    var scan: SegmentScan?
    let bytes = try FileLines.each(of: file) { line in
      if scan == nil {
        header = SegmentHeader(line, with: reader)
        scan = SegmentScan(first: first, headerBytes: Int64(line.count) + 1)
      } else {
        scan?.take(line)
      }
    }
    let scanned = scan ?? SegmentScan(first: first, headerBytes: 0)
    self.header = header
    end = scanned.end
    highest = scanned.highest
    isClosed = scanned.isClosed
    tornBytes = isClosed ? 0 : bytes - scanned.bytes
    lastStamp = try Self.stamp(file, scanned, reader)
  }

  /// The stamp of the last whole entry.
  private static func stamp(
    _ file: borrowing FileDescriptor,
    _ scan: SegmentScan,
    _ reader: JSONReader
  ) throws(Errno) -> Stamp? {
    guard scan.count > 0 else { return nil }
    let room = min(Int(scan.bytes), Limits.answerBytes)
    var window = ByteBuffer(capacity: room)
    try window.append(room: room) { target throws(Errno) in
      try file.read(into: target, at: UInt64(scan.bytes) - UInt64(room))
    }
    let bytes = window.bytes
    guard bytes.count > 1 else { return nil }
    var start = bytes.count - 1
    while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    do throws(JSONFault) {
      try reader.read(bytes.extracting(start..<bytes.count - 1))
    } catch {
      return nil
    }
    guard let time = reader.document.integer("time", of: 0),
      let mono = reader.document.integer("mono", of: 0)
    else { return nil }
    return Stamp(time: time, mono: mono)
  }
}
