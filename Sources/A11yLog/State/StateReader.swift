// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// Reads a checkpoint from its file, a slice at a time.
package struct StateReader<State: LoggedState>: ~Copyable {
  private let file: any DiskFile
  private var unread = ByteBuffer(capacity: 0)
  private var offset: Int64 = 0
  private var lines: StateLineReader<State>

  /// Opens the state beside the segment that begins with `first`.
  package init(_ first: Seq, on disk: any Disk, with json: JSONReader) throws(Errno) {
    lines = StateLineReader(first: first, json: json)
    file = try disk.open(SegmentName.state(first))
  }

  /// Opens a checkpoint that says itself within which segment it stands.
  init(latest name: String, on disk: any Disk, with json: JSONReader) throws(Errno) {
    lines = StateLineReader(first: nil, json: json)
    file = try disk.open(name)
  }

  /// Reads no more than the place of the checkpoint; nil where the file does not state it.
  mutating func readPlace() -> Checkpoint<State>? {
    while lines.checkpoint == nil, case .more = advance(budget: 1) {}
    return lines.checkpoint
  }

  package enum Progress {
    case more
    case whole(Checkpoint<State>)
    /// The file is not whole, and of no use.
    case nothing
  }

  /// Reads about `budget` bytes more.
  package mutating func advance(budget: Int) -> Progress {
    var left = budget
    while left > 0 {
      let before = unread.count
      do throws(Errno) {
        let (file, at) = (file, offset)
        try unread.append(room: max(4_096, min(262_144, left))) { target throws(Errno) in
          try file.read(into: target, at: at)
        }
      } catch {
        return .nothing
      }
      let count = unread.count - before
      if count == 0 || unread.count > Limits.answerBytes * 2 { return .nothing }
      offset += Int64(count)
      left -= count
      let length = Self.restoreLines(of: unread, &lines)
      if lines.isBad { return .nothing }
      if lines.isWhole, let checkpoint = lines.checkpoint { return .whole(checkpoint) }
      unread.removeFirst(length)
    }
    return .more
  }

  /// Restores all whole lines of `unread`, and returns their length.
  private static func restoreLines(
    of unread: borrowing ByteBuffer,
    _ lines: inout StateLineReader<State>
  ) -> Int {
    var start = 0
    while let newline = unread.bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      lines.restore(unread.bytes.extracting(start..<newline))
      start = newline + 1
    }
    return start
  }
}
