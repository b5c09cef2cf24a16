// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// Entries that killed processes of this boot have written and that are not known to be on the
/// medium.
///
/// Entries of an earlier boot have come from the medium. Those of this boot may be in the machine's
/// memory alone, and no synchronization tells: the kernel reports a failure once, and the process
/// that was told may be gone. So these entries are written anew, into the segment that the start
/// begins, and are delivered from nowhere else.
struct Legacy {
  /// The pieces, grouped into new segments.
  ///
  /// Several groups only where a disk that took nothing has left a gap between them.
  private let runs: [[Piece]]
  private let synced: Seq
  private let last: Seq
  /// Segments whose entries are all among these.
  let givenUp: [Seq]
  /// The segment whose last entries are among these, and its end without them.
  let parted: [(first: Seq, end: Int64)]

  /// The bytes that are taken over at most, but for the last segment: as many as a process keeps in
  /// case the disk fails.
  ///
  /// More lines stay where they were written, and are brought to the medium from there.
  private static let bound = 16_777_216

  /// Nil where there is nothing to be taken over.
  init?(_ found: Recovery<some LoggedState>) {
    // Even after a clean stop, which may have been cut short before the medium had everything.
    let synced = min(found.watermark?.synced ?? .none, found.last)
    var left = Self.doubtful(found, after: synced)
    var pieces: [Piece] = []
    var bytes = 0
    while let (first, header) = left.last {
      let limit = pieces.first?.first
      let known = limit == nil ? Piece(found, after: synced) : nil
      guard
        let piece = known
          ?? Piece(first, header, after: synced, before: limit, on: found.disk),
        pieces.isEmpty || bytes + piece.lines.count <= Self.bound
      else { break }
      bytes += piece.lines.count
      pieces.insert(piece, at: 0)
      left.removeLast()
    }
    for (first, _) in left {
      // Without success nothing more is known than before.
      try? found.disk.open(SegmentName.entries(first)).synchronize()
    }
    givenUp = pieces.map(\.first).filter { $0 > synced }
    var runs: [[Piece]] = []
    for piece in pieces where !piece.lines.isEmpty {
      if runs.isEmpty || piece.missing != .nothing {
        runs.append([piece])
      } else {
        runs[runs.count - 1].append(piece)
      }
    }
    guard !runs.isEmpty else { return nil }
    self.runs = runs
    self.synced = synced
    last = found.last
    parted =
      pieces.first.flatMap { piece in
        piece.first <= synced ? piece.start.map { [(piece.first, $0)] } : nil
      } ?? []
  }

  /// Segments in memory with the intact lines; the last one is to be appended to.
  ///
  /// Their headers repeat `header`, and state what was taken over.
  func segments(like header: SegmentHeader, _ spare: SparePieces) -> [Segment] {
    runs.indices.map { index in
      // The last segment counts all numbers that were given.
      let last = index == runs.count - 1 ? last : runs[index][runs[index].count - 1].last
      return Self.segment(runs[index], after: synced, through: last, like: header, spare)
    }
  }

  /// A segment in memory that goes on where the first of these is parted, or takes its place.
  private static func segment(
    _ pieces: [Piece],
    after synced: Seq,
    through last: Seq,
    like pattern: SegmentHeader,
    _ spare: SparePieces
  ) -> Segment {
    let oldest = pieces[0]
    var header = pattern
    header.rescued = last
    if oldest.first <= synced {
      header.first = synced.next
      header.previous = oldest.end
    } else {
      header.first = oldest.first
      header.previous = oldest.header?.previous
      header.missing = oldest.missing
      // The checkpoint beside it stays valid.
      header.began = oldest.header?.began ?? pattern.began
    }
    let segment = EventLog.beginInMemory(header, spare)
    for piece in pieces { segment.adopt(intact: piece.lines.span) }
    segment.number(through: last)
    return segment
  }

  /// The segments that hold entries of this boot behind `synced`, oldest first.
  private static func doubtful(
    _ found: Recovery<some LoggedState>,
    after synced: Seq
  ) -> [(first: Seq, header: SegmentHeader?)] {
    var segments = found.older.map { (first: $0.first, header: $0.header) }
    if let newest = found.newest { segments.append((newest.first, newest.header)) }
    let ends = segments.dropFirst().map(\.first.previous) + [found.last]
    let begin = segments.indices.first { index in
      // A segment with a damaged header may be of this boot.
      ends[index] > synced && segments[index].header?.boot ?? found.boot == found.boot
    }
    return Array(segments[(begin ?? segments.endIndex)...])
  }

  /// The entries that are taken over from one segment.
  private struct Piece {
    let first: Seq
    let header: SegmentHeader?
    /// The segment's end without them.
    let end: SegmentEnd
    let lines: [UInt8]
    /// The place of the first line; nil where there is none.
    let start: Int64?
    /// The last entry that can be read.
    let last: Seq

    var missing: SegmentHeader.Missing { header?.missing ?? .nothing }

    /// Nil where some cannot be read now: they may be readable later.
    private init?(_ segment: Segment, _ header: SegmentHeader?, _ division: Division) {
      do throws(Errno) {
        start = try segment.place(of: division.synced.next)?.offset
      } catch {
        return nil
      }
      first = segment.first
      self.header = header
      end = division.end
      lines = division.lines
      last = segment.last
    }

    /// The piece of the segment that the start has read through already.
    init?(_ found: Recovery<some LoggedState>, after synced: Seq) {
      guard let segment = found.newest, let division = found.division, division.synced == synced
      else { return nil }
      self.init(segment, segment.header, division)
    }

    init?(
      _ first: Seq,
      _ header: SegmentHeader?,
      after synced: Seq,
      before limit: Seq?,
      on disk: any Disk
    ) {
      let name = SegmentName.entries(first)
      let file: any DiskFile
      do throws(Errno) { file = try disk.open(name) } catch { return nil }
      var division = Division(of: first, behind: synced, in: file)
      let check = SegmentCheck(file, first: first, before: limit)
      check.finish { line, seq in division.divide(line, seq) }
      guard check.fault == nil else { return nil }
      for place in check.scan.innerDamage {
        Quarantine(disk).copy(place, of: file, named: name)
      }
      let segment = Segment(file, first: first, check: check)
      segment.finishCheck()
      self.init(segment, header, division)
    }
  }
}
