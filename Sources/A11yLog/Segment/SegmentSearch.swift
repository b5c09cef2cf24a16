// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// Finds an entry in a run of intact lines.
///
/// Seqs are dense there, and each line begins with its own, so that the file itself is the index:
/// the place of an entry is guessed from its seq, which is right within a page where lines are
/// alike. Every second guess is the middle, so that lines of very different lengths cost no more
/// than a search by halves.
struct SegmentSearch: ~Copyable {
  /// Enough for most lines, little enough to be copied often.
  static let pageBytes = 4_096

  private let segment: Segment
  private let extent: Extent
  private var page = ByteBuffer(capacity: Self.pageBytes)

  init(segment: Segment, extent: Extent) {
    self.segment = segment
    self.extent = extent
  }

  /// Where the entry `seq` of the extent begins.
  mutating func offset(of seq: Seq) throws(Errno) -> Int64 {
    // Invariant: the entry `lowSeq` begins at `low` and is not behind `seq`; `highSeq` begins at
    // `high` and is not before it.
    var (low, lowSeq) = (extent.start, extent.first)
    var (high, highSeq) = (extent.end, extent.last.next)
    if seq <= lowSeq { return low }
    if seq >= highSeq { return high }
    var isGuess = true
    while high - low > Int64(Self.pageBytes), lowSeq < seq {
      let share = isGuess ? Double(seq.number - lowSeq.number) : 1
      let whole = isGuess ? Double(highSeq.number - lowSeq.number) : 2
      let distance = Int64(Double(high - low) * share / whole)
      // A little before the guess, since the next line that begins is looked at.
      let margin = isGuess ? Int64(Self.pageBytes / 2) : 0
      let from = min(max(low + distance - margin, low), high - 1)
      isGuess.toggle()
      guard let line = try lineStart(from: from, before: high) else { break }
      if line.seq <= seq {
        (low, lowSeq) = line
      } else {
        (high, highSeq) = line
      }
    }
    return try walk(from: low, until: seq)
  }

  /// The first line that begins behind `offset`.
  private mutating func lineStart(
    from offset: Int64,
    before limit: Int64
  ) throws(Errno) -> (offset: Int64, seq: Seq)? {
    var at = offset
    while at < limit {
      try readPage(at)
      if let newline = page.bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let found = at + Int64(newline) + 1
        guard found < limit else { return nil }
        if let seq = Seq(of: page.bytes.extracting(newline + 1..<page.count)) {
          return (found, seq)
        }
        try readPage(found)
        guard let seq = Seq(of: page.bytes) else { throw .inputOutput }
        return (found, seq)
      }
      at += Int64(page.count)
    }
    return nil
  }

  /// Searches line by line.
  private mutating func walk(from low: Int64, until seq: Seq) throws(Errno) -> Int64 {
    var at = low
    while at < extent.end {
      try readPage(at)
      var start = 0
      while let found = Seq(of: page.bytes.extracting(start..<page.count)) {
        if found >= seq { return at + Int64(start) }
        guard let newline = page.bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) else {
          break
        }
        start = newline + 1
      }
      if start > 0 {
        at += Int64(start)
        continue
      }
      // One line longer than the page, or none.
      guard let next = try lineStart(from: at, before: extent.end) else { return extent.end }
      at = next.offset
    }
    return extent.end
  }

  private mutating func readPage(_ offset: Int64) throws(Errno) {
    page.clear()
    let room = Int(min(Int64(Self.pageBytes), extent.end - offset))
    guard try segment.read(into: &page, at: offset, room: room) > 0 else { throw .inputOutput }
  }
}

/// The last intact entry of a segment's file, looked for from its end.
enum LastEntry {
  /// The bytes that are read at first; most lines are much shorter.
  private static let firstReach: Int64 = 16_384
  /// The bytes from the end in which an entry is looked for at most.
  private static let reach: Int64 = 1_048_576

  /// The stamp of that entry; nil where none was found.
  static func stamp(in file: any DiskFile, with json: JSONReader) throws(Errno) -> Stamp? {
    let size = try file.size()
    var length = firstReach
    while true {
      let start = max(0, size - length)
      var bytes = ByteBuffer(capacity: Int(size - start))
      try file.readAll(Int(size - start), into: &bytes, at: start)
      if let stamp = stamp(bytes, with: json) { return stamp }
      if start == 0 || length >= reach { return nil }
      length *= 8
    }
  }

  private static func stamp(_ bytes: borrowing ByteBuffer, with json: JSONReader) -> Stamp? {
    let bytes = bytes.bytes
    var end = bytes.count
    while end > 0 {
      var start = end
      while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
      if let stamp = stamp(bytes.extracting(start..<end), with: json) { return stamp }
      end = start - 1
    }
    return nil
  }

  private static func stamp(_ line: Span<UInt8>, with json: JSONReader) -> Stamp? {
    guard Seq(of: line) != nil, LineChecksum.verified(line) != nil else { return nil }
    do throws(JSONFault) { try json.read(line) } catch { return nil }
    return EntryView(of: json.document).stamp
  }
}
