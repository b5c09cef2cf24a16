// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
package import A11yPosix
package import A11yWire

/// A segment while somebody reads from it or the log appends to it.
///
/// Held by everyone who reads: a file that retention has removed stays readable for who has begun.
package final class Segment {
  package let first: Seq
  package internal(set) var header: SegmentHeader?
  /// Where its bytes are; nil for as long as the disk could not take them.
  package internal(set) var file: (any DiskFile)?
  /// What of it is intact, once it was checked; while it is written there is always one.
  package internal(set) var extents: [Extent]
  /// The reading through that finds the extents; nil when it is done.
  var check: SegmentCheck?
  /// How often it was read through; places from before are to be found again.
  package private(set) var readings = 0
  /// What was appended and may not have reached the medium, and where it begins.
  var kept = ByteBuffer(capacity: 0)
  var keptStart: Int64
  /// How the segment ends before what is kept.
  var keptEnd: SegmentEnd
  /// How it ends now; told in the header of the next one.
  var state: SegmentEnd
  /// An earlier process has written it.
  private(set) var isFound: Bool
  /// Where the entries are that were given up here.
  package internal(set) var move: Move?

  /// Entries that were written anew elsewhere, after the disk had failed to keep them.
  package struct Move {
    /// From here on.
    package let from: Int64
    package let target: Segment
    /// Where what stood at `from` stands there.
    package let base: Int64
  }

  /// A segment that is being written from its beginning.
  init(header: SegmentHeader, file: (any DiskFile)?, start: Int64) {
    first = header.first
    self.header = header
    self.file = file
    isFound = false
    extents = [Extent(start: start, end: start, first: first, last: first.previous)]
    keptStart = start
    keptEnd = SegmentEnd(before: first)
    state = keptEnd
  }

  /// A segment that was found, and is yet to be checked.
  init(_ file: any DiskFile, first: Seq, check: SegmentCheck) {
    self.first = first
    self.file = file
    isFound = true
    extents = []
    self.check = check
    keptStart = 0
    keptEnd = SegmentEnd(before: first)
    state = keptEnd
  }

  /// Takes over what the reading through has found.
  func finishCheck() {
    guard let check, check.isDone else { return }
    extents = check.scan.extents
    state = check.scan.end
    keptEnd = state
    keptStart = end
    readings += 1
    self.check = nil
  }

  package var isChecked: Bool { check == nil }

  /// Where the last intact entry ends.
  package var end: Int64 { extents.last?.end ?? 0 }

  package var last: Seq { extents.last?.last ?? first.previous }

  /// Reads what is there at `offset`, at most up to `limit`, and says how much it was.
  package func read(
    into buffer: inout ByteBuffer,
    at offset: Int64,
    room: Int
  ) throws(Errno) -> Int {
    let before = buffer.count
    if let file, offset < confirmedEnd {
      try buffer.append(room: Int(min(Int64(room), confirmedEnd - offset))) {
        target throws(Errno) in
        try file.read(into: target, at: offset)
      }
    } else {
      Self.copy(kept, from: Int(offset - keptStart), room, into: &buffer)
    }
    return buffer.count - before
  }

  /// Up to here the file is read; what is behind it comes from memory, since a medium that has
  /// failed to take it may give back something else.
  package var confirmedEnd: Int64 {
    file == nil ? 0 : kept.isEmpty ? .max : keptStart
  }

  private static func copy(
    _ kept: borrowing ByteBuffer,
    from start: Int,
    _ room: Int,
    into buffer: inout ByteBuffer
  ) {
    guard start >= 0, start < kept.count else { return }
    buffer.append(kept.bytes.extracting(start..<min(start + room, kept.count)))
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

  /// Where lines that are appended will stand.
  package var ending: Place { Place(extent: extents.count - 1, offset: end) }

  /// Behind everything that there is.
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
    var window = ByteBuffer(capacity: 64)
    _ = try read(into: &window, at: place.offset, room: 64)
    guard let seq = LineSeq.of(window.bytes) else { throw .inputOutput }
    return seq
  }

  /// What is left of the line that `offset` lies in, up to and with its newline.
  package func restOfLine(
    at offset: Int64,
    in extent: Extent,
    into out: inout ByteBuffer
  ) throws(Errno) -> Int64 {
    var at = offset
    while at < extent.end {
      let before = out.count
      let room = Int(min(Int64(SegmentSearch.window), extent.end - at))
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

  /// Takes over what an earlier check has found.
  func assume(_ extents: [Extent]) {
    self.extents = extents
    readings += 1
    check = nil
  }

  /// Puts its header in front of what is kept: it is in memory from its first byte on.
  func keepHeader(_ line: borrowing ByteBuffer) {
    kept.append(line.bytes)
    keptStart = 0
  }

  /// Keeps what an earlier process has written as if this one had, should the medium not have it.
  ///
  /// Where something in it is damaged it stays where it is.
  func keepWritten() {
    guard let file, extents.count == 1, !extents[0].lacksNewline else { return }
    var lines = ByteBuffer(capacity: Int(end - start))
    do throws(Errno) {
      while lines.count < Int(end - start) {
        let before = lines.count
        let offset = start + Int64(before)
        try lines.append(room: Int(end - offset)) { target throws(Errno) in
          try file.read(into: target, at: offset)
        }
        if lines.count == before { return }
      }
    } catch {
      return
    }
    kept = lines
    keptStart = start
    keptEnd = SegmentEnd(before: first)
    isFound = false
  }

  /// Takes over the lines of a segment that are kept.
  func adopt(_ other: Segment) {
    let skip = other.keptStart == 0 ? Int(other.start) : 0
    Self.append(other.kept, from: skip, to: &kept)
    extents.extend(by: Int64(other.kept.count - skip), last: other.last)
  }

  private static func append(
    _ lines: borrowing ByteBuffer,
    from start: Int,
    to out: inout ByteBuffer
  ) {
    out.append(lines.bytes.extracting(start..<lines.count))
  }

  /// Goes through the entries that are kept, without their newlines.
  func eachKept(_ each: (Span<UInt8>, Seq) -> Void) { Self.each(kept, each) }

  private static func each(_ lines: borrowing ByteBuffer, _ each: (Span<UInt8>, Seq) -> Void) {
    let bytes = lines.bytes
    var at = 0
    while let newline = bytes.firstIndex(of: UInt8(ascii: "\n"), from: at) {
      let line = bytes.extracting(at..<newline)
      if let seq = LineSeq.of(line) { each(line, seq) }
      at = newline + 1
    }
  }

  /// Says in the header that waits in memory what became of the entries before.
  func note(missing: SegmentHeader.Missing) {
    header?.missing = missing
    guard file == nil, let header else { return }
    var line = ByteBuffer(capacity: 512)
    header.write(into: &line)
    var whole = ByteBuffer(capacity: kept.count)
    whole.append(line.bytes)
    Self.append(kept, from: line.count, to: &whole)
    kept = whole
  }

  /// Writes what is kept to a file that gets nothing else.
  func writeKept(to file: any DiskFile) throws(Errno) { try Self.write(kept, to: file) }

  private static func write(_ kept: borrowing ByteBuffer, to file: any DiskFile) throws(Errno) {
    try file.writeAll(kept.bytes, at: 0)
  }

  // MARK: Writing

  /// Notes lines that were appended behind all others; they are kept until the medium has them.
  func append(_ lines: Span<UInt8>, through end: SegmentEnd) {
    extents.extend(by: Int64(lines.count), last: end.last)
    kept.append(lines)
    state = end
  }

  /// Forgets what is kept up to `offset`, where the segment ended as `end` says.
  func release(through offset: Int64, _ end: SegmentEnd) {
    guard file != nil, offset > keptStart else { return }
    kept.removeFirst(Int(offset - keptStart))
    kept.shrink(to: 0)
    keptStart = offset
    keptEnd = end
  }
}
