// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yPosix
import A11yWire

/// A segment's file while somebody reads from it or the log appends to it.
///
/// Held by everyone who reads: a file that retention has unlinked stays readable for who has begun.
final class SegmentFile {
  let descriptor: FileDescriptor
  let first: Seq
  /// Where the entries begin, behind the header.
  let start: Int64
  /// Where the last whole entry ends; nothing behind it is read.
  fileprivate(set) var end: Int64

  init(_ descriptor: consuming FileDescriptor, first: Seq, start: Int64, end: Int64) {
    self.descriptor = descriptor
    self.first = first
    self.start = start
    self.end = end
  }

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

  /// Where the entry `seq`, or the first one behind it, begins.
  ///
  /// Seqs are dense and lines begin with theirs, so that the file itself is the index: a search by
  /// halves over its bytes takes some twenty short reads.
  func offset(of seq: Seq) throws(Errno) -> Int64 {
    if seq <= first { return start }
    var low = start
    var high = end
    var window = ByteBuffer(capacity: Self.window)
    // Invariant: the entry at `low` is before `seq`; from `high` on none is.
    while low < high {
      let middle = low + (high - low) / 2
      guard let line = try lineStart(from: middle, before: high, &window) else {
        // No line begins in the upper half: go through the lower one line by line.
        return try walk(from: low, to: high, until: seq, &window)
      }
      if line.seq < seq { low = line.offset } else { high = line.offset }
      if high - low <= Int64(Self.window) {
        return try walk(from: low, to: high, until: seq, &window)
      }
    }
    return high
  }

  /// Enough for most lines, little enough to be copied twenty times.
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
        try read(found, &window)
        guard let seq = LineSeq.of(window.bytes) else { throw .inputOutput }
        return (found, seq)
      }
      at += Int64(window.count)
    }
    return nil
  }

  private func walk(
    from low: Int64,
    to high: Int64,
    until seq: Seq,
    _ window: inout ByteBuffer
  ) throws(Errno) -> Int64 {
    var at = low
    while at < high {
      try read(at, &window)
      guard let found = LineSeq.of(window.bytes) else { throw .inputOutput }
      if found >= seq { return at }
      guard let next = try lineStart(from: at, before: high, &window) else { return high }
      at = next.offset
    }
    return high
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
