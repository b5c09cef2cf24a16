// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// The log: a row of segments, of which the last one grows.
///
/// The log appends the lines of a turn, begins a new segment when one is full, drops the oldest
/// when there are too many, and finds places to read at. The meaning of the lines is not its
/// business.
///
/// Every turn is taken. While the disk takes nothing (`trouble`), the segment that is appended to
/// is in memory.
package final class EventLog {
  /// A segment of the log, be its file open or not.
  struct Known {
    let first: Seq
    /// The whole file, header and closing line included.
    var size: Int64
    /// The intact lines, once the file was read through, even one that this process has written.
    var extents: [Extent]?
    var missing = SegmentHeader.Missing.nothing
    /// The stamp of the last entry, once it was needed.
    var lastStamp: Stamp?
    weak var open: Segment?
    /// The segment itself, held while its lines are nowhere else.
    var held: Segment?
  }

  let disk: any Disk
  let json = JSONReader(limit: Limits.answerBytes)
  package var policy: LogPolicy
  let boot: String
  package let clock: BusClock
  package let epochs: [EpochStart]
  var known: [Known]
  /// The segment that is appended to.
  package internal(set) var active: Segment
  let durability: Durability
  /// Memory of lines that the medium has by now.
  let spare: SparePieces
  var watermark: WatermarkFile
  /// Why the log is in memory for the time being; nil while the disk takes it.
  package internal(set) var trouble: Errno?
  /// Entries that are in other segments than their files say.
  var moved = MovedEntries()
  /// Lines that were found on the disk are in memory.
  ///
  /// The medium may have them where they were found, for the watermark may know of less than is
  /// safe; so they are brought to the medium at once when they are written.
  var hasLegacy = false
  /// How the start found the log.
  package let opening: LogOpening
  /// The disk has failed to keep written lines, and has kept none since.
  var isOnProbation = false
  let checkpoints: Checkpoints
  /// The other files of the directory.
  var usage: DirectoryUsage
  /// Pieces of evidence that were dropped for want of room, and not yet reported.
  package var droppedEvidence = 0
  /// Damage that was met while reading, to be reported.
  package var findings: [Finding] = []
  /// Room for a line that is looked up.
  var pastLine = ByteBuffer(capacity: 4_096)

  /// Goes on behind what was found, in a segment of its own.
  package init(
    _ found: Recovery<some LoggedState>,
    policy: LogPolicy,
    syncing: any Syncing,
    mono: Int64
  ) {
    disk = found.disk
    checkpoints = Checkpoints(on: found.disk, syncing)
    usage = DirectoryUsage(in: found.disk)
    self.policy = policy
    boot = found.boot
    clock = found.clock
    known = Self.known(from: found)
    var header = Self.header(behind: found, mono: mono)
    let spare = SparePieces()
    self.spare = spare
    let legacy = Legacy(found)
    let inMemory = { legacy?.segments(like: $0, spare) ?? [Self.beginInMemory($0, spare)] }
    var begun = inMemory(header)
    var opening = found.opening
    do throws(Errno) {
      try Self.writeSafely(begun, on: found.disk)
    } catch {
      trouble = error
      // Nothing on the medium tells of what leaves from now on: it gets numbers of another epoch.
      header.epochs = found.epochsInMemory
      opening.isNewEpoch = opening.isNewEpoch || header.epochs != found.epochs
      begun = inMemory(header)
    }
    self.opening = opening
    epochs = header.epochs
    active = begun[begun.count - 1]
    if let legacy {
      known.removeAll { $0.first >= begun[0].first }
      // Reading the last one will tell which entries are left to it.
      for index in known.indices {
        known[index].extents = nil
        known[index].open = nil
      }
      moved = MovedEntries(givenUp: legacy.givenUp, parted: legacy.parted)
    }
    let synced = trouble == nil ? found.last : begun[0].first.previous
    durability = Durability(synced: synced, syncing: syncing)
    watermark = WatermarkFile(
      Watermark(
        // A watermark of an epoch that no header knows would be taken for another log's.
        epoch: (trouble == nil ? nil : found.knownEpoch) ?? epochs[epochs.count - 1].epoch,
        synced: synced,
        unkept: nil,
        mono: mono,
        round: found.marks
      ),
      on: found.disk
    )
    for segment in begun { addKnown(segment) }
    moved.givenUp += found.leftover
    for index in known.indices where trouble == nil && known[index].held !== active {
      known[index].held = nil
    }
    hasLegacy = legacy != nil && trouble != nil
    if trouble == nil { dropMoved() }
    writeWatermark()
  }

  /// The segments that were found.
  private static func known(from found: Recovery<some LoggedState>) -> [Known] {
    var known = found.older.map { segment in
      var entry = Known(first: segment.first, size: segment.size)
      entry.missing = segment.header?.missing ?? .nothing
      return entry
    }
    if let newest = found.newest {
      let size = (try? newest.file?.size()) ?? newest.end
      var entry = Known(first: newest.first, size: size, extents: newest.extents)
      entry.missing = newest.header?.missing ?? .nothing
      entry.open = newest
      known.append(entry)
    }
    return known
  }

  /// The header of the segment that this process begins with.
  private static func header(
    behind found: Recovery<some LoggedState>,
    mono: Int64
  ) -> SegmentHeader {
    var header = SegmentHeader(
      first: found.last.next,
      epochs: found.epochs,
      boot: found.boot,
      began: mono,
      clockOffset: found.clock.offset,
      previous: found.newest?.state
    )
    if let begun = found.begun, begun.first == header.first, begun.boot == header.boot,
      begun.epochs == header.epochs
    {
      // The same segment once more, so that the checkpoint beside it stays valid.
      header.began = begun.began
    }
    return header
  }

  /// Brings segments to the medium before any entry leaves: after a power cut their headers tell
  /// that some may have left.
  private static func writeSafely(_ segments: [Segment], on disk: any Disk) throws(Errno) {
    let files = try segments.map { segment throws(Errno) in
      try Self.writeFile(segment, isSafe: true, on: disk)
    }
    try disk.synchronizeNames()
    for (segment, file) in zip(segments, files) {
      segment.file = file
      segment.release(through: segment.end, segment.state)
    }
  }

  /// The oldest entry that is there, or one past the last where there is none.
  package var first: Seq { known[0].first }

  package var last: Seq { active.state.last }

  /// The place behind the last entry.
  package var cursor: Cursor { Cursor(epoch: epochs[epochs.count - 1].epoch, seq: last) }

  package var synced: Seq { durability.synced }

  package var segmentCount: Int { known.count }

  /// Every byte in the directory.
  package var bytes: Int64 {
    known.reduce(usage.bytes + checkpoints.unfinishedBytes) { $0 + $1.size }
  }

  func addKnown(_ segment: Segment) {
    var entry = Known(first: segment.first, size: segment.end, extents: nil)
    entry.missing = segment.header?.missing ?? .nothing
    entry.open = segment
    entry.held = segment
    known.append(entry)
  }
}

