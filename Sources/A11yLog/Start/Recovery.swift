// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// The log as a start finds it in its directory.
///
/// A start answers four questions: which entries are there, which was the last number that was ever
/// given, whether lines may have left that are not here, and what is the state behind the last
/// entry.
///
/// Only the last segment is read through. Of the older ones only the headers are read; their
/// entries are checked when somebody wants them. The last segment is left as it is, torn or
/// damaged, with its intact lines known, and the log goes on in another one.
///
/// No number may be given twice, so the last one is the highest that anything proves: the entries,
/// a closing line, the watermark (so much was on the medium), a header (so much was taken over), a
/// segment begun behind it, and where a file cannot be read, as many entries as it has room for.
/// What was proved and is not there is damage, and told as such.
///
/// Above the watermark a missing line is no damage: it was in the machine's memory when the power
/// went. But somebody may have seen it. Numbers that are given again need a new epoch, so that
/// nobody takes one entry for another; `mayHaveLeft` lists every sign of that. The same boot, a
/// clean stop and no sign mean that numbering goes on.
///
/// The state is the newest checkpoint that the intact entries bear out, with the entries behind it
/// applied: one within the last segment, else the one beside it, else an earlier one with all
/// segments from there on. Segments without entries are traces of starts that came to nothing; the
/// newest one's checkpoint is the state behind the last entry, and may be all that retention left.
///
/// Nothing is removed here but what is unfinished, or stands elsewhere too: files in the way go to
/// quarantine, and empty segments go when the next one is safe. So a start that is stopped at once
/// takes nothing away that the following start would need.
package struct Recovery<State: LoggedState> {
  let disk: any Disk
  let boot: String
  package private(set) var opening = LogOpening()
  package private(set) var epochs: [EpochStart] = []
  package private(set) var clock = BusClock(offset: 0)
  /// The highest seq that was ever given, as far as can be known.
  package private(set) var last = Seq.none
  /// The state behind the last entry.
  package private(set) var checkpoint: Checkpoint<State>
  /// All segments but the last, oldest first.
  private(set) var older: [FoundSegment] = []
  /// The last segment that has entries, checked.
  private(set) var newest: Segment?
  /// Its entries, divided at the watermark.
  private(set) var division: Division?
  private(set) var watermark: Watermark?
  /// The number of the last watermark, be it another log's.
  let marks: Int64
  /// Later segments without an entry, which are to be removed.
  private(set) var leftover: [Seq] = []
  /// The header of the newest of these.
  private(set) var begun: SegmentHeader?

  package var state: State { checkpoint.state }

  /// The epochs for a start in memory.
  var epochsInMemory: [EpochStart] {
    if epochs.contains(where: { $0.epoch == fresh }) { return epochs }
    return epochs + [freshStart]
  }

  /// The fresh epoch, should it begin behind the last entry.
  private var freshStart: EpochStart {
    epochs.last?.follower(fresh, first: last.next, began: wall)
      ?? EpochStart(epoch: fresh, first: last.next, began: wall)
  }

  /// The last epoch of an earlier start; nil where none is known.
  var knownEpoch: Epoch? { epochs.last { $0.epoch != fresh }?.epoch }

  /// The epoch for this start, should a new one be needed.
  private let fresh: Epoch
  /// The wall clock at this start.
  private let wall: Int64

  /// The epochs that are remembered at most: each crash of the machine adds one.
  private static var epochsKept: Int { 64 }

  package init(
    on disk: any Disk,
    _ now: StartCircumstances,
    progress: (_ done: Int, _ total: Int) -> Void
  ) throws(Errno) {
    self.disk = disk
    boot = now.boot
    fresh = now.epoch
    wall = now.wall
    checkpoint = Checkpoint(after: .none)
    let json = JSONReader(limit: Limits.answerBytes)
    watermark = Self.readWatermark(disk)
    marks = watermark?.round ?? 0
    var found = try FoundSegments(on: disk, with: json)
    opening.quarantined = found.quarantined
    let ending = findEnding(of: &found, watermark, boot: now.boot, with: json)
    let (tail, begun) = (ending.tail, ending.begun)
    older = found.segments
    newest = tail?.segment
    division = tail?.division
    self.begun = begun?.header
    judge(ending, now)
    if let known = begun?.checkpoint, known.after == last || tail == nil && older.isEmpty {
      adoptState(known)
    } else {
      restoreState(tail, with: json, progress: progress)
    }
  }

  private static func readWatermark(_ disk: any Disk) -> Watermark? {
    do throws(Errno) {
      return try Watermark.read(disk.open(Watermark.name))
    } catch {
      return nil
    }
  }

  // MARK: The last segments

  /// The last segment that has entries, and the traces of those behind it.
  private struct Ending {
    var tail: FoundTail<State>?
    /// The newest segment that had no entry yet: retention may have left nothing else.
    var begun: FoundTail<State>?
    /// The highest seq known of a segment that cannot be read.
    var unreadable: Seq?
    /// Entries were lost with the power.
    var isCutShort = false
    var hasSuccessor = false
  }

  /// Takes segments from the end until one has entries or cannot be read.
  private mutating func findEnding(
    of found: inout FoundSegments,
    _ watermark: Watermark?,
    boot: String,
    with json: JSONReader
  ) -> Ending {
    var ending = Ending()
    // A name that something else has taken was a segment's, of which nothing else is known.
    if found.supplanted > found.segments.last?.first ?? .none {
      ending.unreadable = found.supplanted
      ending.hasSuccessor = true
    }
    while let candidate = found.segments.last {
      let read = FoundTail<State>(candidate, on: disk, watermark, with: json)
      if read.isUnreadable {
        // The file may be readable later, and stays where it is.
        ending.unreadable = max(ending.unreadable ?? .none, candidate.first, read.last)
        break
      }
      found.segments.removeLast()
      if read.hasEntries {
        ending.tail = read
        break
      }
      clearAway(candidate, read, boot: boot, noting: &ending)
      ending.hasSuccessor = true
    }
    // A full segment is closed when the next one is there; so that one has been lost.
    if let tail = ending.tail, tail.hasClosingLine, !tail.isClosed, !ending.hasSuccessor {
      ending.isCutShort = true
    }
    return ending
  }

  /// Clears a segment without entries away, for its name is needed.
  ///
  /// One that was stopped before its first entry is removed; any other file is put aside.
  private mutating func clearAway(
    _ candidate: FoundSegment,
    _ read: FoundTail<State>,
    boot: String,
    noting ending: inout Ending
  ) {
    if read.isWorthKeeping {
      do throws(Errno) {
        try Quarantine(disk).move(candidate.name)
        opening.quarantined += 1
      } catch {
        // The file stays in the way, so that the log begins in memory.
      }
      ending.unreadable = max(ending.unreadable ?? .none, candidate.first, read.last)
      try? disk.remove(SegmentName.state(candidate.first))
    } else {
      // An empty segment of an earlier boot may have had entries, which went with the power. So
      // may one without a whole header, which was whole when it got its name.
      if read.header?.boot != boot, !read.hasClosingLine { ending.isCutShort = true }
      if ending.begun == nil, read.header != nil { ending.begun = read }
      // Removed when the next segment is there: until then it is the only trace of that start.
      leftover.append(candidate.first)
    }
  }

  // MARK: Judging

  /// Judges from the last segment which entry was the last, which epoch is in force, and the clock.
  private mutating func judge(
    _ ending: Ending,
    _ now: StartCircumstances
  ) {
    let (tail, unreadable) = (ending.tail, ending.unreadable)
    let begun = ending.begun?.header
    var isUnknownEpoch = false
    let header = tail?.header ?? older.last { $0.header != nil }?.header ?? begun
    // Without any header the watermark still knows the last epoch; not where it began.
    epochs =
      header?.epochs ?? watermark.map { [EpochStart(epoch: $0.epoch, first: Seq(1))] } ?? []
    if let header = tail?.header, let mark = watermark,
      !header.epochs.contains(where: { $0.epoch == mark.epoch })
    {
      // The watermark is another log's, or of an epoch whose headers are all lost.
      watermark = nil
      isUnknownEpoch = true
    }
    last = max(tail?.last ?? .none, older.last?.first ?? .none)
    if tail == nil, older.isEmpty { last = begun?.first.previous ?? .none }
    let isSameBoot = header?.boot == now.boot
    opening.isSameBoot = isSameBoot
    if let tail {
      opening.isClean = tail.isClosed
      opening.tornBytes = tail.tornBytes
      opening.damaged = tail.damaged
      opening.quarantined += tail.quarantine(to: Quarantine(disk))
    }
    if let unreadable {
      // Of its entries it is known where they began, which were safe, and how many there may be.
      let lost = max(unreadable, watermark?.synced ?? .none)
      if lost > last { opening.damaged.append(last.next...lost) }
      last = max(last, lost)
    }
    if tail == nil, let synced = watermark?.synced, synced > last {
      // Every segment is gone, and the watermark tells that there were some.
      opening.damaged.append(last.next...synced)
      last = synced
    }
    if let begun, begun.boot == now.boot, begun.first > last.next {
      // All numbers before it were given, and the power has not gone since.
      opening.damaged.append(last.next...begun.first.previous)
      last = begun.first.previous
    }
    opening.isCopy = (ending.begun ?? tail)?.isCopy ?? false
    let mayHaveLeft =
      isUnknownEpoch || header == nil && watermark != nil || mayHaveLeft(ending, now)
    opening.isNewEpoch = mayHaveLeft || epochs.isEmpty && last > .none
    if mayHaveLeft || epochs.isEmpty {
      epochs.append(freshStart)
      epochs.removeFirst(max(0, epochs.count - Self.epochsKept))
    }
    if let stamp = lastStamp(tail, began: header?.began, begun?.began, now) {
      clock = BusClock(
        after: stamp,
        offset: header?.clockOffset ?? 0,
        sameBoot: isSameBoot,
        uptime: now.uptime,
        wall: now.wall
      )
    }
  }

  /// Whether lines may have been delivered that are not on the disk, under numbers behind the last
  /// one: then the same numbers need a new epoch.
  private func mayHaveLeft(_ ending: Ending, _ now: StartCircumstances) -> Bool {
    if let tail = ending.tail,
      !tail.isClosed && !opening.isSameBoot || tail.isDoubtful || tail.header == nil
    {
      return true
    }
    if let left = now.left, let inForce = epochs.last,
      left.seq > last || left.epoch != inForce.epoch
    {
      return true
    }
    return opening.isCopy || watermark?.unkept != nil || ending.unreadable != nil
      || ending.isCutShort
  }

  /// The stamp of the last readable entry, be it in an older segment.
  ///
  /// The bus clock was at least what the last header states, and the watermark's clock and the time
  /// between two watermarks. A segment without entries was begun later than all of them.
  private func lastStamp(
    _ tail: FoundTail<State>?,
    began: Int64?,
    _ begun: Int64?,
    _ now: StartCircumstances
  ) -> Stamp? {
    if let stamp = tail?.lastStamp {
      return Stamp(time: stamp.time, mono: max(stamp.mono, begun ?? stamp.mono))
    }
    let marked = watermark.map { $0.mono + Watermark.interval }
    let least = [began, marked].compactMap(\.self).max()
    for segment in older.reversed() {
      guard
        let stamp = FoundTail<State>(
          segment,
          on: disk,
          nil,
          with: JSONReader(limit: Limits.answerBytes)
        ).lastStamp
      else { continue }
      return Stamp(time: stamp.time, mono: max(stamp.mono, least ?? stamp.mono))
    }
    return least.map { Stamp(time: now.wall, mono: $0) }
  }

  // MARK: The state

  /// Adopts the state beside a segment without an entry, which is that behind the last entry.
  private mutating func adoptState(_ known: Checkpoint<State>) {
    checkpoint = known
    if let lost = leftover.min(), lost <= last {
      // Retention removes whole files; these segments have lost their entries.
      opening.damaged.insert(lost...last, at: 0)
      checkpoint.forgetKeys(from: lost)
    }
    if let lost = opening.damaged.last, lost.upperBound == last {
      checkpoint.forgetKeys(from: lost.lowerBound)
    }
  }

  /// Applies all entries behind the newest checkpoint that is whole.
  private mutating func restoreState(
    _ tail: FoundTail<State>?,
    with json: JSONReader,
    progress: (_ done: Int, _ total: Int) -> Void
  ) {
    if let known = tail?.checkpoint {
      checkpoint = known
      return
    }
    // Without a checkpoint the state can only start from the first entry that is left.
    if let first = older.first?.first ?? newest?.first, first.previous > .none {
      opening.knownFrom = first
    }
    var base = older.count
    while base > 0 {
      base -= 1
      let behind = base + 1 < older.count ? older[base + 1].first : newest?.first ?? last.next
      guard let found = Checkpoint<State>.read(beside: older[base].first, on: disk, with: json),
        found.belongs(to: older[base].header, through: behind.previous)
      else { continue }
      checkpoint = found
      opening.knownFrom = nil
      break
    }
    let total = older.count - base + 1
    for index in base..<older.count {
      progress(index - base, total)
      let limit = index + 1 < older.count ? older[index + 1].first : newest?.first
      fold(older[index].name, older[index].first, before: limit, with: json)
    }
    if let newest {
      progress(total - 1, total)
      fold(SegmentName.entries(newest.first), newest.first, before: nil, with: json)
    }
  }

  private mutating func fold(
    _ name: String,
    _ first: Seq,
    before limit: Seq?,
    with json: JSONReader
  ) {
    do throws(Errno) {
      let check = SegmentCheck(try disk.open(name), first: first, before: limit)
      check.finish { line, seq in checkpoint.apply(line, seq, with: json) }
    } catch {
      // Entries that cannot be read now are told as a gap when somebody asks for them.
    }
  }
}

