// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// Reads a segment's file through, in slices, so that nothing of it is delivered unchecked.
package final class SegmentCheck {
  package private(set) var scan: SegmentScan
  private let file: any DiskFile
  private var window = ByteBuffer(capacity: 0)
  /// Bytes that are read at a time; they stay in the processor's cache.
  private static let piece = 262_144
  package private(set) var isDone = false
  /// Why it could not be read to its end; what was not read is not there.
  package private(set) var fault: Errno?

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
      do throws(Errno) {
        let at = scan.offset + Int64(before)
        try window.append(room: Self.piece) { target throws(Errno) in
          try file.read(into: target, at: at)
        }
      } catch {
        fault = error
      }
      let isEnd = window.count == before
      let taken = try Self.take(window, isEnd: isEnd, &scan, each)
      window.removeFirst(taken)
      left -= max(window.count - before + taken, 1)
      isDone = isEnd
    }
    if isDone { window = ByteBuffer(capacity: 0) }
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
