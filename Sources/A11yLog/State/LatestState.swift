// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// The checkpoints within the segment that is appended to: two files that are written in turn, in
/// place.
///
/// One of them is whole whatever becomes of the other. A new file for each checkpoint would want a
/// name, an inode and room of its own, and most file systems flush it at once, which costs more
/// than the writing.
final class LatestState {
  private let disk: any Disk
  /// The file that is written next, or now; meanwhile the other one is valid.
  private var turn = 0
  /// The end of the text in each file; nil where this process has not written it to its end.
  private var ends: [Int64?] = SegmentName.latest.map { _ in nil }
  /// The lines that are still to be written; nil when all are.
  private var lines: CheckpointLines?
  private var file: (any DiskFile)?
  private var offset: Int64 = 0
  /// The end of the older text that the file may still have.
  private var before: Int64 = 0
  /// The end of the text, once all lines are made.
  private var end: Int64 = 0
  private var slice = ByteBuffer(capacity: 0)

  /// The room for a slice that is kept between two checkpoints.
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

  /// Writes about `budget` bytes more, and returns the size of the text when all of it is written;
  /// a text that the disk does not take is given up, for a start can do without it.
  func advance(budget: Int) -> Int64? {
    guard isWriting else { return nil }
    do throws(Errno) {
      let file = if let file { file } else { try openFile() }
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

  /// Stops writing; a text that is not whole has no last line and is not believed.
  func abandon() {
    lines = nil
    file = nil
    offset = 0
    slice.clear()
    slice.shrink(to: Self.room)
  }

  /// Opens the file by its name, which may be gone.
  private func openFile() throws(Errno) -> any DiskFile {
    let file = try disk.openInPlaceOrCreate(SegmentName.latest[turn])
    let size = try file.size()
    before = min(ends[turn] ?? size, size)
    ends[turn] = nil
    self.file = file
    return file
  }

  /// Overwrites the rest of an older text, which may repeat entries that the log has dropped.
  ///
  /// Cutting the file off would have the next text want new room.
  private func blank(within budget: Int) {
    let left = before - offset - Int64(slice.count)
    for _ in 0..<max(0, min(left, Int64(budget - slice.count))) {
      slice.append(byte: UInt8(ascii: " "))
    }
  }
}