/// The machine and the moment of a start.
package struct StartCircumstances {
  package var boot: String
  package var uptime: Int64
  package var wall: Int64
  /// The last entry that has left in this boot, if that is known.
  package var left: Cursor?
  /// A fresh epoch, should one be needed.
  package var epoch: Epoch

  package init(boot: String, uptime: Int64, wall: Int64, left: Cursor?, epoch: Epoch) {
    self.boot = boot
    self.uptime = uptime
    self.wall = wall
    self.left = left
    self.epoch = epoch
  }
}

/// The folder for evidence of damage.
///
/// Copies of bytes that are no entries, and files with a segment's name that are none. Nothing is
/// read from there, and nothing is thrown away at a start.
package struct Quarantine {
  package static let folder = "quarantine"
  /// Enough to see what a medium does to its data; more damage is only reported.
  private static let files = 256
  /// The bytes that are copied of one stretch of damage at most.
  private static let bytes = 16_777_216

  private let disk: any Disk

  package init(_ disk: any Disk) { self.disk = disk }

  /// Copies a stretch of a segment's file, unless it was copied before.
  package func copy(_ place: Range<Int64>, of file: any DiskFile, named name: String) {
    let target = Self.folder + "/" + name + "@\(place.lowerBound)"
    do throws(Errno) {
      try disk.makeFolder(Self.folder)
      let names = try disk.names(in: Self.folder)
      guard names.count < Self.files, !names.contains(name + "@\(place.lowerBound)") else { return }
      let copy = try disk.create(target)
      var bytes = ByteBuffer(capacity: 0)
      var offset = place.lowerBound
      let end = min(place.upperBound, place.lowerBound + Int64(Self.bytes))
      while offset < end {
        bytes.clear()
        let room = Int(min(end - offset, 262_144))
        guard try file.read(into: &bytes, at: offset, room: room) > 0 else { break }
        try copy.writeAll(bytes.bytes, at: offset - place.lowerBound)
        offset += Int64(bytes.count)
      }
    } catch {
      // The disk's failure is reported elsewhere, and the original stays where it is.
    }
  }

  /// Moves a file here that has a segment's name.
  package func move(_ name: String) throws(Errno) {
    try disk.makeFolder(Self.folder)
    let names = try disk.names(in: Self.folder)
    var target = name
    var number = 1
    while names.contains(target) {
      number += 1
      target = "\(name).\(number)"
    }
    try disk.rename(name, to: Self.folder + "/" + target)
  }
}
