// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// What a segment turns out to hold when it is read from its first byte to its last.
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
  /// What is neither entry nor header nor closing line, in the order of the file.
  package private(set) var damage: [Range<Int64>] = []
  /// How far the file was read.
  package private(set) var offset: Int64 = 0
  private var next: Seq
  /// The first entry of the next segment; what is in this file from there on is not its own.
  private let limit: Seq?
  /// A bad line was met that is a line, with a newline at its end.
  private var hasBadLine = false

  /// A scan of the segment that begins with `first` and ends before `limit`.
  package init(first: Seq, before limit: Seq?) {
    next = first
    end = SegmentEnd(before: first)
    self.limit = limit
  }

  /// What the scan makes of the file's end.
  package enum Tail: Equatable, Sendable {
    /// Nothing but intact lines.
    case whole
    /// So many bytes that look like the beginning of a line that was being written.
    case torn(Range<Int64>)
    /// Lines that were whole once, or what never was one.
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
  package mutating func take<Fault: Error>(
    _ bytes: Span<UInt8>,
    isEnd: Bool,
    _ each: (Span<UInt8>, Seq) throws(Fault) -> Void
  ) throws(Fault) -> Int {
    var at = 0
    while at < bytes.count {
      if let newline = bytes.firstIndex(of: UInt8(ascii: "\n"), from: at) {
        try take(line: bytes.extracting(at..<newline), hasNewline: true, each)
        at = newline + 1
      } else if isEnd {
        try take(line: bytes.extracting(at..<bytes.count), hasNewline: false, each)
        at = bytes.count
      } else if bytes.count - at > Limits.answerBytes {
        // Longer than a line can be: nothing of it is one, but one may begin in what is as long.
        let near = bytes.count - Limits.answerBytes
        let next = bytes.lineStart(from: near) ?? bytes.count - Self.entryMark
        try take(line: bytes.extracting(at..<next), hasNewline: false, each)
        at = next
      } else {
        break
      }
    }
    return at
  }

  /// Bytes by which the beginning of an entry is known.
  private static let entryMark = 7

  private mutating func take<Fault: Error>(
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

  /// Takes a line whose checksum is right.
  private mutating func accept<Fault: Error>(
    _ line: Span<UInt8>,
    _ checksum: UInt32,
    _ place: Range<Int64>,
    lacksNewline: Bool,
    _ each: (Span<UInt8>, Seq) throws(Fault) -> Void
  ) throws(Fault) {
    guard let seq = LineSeq.of(line) else {
      if place.lowerBound == 0, line.starts(with: "{\"format\":") {
        header = line.array
      } else if line.starts(with: "{\"closed\":") {
        closing = line.array
      } else {
        note(place, isLine: true)
      }
      return
    }
    if let limit, seq >= limit { return }
    guard seq >= next else {
      // A second time, or from elsewhere.
      note(place, isLine: true)
      return
    }
    extents.add(seq, from: place.lowerBound, to: place.upperBound, lacksNewline: lacksNewline)
    end.take(seq, checksum)
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
      if begin > done { note(start + Int64(done)..<start + Int64(begin), isLine: true) }
      at = begin + length
      let isWhole = at == line.count && hasNewline
      try accept(
        line.extracting(begin..<at),
        checksum,
        start + Int64(begin)..<start + Int64(isWhole ? whole : at),
        lacksNewline: !isWhole,
        each
      )
      // Behind it stands what was a newline, or the next line at once, or the file ends here.
      if at == line.count {
        done = whole
      } else {
        done = line[at] == UInt8(ascii: "{") ? at : at + 1
      }
    }
    if done < whole {
      note(start + Int64(done)..<start + Int64(whole), isLine: hasNewline)
    }
  }

  /// Beginnings of lines that are tried within one bad line: more than a page has lines.
  private static let attempts = 256

  /// The intact line that these bytes begin with, and its checksum.
  private static func intactLine(_ bytes: Span<UInt8>) -> (length: Int, checksum: UInt32)? {
    var from = 0
    // The mark of a checksum cannot stand within a text; that of a line behind may follow.
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

  private mutating func note(_ place: Range<Int64>, isLine: Bool) {
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

  /// Where something begins that may be a line of a segment.
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
