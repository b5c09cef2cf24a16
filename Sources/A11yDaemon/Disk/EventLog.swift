// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yLog
import A11yPosix
import A11yWire

/// The log on disk: a directory of segments, of which the last one grows.
///
/// What the lines say is not looked at here. The log appends what a turn has decided, begins a new
/// segment when one is full, drops the oldest when there are too many, and finds places to read at.
package final class EventLog {
  /// What is known of a segment without opening it.
  private struct Known {
    let first: Seq
    /// The whole file, header and closing line included.
    var size: Int64
    /// Where its entries end, as the header of the next segment says; nil until that was read.
    var end: Int64?
    weak var open: SegmentFile?
  }

  let directory: String
  private let lock: FileLock
  private let reader: JSONReader
  /// How it is cut and how much of it is kept.
  var policy: Settings.Log
  private let boot: String
  let clock: BusClock
  let epochs: [EpochStart]
  private var known: [Known]
  /// The segment that is appended to.
  private(set) var active: SegmentFile
  private var activeEnd: SegmentEnd
  /// Set when a write has failed in a way that leaves the tail in doubt.
  private var isDoubtful = false
  private(set) var last: Seq
  /// Room for a line that is looked up.
  private var pastLine = ByteBuffer(capacity: 4_096)

  /// Goes on behind what was found in the directory, in a segment of its own.
  init(found: consuming FoundLog, policy: Settings.Log, lock: consuming FileLock) throws(Errno) {
    directory = found.directory
    self.lock = lock
    self.policy = policy
    reader = found.reader
    boot = found.boot
    clock = found.clock
    epochs = found.epochs
    last = found.last
    known = found.segments.map { Known(first: $0.first, size: $0.size, end: nil, open: nil) }
    if let previous = found.previous, !known.isEmpty {
      known[known.count - 1].end = previous.bytes
    }
    (active, activeEnd) = try Self.begin(
      in: directory,
      epochs: epochs,
      boot: boot,
      clock: clock,
      first: found.last.next,
      previous: found.previous
    )
    known.append(Known(first: active.first, size: active.end, end: nil, open: active))
  }

  /// The oldest entry that is there, or one past the last where there is none.
  var first: Seq { known[0].first }

  var segmentCount: Int { known.count }

  var bytes: Int64 { known.reduce(0) { $0 + $1.size } }

  // MARK: Appending

  /// Appends a turn's lines in one write; after it they survive this process.
  ///
  /// Returns where they begin: a turn may be the first of a new segment.
  func append(_ turn: borrowing Turn, last: Seq) throws(Errno) -> Int64 {
    let size = Int64(turn.entries.count)
    let isFull =
      activeEnd.count > 0 && active.end + size > Int64(policy.segmentBytes.bytes)
    do throws(Errno) {
      if isFull || isDoubtful { try roll() }
    } catch  where !isDoubtful {
      // A segment that grows beyond its size is better than an entry that is refused.
    }
    let start = active.end
    do throws(Errno) {
      try Self.write(turn.entries.bytes, to: active.descriptor, at: start)
    } catch {
      // Nothing may stand behind half a line: either it goes, or this segment is left as it is.
      do throws(Errno) {
        try active.descriptor.truncate(to: UInt64(start))
      } catch {
        isDoubtful = true
      }
      throw error
    }
    active.extend(by: size)
    var hash = activeEnd.hash
    for checksum in turn.checksums { hash = SegmentEnd.hash(hash, adding: checksum) }
    activeEnd = SegmentEnd(
      count: activeEnd.count + Int64(turn.checksums.count),
      last: last,
      hash: hash,
      bytes: active.end,
      keys: activeEnd.keys + Int64(turn.keys)
    )
    known[known.count - 1].size = active.end
    self.last = last
    return start
  }

  private static func write(
    _ bytes: Span<UInt8>,
    to descriptor: borrowing FileDescriptor,
    at start: Int64
  ) throws(Errno) {
    var done = 0
    while done < bytes.count {
      done += try descriptor.write(
        bytes.extracting(done..<bytes.count),
        at: UInt64(start) + UInt64(done)
      )
    }
  }

  /// Writes the closing line; the segment is whole from now on.
  func close() throws(Errno) {
    var line = ByteBuffer(capacity: 256)
    activeEnd.writeClosing(into: &line)
    try Self.write(line.bytes, to: active.descriptor, at: active.end)
    known[known.count - 1].size = active.end + Int64(line.count)
    known[known.count - 1].end = active.end
  }

  /// Begins the next segment, and only then ends this one.
  ///
  /// The closing line says nothing that the next header does not, so it may fail.
  private func roll() throws(Errno) {
    if activeEnd.count == 0 {
      // It holds no entry, and no other can have its name.
      try active.descriptor.truncate(to: UInt64(active.end))
      isDoubtful = false
      return
    }
    let (next, nextEnd) = try Self.begin(
      in: directory,
      epochs: epochs,
      boot: boot,
      clock: clock,
      first: last.next,
      previous: activeEnd
    )
    known[known.count - 1].end = active.end
    if !isDoubtful { try? close() }
    (active, activeEnd) = (next, nextEnd)
    isDoubtful = false
    known.append(Known(first: active.first, size: active.end, end: nil, open: active))
  }

  private static func begin(
    in directory: String,
    epochs: [EpochStart],
    boot: String,
    clock: BusClock,
    first: Seq,
    previous: SegmentEnd?
  ) throws(Errno) -> (SegmentFile, SegmentEnd) {
    let path = directory + "/" + SegmentHeader.fileName(first: first)
    let descriptor = try FileDescriptor.open(path, [.readWrite, .create, .exclusive], mode: 0o600)
    var line = ByteBuffer(capacity: 512)
    SegmentHeader(
      first: first,
      epochs: epochs,
      boot: boot,
      began: clock.mono(uptime: Int64(SystemClock.bootMicroseconds())),
      clockOffset: clock.offset,
      previous: previous
    ).write(into: &line)
    do throws(Errno) {
      try write(line.bytes, to: descriptor, at: 0)
    } catch {
      // Half a header is in the way of the next attempt.
      try File.unlink(path)
      throw error
    }
    let start = Int64(line.count)
    return (
      SegmentFile(descriptor, first: first, start: start, end: start),
      SegmentEnd(count: 0, last: first.previous, hash: SegmentEnd.emptyHash, bytes: start, keys: 0)
    )
  }

  // MARK: Retention

  /// Unlinks the oldest segments that nobody wants to keep; true when the log begins later now.
  func retain(now wall: Int64) -> Bool {
    let before = first
    while known.count > 1, isDispensable(wall) {
      do throws(Errno) {
        try File.unlink(path(known[0]))
      } catch .noSuchFile {
        // Somebody else has tidied up.
      } catch {
        break
      }
      known.removeFirst()
    }
    return first > before
  }

  private func isDispensable(_ wall: Int64) -> Bool {
    if let limit = policy.retainBytes, bytes > Int64(limit.bytes) { return true }
    if let limit = policy.retainEntries, last.number - known[1].first.number + 1 >= Int64(limit) {
      return true
    }
    guard let age = policy.retainAge, let newest = modified(known[0]) else { return false }
    return wall - newest > age.components.seconds * 1_000_000
  }

  private func modified(_ segment: Known) -> Int64? {
    (try? File.measure(path(segment)))?.modifiedMicroseconds
  }

  private func path(_ segment: Known) -> String {
    directory + "/" + SegmentHeader.fileName(first: segment.first)
  }

  // MARK: Reading

  /// The segment that holds `seq`, or the oldest one behind it where that is gone.
  func segment(holding seq: Seq) throws(Errno) -> SegmentFile {
    while true {
      let index = known.lastIndex { $0.first <= seq } ?? 0
      if let file = try open(index) { return file }
    }
  }

  /// The segment behind this one; nil for the one that is appended to.
  ///
  /// Where segments in between are gone it is the oldest that is left.
  func segment(after segment: SegmentFile) throws(Errno) -> SegmentFile? {
    while segment !== active, let index = known.firstIndex(where: { $0.first > segment.first }) {
      if let file = try open(index) { return file }
    }
    return nil
  }

  /// Whether a segment is part of the log still.
  func holds(_ segment: SegmentFile) -> Bool { known.contains { $0.open === segment } }

  /// Where `seq` stands, or the oldest entry behind it where that is gone.
  func place(of seq: Seq) throws(Errno) -> (file: SegmentFile, offset: Int64) {
    if seq > last { return (active, active.end) }
    let file = try segment(holding: seq)
    let successor = known.first { $0.first > file.first }
    return (file, try file.offset(of: seq, last: successor?.first.previous ?? last))
  }

  /// What the log holds of an earlier entry; nil where it is gone or cannot be read.
  func entry(_ seq: Seq) -> PastEntry? {
    guard seq >= first, seq <= last else { return nil }
    pastLine.clear()
    do throws(Errno) {
      let place = try place(of: seq)
      _ = try place.file.restOfLine(at: place.offset, into: &pastLine)
    } catch {
      return nil
    }
    guard pastLine.count > 1 else { return nil }
    return Self.entry(in: pastLine, with: reader)
  }

  private static func entry(in line: borrowing ByteBuffer, with reader: JSONReader) -> PastEntry? {
    PastEntry(line.bytes.extracting(0..<line.count - 1), with: reader)
  }

  /// A segment to read from; nil where its file is gone, which is known from now on.
  private func open(_ index: Int) throws(Errno) -> SegmentFile? {
    if let file = known[index].open { return file }
    let segment = known[index]
    let descriptor: FileDescriptor
    do throws(Errno) {
      descriptor = try FileDescriptor.open(path(segment), [.readOnly, .noFollow])
    } catch .noSuchFile {
      known.remove(at: index)
      return nil
    }
    guard let head = try SegmentFile.firstLine(of: descriptor) else { throw .inputOutput }
    let file = SegmentFile(
      descriptor,
      first: segment.first,
      start: Int64(head.count) + 1,
      end: try end(index)
    )
    known[index].open = file
    return file
  }

  /// Where a segment's entries end, in the words of its successor or else by reading it through.
  private func end(_ index: Int) throws(Errno) -> Int64 {
    if let end = known[index].end { return end }
    let stated = try statedEnd(known[index + 1])
    let end = if let stated { stated } else { try readEnd(known[index]) }
    known[index].end = end
    return end
  }

  private func statedEnd(_ successor: Known) throws(Errno) -> Int64? {
    let descriptor: FileDescriptor
    do throws(Errno) {
      descriptor = try FileDescriptor.open(path(successor), [.readOnly, .noFollow])
    } catch .noSuchFile {
      return nil
    }
    guard let head = try SegmentFile.firstLine(of: descriptor),
      let header = SegmentHeader(head.bytes, with: reader), let previous = header.previous
    else { return nil }
    return previous.bytes
  }

  private func readEnd(_ segment: Known) throws(Errno) -> Int64 {
    try SegmentTail(path: path(segment), first: segment.first, reader: reader).end.bytes
  }
}
