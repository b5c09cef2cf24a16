// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// Writes a checkpoint beside a segment, a slice at a time.
///
/// The file gets its name when it is whole and on the medium: a name that came there first could
/// stand for half of it.
final class StateWriter {
  private let name: String
  private let disk: any Disk
  private(set) var file: (any DiskFile)?
  /// All of the file is written.
  private(set) var isWhole = false
  private var lines: CheckpointLines
  /// The bytes that are written.
  private(set) var offset: Int64 = 0
  private var slice = ByteBuffer(capacity: 0)

  init(
    _ source: borrowing some StateSource & ~Copyable,
    beside header: SegmentHeader,
    after: Seq,
    hasForgotten: Bool = false,
    on disk: any Disk
  ) {
    name = SegmentName.state(header.first)
    self.disk = disk
    lines = CheckpointLines(
      source,
      beside: header,
      after: after,
      hasForgotten: hasForgotten,
      into: &slice
    )
  }

  /// Writes about `budget` bytes more; true when the file is whole.
  func advance(budget: Int) throws(Errno) -> Bool {
    let file: any DiskFile
    if let open = self.file {
      file = open
    } else {
      file = try create(SegmentName.unfinished(name))
      self.file = file
    }
    let isLast = lines.appendLines(into: &slice, budget: budget)
    try file.writeAll(slice, at: offset)
    offset += Int64(slice.count)
    slice.clear()
    isWhole = isLast
    return isLast
  }

  /// Gives the file its name.
  func finish() throws(Errno) {
    try disk.rename(SegmentName.unfinished(name), to: name)
  }

  /// Writes the rest of the file, waits until the medium has it, and gives it its name.
  func finishAtOnce() throws(Errno) {
    while !isWhole { _ = try advance(budget: 1_048_576) }
    try file?.synchronize()
    try finish()
  }

  private func create(_ name: String) throws(Errno) -> any DiskFile {
    do throws(Errno) {
      return try disk.create(name)
    } catch .fileExists {
      // Left by a writer that was cut short.
      try disk.remove(name)
      return try disk.create(name)
    }
  }

  /// Removes the unfinished file, as far as the disk lets us.
  func abandon() {
    guard file != nil else { return }
    file = nil
    try? disk.remove(SegmentName.unfinished(name))
  }
}
