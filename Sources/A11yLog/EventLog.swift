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
  let syncing: any Syncing
  var watermarkFile: (any DiskFile)?
  var watermark: Watermark
  /// Why the log is in memory for the time being; nil while the disk takes it.
  package internal(set) var trouble: Errno?
  /// Segments whose entries are in others, and whose files are to go when those are written.
  var givenUp: [Seq] = []
  /// Segments whose entries are in others from some place on, where their files are to end then.
  var parted: [(first: Seq, end: Int64)] = []
  /// Lines that were found on the disk are in memory.
  ///
  /// The medium may have them where they were found, for the watermark may know of less than is
  /// safe; so they are brought to the medium at once when they are written.
  var hasLegacy = false
  /// How the start found the log.
  package let opening: LogOpening
  /// The disk has failed to keep written lines, and has kept none since.
  var isOnProbation = false
  var stateWriter: StateWriter?
  let latest: LatestState
  /// The other files of the directory.
  var usage: DirectoryUsage
  /// Pieces of evidence that were dropped for want of room, and not yet reported.
  package var droppedEvidence = 0
  /// The end of the active segment when the state was last written down.
  var stateEnd: Int64 = 0
  /// The size of that file.
  var stateWeight: Int64 = 0
  /// The state is to be written beside the newest segment.
  package internal(set) var wantsState = true
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
    latest = LatestState(on: found.disk)
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
      givenUp = legacy.givenUp
      parted = legacy.parted
    }
    let synced = trouble == nil ? found.last : begun[0].first.previous
    self.syncing = syncing
    durability = Durability(synced: synced, syncing: syncing)
    watermark = Watermark(
      // A watermark of an epoch that no header knows would be taken for another log's.
      epoch: (trouble == nil ? nil : found.knownEpoch) ?? epochs[epochs.count - 1].epoch,
      synced: synced,
      unkept: nil,
      mono: mono,
      round: found.marks
    )
    for segment in begun { addKnown(segment) }
    givenUp += found.leftover
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
    known.reduce(usage.bytes + (stateWriter?.offset ?? 0)) { $0 + $1.size }
  }

  func addKnown(_ segment: Segment) {
    var entry = Known(first: segment.first, size: segment.end, extents: nil)
    entry.missing = segment.header?.missing ?? .nothing
    entry.open = segment
    entry.held = segment
    known.append(entry)
  }
}
