// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// The last segment, read through, with the state of its end.
struct FoundTail<State: LoggedState> {
  let header: SegmentHeader?
  /// The segment; nil where the file could not be opened.
  let segment: Segment?
  /// The state behind its last entry; nil where there is no checkpoint to begin with.
  let checkpoint: Checkpoint<State>?
  /// Its entries, divided at the watermark; nil where some could not be read.
  let division: Division?
  /// The highest seq of its entries, be that one damaged.
  let last: Seq
  /// A clean stop has closed the segment.
  let isClosed: Bool
  /// The segment ends with an intact closing line.
  let hasClosingLine: Bool
  let tornBytes: Int64
  /// The entries that were there once and cannot be read.
  let damaged: [ClosedRange<Seq>]
  /// Entries may be lost of which nothing is known.
  let isDoubtful: Bool
  let lastStamp: Stamp?
  private let spoilt: [Range<Int64>]
  /// The header was written to another file than this one.
  let isCopy: Bool
  /// The file has more in it than a start leaves that was stopped at once.
  let isWorthKeeping: Bool

  init(
    _ found: FoundSegment,
    on disk: any Disk,
    _ watermark: Watermark?,
    with json: JSONReader
  ) {
    let file: any DiskFile
    do throws(Errno) {
      file = try disk.open(found.name)
    } catch {
      self.init(unopened: found, error)
      return
    }
    let mark = watermark?.synced ?? .none
    let read = Read.borneOut(of: found, file, on: disk, synced: mark, with: json)
    self.init(read, of: found, file, watermark, with: json)
  }

  private init(unopened found: FoundSegment, _ fault: Errno) {
    header = found.header
    (segment, checkpoint, division, lastStamp) = (nil, nil, nil, nil)
    last = Seq(found.first.previous.number + found.mostEntries(behind: 0))
    (isClosed, tornBytes, damaged, spoilt) = (false, 0, [], [])
    hasClosingLine = false
    isUnreadable = fault != .invalidArgument
    (isDoubtful, isWorthKeeping, isCopy) = (true, true, false)
  }

  /// Judges a segment that was read through.
  private init(
    _ read: Read,
    of found: FoundSegment,
    _ file: any DiskFile,
    _ watermark: Watermark?,
    with json: JSONReader
  ) {
    let (check, checkpoint) = (read.check, read.checkpoint)
    division = check.fault == nil ? read.division : nil
    let scan = check.scan
    // The reading through finds a header that has lost its newline.
    let own = found.header ?? scan.header.flatMap { SegmentHeader($0.span, with: json) }
    let header = own ?? checkpoint?.header
    let closing = scan.closing.flatMap { SegmentEnd(closing: $0.span, with: json) }

    // Each of these proves that entries were there: missing ones up to the highest are damaged.
    let isOurs = watermark.map { mark in header?.epochs.contains { $0.epoch == mark.epoch } ?? true
    }
    let synced = isOurs == true ? watermark?.synced ?? .none : .none
    let rescued = header?.rescued ?? .none
    var known = max(scan.end.last, closing?.last ?? .none, synced, rescued)
    // Entries that cannot be read now are readable later, if nobody else has their numbers then.
    if check.fault != nil {
      let intact = scan.extents.last?.end ?? 0
      known = max(known, Seq(scan.end.last.number + found.mostEntries(behind: intact)))
    }
    damaged = Self.missing(from: found.first, through: known, in: scan.extents)
    (tornBytes, spoilt) = Self.divideDamage(of: scan, through: known)
    // A watermark or a header that proves more entries than the file has may not know of all.
    let hasLostEnd = max(scan.end.last, closing?.last ?? .none) < known
    if case .bad = scan.tail, closing == nil {
      isDoubtful = true
    } else {
      isDoubtful = check.fault != nil || hasLostEnd
    }
    self.header = header
    // Only now it is known whether the checkpoint is this segment's.
    let isOwn = read.base?.belongs(to: own, through: known) ?? false
    self.checkpoint = isOwn ? checkpoint : nil
    last = known
    let birth = (try? file.birth()) ?? nil
    isCopy = own?.birth.map { $0 != birth ?? $0 } ?? false
    isWorthKeeping = check.fault != nil || !spoilt.isEmpty || synced >= found.first
    let segment = Segment(file, first: found.first, check: check)
    segment.header = header
    segment.finishCheck()
    self.segment = segment
    let newest = Self.newest(of: segment, with: json)
    lastStamp = newest?.stamp
    // A full segment is closed too, and the next one may be lost.
    hasClosingLine = closing != nil
    isUnreadable = check.fault != nil && scan.extents.isEmpty
    isClosed = closing != nil && newest?.isStop ?? false && !hasLostEnd
  }

  /// The entries that no extent has.
  private static func missing(
    from first: Seq,
    through last: Seq,
    in extents: [Extent]
  ) -> [ClosedRange<Seq>] {
    var missing: [ClosedRange<Seq>] = []
    var next = first
    for extent in extents {
      if extent.first > next { missing.append(next...extent.first.previous) }
      next = extent.last.next
    }
    if last >= next { missing.append(next...last) }
    return missing
  }

