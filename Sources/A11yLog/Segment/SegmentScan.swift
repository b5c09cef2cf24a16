// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// The parts of a segment, found by reading it from its first byte to its last.
///
/// Every line is judged by its checksum alone. Where one is bad, reading goes on inside it at the
/// next beginning of an entry, so that a newline that was lost or has appeared costs no more than
/// the line it belongs to.
package struct SegmentScan {
  /// The intact entries.
  package private(set) var extents: [Extent] = []
  package private(set) var end: SegmentEnd
  /// The header's line, if it is intact.
  package private(set) var header: [UInt8]?
  /// The closing line, if there is an intact one.
  package private(set) var closing: [UInt8]?
  /// The bytes that are no entry, header or closing line, in the order of the file.
  package private(set) var damage: [Range<Int64>] = []
  /// The bytes that were read so far.
  package private(set) var offset: Int64 = 0
  private var next: Seq
  /// The first entry of the next segment; from there on entries in this file are not its own.
  private let limit: Seq?
  /// A bad line was met that has a newline at its end.
  private var hasBadLine = false

  /// A scan of the segment that begins with `first` and ends before `limit`.
  package init(first: Seq, before limit: Seq?) {
    next = first
    end = SegmentEnd(before: first)
    self.limit = limit
  }

  /// The end of the file, as the scan has found it.
  package enum Tail: Equatable, Sendable {
    /// Nothing but intact lines.
    case whole
    /// Bytes that look like the beginning of a line that was being written.
    case torn(Range<Int64>)
    /// Lines that were whole once, or bytes that never were a line.
    case bad(Range<Int64>)
  }

  /// The bytes behind the last intact line.
  package var tail: Tail {
    guard let last = damage.last, last.upperBound == offset else { return .whole }
    return hasBadLine ? .bad(last) : .torn(last)
  }

  /// Damage that has something intact behind it.
  package var innerDamage: ArraySlice<Range<Int64>> {
    tail == .whole ? damage[...] : damage.dropLast()
  }

  /// Takes what stands at `offset` in the file, as far as it goes in whole lines, and says how far
  /// that was; at the end of the file everything is taken.
  ///
  /// `each` gets every intact entry, without its newline.
  package mutating func scan<Fault: Error>(
    _ bytes: Span<UInt8>,
    isEnd: Bool,
    _ each: (Span<UInt8>, Seq) throws(Fault) -> Void
  ) throws(Fault) -> Int {
    var at = 0
    while at < bytes.count {
      if let newline = bytes.firstIndex(of: UInt8(ascii: "\n"), from: at) {
        try scan(line: bytes.extracting(at..<newline), hasNewline: true, each)
        at = newline + 1
      } else if isEnd {
        try scan(line: bytes.extracting(at..<bytes.count), hasNewline: false, each)
        at = bytes.count
      } else if bytes.count - at > Limits.answerBytes {
        // Too long for a line; but a line may begin in the last bytes.
        let near = bytes.count - Limits.answerBytes
        let next = bytes.lineStart(from: near) ?? bytes.count - Self.entryMark
        try scan(line: bytes.extracting(at..<next), hasNewline: false, each)
        at = next
      } else {
        break
      }
    }
    return at
  }

  /// The length of the mark at the beginning of an entry.
  private static let entryMark = 7

  private mutating func scan<Fault: Error>(
    line: Span<UInt8>,
    hasNewline: Bool,
    _ each: (Span<UInt8>, Seq) throws(Fault) -> Void
  ) throws(Fault) {
    let start = offset
    let end = start + Int64(line.count) + (hasNewline ? 1 : 0)
    offset = end
    if let checksum = LineChecksum.verified(line) {
      try accept(line, checksum, start..<end, lacksNewline: !hasNewline, each)
      return
    }
    try resynchronize(line, start, hasNewline: hasNewline, each)
    offset = end
  }

  /// Accepts a line whose checksum is right.
  private mutating func accept<Fault: Error>(
    _ line: Span<UInt8>,
    _ checksum: UInt32,
    _ place: Range<Int64>,
    lacksNewline: Bool,
    _ each: (Span<UInt8>, Seq) throws(Fault) -> Void
  ) throws(Fault) {
    guard let seq = Seq(of: line) else {
      if place.lowerBound == 0, line.starts(with: "{\"format\":") {
        header = line.array
      } else if line.starts(with: "{\"closed\":") {
        closing = line.array
      } else {
        addDamage(place, isLine: true)
      }
      return
    }
    if let limit, seq >= limit { return }
    guard seq >= next else {
      // A repeated entry, or one of another segment.
      addDamage(place, isLine: true)
      return
    }
    extents.add(seq, from: place.lowerBound, to: place.upperBound, lacksNewline: lacksNewline)
    end.include(seq, checksum)
    next = seq.next
    try each(line, seq)
  }

  /// Looks for intact lines within a bad one.
  private mutating func resynchronize<Fault: Error>(
    _ line: Span<UInt8>,
    _ start: Int64,
    hasNewline: Bool,
    _ each: (Span<UInt8>, Seq) throws(Fault) -> Void
  ) throws(Fault) {
    let whole = line.count + (hasNewline ? 1 : 0)
    var at = 0
    var done = 0
    var attempts = 0
    while attempts < Self.attempts, let begin = line.lineStart(from: at) {
      attempts += 1
      guard let (length, checksum) = Self.intactLine(line.extracting(begin..<line.count)) else {
        at = begin + 1
        continue
      }
      if begin > done { addDamage(start + Int64(done)..<start + Int64(begin), isLine: true) }
      at = begin + length
      let isWhole = at == line.count && hasNewline
      try accept(
        line.extracting(begin..<at),
        checksum,
        start + Int64(begin)..<start + Int64(isWhole ? whole : at),
        lacksNewline: !isWhole,
        each
      )
      // Next comes the byte that was a newline, or the next line at once, or the end of the file.
      if at == line.count {
        done = whole
      } else {
        done = line[at] == UInt8(ascii: "{") ? at : at + 1
      }
    }
    if done < whole {
      addDamage(start + Int64(done)..<start + Int64(whole), isLine: hasNewline)
    }
  }

  /// The beginnings of lines that are tried within one bad line: more than a page has lines.
  private static let attempts = 256

  /// The intact line at the beginning of `bytes`, and its checksum.
  private static func intactLine(_ bytes: Span<UInt8>) -> (length: Int, checksum: UInt32)? {
    var from = 0
    // A text cannot have the mark of a checksum in it; but the mark of the next line may follow.
    for _ in 0..<2 {
      guard let mark = bytes.extracting(from..<bytes.count).firstIndex(of: ",\"crc\":\"")
      else { return nil }
      let length = from + mark + LineChecksum.width
      guard length <= bytes.count else { return nil }
      if let checksum = LineChecksum.verified(bytes.extracting(0..<length)) {
        return (length, checksum)
      }
      from += mark + 1
    }
    return nil
  }

  private mutating func addDamage(_ place: Range<Int64>, isLine: Bool) {
    if let last = damage.last, last.upperBound == place.lowerBound {
      damage[damage.count - 1] = last.lowerBound..<place.upperBound
      hasBadLine = hasBadLine || isLine
    } else {
      damage.append(place)
      hasBadLine = isLine
    }
  }
}

