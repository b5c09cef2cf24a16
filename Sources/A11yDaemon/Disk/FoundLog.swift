// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yPosix
import A11yWire

/// What a start finds in the log's directory, checked as far as a start needs it.
///
/// Only the last segment is read: older ones were closed by their successor, whose header says
/// where they end. So a start takes the same time after a day and after a year.
struct FoundLog {
  struct Segment {
    let first: Seq
    let size: Int64
  }

  let directory: String
  let reader: JSONReader
  let segments: [Segment]
  let epochs: [EpochStart]
  let boot: String
  let clock: BusClock
  /// The end of the last segment; nil in an empty directory.
  let previous: SegmentEnd?
  /// How the log was found, for the `opened` entry.
  let opening: Broker.Opening

  init(in directory: String, uptime: Int64, wall: Int64) throws(Errno) {
    let reader = JSONReader(limit: Limits.answerBytes)
    let boot = try Machine.bootID()
    var segments: [Segment] = []
    for name in try Directory.names(directory) {
      guard let first = SegmentHeader.first(fileName: name) else { continue }
      let size = try File.measure(directory + "/" + name).size
      segments.append(Segment(first: first, size: size))
    }
    segments.sort { $0.first < $1.first }

    var tail: SegmentTail?
    while let newest = segments.last {
      let read = try SegmentTail(
        path: directory + "/" + SegmentHeader.fileName(first: newest.first),
        first: newest.first,
        reader: reader
      )
      if read.end.count > 0 {
        tail = read
        break
      }
      // Begun, and stopped before its first entry: it holds nothing, and its name is needed.
      try File.unlink(directory + "/" + SegmentHeader.fileName(first: newest.first))
      segments.removeLast()
    }

    self.directory = directory
    self.reader = reader
    self.segments = segments
    self.boot = boot
    previous = tail?.end
    var header = tail?.header
    if header == nil { header = try Self.olderHeader(directory, segments, reader) }
    let next = tail?.end.last.next ?? Seq(1)
    var epochs = header?.epochs ?? []
    let isUnclean = tail.map { !$0.isClosed } ?? false
    // After a crash of the machine lines may have left that are not on disk.
    let isNew = epochs.isEmpty || (isUnclean && header?.boot != boot)
    if isNew, let epoch = Epoch(hex: Machine.randomHex128()) {
      epochs.append(EpochStart(epoch: epoch, first: next))
    }
    self.epochs = epochs
    if let stamp = tail?.lastStamp {
      clock = BusClock(
        after: stamp,
        offset: header?.clockOffset ?? 0,
        sameBoot: header?.boot == boot,
        uptime: uptime,
        wall: wall
      )
    } else {
      clock = BusClock(offset: 0)
    }
    opening = Broker.Opening(
      isClean: !isUnclean,
      tornBytes: tail.map { $0.tornBytes } ?? 0,
      isNewEpoch: isNew && tail != nil
    )
  }

  /// The newest header that can be read, should the last segment's own be damaged.
  private static func olderHeader(
    _ directory: String,
    _ segments: [Segment],
    _ reader: JSONReader
  ) throws(Errno) -> SegmentHeader? {
    for segment in segments.dropLast().reversed() {
      let path = directory + "/" + SegmentHeader.fileName(first: segment.first)
      var head = ByteBuffer(capacity: SegmentTail.headerRoom)
      let file = try FileDescriptor.open(path, [.readOnly, .noFollow])
      try head.append(room: SegmentTail.headerRoom) { target throws(Errno) in
        try file.read(into: target, at: 0)
      }
      if let newline = head.bytes.firstIndex(of: UInt8(ascii: "\n")),
        let header = SegmentHeader(head.bytes.extracting(0..<newline), with: reader)
      {
        return header
      }
    }
    return nil
  }
}

/// The last segment, read through.
struct SegmentTail {
  /// The header is one line; the list of epochs is what can make it long.
  static let headerRoom = 65_536
  /// Read in pieces that stay in the processor's cache.
  private static let piece = 262_144

  let header: SegmentHeader?
  let end: SegmentEnd
  let isClosed: Bool
  let tornBytes: Int64
  let lastStamp: Stamp?

  init(path: String, first: Seq, reader: JSONReader) throws(Errno) {
    let file = try FileDescriptor.open(path, [.readOnly, .noFollow])
    var window = ByteBuffer(capacity: Self.piece + Limits.answerBytes)
    var offset: UInt64 = 0
    var header: SegmentHeader?
    var scan: SegmentScan?
    while true {
      let before = window.count
      try window.append(room: Self.piece) { target throws(Errno) in
        try file.read(into: target, at: offset)
      }
      let came = window.count - before
      if came == 0 { break }
      offset += UInt64(came)
      var at = 0
      while let newline = window.bytes.firstIndex(of: UInt8(ascii: "\n"), from: at) {
        let line = window.bytes.extracting(at..<newline)
        if scan == nil {
          header = SegmentHeader(line, with: reader)
          scan = SegmentScan(first: first, headerBytes: Int64(newline) + 1)
        } else {
          scan?.take(line)
        }
        at = newline + 1
      }
      window.removeFirst(at)
      // A line that does not end is junk, however long it is.
      if window.count > Limits.answerBytes { break }
    }
    let scanned = scan ?? SegmentScan(first: first, headerBytes: 0)
    self.header = header
    end = scanned.end
    isClosed = scanned.isClosed
    tornBytes = isClosed ? 0 : Int64(offset) - scanned.bytes
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