/// The size of segments, and how much of the log is kept.
package struct LogPolicy: Equatable, Sendable {
  /// The size at which a segment ends, with the turn that has filled it.
  package var segmentBytes: Int64
  /// The age in microseconds at which segments go; nil keeps them, as with the other bounds.
  package var retainAge: Int64?
  package var retainBytes: Int64?
  package var retainEntries: Int64?

  package init(
    segmentBytes: Int64,
    retainAge: Int64?,
    retainBytes: Int64?,
    retainEntries: Int64?
  ) {
    self.segmentBytes = segmentBytes
    self.retainAge = retainAge
    self.retainBytes = retainBytes
    self.retainEntries = retainEntries
  }
}

// How lines come into a segment, and when the next one begins.
extension EventLog {
  /// Appends a turn's lines in one write, and returns where they begin in the active segment;
  /// unless there is `trouble`, they survive this process.
  package func append(
    _ lines: Span<UInt8>,
    _ checksums: [UInt32],
    last: Seq,
    mono: Int64
  ) -> Int64 {
    if let file = active.file {
      do throws(Errno) {
        try file.writeAll(lines, at: active.end)
      } catch {
        // Nothing is appended behind half a line.
        appendElsewhere(because: error, lines, mono: mono)
      }
    } else {
      makeRoom(for: lines.count, mono: mono)
    }
    // The one that has taken the lines, asked for once.
    let active = self.active
    let start = active.end
    var end = active.state
    for checksum in checksums { end.include(end.last.next, checksum) }
    precondition(end.last == last, "the entries of a turn follow each other")
    watermark.mark.mono = mono
    boundKept(by: lines.count)
    active.append(lines, through: end)
    known[known.count - 1].size = active.end
    if active.file != nil { durability.enqueue(active) }
    return start
  }

