// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yLog
import A11yPosix
import A11yWire

/// A segment's file while somebody reads from it or the log appends to it.
///
/// Held by everyone who reads: a file that retention has unlinked stays readable for who has begun.
final class SegmentFile {
  let content: KernelFile
  let first: Seq
  /// Where the entries begin, behind the header.
  let start: Int64
  /// Where the last whole entry ends; nothing behind it is read.
  fileprivate(set) var end: Int64

  init(_ descriptor: consuming FileDescriptor, first: Seq, start: Int64, end: Int64) {
    content = KernelFile(descriptor)
    self.first = first
    self.start = start
    self.end = end
  }

  var descriptor: FileDescriptor { _read { yield content.descriptor } }

  /// The first line of a segment, without its newline; nil where there is no whole line.
  static func firstLine(of descriptor: borrowing FileDescriptor) throws(Errno) -> ByteBuffer? {
    var line = ByteBuffer(capacity: window)
    while line.count < Limits.answerBytes {
      let before = line.count
      try line.append(room: window) { target throws(Errno) in
        try descriptor.read(into: target, at: UInt64(before))
      }
      if line.count == before { break }
      if let newline = line.bytes.firstIndex(of: UInt8(ascii: "\n"), from: before) {
        line.truncate(to: newline)
        return line
      }
    }
    return nil
  }

  /// Notes that entries were appended.
  func extend(by bytes: Int64) { end += bytes }

  /// Where the entry `seq`, or the first one behind it, begins; `last` is the segment's last.
  ///
  /// Seqs are dense and lines begin with theirs, so that the file itself is the index: where an
  /// entry stands is guessed from its seq, which is right within a page where lines are alike. Every
  /// second guess is the middle, so that lines of very different lengths cost no more than a search
  /// by halves.
  func offset(of seq: Seq, last: Seq) throws(Errno) -> Int64 {
    // Invariant: the entry `lowSeq` begins at `low` and is not behind `seq`; `highSeq` begins at
    // `high` and is not before it.
    var (low, lowSeq) = (start, first)
    var (high, highSeq) = (end, last.next)
    if seq <= lowSeq { return low }
    if seq >= highSeq { return high }
    var window = ByteBuffer(capacity: Self.window)
    var isGuess = true
    while high - low > Int64(Self.window), lowSeq < seq {
      let share = isGuess ? Double(seq.number - lowSeq.number) : 1
      let whole = isGuess ? Double(highSeq.number - lowSeq.number) : 2
      let distance = Int64(Double(high - low) * share / whole)
      // A little before where it should be, since what counts is the next line that begins.
      let margin = isGuess ? Int64(Self.window / 2) : 0
      let from = min(max(low + distance - margin, low), high - 1)
      isGuess.toggle()
      guard let line = try lineStart(from: from, before: high, &window) else { break }
      if line.seq <= seq {
        (low, lowSeq) = line
      } else {
        (high, highSeq) = line
      }
    }
    return try walk(from: low, until: seq, &window)
  }

  /// Enough for most lines, little enough to be copied often.
  private static let window = 4_096

  /// The first line that begins behind `offset`.
  private func lineStart(
    from offset: Int64,
    before limit: Int64,
    _ window: inout ByteBuffer
  ) throws(Errno) -> (offset: Int64, seq: Seq)? {
    var at = offset
    while at < limit {
      try read(at, &window)
      if let newline = window.bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let found = at + Int64(newline) + 1
        guard found < limit else { return nil }
        if let seq = LineSeq.of(window.bytes.extracting(newline + 1..<window.count)) {
          return (found, seq)
        }
        try read(found, &window)
        guard let seq = LineSeq.of(window.bytes) else { throw .inputOutput }
        return (found, seq)
      }
      at += Int64(window.count)
    }
    return nil
  }

  /// Goes on line by line.
  private func walk(
    from low: Int64,
    until seq: Seq,
    _ window: inout ByteBuffer
  ) throws(Errno) -> Int64 {
    var at = low
    while at < end {
      try read(at, &window)
      var start = 0
      while let found = LineSeq.of(window.bytes.extracting(start..<window.count)) {
        if found >= seq { return at + Int64(start) }
        guard let newline = window.bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) else {
          break
        }
        start = newline + 1
      }
      if start > 0 {
        at += Int64(start)
        continue
      }
      // One line longer than the window, or none.
      guard let next = try lineStart(from: at, before: end, &window) else { return end }
      at = next.offset
    }
    return end
  }

  private func read(_ offset: Int64, _ window: inout ByteBuffer) throws(Errno) {
    window.clear()
    let room = Int(min(Int64(Self.window), end - offset))
    try window.append(room: room) { target throws(Errno) in
      try descriptor.read(into: target, at: UInt64(offset))
    }
    guard window.count > 0 else { throw .inputOutput }
  }

  /// The seq of the entry that begins at `offset`, which is before the end.
  func seq(at offset: Int64) throws(Errno) -> Seq {
    var window = ByteBuffer(capacity: 64)
    let room = Int(min(64, end - offset))
    try window.append(room: room) { target throws(Errno) in
      try descriptor.read(into: target, at: UInt64(offset))
    }
    guard let seq = LineSeq.of(window.bytes) else { throw .inputOutput }
    return seq
  }

  /// The last entry; there is one.
  func lastSeq() throws(Errno) -> Seq {
    var window = ByteBuffer(capacity: Self.window)
    var length = Int64(Self.window)
    while true {
      let from = max(start, end - length)
      window.clear()
      try window.append(room: Int(end - from)) { target throws(Errno) in
        try descriptor.read(into: target, at: UInt64(from))
      }
      let bytes = window.bytes
      guard bytes.count > 1 else { throw .inputOutput }
      var begin = bytes.count - 1
      while begin > 0, bytes[begin - 1] != UInt8(ascii: "\n") { begin -= 1 }
      if begin > 0 || from == start {
        guard let seq = LineSeq.of(bytes.extracting(begin..<bytes.count)) else {
          throw .inputOutput
        }
        return seq
      }
      length *= 4
    }
  }

  /// What is left of the line that `offset` lies in, up to and with its newline.
  func restOfLine(at offset: Int64, into out: inout ByteBuffer) throws(Errno) -> Int64 {
    var at = offset
    while at < end {
      let before = out.count
      let room = Int(min(Int64(Self.window), end - at))
      try out.append(room: room) { target throws(Errno) in
        try descriptor.read(into: target, at: UInt64(at))
      }
      guard out.count > before else { throw .inputOutput }
      if let newline = out.bytes.firstIndex(of: UInt8(ascii: "\n"), from: before) {
        out.truncate(to: newline + 1)
        return at + Int64(newline + 1 - before)
      }
      at += Int64(out.count - before)
    }
    return at
  }
}
