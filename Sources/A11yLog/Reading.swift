// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

// How readers get from segment to segment.
extension EventLog {
  /// Damage in a segment, as it was found by reading it through.
  package struct Finding: Equatable, Sendable {
    package let segment: String
    /// The entries that cannot be read any more.
    package let lost: [ClosedRange<Seq>]
    /// The error that has ended the reading.
    package let fault: Errno?
  }

  /// The segment that holds `seq`, or the oldest one behind that where it is gone.
  package func segment(holding seq: Seq) -> Segment {
    var index = known.lastIndex { $0.first <= seq } ?? 0
    while index < known.count - 1 {
      let first = known[index].first
      if let segment = openOrSkip(index) { return segment }
      index = known.firstIndex { $0.first > first } ?? known.count - 1
    }
    return active
  }

  /// The segment behind this one; nil for the one that is appended to.
  ///
  /// Segments in between that are gone are skipped.
  package func segment(after segment: Segment) -> Segment? {
    guard segment !== active, let index = known.firstIndex(where: { $0.first > segment.first })
    else { return nil }
    return self.segment(holding: known[index].first)
  }

  /// Whether a segment is still part of the log.
  package func holds(_ segment: Segment) -> Bool { known.contains { $0.open === segment } }

  /// Whether the disk's trouble is why entries right before this segment are missing.
  package func isStorageGap(before segment: Segment) -> Bool {
    known.first { $0.first == segment.first }?.missing == .storage
  }

  /// Reads a segment through, so that only intact lines of it are delivered; true when that is
  /// done.
  ///
  /// A segment that this process has written is read through as well, once nothing more comes to it
  /// and none of it is read from memory.
  package func check(_ segment: Segment, budget: Int) -> Bool {
    if segment.isUnread { doubt(segment) }
    guard let check = segment.check else { return true }
    check.advance(budget: budget) { _, _ in }
    guard check.isDone else { return false }
    segment.finishCheck()
    recordCheck(check, of: segment)
    return true
  }

  /// Remembers the extents of a segment, and reports its damage.
  private func recordCheck(_ check: SegmentCheck, of segment: Segment) {
    guard let index = known.firstIndex(where: { $0.open === segment }) else { return }
    // The next reader may be able to read what could not be read now.
    known[index].extents = check.fault == nil ? segment.extents : nil
    var lost: [ClosedRange<Seq>] = []
    var next = segment.first
    for extent in segment.extents {
      if extent.first > next { lost.append(next...extent.first.previous) }
      next = extent.last.next
    }
    let limit = index + 1 < known.count ? known[index + 1].first : next
    if limit > next, known[index + 1].missing == .nothing { lost.append(next...limit.previous) }
    let spoilt = lost.isEmpty ? check.scan.innerDamage : check.scan.damage[...]
    guard !lost.isEmpty || !spoilt.isEmpty || check.fault != nil else { return }
    let name = SegmentName.entries(segment.first)
    if let file = segment.file {
      for place in spoilt { Quarantine(disk).copy(place, of: file, named: name) }
    }
    findings.append(Finding(segment: name, lost: lost, fault: check.fault))
  }

  /// Has a segment read through again, because some of it could not be read that could before.
  package func doubt(_ segment: Segment) {
    // Kept lines are read from memory, not from the file.
    guard let file = segment.file, segment !== active, segment.kept.isEmpty,
      let index = known.firstIndex(where: { $0.open === segment })
    else { return }
    known[index].extents = nil
    segment.check = SegmentCheck(file, first: segment.first, before: limit(index))
  }

  private func limit(_ index: Int) -> Seq? {
    index + 1 < known.count ? known[index + 1].first : nil
  }

  /// A segment to read from; nil, and skipped this time, where it could not be opened twice.
  private func openOrSkip(_ index: Int) -> Segment? {
    do throws(Errno) {
      do throws(Errno) {
        return try reopen(index)
      } catch  where error != .noSuchFile {
        return try reopen(index)
      }
    } catch .noSuchFile {
      // The file was removed behind our back.
      known.remove(at: index)
    } catch {
      findings.append(
        Finding(segment: SegmentName.entries(known[index].first), lost: [], fault: error)
      )
    }
    return nil
  }

  /// A segment for a new reader.
  ///
  /// Another reader may still hold it and could not read it to its end: the medium may be able to
  /// by now.
  private func reopen(_ index: Int) throws(Errno) -> Segment? {
    let segment = try open(index)
    if let segment, segment.isChecked, segment.readings > 0, known[index].extents == nil {
      doubt(segment)
    }
    return segment
  }

