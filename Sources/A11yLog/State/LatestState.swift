// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// The state within the segment that is appended to: two files that are written in turn, in place.
///
/// One of them is whole whatever becomes of the other. A file that takes the place of the last one
/// wants a name, an inode and room of its own, and most file systems flush it at once: that costs more
/// than the writing.
final class LatestState {
  private let disk: any Disk
  /// The one that is written next, or now; meanwhile the other one holds.
  private var turn = 0
  /// Where the text in each of them ends; nil where this process has not written it to its end.
  private var ends: [Int64?] = SegmentName.latest.map { _ in nil }
  /// What is still to be written; nil when all of it is.
  private var lines: CheckpointLines?
  private var file: (any DiskFile)?
  private var offset: Int64 = 0
  /// Up to here there may be something of what stood there before.
  private var before: Int64 = 0
  /// Where the text ends, when all of it is made.
  private var end: Int64 = 0
  private var slice = ByteBuffer(capacity: 0)

  /// What is kept of the room for a slice.
  private static let room = 131_072

  init(on disk: any Disk) { self.disk = disk }

  var isWriting: Bool { lines != nil || file != nil }

  /// Begins to write the state behind the entry `after`.
  func begin(
    _ source: borrowing some StateSource & ~Copyable,
    within header: SegmentHeader,
    after: Seq
  ) {
    abandon()
    lines = CheckpointLines(source, beside: header, after: after, into: &slice)
  }

  /// Writes about `budget` bytes more, and says how large it is when it is written; what the disk does
  /// not take is given up, for it can be done without.
  func advance(budget: Int) -> Int64? {
    guard isWriting else { return nil }
    do throws(Errno) {
      let file = if let file { file } else { try open() }
      if lines?.appendLines(into: &slice, budget: budget) ?? false {
        lines = nil
        end = offset + Int64(slice.count)
      }
      if lines == nil { blank(within: budget) }
      try file.writeAll(slice, at: offset)
      offset += Int64(slice.count)
      slice.clear()
      guard lines == nil, offset >= before else { return nil }
      ends[turn] = end
      turn = 1 - turn
      abandon()
      return end
    } catch {
      abandon()
      return nil
    }
  }

  /// Leaves it at what is written; if that is not whole, it says so of itself.
  func abandon() {
    lines = nil
    file = nil
    offset = 0
    slice.clear()
    slice.shrink(to: Self.room)
  }

  /// Finds it by its name, which may be gone.
  private func open() throws(Errno) -> any DiskFile {
    let file = try disk.openInPlaceOrCreate(SegmentName.latest[turn])
    let size = try file.size()
    before = min(ends[turn] ?? size, size)
    ends[turn] = nil
    self.file = file
    return file
  }

  /// Takes away what stands behind the text and was part of another: the log may have let go of it.
  ///
  /// To cut the file off would have the next text want new room.
  private func blank(within budget: Int) {
    let left = before - offset - Int64(slice.count)
    for _ in 0..<max(0, min(left, Int64(budget - slice.count))) {
      slice.append(byte: UInt8(ascii: " "))
    }
  }
}
