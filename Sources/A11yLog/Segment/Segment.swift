// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// A segment while somebody reads from it or the log appends to it.
///
/// Each reader holds it: a file that retention has removed stays readable to those who have begun.
package final class Segment {
  package let first: Seq
  package internal(set) var header: SegmentHeader?
  /// The segment's file; nil while the disk does not take it.
  package internal(set) var file: (any DiskFile)?
  /// The intact lines, once they were checked; a segment that is written always has an extent.
  package internal(set) var extents: [Extent]
  /// The check that finds the extents; nil when it is done.
  var check: SegmentCheck?
  /// How often the segment was read through; places from before are to be found again.
  package private(set) var readings = 0
  /// The appended lines that may not have reached the medium, and where they begin.
  private(set) var kept: KeptLines
  private(set) var keptStart: Int64
  /// The place up to which the medium has the lines, and the segment's end there.
  ///
  /// Kept lines may begin later, where there were too many.
  private(set) var safe: (offset: Int64, end: SegmentEnd)
  /// The segment's end now, for the header of the next one.
  var state: SegmentEnd
  /// The log has removed the segment on purpose.
  var isDropped = false
  /// The new place of entries that were given up here.
  package internal(set) var move: Move?

  /// Entries that were written anew elsewhere, after the disk had failed to keep them.
  package struct Move {
    /// The offset from which on lines have moved.
    package let from: Int64
    package let target: Segment
    /// The runs of lines that have moved; lines between them are lost.
    let runs: [Run]

    /// Lines that stand at `base` now.
    struct Run {
      let start: Int64
      var end: Int64
      let base: Int64
    }

    /// Where the line that began at `offset` stands now; nil where it is lost.
    package func place(of offset: Int64) -> Place? {
      guard let run = runs.last(where: { $0.start <= offset }), offset <= run.end else {
        return nil
      }
      let moved = offset - run.start + run.base
      // Behind the last line of a run there may be a gap, which is still to be reported.
      let extent =
        offset > run.start
        ? target.extents.firstIndex { moved <= $0.end }
        : target.extents.lastIndex { $0.start <= moved }
      // The target may have been given up in its turn, and may have no such extent any more.
      return Place(extent: extent ?? target.extents.count - 1, offset: moved)
    }
  }

  /// A segment that is being written from its beginning.
  init(header: SegmentHeader, start: Int64, keepingIn spare: SparePieces) {
    first = header.first
    self.header = header
    kept = KeptLines(from: spare)
    extents = [Extent(start: start, end: start, first: first, last: first.previous)]
    keptStart = start
    state = SegmentEnd(before: first)
    safe = (start, state)
  }

  /// A segment that was found, and is yet to be checked.
  init(_ file: any DiskFile, first: Seq, check: SegmentCheck) {
    self.first = first
    self.file = file
    extents = []
    kept = KeptLines(from: SparePieces())
    self.check = check
    keptStart = 0
    state = SegmentEnd(before: first)
    safe = (.max, state)
  }

  /// Adopts the result of the check.
  func finishCheck() {
    guard let check, check.isDone else { return }
    extents = check.scan.extents
    state = check.scan.end
    readings += 1
    self.check = nil
  }

  package var isChecked: Bool { check == nil }

  /// This process has written the segment, and nobody has read it through.
  var isUnread: Bool { readings == 0 && check == nil }

  /// Where the last intact entry ends.
  package var end: Int64 { extents.last?.end ?? 0 }

  package var last: Seq { extents.last?.last ?? first.previous }

  /// Reads at most `room` bytes at `offset`, and returns how many there were.
  package func read(
    into buffer: inout ByteBuffer,
    at offset: Int64,
    room: Int
  ) throws(Errno) -> Int {
    let before = buffer.count
    if let file, offset < confirmedEnd {
      let wanted = Int(min(Int64(room), confirmedEnd - offset))
      try file.readAll(wanted, into: &buffer, at: offset)
    } else {
      let start = Int(offset - keptStart)
      if 0 <= start, start < kept.count {
        kept.copy(start..<min(start + room, kept.count), into: &buffer)
      }
    }
    return buffer.count - before
  }

  /// The offset up to which the file is read.
  ///
  /// Later lines come from memory, since a medium that fails to take them may give back something
  /// else.
  package var confirmedEnd: Int64 {
    file == nil ? 0 : kept.isEmpty ? .max : keptStart
  }

  // MARK: Places

  /// A place in the segment: in which extent, and where.
  package struct Place: Equatable, Sendable {
    package var extent: Int
    package var offset: Int64

    package init(extent: Int, offset: Int64) {
      self.extent = extent
      self.offset = offset
    }
  }

  /// Where the first intact entry begins, or would.
  var start: Int64 { extents.first?.start ?? 0 }

  /// The place for lines that are appended.
  package var ending: Place { Place(extent: extents.count - 1, offset: end) }

  /// The place behind all extents.
  package var beyond: Place { Place(extent: extents.count, offset: end) }

  /// Where the entry `seq`, or the first one behind it, begins; nil where there is none here.
  package func place(of seq: Seq) throws(Errno) -> Place? {
    guard let index = extents.firstIndex(where: { $0.last >= seq }) else { return nil }
    let extent = extents[index]
    if seq <= extent.first { return Place(extent: index, offset: extent.start) }
    return Place(extent: index, offset: try offset(of: seq, in: extent))
  }

  /// The next entry at a place; nil at the end of an extent.
  package func seq(at place: Place) throws(Errno) -> Seq? {
    let extent = extents[place.extent]
    if place.offset >= extent.end { return nil }
    if place.offset == extent.start { return extent.first }
    var beginning = ByteBuffer(capacity: 64)
    _ = try read(into: &beginning, at: place.offset, room: 64)
    guard let seq = Seq(of: beginning.bytes) else { throw .inputOutput }
    return seq
  }

  /// Appends the rest of the line that `offset` lies in, with its newline.
  package func restOfLine(
    at offset: Int64,
    in extent: Extent,
    into out: inout ByteBuffer
  ) throws(Errno) -> Int64 {
    var at = offset
    while at < extent.end {
      let before = out.count
      let room = Int(min(Int64(SegmentSearch.pageBytes), extent.end - at))
      guard try read(into: &out, at: at, room: room) > 0 else { throw .inputOutput }
      if let newline = out.bytes.firstIndex(of: UInt8(ascii: "\n"), from: before) {
        out.truncate(to: newline + 1)
        return at + Int64(newline + 1 - before)
      }
      at += Int64(out.count - before)
    }
    return at
  }

  private func offset(of seq: Seq, in extent: Extent) throws(Errno) -> Int64 {
    var search = SegmentSearch(segment: self, extent: extent)
    return try search.offset(of: seq)
  }

  // MARK: In memory

  /// Adopts the result of an earlier check.
  func assume(_ extents: [Extent]) {
    self.extents = extents
    readings += 1
    check = nil
  }

  /// Puts the header in front of the kept lines, so that all of the segment is in memory.
  func keepHeader(_ line: borrowing ByteBuffer) {
    kept.append(line.bytes)
    keptStart = 0
  }

  /// Takes over the lines of another segment that the medium may not have; that segment gives them
  /// up.
  ///
  /// Lines that are no longer kept are read from the file, as far as their checksums are right.
  func adopt(_ other: Segment) {
    let from = max(other.safe.offset, other.start)
    var runs: [Move.Run] = []
    if from < other.keptStart {
      let written = other.written(from: from)
      runs += adopt(written.bytes, at: from)
    }
    let start = max(from, other.keptStart)
    let lines = other.kept.copy(from: Int(start - other.keptStart))
    runs += adopt(lines.bytes, at: start)
    number(through: other.last)
    runs.append(Move.Run(start: other.end, end: other.end, base: end))
    other.kept.removeAll()
    other.keptStart = from
    other.move = Move(from: from, target: self, runs: runs)
  }

  /// Takes over the intact lines of `bytes`, which stand at `offset` elsewhere, and returns the
  /// runs that have moved.
  func adopt(_ bytes: Span<UInt8>, at offset: Int64) -> [Move.Run] {
    var scan = SegmentScan(first: state.last.next, before: nil)
    var state = state
    _ = scan.scan(bytes, isEnd: true) { line, seq in
      if let checksum = LineChecksum.verified(line) { state.include(seq, checksum) }
    }
    self.state = state
    var runs: [Move.Run] = []
    for extent in scan.extents {
      let base = end
      kept.append(bytes.extracting(Int(extent.start)..<Int(extent.end)))
      if extent.lacksNewline { kept.append(byte: UInt8(ascii: "\n")) }
      extents.add(extent, at: base)
      runs.append(
        Move.Run(start: offset + extent.start, end: offset + extent.end, base: base)
      )
    }
    return runs
  }

  /// Takes over whole lines that are known to be intact.
  func adopt(intact lines: Span<UInt8>) {
    var found: [Extent] = []
    var at = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: at) {
      let line = lines.extracting(at..<newline)
      guard let seq = Seq(of: line), let checksum = LineChecksum.stated(line) else {
        preconditionFailure("an intact line states its number and its checksum")
      }
      state.include(seq, checksum)
      found.add(seq, from: Int64(at), to: Int64(newline + 1), lacksNewline: false)
      at = newline + 1
    }
    let base = end
    kept.append(lines.extracting(0..<at))
    for extent in found { extents.add(extent, at: base + extent.start) }
  }

  /// Counts all numbers up to `last` as given, though their entries are lost.
  func number(through last: Seq) {
    guard state.last < last else { return }
    state = SegmentEnd(count: state.count, last: last, hash: state.hash)
    extents.append(Extent(start: end, end: end, first: last.next, last: last))
  }

  /// The lines from `offset` on that are in the file and not kept.
  private func written(from offset: Int64) -> ByteBuffer {
    let count = Int(keptStart - offset)
    var bytes = ByteBuffer(capacity: count)
    // What was read before a failure counts.
    try? file?.readAll(count, into: &bytes, at: offset)
    return bytes
  }

  /// Gives the kept entries to `each`, without their newlines.
  func eachKept(_ each: (Span<UInt8>, Seq) -> Void) {
    let lines = kept.copy(from: 0)
    let bytes = lines.bytes
    var at = 0
    while let newline = bytes.firstIndex(of: UInt8(ascii: "\n"), from: at) {
      let line = bytes.extracting(at..<newline)
      if let seq = Seq(of: line) { each(line, seq) }
      at = newline + 1
    }
  }

  /// States in the header, while that waits in memory, why the entries before are missing.
  func setMissing(_ missing: SegmentHeader.Missing) {
    header?.missing = missing
    restateHeader()
  }

  /// States in the header, while that waits in memory, which file it is written to.
  func setBirth(_ birth: FileBirth?) {
    header?.birth = birth
    restateHeader()
  }

  private func restateHeader() {
    guard file == nil, let header else { return }
    var line = ByteBuffer(capacity: 512)
    header.writeLine(into: &line)
    let entries = kept.copy(from: line.count)
    kept.removeAll()
    kept.append(line.bytes)
    kept.append(entries.bytes)
  }

  /// Writes the kept lines to a new file.
  func writeKept(to file: any DiskFile) throws(Errno) {
    var end: Int64 = 0
    try kept.each(0..<kept.count) { bytes throws(Errno) in
      try file.writeAll(bytes, at: end)
      end += Int64(bytes.count)
    }
  }

  // MARK: Writing

  /// Adds lines that were appended; they are kept until the medium has them.
  func append(_ lines: Span<UInt8>, through end: SegmentEnd) {
    extents.extend(by: Int64(lines.count), last: end.last)
    kept.append(lines)
    state = end
  }

  /// Releases kept lines up to `offset`, which the medium has; there the segment ended with `end`.
  func release(through offset: Int64, _ end: SegmentEnd) {
    guard file != nil, offset > safe.offset || offset > keptStart else { return }
    safe = (offset, end)
    forget(through: offset)
  }

  /// Counts no line as safe any more: the file has lost its name.
  func loseSafety() { safe = (start, SegmentEnd(before: first)) }

  /// Drops kept lines up to `offset`, be they safe or not.
  func forget(through offset: Int64) {
    guard offset > keptStart else { return }
    kept.removeFirst(Int(offset - keptStart))
    keptStart = offset
  }
}