  func open(_ index: Int) throws(Errno) -> Segment? {
    if let segment = known[index].open { return segment }
    let first = known[index].first
    let file = try disk.open(SegmentName.entries(first))
    let segment = Segment(
      file,
      first: first,
      check: SegmentCheck(file, first: first, before: limit(index))
    )
    if let extents = known[index].extents { segment.assume(extents) }
    known[index].open = segment
    return segment
  }
}

// Earlier entries, looked up for the broker.
extension EventLog {
  /// Overwrites the entries that were looked up last.
  package func wipe() {
    json.wipe()
    pastLine.wipe()
  }

  /// The members of an earlier entry that a later one may depend on.
  package func recall(_ seq: Seq) -> Recollection {
    guard seq >= first, seq <= last, let index = known.lastIndex(where: { $0.first <= seq })
    else { return .gone }
    do throws(Errno) {
      guard let segment = try open(index) else { return .gone }
      // A search that damage has led astray proves nothing; reading the segment through does.
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
    return Self.entry(seq, in: pastLine, with: json)
  }

  private static func entry(
    _ seq: Seq,
    in line: borrowing ByteBuffer,
    with json: JSONReader
  ) -> PastEntry? {
    // A search for a damaged entry ends at the one behind it.
    guard Seq(of: line.bytes) == seq, LineChecksum.verified(line.bytes) != nil else {
      return nil
    }
    return PastEntry(line.bytes, with: json)
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
      // The line is checked by itself; where damage leads the search astray, the entry counts as
      // gone.
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

  /// The extent of a segment that has no damage.
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

/// Goes through the log from one entry to another, a slice at a time.
///
/// Between two slices only the next seq is known, and no place in a file: segments may be dropped,
/// written anew or given up meanwhile.
package final class LogScan {
  private unowned let log: EventLog
  private var next: Seq
  private let through: Seq
  /// The segment that was read last.
  ///
  /// A segment that nobody holds is closed, and its reading through would begin anew in each slice.
  private var held: Segment?
  private var chunk = ByteBuffer(capacity: 0)
  /// The bytes that are read at once: few for a single entry, more for a long run.
  private var room = 8_192
  private static let mostRoom = Limits.answerBytes + 1

  package init(from: Seq, through: Seq, in log: EventLog) {
    next = from
    self.through = through
    self.log = log
  }

  /// Gives entries to `each`, without their newlines, for as long as that is true and the budget of
  /// bytes lasts; true when there is nothing more to come.
  package func advance(budget: inout Int, _ each: (Span<UInt8>, Seq) -> Bool) -> Bool {
    while budget > 0 {
      guard next <= through else { return true }
      let segment = log.segment(holding: next)
      held = segment
      guard log.check(segment, budget: budget) else {
        budget = 0
        return false
      }
      do throws(Errno) {
        guard let place = try segment.place(of: next) else {
          guard skip(segment) else { return true }
          continue
        }
        guard try readChunk(segment, from: place, budget: &budget, each) else { return true }
      } catch {
        // The rest of the segment is skipped this time; the next reading may get further.
        log.doubt(segment)
        guard skip(segment) else { return true }
      }
    }
    return false
  }

  /// Skips to the next segment; false where there is none.
  private func skip(_ segment: Segment) -> Bool {
    guard let successor = log.segment(after: segment) else { return false }
    next = max(next.next, successor.first)
    return true
  }

  /// Reads a chunk from a place on; false where no more entries are wanted.
  private func readChunk(
    _ segment: Segment,
    from place: Segment.Place,
    budget: inout Int,
    _ each: (Span<UInt8>, Seq) -> Bool
  ) throws(Errno) -> Bool {
    let extent = segment.extents[place.extent]
    chunk.clear()
    let wanted = Int(min(Int64(room), extent.end - place.offset))
    let count = try segment.read(into: &chunk, at: place.offset, room: wanted)
    guard count > 0 else { throw .inputOutput }
    budget -= count
    if extent.lacksNewline, place.offset + Int64(count) == extent.end {
      chunk.append(byte: UInt8(ascii: "\n"))
    }
    let before = next
    let goesOn = Self.entries(of: chunk, &next, through: through, each)
    // A chunk of the greatest length without a newline cannot be part of a log.
    if goesOn, next == before, room >= Self.mostRoom { throw .inputOutput }
    room = min(room * 4, Self.mostRoom)
    return goesOn
  }

  /// Gives the entries of a chunk to `each`; false where no more are wanted.
  private static func entries(
    of chunk: borrowing ByteBuffer,
    _ next: inout Seq,
    through: Seq,
    _ each: (Span<UInt8>, Seq) -> Bool
  ) -> Bool {
    let lines = chunk.bytes
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      let line = lines.extracting(start..<newline)
      start = newline + 1
      guard let seq = Seq(of: line) else { continue }
      guard seq <= through else { return false }
      guard seq >= next else { continue }
      next = seq.next
      guard each(line, seq) else { return false }
    }
    return true
  }
}
