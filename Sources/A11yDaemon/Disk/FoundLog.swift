// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yLog
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
  /// The highest seq that was given to anything that can still be read.
  let last: Seq
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
    var highest = Seq.none
    while let newest = segments.last {
      let read = try SegmentTail(
        path: directory + "/" + SegmentHeader.fileName(first: newest.first),
        first: newest.first,
        reader: reader
      )
      highest = max(highest, read.highest)
      if read.end.count > 0 {
        tail = read
        break
      }
      let path = directory + "/" + SegmentHeader.fileName(first: newest.first)
      if read.tornBytes == 0 || read.header == nil && newest.size <= Int64(Limits.answerBytes) {
        // Begun, and stopped before its first entry: it holds nothing, and its name is needed.
        try File.unlink(path)
      } else {
        // Nothing in it can be read in order, but it is not ours to throw away.
        try File.rename(path, to: path + ".damaged")
      }
      segments.removeLast()
    }

    self.directory = directory
    self.reader = reader
    self.segments = segments
    self.boot = boot
    previous = tail?.end
    var header = tail?.header
    if header == nil { header = try Self.olderHeader(directory, segments, reader) }
    last = highest
    var epochs = header?.epochs ?? []
    let isUnclean = tail.map { !$0.isClosed } ?? false
    // After a crash of the machine lines may have left that are not on disk.
    let isNew = epochs.isEmpty || (isUnclean && header?.boot != boot)
    if isNew, let epoch = Epoch(hex: Machine.randomHex128()) {
      epochs.append(EpochStart(epoch: epoch, first: last.next))
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
      if let header = try header(of: segment, in: directory, reader) { return header }
    }
    return nil
  }

  private static func header(
    of segment: Segment,
    in directory: String,
    _ reader: JSONReader
  ) throws(Errno) -> SegmentHeader? {
    let path = directory + "/" + SegmentHeader.fileName(first: segment.first)
    let file = try FileDescriptor.open(path, [.readOnly, .noFollow])
    guard let line = try SegmentFile.firstLine(of: file) else { return nil }
    return SegmentHeader(line.bytes, with: reader)
  }

  /// Keys against duplicates that are still remembered at `mono`, oldest first.
  ///
  /// Read from the entries themselves, from the end backwards, as far as memory reaches, and only
  /// in segments of which it is known that there are some.
  func usedKeys(at mono: Int64) throws(Errno) -> [UsedKey] {
    var keys: [UsedKey] = []
    var count = previous?.keys ?? 0
    for index in segments.indices.reversed() {
      let path = directory + "/" + SegmentHeader.fileName(first: segments[index].first)
      let horizon = mono - DuplicateTable.memory
      if count > 0 {
        let file = try FileDescriptor.open(path, [.readOnly, .noFollow])
        var found: [UsedKey] = []
        _ = try FileLines.each(of: file) { line in
          guard UsedKey.mayBe(in: line), let key = UsedKey(line, with: reader) else { return }
          if key.mono > horizon { found.append(key) }
        }
        keys = found + keys
      }
      guard let header = try Self.header(of: segments[index], in: directory, reader),
        header.began > horizon, let end = header.previous
      else { break }
      count = end.keys
    }
    return keys
  }
}
