// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

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
