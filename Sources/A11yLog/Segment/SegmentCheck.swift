// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

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
    try unread.append(room: room) { target throws(Errno) in
      try file.read(into: target, at: offset)
    }
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