  /// Divides the damage into the bytes of a torn end and the pieces that are worth a copy.
  private static func divideDamage(
    of scan: SegmentScan,
    through known: Seq
  ) -> (tornBytes: Int64, spoilt: [Range<Int64>]) {
    let inner = Array(scan.innerDamage)
    let isEnd = known == scan.end.last
    switch scan.tail {
    case .whole: return (0, inner)
    case .torn(let range) where isEnd: return (range.upperBound - range.lowerBound, inner)
    case .bad(let range) where isEnd:
      return (range.upperBound - range.lowerBound, inner + [range])
    case .torn(let range), .bad(let range): return (0, inner + [range])
    }
  }

  /// A segment that was read through.
  private struct Read {
    let check: SegmentCheck
    /// The checkpoint to begin with.
    let base: Checkpoint<State>?
    /// The same, with all later entries applied.
    let checkpoint: Checkpoint<State>?
    let division: Division

    init(
      _ file: any DiskFile,
      _ first: Seq,
      from base: Checkpoint<State>?,
      synced: Seq,
      with json: JSONReader
    ) {
      check = SegmentCheck(file, first: first, before: nil)
      self.base = base
      // In variables and not in members, whose places in a generic type are looked up at run time:
      // for most lines that would take longer than all else.
      var checkpoint = base
      let known = base?.after ?? Seq(.max)
      var division = Division(of: first, behind: synced, in: file)
      check.finish { line, seq in
        if seq > known { checkpoint?.apply(line, seq, with: json) }
        division.divide(line, seq)
      }
      self.checkpoint = checkpoint
      self.division = division
    }

    /// Reads the segment from the latest checkpoint within it that its entries bear out, else from
    /// the one beside it.
    static func borneOut(
      of found: FoundSegment,
      _ file: any DiskFile,
      on disk: any Disk,
      synced: Seq,
      with json: JSONReader
    ) -> Read {
      let bases = Checkpoint<State>.latest(within: found, on: disk, with: json)
      let readings = bases.lazy.map { base in
        Read(file, found.first, from: base, synced: synced, with: json)
      }
      return readings.first { $0.base?.isBorneOut(by: $0.check.scan) ?? false }
        ?? Read(
          file,
          found.first,
          from: Checkpoint.read(beside: found.first, on: disk, with: json),
          synced: synced,
          with: json
        )
    }
  }

  /// The medium does not give the file back now, and nothing of it is known.
  let isUnreadable: Bool

  /// Whether the segment has an entry, or had one.
  var hasEntries: Bool {
    guard let segment else { return false }
    return !segment.extents.isEmpty || header != nil && last >= segment.first
  }

  /// Copies the damage, and returns the number of pieces.
  func quarantine(to quarantine: Quarantine) -> Int64 {
    guard let segment, let file = segment.file else { return 0 }
    for place in spoilt {
      quarantine.copy(place, of: file, named: SegmentName.entries(segment.first))
    }
    return Int64(spoilt.count)
  }

  /// The stamp of the last intact entry, and whether a clean stop has written it.
  private static func newest(
    of segment: Segment,
    with json: JSONReader
  ) -> (stamp: Stamp, isStop: Bool)? {
    guard let extent = segment.extents.last, !extent.isEmpty else { return nil }
    do throws(Errno) {
      var line = ByteBuffer(capacity: 4_096)
      guard let place = try segment.place(of: extent.last) else { return nil }
      _ = try segment.restOfLine(at: place.offset, in: extent, into: &line)
      let length = line.count - (extent.lacksNewline ? 0 : 1)
      do throws(JSONFault) {
        try json.read(line.bytes.extracting(0..<length))
      } catch {
        return nil
      }
    } catch {
      return nil
    }
    let envelope = EntryView(of: json.document)
    return envelope.stamp.map { ($0, envelope.type == EventType.Own.closed.rawValue) }
  }
}

/// A segment's entries, divided into those that the medium has and those that it may not have.
struct Division {
  /// The last entry that the medium has.
  let synced: Seq
  /// The segment's end there.
  private(set) var end: SegmentEnd
  /// The later entries, in whole lines.
  private(set) var lines: [UInt8] = []
  /// The bytes that they may take.
  private let room: Int

  init(of first: Seq, behind synced: Seq, in file: any DiskFile) {
    self.synced = synced
    end = SegmentEnd(before: first)
    room = Int((try? file.size()) ?? 0)
  }

  /// Adds the next intact entry to its side.
  mutating func divide(_ line: Span<UInt8>, _ seq: Seq) {
    if seq > synced {
      if lines.isEmpty { lines.reserveCapacity(room) }
      unsafe line.withUnsafeBufferPointer { unsafe lines += $0 }
      lines.append(UInt8(ascii: "\n"))
    } else if let checksum = LineChecksum.stated(line) {
      end.include(seq, checksum)
    }
  }
}