/// A run of intact lines in a segment's file, whose seqs follow each other.
///
/// An undamaged segment is one extent. Bytes between two extents are not delivered; seqs missing
/// there are told as a gap.
package struct Extent: Equatable, Sendable {
  package let start: Int64
  package fileprivate(set) var end: Int64
  package let first: Seq
  /// One before the first where there is no entry in it yet.
  package fileprivate(set) var last: Seq
  /// The last line is intact but for its newline, which is added when it is sent.
  package fileprivate(set) var lacksNewline = false

  package init(start: Int64, end: Int64, first: Seq, last: Seq) {
    self.start = start
    self.end = end
    self.first = first
    self.last = last
  }

  package var isEmpty: Bool { start == end }

  /// The lines before an entry, which begins at `offset`.
  package func cut(at offset: Int64, before seq: Seq) -> Extent {
    Extent(start: start, end: offset, first: first, last: seq.previous)
  }

  /// Whether a line that began at `offset` before is part of it.
  package func holds(_ offset: Int64) -> Bool { start <= offset && offset < end }
}

extension [Extent] {
  /// Adds an intact line.
  mutating func add(_ seq: Seq, from start: Int64, to end: Int64, lacksNewline: Bool) {
    if let before = last, before.end == start, before.last.next == seq, !before.lacksNewline {
      self[count - 1].end = end
      self[count - 1].last = seq
    } else {
      append(Extent(start: start, end: end, first: seq, last: seq))
    }
    self[count - 1].lacksNewline = lacksNewline
  }

  /// Adds the lines of an extent of another segment, which stand at `start` here.
  mutating func add(_ lines: Extent, at start: Int64) {
    let length = lines.end - lines.start + (lines.lacksNewline ? 1 : 0)
    if last?.isEmpty ?? false { removeLast() }
    if let before = last, before.end == start, before.last.next == lines.first {
      extend(by: length, last: lines.last)
    } else {
      append(Extent(start: start, end: start + length, first: lines.first, last: lines.last))
    }
  }

  /// Adds lines that were appended, up to the entry `last`.
  mutating func extend(by bytes: Int64, last: Seq) {
    self[count - 1].end += bytes
    self[count - 1].last = last
  }

  /// Cuts everything off from `offset` on; `last` is the last entry before.
  mutating func cut(at offset: Int64, last: Seq) {
    while count > 1, self[count - 1].start >= offset { removeLast() }
    if isEmpty { return }
    guard self[count - 1].end > offset else { return }
    self[count - 1].end = offset
    self[count - 1].last = last
    self[count - 1].lacksNewline = false
  }
}
