// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// What a start finds in the log's directory, and what it makes of it.
///
/// Only the last segment is read through: of the older ones the headers are looked at, and what
/// stands in them is checked when somebody wants to read it. The last segment is left as it is,
/// torn or damaged; what of it is intact is known from now on.
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
  /// The last one that has entries, checked.
  private(set) var newest: Segment?
  /// Its entries, where the watermark divides them.
  private(set) var division: Division?
  private(set) var watermark: Watermark?
  /// How often one was written, be it another log's.
  let marks: Int64
  /// Segments without an entry behind it, which are to go.
  private(set) var leftover: [Seq] = []
  /// The header of the newest one of them.
  private(set) var begun: SegmentHeader?

  package var state: State { checkpoint.state }

  /// The epochs for a start of which nothing comes to the medium.
  var epochsInMemory: [EpochStart] {
    if epochs.contains(where: { $0.epoch == fresh }) { return epochs }
    return epochs + [EpochStart(epoch: fresh, first: last.next)]
  }

  /// The last epoch that a start before has been in; nil where none is known.
  var knownEpoch: Epoch? { epochs.last { $0.epoch != fresh }?.epoch }

  /// An epoch that nobody has used.
  private let fresh: Epoch

  /// Epochs that are remembered: one more comes with each crash of the machine.
  private static var epochsKept: Int { 64 }

  package init(
    on disk: any Disk,
    _ now: StartCircumstances,
    progress: (_ done: Int, _ total: Int) -> Void
  ) throws(Errno) {
    self.disk = disk
    boot = now.boot
    fresh = now.epoch
    checkpoint = Checkpoint(after: .none)
    let reader = JSONReader(limit: Limits.answerBytes)
    watermark = Self.readWatermark(disk)
    marks = watermark?.round ?? 0
    var found = try FoundSegments(on: disk, with: reader)
    opening.quarantined = found.quarantined
    var tail: FoundTail<State>?
    var unreadable: Seq?
    var isCutShort = false
    var hasSuccessor = false
    // Nobody puts a pipe where there is nothing: a segment began there, of which nothing else is known.
    if found.supplanted > found.segments.last?.first ?? .none {
      unreadable = found.supplanted
      hasSuccessor = true
    }
    // The newest segment that had no entry yet: retention may have left nothing else.
    var begun: FoundTail<State>?
    while let candidate = found.segments.last {
      let read = FoundTail<State>(candidate, on: disk, watermark, with: reader)
      if read.isUnreadable {
        // It may be readable later, and stays where it is.
        unreadable = max(unreadable ?? .none, candidate.first, read.last)
        break
      }
      found.segments.removeLast()
      if read.hasEntries {
        tail = read
        break
      }
      // Begun, and stopped before its first entry: its name is needed. What is something else is not
      // ours to throw away.
      if read.isWorthKeeping {
        do throws(Errno) {
          try Quarantine(disk).take(candidate.name)
          opening.quarantined += 1
        } catch {
          // It stays where it is; its name is in the way, so that the log begins in memory.
        }
        unreadable = max(unreadable ?? .none, candidate.first, read.last)
        try? disk.remove(SegmentName.state(candidate.first))
      } else {
        // Before another boot it had entries, for all that is known, and they went with the power.
        // Its name came to it with its header; if that is not whole, so it was too.
        if read.header?.boot != now.boot, !read.hasClosingLine { isCutShort = true }
        if begun == nil, read.header != nil { begun = read }
        // It goes when the next one is there: until then it is all that says that it was begun.
        leftover.append(candidate.first)
      }
      hasSuccessor = true
    }
    // Full segments are closed when the next one is there; and it is gone.
    if let tail, tail.hasClosingLine, !tail.isClosed, !hasSuccessor { isCutShort = true }
    older = found.segments
    newest = tail?.segment
    division = tail?.division
    self.begun = begun?.header
    judge(tail, unreadable, isCutShort: isCutShort, begun?.header, now)
    // Beside a segment without an entry stands what was known behind the last one.
    if let known = begun?.checkpoint, known.after == last || tail == nil && older.isEmpty {
      checkpoint = known
      if let lost = leftover.min(), lost <= last {
        // Retention takes the files too; these have lost their entries.
        opening.damaged.insert(lost...last, at: 0)
        checkpoint.forgetKeys(from: lost)
      }
      if let lost = opening.damaged.last, lost.upperBound == last {
        checkpoint.forgetKeys(from: lost.lowerBound)
      }
    } else {
      restoreState(tail, with: reader, progress: progress)
    }
  }

  private static func readWatermark(_ disk: any Disk) -> Watermark? {
    do throws(Errno) {
      return try Watermark.read(disk.open(Watermark.name))
    } catch {
      return nil
    }
  }

  // MARK: Judging

  /// What the last segment says of the log's last entry, its epoch and its clock.
  private mutating func judge(
    _ tail: FoundTail<State>?,
    _ unreadable: Seq?,
    isCutShort: Bool,
    _ begun: SegmentHeader?,
    _ now: StartCircumstances
  ) {
    var isUnknownEpoch = false
    let header = tail?.header ?? older.last { $0.header != nil }?.header ?? begun
    // Without any header the watermark still knows the last epoch; not where it began.
    epochs =
      header?.epochs ?? watermark.map { [EpochStart(epoch: $0.epoch, first: Seq(1))] } ?? []
    if let header = tail?.header, let mark = watermark,
      !header.epochs.contains(where: { $0.epoch == mark.epoch })
    {
      // It is another log's, or that of an epoch of which every header is lost.
      watermark = nil
      isUnknownEpoch = true
    }
    last = max(tail?.last ?? .none, older.last?.first ?? .none)
    if tail == nil, older.isEmpty { last = begun?.first.previous ?? .none }
    let isSameBoot = header?.boot == now.boot
    if let tail {
      opening.isClean = tail.isClosed
      opening.tornBytes = tail.tornBytes
      opening.damaged = tail.damaged
      opening.quarantined += tail.quarantine(to: Quarantine(disk))
    }
    if let unreadable {
      // It held entries, of which it is only known where they begin and what was safe.
      let lost = max(unreadable, watermark?.synced ?? .none)
      if lost > last { opening.damaged.append(last.next...lost) }
      last = max(last, lost)
    }
    if tail == nil, let synced = watermark?.synced, synced > last {
      // Every segment is gone, and yet there were some.
      opening.damaged.append(last.next...synced)
      last = synced
    }
    if let begun, begun.boot == now.boot, begun.first > last.next {
      // Who began it had given all numbers before it, and no power has gone since.
      opening.damaged.append(last.next...begun.first.previous)
      last = begun.first.previous
    }
    // Lines may have left that are not on disk: the numbers behind the last one may be known to
    // somebody as something else. So they may where nobody knows which epoch was in force.
    let mayHaveLeft =
      tail.map { !$0.isClosed && !isSameBoot || $0.isDoubtful || $0.header == nil } ?? false
      || now.isUnkept || watermark?.unkept != nil || unreadable != nil || isCutShort
      || header == nil && watermark != nil || isUnknownEpoch
    opening.isNewEpoch = mayHaveLeft || epochs.isEmpty && last > .none
    if mayHaveLeft || epochs.isEmpty {
      epochs.append(EpochStart(epoch: now.epoch, first: last.next))
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

  /// When the last entry was written that can be read, though it be in an older segment.
  ///
  /// The clock was at least where the last header says, and where the watermark says and the time
  /// between two of them. A segment without entries was begun later than all of them, and the state
  /// beside it knows what had happened by then.
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

  /// Brings the state to behind the last entry, from the newest `.state` file that is whole.
  private mutating func restoreState(
    _ tail: FoundTail<State>?,
    with reader: JSONReader,
    progress: (_ done: Int, _ total: Int) -> Void
  ) {
    if let known = tail?.checkpoint {
      checkpoint = known
      return
    }
    // Without a state there is nothing to go on from but the beginning.
    if let first = older.first?.first ?? newest?.first, first.previous > .none {
      opening.knownFrom = first
    }
    var base = older.count
    while base > 0 {
      base -= 1
      let behind = base + 1 < older.count ? older[base + 1].first : newest?.first ?? last.next
      guard let found = Checkpoint<State>.read(beside: older[base].first, on: disk, with: reader),
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
      fold(older[index].name, older[index].first, before: limit, with: reader)
    }
    if let newest {
      progress(total - 1, total)
      fold(SegmentName.entries(newest.first), newest.first, before: nil, with: reader)
    }
  }

  private mutating func fold(
    _ name: String,
    _ first: Seq,
    before limit: Seq?,
    with reader: JSONReader
  ) {
    do throws(Errno) {
      let check = SegmentCheck(try disk.open(name), first: first, before: limit)
      check.finish { line, seq in checkpoint.apply(line, seq, with: reader) }
    } catch {
      // What cannot be read now is told as a gap when somebody asks for it.
    }
  }
}