extension Span<UInt8> {
  fileprivate func starts(with text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount && extracting(0..<text.utf8CodeUnitCount).equals(text)
  }

  /// The next place where a line of a segment may begin.
  fileprivate func lineStart(from start: Int) -> Int? {
    guard start < count else { return nil }
    let rest = extracting(start..<count)
    if start == 0, rest.starts(with: "{\"format\":") { return 0 }
    let entry = rest.firstIndex(of: "{\"seq\":")
    let closing = rest.firstIndex(of: "{\"closed\":")
    guard let entry else { return closing.map { start + $0 } }
    return start + Swift.min(entry, closing ?? entry)
  }
}

/// Reads a segment's file through, in slices, so that nothing of it is delivered unchecked.
///
/// Bytes that cannot be read cost no more than the lines that they are part of.
package final class SegmentCheck {
  package private(set) var scan: SegmentScan
  private let file: any DiskFile
  private var unread = ByteBuffer(capacity: 0)
  /// The bytes that are read at a time; they stay in the processor's cache.
  private static let piece = 262_144
  package private(set) var isDone = false
  /// The error that has kept some of the file from being read; its lines count as missing.
  package private(set) var fault: Errno?
  private var unreadable = 0
  /// The bytes that a medium loses together: where a larger piece cannot be read, its parts may be.
  private static let part = 4_096
  /// The parts that are passed over at most; behind them the file counts as lost.
  private static let unreadableParts = 64

  package init(_ file: any DiskFile, first: Seq, before limit: Seq?) {
    self.file = file
    scan = SegmentScan(first: first, before: limit)
  }

  /// Reads on by about `budget` bytes, and gives every intact entry to `each`.
  package func advance<Fault: Error>(
    budget: Int,
    _ each: (Span<UInt8>, Seq) throws(Fault) -> Void
  ) throws(Fault) {
    var left = budget
    while left > 0, !isDone {
      let before = unread.count
      readPiece(max(Self.part, min(Self.piece, left)), at: scan.offset + Int64(before))
      let isEnd = unread.count == before
      let taken = try Self.scan(unread, isEnd: isEnd, &scan, each)
      unread.removeFirst(taken)
      left -= max(unread.count - before + taken, 1)
      isDone = isEnd
    }
    if isDone { unread = ByteBuffer(capacity: 0) }
  }

  private func readPiece(_ room: Int, at offset: Int64) {
    do throws(Errno) {
      try fill(room, at: offset)
    } catch {
      do throws(Errno) {
        try fill(Self.part, at: offset)
      } catch {
        passOver(offset, because: error)
      }
    }
  }

  private func fill(_ room: Int, at offset: Int64) throws(Errno) {
    _ = try file.read(into: &unread, at: offset, room: room)
  }

  /// Puts zeros, which are part of no line, in the place of bytes that cannot be read.
  private func passOver(_ offset: Int64, because error: Errno) {
    fault = error
    unreadable += 1
    guard unreadable <= Self.unreadableParts, let size = try? file.size() else { return }
    let end = min(size, (offset / Int64(Self.part) + 1) * Int64(Self.part))
    for _ in offset..<max(offset, end) { unread.append(byte: 0) }
  }

  private static func scan<Fault: Error>(
    _ unread: borrowing ByteBuffer,
    isEnd: Bool,
    _ scan: inout SegmentScan,
    _ each: (Span<UInt8>, Seq) throws(Fault) -> Void
  ) throws(Fault) -> Int {
    try scan.scan(unread.bytes, isEnd: isEnd, each)
  }

  /// Reads to the end at once.
  package func finish<Fault: Error>(
    _ each: (Span<UInt8>, Seq) throws(Fault) -> Void
  ) throws(Fault) {
    while !isDone { try advance(budget: .max, each) }
  }
}
