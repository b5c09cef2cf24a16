// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// Reads a segment's file through, in slices, so that nothing of it is delivered unchecked.
///
/// What cannot be read costs no more than the lines that it is part of.
package final class SegmentCheck {
  package private(set) var scan: SegmentScan
  private let file: any DiskFile
  private var window = ByteBuffer(capacity: 0)
  /// Bytes that are read at a time; they stay in the processor's cache.
  private static let piece = 262_144
  package private(set) var isDone = false
  /// Why not all of it could be read; what was not read is not there.
  package private(set) var fault: Errno?
  private var unreadable = 0
  /// What a medium fails at together: where a larger piece cannot be read, its parts may.
  private static let part = 4_096
  /// Parts that are passed over; a medium that fails at more has no more of this file.
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
      let before = window.count
      read(max(Self.part, min(Self.piece, left)), at: scan.offset + Int64(before))
      let isEnd = window.count == before
      let taken = try Self.take(window, isEnd: isEnd, &scan, each)
      window.removeFirst(taken)
      left -= max(window.count - before + taken, 1)
      isDone = isEnd
    }
    if isDone { window = ByteBuffer(capacity: 0) }
  }

  private func read(_ room: Int, at offset: Int64) {
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
    try window.append(room: room) { target throws(Errno) in
      try file.read(into: target, at: offset)
    }
  }

  /// Takes zeros for what cannot be read: they are no part of any line.
  private func passOver(_ offset: Int64, because error: Errno) {
    fault = error
    unreadable += 1
    guard unreadable <= Self.unreadableParts, let size = try? file.size() else { return }
    let end = min(size, (offset / Int64(Self.part) + 1) * Int64(Self.part))
    for _ in offset..<max(offset, end) { window.append(byte: 0) }
  }

  private static func take<Fault: Error>(
    _ window: borrowing ByteBuffer,
    isEnd: Bool,
    _ scan: inout SegmentScan,
    _ each: (Span<UInt8>, Seq) throws(Fault) -> Void
  ) throws(Fault) -> Int {
    try scan.take(window.bytes, isEnd: isEnd, each)
  }

  /// Reads to the end at once.
  package func finish<Fault: Error>(
    _ each: (Span<UInt8>, Seq) throws(Fault) -> Void
  ) throws(Fault) {
    while !isDone { try advance(budget: .max, each) }
  }
}
