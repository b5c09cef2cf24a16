// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// The log: a row of segments, of which the last one grows.
///
/// What the lines say is not looked at here. The log appends what a turn has decided, begins a new
/// segment when one is full, drops the oldest when there are too many, and finds places to read at.
///
/// It takes every turn. Where the disk does not, the segment that is appended to is in memory until
/// the disk does again, and whoever asks is told so (`trouble`).
package final class EventLog {
  /// What is known of a segment, open or not.
  struct Known {
    let first: Seq
    /// The whole file, header and closing line included.
    var size: Int64
    /// What of it is intact, once it was read through; what this process has written is not spared.
    var extents: [Extent]?
    var missing = SegmentHeader.Missing.nothing
    /// When its last entry was written, once somebody wanted to know.
    var lastStamp: Stamp?
    weak var open: Segment?
    /// Held for as long as its lines are nowhere else.
    var held: Segment?
  }

  let disk: any Disk
  let reader = JSONReader(limit: Limits.answerBytes)
  package var policy: LogPolicy
  private let boot: String
  package let clock: BusClock
  package let epochs: [EpochStart]
  var known: [Known]
  /// The segment that is appended to.
  package internal(set) var active: Segment
  let durability: Durability
  /// What held lines that the medium has by now.
  let spare: SparePieces
  private let syncing: any Syncing
  private var watermarkFile: (any DiskFile)?
  private var watermark: Watermark
  /// Why the log is in memory for the time being; nil while the disk takes it.
  package internal(set) var trouble: Errno?
  /// Segments whose entries are in others, and whose files are to go when those are written.
  var givenUp: [Seq] = []
  /// Segments whose entries are in others from some place on, where their files are to end then.
  var parted: [(first: Seq, end: Int64)] = []
  /// What is in memory and was found may be on the medium where it was found, for the watermark may
  /// know of less than is safe; so it goes there first when it is written.
  var hasLegacy = false
  /// What the start has made of what it found.
  package let opening: LogOpening
  /// Since the disk has failed to keep what it had taken, it has not proved itself again.
  var isOnProbation = false
  private var stateWriter: StateWriter?
  let latest: LatestState
  /// What else takes room.
  var besides: Besides
  /// Pieces of evidence that had to go for want of room, and of which nobody was told yet.
  package var droppedEvidence = 0
  /// Where the active segment ended when the presenter's state was last written down.
  var stateEnd: Int64 = 0
  /// How large the file with it was.
  var stateWeight: Int64 = 0
  /// A segment was begun beside which the presenter's state is to be written.
  package private(set) var wantsState = true
  /// Damage that was met while reading, to be told.
  package var findings: [Finding] = []
  /// Room for a line that is looked up.
  private var pastLine = ByteBuffer(capacity: 4_096)

  /// Goes on behind what was found, in a segment of its own.
  package init(
    _ found: Recovery<some LoggedState>,
    policy: LogPolicy,
    syncing: any Syncing,
    mono: Int64
  ) {
    disk = found.disk
    latest = LatestState(on: found.disk)
    besides = Besides(in: found.disk)
    self.policy = policy
    boot = found.boot
    clock = found.clock
    known = found.older.map { Known(first: $0.first, size: $0.size) }
    for index in known.indices {
      known[index].missing = found.older[index].header?.missing ?? .nothing
    }
    if let newest = found.newest {
      let size = (try? newest.file?.size()) ?? newest.end
      var entry = Known(first: newest.first, size: size, extents: newest.extents)
      entry.missing = newest.header?.missing ?? .nothing
      entry.open = newest
      known.append(entry)
    }
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
      // The same segment once more, so that the state beside it holds on.
      header.began = begun.began
    }
    let spare = SparePieces()
    self.spare = spare
    let legacy = Legacy(found)
    let inMemory = { legacy?.segments(like: $0, spare) ?? [Self.beginInMemory($0, spare)] }
    var begun = inMemory(header)
    var opening = found.opening
    do throws(Errno) {
      // Before anything leaves: after a power cut this header says that something may have.
      let files = try begun.map { segment throws(Errno) in
        try Self.write(segment, isSafe: true, on: found.disk)
      }
      try found.disk.synchronizeNames()
      for (segment, file) in zip(begun, files) {
        segment.file = file
        segment.release(through: segment.end, segment.state)
      }
    } catch {
      trouble = error
      // Now nothing will say so: what leaves gets numbers of which the medium knows nothing either.
      header.epochs = found.epochsInMemory
      opening.isNewEpoch = opening.isNewEpoch || header.epochs != found.epochs
      begun = inMemory(header)
    }
    self.opening = opening
    epochs = header.epochs
    active = begun[begun.count - 1]
    if let legacy {
      known.removeAll { $0.first >= begun[0].first }
      // What of the last one is its own is known when it is read.
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
      // Of an epoch that no header knows it would be another log's.
      epoch: (trouble == nil ? nil : found.knownEpoch) ?? epochs[epochs.count - 1].epoch,
      synced: synced,
      unkept: nil,
      mono: mono,
      round: found.marks
    )
    for segment in begun { know(segment) }
    givenUp += found.leftover
    for index in known.indices where trouble == nil && known[index].held !== active {
      known[index].held = nil
    }
    hasLegacy = legacy != nil && trouble != nil
    if trouble == nil { dropMoved() }
    mark()
  }

  /// The oldest entry that is there, or one past the last where there is none.
  package var first: Seq { known[0].first }

  package var last: Seq { active.state.last }

  package var synced: Seq { durability.synced }

  package var segmentCount: Int { known.count }

  /// Every byte in the directory.
  package var bytes: Int64 {
    known.reduce(besides.bytes + (stateWriter?.offset ?? 0)) { $0 + $1.size }
  }

  func know(_ segment: Segment) {
    var entry = Known(first: segment.first, size: segment.end, extents: nil)
    entry.missing = segment.header?.missing ?? .nothing
    entry.open = segment
    entry.held = segment
    known.append(entry)
  }

  // MARK: Appending

  /// Appends a turn's lines in one write, and says where they begin in the active segment; unless
  /// there is `trouble`, they survive this process.
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
        // Nothing is appended behind half a line: this segment is left as it is.
        leave(because: error, lines, mono: mono)
      }
    } else {
      makeRoom(for: lines.count, mono: mono)
    }
    let start = active.end
    var end = active.state
    for checksum in checksums { end.take(end.last.next, checksum) }
    precondition(end.last == last, "the entries of a turn follow each other")
    watermark.mono = mono
    boundKept(by: lines.count)
    active.append(lines, through: end)
    known[known.count - 1].size = active.end
    if active.file != nil { durability.note(active) }
    return start
  }

  /// Begins another segment for lines that the present one could not take: on disk if that goes,
  /// otherwise in memory.
  private func leave(because error: Errno, _ lines: Span<UInt8>, mono: Int64) {
    let header = nextHeader(mono: mono)
    do throws(Errno) {
      let segment = try begin(header)
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

  func replaceActive(with segment: Segment) {
    if active.first == segment.first, active.file != nil {
      // It holds no entry, and its name is its successor's.
      let run = Segment.Move.Run(start: active.end, end: active.end, base: segment.end)
      active.move = Segment.Move(from: active.end, target: segment, runs: [run])
      known.removeLast()
    } else {
      known[known.count - 1].held = active.file == nil ? active : nil
    }
    active = segment
    know(segment)
    requestState()
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

  private func begin(_ header: SegmentHeader) throws(Errno) -> Segment {
    let segment = Self.beginInMemory(header, spare)
    segment.file = try Self.write(segment, isSafe: false, on: disk)
    segment.release(through: segment.end, segment.state)
    return segment
  }

  static func beginInMemory(_ header: SegmentHeader, _ spare: SparePieces) -> Segment {
    var line = ByteBuffer(capacity: 512)
    header.write(into: &line)
    let segment = Segment(header: header, start: Int64(line.count), keepingIn: spare)
    segment.keepHeader(line)
    return segment
  }

  // MARK: Segments

  /// Whether the active segment has its size, and the next one can be begun.
  package var isFull: Bool {
    active.state.count > 0 && active.end >= policy.segmentBytes && stateWriter == nil
      && trouble == nil
  }

  /// Begins the next segment, and only then ends this one.
  ///
  /// The closing line says nothing that the next header does not, so it may fail; and a segment
  /// that grows beyond its size is better than none.
  package func roll(mono: Int64) {
    let header = nextHeader(mono: mono)
    do throws(Errno) {
      let next = try begin(header)
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

  /// Ends the log for this process: everything is on the medium then.
  ///
  /// Only what is safe is closed: a closing line behind lost entries would speak for them.
  package func close(mono: Int64) throws(Errno) {
    if let trouble { throw trouble }
    do throws(Errno) {
      try durability.finish()
    } catch {
      guard case .rescued = rescue(from: error, mono: mono) else { throw error }
      try durability.finish()
    }
    try writeClosing()
    durability.note(active)
    try durability.finish()
    try disk.synchronizeNames()
    mark()
    do throws(Errno) {
      try watermarkFile?.synchronize()
    } catch .noSuchFile {
      // Somebody has removed it.
      watermarkFile = nil
      mark()
      try watermarkFile?.synchronize()
      try disk.synchronizeNames()
    }
  }

  // MARK: Durability

  package var hasUnsynced: Bool { !durability.isIdle }

  /// Whether segments are filled faster than the disk is asked.
  package var isCrowded: Bool { durability.isCrowded }

  package func synchronize() {
    spare.tidy()
    durability.hurry(through: last)
  }

  /// What the disk has answered, if it has.
  package enum SyncNews: Equatable, Sendable {
    case nothing
    /// Entries up to `synced` are safe.
    case progress
    /// The disk has not kept what it took; the entries are in another segment now.
    case rescued(Errno)
    /// There is `trouble`: whoever waits for safety waits in vain.
    case failed(Errno)
  }

  package func takeSyncAnswer(mono: Int64) -> SyncNews {
    switch durability.takeAnswer() {
    case nil: return .nothing
    case .success:
      noteSafety()
      return .progress
    case .failure(let error):
      return rescue(from: error, mono: mono)
    }
  }

  /// Waits until the medium has all that is written.
  func secure(mono: Int64) -> SyncNews {
    guard trouble == nil, hasUnsynced else { return .nothing }
    do throws(Errno) {
      try disk.synchronizeNames()
      try durability.finish()
      noteSafety()
      return .progress
    } catch {
      return rescue(from: error, mono: mono)
    }
  }

  private func noteSafety() {
    isOnProbation = false
    if !hasUnsynced { spare.clear() }
    if trouble != nil, active.file != nil { endTrouble() } else { mark() }
  }

  /// Notes in place how much is safe, and whether there is what will never be on disk.
  func mark() {
    if watermarkFile == nil { watermarkFile = try? disk.openInPlaceOrCreate(Watermark.name) }
    guard let watermarkFile else { return }
    watermark.synced = max(watermark.synced, durability.synced)
    watermark.unkept = trouble == nil ? nil : watermark.unkept ?? durability.synced
    watermark.round += 1
    // Without it less is known after a crash, and nothing is wrong.
    try? watermark.write(to: watermarkFile)
  }

  // MARK: The presenter's state

  /// Begins to write the state as it is now, behind the last entry.
  package func beginState(_ source: borrowing some StateSource & ~Copyable) {
    wantsState = false
    guard active.file != nil, let header = active.header else { return }
    stateEnd = active.end
    stateWriter = StateWriter(source, beside: header, after: last, on: disk)
  }

  package var isWritingState: Bool { stateWriter != nil }

  /// All of the state is written, and the medium has not said yet that it has it.
  package var isStateOut: Bool { stateWriter?.isWhole ?? false }

  /// What the presenter knows is written beside the newest segment, or is not going to be.
  package var isStateSettled: Bool { !isWritingState && (!wantsState || trouble != nil) }

  /// Writes on, or sees whether the medium has it; what the disk does not take is given up, for it can
  /// be done without.
  package func advanceState(budget: Int) {
    guard let writer = stateWriter else { return }
    do throws(Errno) {
      if !writer.isWhole {
        guard try writer.advance(budget: budget), let file = writer.file else { return }
        stateWeight = writer.offset
        guard syncing.bring(file) else { return finishState() }
      }
      // Others were begun before it, and given up.
      while let (file, result) = syncing.brought() {
        guard file === writer.file else { continue }
        try result.get()
        try writer.finish()
        besides.note(stateOf: active.first, writer.offset)
        stateWriter = nil
      }
    } catch {
      abandonState()
    }
  }

  /// Writes all that is left, and waits for the medium.
  package func finishState() {
    guard let writer = stateWriter else { return }
    do throws(Errno) {
      try writer.finishAtOnce()
      stateWeight = writer.offset
      besides.note(stateOf: active.first, writer.offset)
      stateWriter = nil
    } catch {
      abandonState()
    }
  }

  /// Asks for the presenter's state once more.
  func requestState() {
    abandonState()
    wantsState = true
  }

  private func abandonState() {
    latest.abandon()
    stateWriter?.abandon()
    stateWriter = nil
  }

  // MARK: Looking up

  /// What the log holds of an earlier entry.
  package func recall(_ seq: Seq) -> Recollection {
    guard seq >= first, seq <= last, let index = known.lastIndex(where: { $0.first <= seq })
    else { return .gone }
    do throws(Errno) {
      guard let segment = try open(index) else { return .gone }
      // A search that damage has led astray says nothing; reading the segment through does.
      if let entry = try? entry(seq, in: segment, at: index) { return .entry(entry) }
      while !check(segment, budget: .max) {}
      if let entry = try entry(seq, in: segment, at: index) { return .entry(entry) }
      return known[index].extents == nil && segment.readings > 0 ? .unreadable : .gone
    } catch .noSuchFile {
      return .gone
    } catch {
      return .unreadable
    }
  }

  private func entry(
    _ seq: Seq,
    in segment: Segment,
    at index: Int
  ) throws(Errno) -> PastEntry? {
    pastLine.clear()
    guard try line(of: seq, in: segment, at: index, into: &pastLine) else { return nil }
    return Self.entry(seq, in: pastLine, with: reader)
  }

  private static func entry(
    _ seq: Seq,
    in line: borrowing ByteBuffer,
    with reader: JSONReader
  ) -> PastEntry? {
    // Where the entry is damaged, the search ends at the one behind it.
    guard LineSeq.of(line.bytes) == seq, LineChecksum.verified(line.bytes) != nil else {
      return nil
    }
    return PastEntry(line.bytes, with: reader)
  }

  /// The line of an entry, without its newline, unchecked; false where it is not there.
  private func line(
    of seq: Seq,
    in segment: Segment,
    at index: Int,
    into out: inout ByteBuffer
  ) throws(Errno) -> Bool {
    var extents = segment.extents
    if !segment.isChecked {
      // A line is judged by itself; where the search is led astray, the entry counts as gone.
      guard let extent = try assumedExtent(index, segment) else { return false }
      extents = [extent]
    }
    guard let extent = extents.first(where: { $0.first <= seq && seq <= $0.last }) else {
      return false
    }
    var search = SegmentSearch(segment: segment, extent: extent)
    let offset = try search.offset(of: seq)
    _ = try segment.restOfLine(at: offset, in: extent, into: &out)
    if out.count > 0, out.bytes[out.count - 1] == UInt8(ascii: "\n") {
      out.truncate(to: out.count - 1)
    }
    return out.count > 0
  }

  /// A segment's entries, if nothing in it is damaged.
  private func assumedExtent(_ index: Int, _ segment: Segment) throws(Errno) -> Extent? {
    guard index + 1 < known.count, let file = segment.file else { return nil }
    var head = ByteBuffer(capacity: 4_096)
    while head.count < Limits.answerBytes {
      let before = head.count
      guard try segment.read(into: &head, at: Int64(before), room: 4_096) > 0 else { return nil }
      if let newline = head.bytes.firstIndex(of: UInt8(ascii: "\n"), from: before) {
        return Extent(
          start: Int64(newline) + 1,
          end: try file.size(),
          first: segment.first,
          last: known[index + 1].first.previous
        )
      }
    }
    return nil
  }
}