  /// Leaves the active segment as it is, and begins another for lines that its file could not take:
  /// on the disk if possible, else in memory.
  private func appendElsewhere(because error: Errno, _ lines: Span<UInt8>, mono: Int64) {
    let header = nextHeader(mono: mono)
    do throws(Errno) {
      let segment = try beginOnDisk(header)
      do throws(Errno) {
        try segment.file?.writeAll(lines, at: segment.end)
      } catch {
        try? disk.remove(SegmentName.entries(segment.first))
        throw error
      }
      replaceActive(with: segment)
    } catch {
      replaceActive(with: Self.beginInMemory(header, spare))
      beginTrouble(error)
    }
  }

  /// Appends to `segment` from now on.
  func replaceActive(with segment: Segment) {
    if active.first == segment.first, active.file != nil {
      // The old segment holds no entry, and its name is now the new one's.
      let run = Segment.Move.Run(start: active.end, end: active.end, base: segment.end)
      active.move = Segment.Move(from: active.end, target: segment, runs: [run])
      known.removeLast()
    } else {
      known[known.count - 1].held = active.file == nil ? active : nil
    }
    active = segment
    addKnown(segment)
    checkpoints.request()
  }

  /// The header of the segment that comes next.
  func nextHeader(mono: Int64) -> SegmentHeader {
    SegmentHeader(
      first: active.state.last.next,
      epochs: epochs,
      boot: boot,
      began: mono,
      clockOffset: clock.offset,
      previous: active.state
    )
  }

  private func beginOnDisk(_ header: SegmentHeader) throws(Errno) -> Segment {
    let segment = Self.beginInMemory(header, spare)
    segment.file = try Self.writeFile(segment, isSafe: false, on: disk)
    segment.release(through: segment.end, segment.state)
    return segment
  }

  static func beginInMemory(_ header: SegmentHeader, _ spare: SparePieces) -> Segment {
    var line = ByteBuffer(capacity: 512)
    header.writeLine(into: &line)
    let segment = Segment(header: header, start: Int64(line.count), keepingIn: spare)
    segment.keepHeader(line)
    return segment
  }

  /// Whether the active segment has its size, and the next one can be begun.
  package var isFull: Bool {
    active.state.count > 0 && active.end >= policy.segmentBytes && !isWritingState
      && trouble == nil
  }

  /// Begins the next segment, and only then ends this one.
  ///
  /// The closing line repeats the next header, so it may fail; and a segment that grows beyond its
  /// size is better than none.
  package func roll(mono: Int64) {
    let header = nextHeader(mono: mono)
    do throws(Errno) {
      let next = try beginOnDisk(header)
      try? writeClosing()
      known[known.count - 1].held = nil
      replaceActive(with: next)
    } catch {
      return
    }
  }

  private func writeClosing() throws(Errno) {
    guard let file = active.file else { return }
    var line = ByteBuffer(capacity: 256)
    active.state.writeClosing(into: &line)
    try file.writeAll(line.bytes, at: active.end)
    known[known.count - 1].size = active.end + Int64(line.count)
  }

  /// Ends the log for this process, with everything on the medium.
  ///
  /// The closing line comes after that: behind lost entries it would vouch for them.
  package func close(mono: Int64) throws(Errno) {
    if let trouble { throw trouble }
    do throws(Errno) {
      try durability.finish()
    } catch {
      guard case .rescued = rescue(from: error, mono: mono) else { throw error }
      try durability.finish()
    }
    try writeClosing()
    durability.enqueue(active)
    try durability.finish()
    try disk.synchronizeNames()
    writeWatermark()
    try watermark.secure()
  }
}
