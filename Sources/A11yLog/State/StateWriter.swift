// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yEngine
import A11yModel
import A11yPosix
import A11yWire

/// Writes the engine's state beside a segment, a slice at a time.
///
/// It holds the state as it was; what happens meanwhile changes another copy. The file gets its name
/// when it is whole and the medium has it: a name that came there first could stand for half of it.
final class StateWriter {
  private let name: String
  private let disk: any Disk
  private(set) var file: (any DiskFile)?
  /// All of it is written.
  private(set) var isWhole = false
  private var replica: Replica
  private var keys: ArraySlice<UsedKey>
  private var secrets: ArraySlice<ForgottenSecrets.Line>
  private var lines: Int64 = 0
  /// How much is written.
  private(set) var offset: Int64 = 0
  private var slice = ByteBuffer(capacity: 0)

  init(
    _ disk: any Disk,
    _ name: String,
    beside header: SegmentHeader,
    after: Seq,
    engine: Engine,
    keys: ArraySlice<UsedKey>,
    secrets: ForgottenSecrets
  ) {
    self.name = name
    self.disk = disk
    self.keys = keys
    self.secrets = secrets.lines
    replica = Replica(engine.model)
    slice.append("{")
    slice.append(member: "after", after.number)
    slice.append(member: "header")
    slice.append("{")
    header.writeMembers(into: &slice)
    slice.append("}")
    slice.seal(from: 0)
    engine.writeRecord(into: &slice)
    lines = Self.lines(in: slice, from: 0)
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
    let isLast = fill(budget)
    try Self.write(slice, to: file, at: offset)
    offset += Int64(slice.count)
    slice.clear()
    isWhole = isLast
    return isLast
  }

  /// Gives the file its name.
  func finish() throws(Errno) {
    try disk.rename(SegmentName.unfinished(name), to: name)
  }

  /// Writes what is left of it, waits until the medium has it, and gives it its name.
  func finishAtOnce() throws(Errno) {
    while !isWhole { _ = try advance(budget: 1_048_576) }
    try file?.synchronize()
    try finish()
  }

  private func create(_ name: String) throws(Errno) -> any DiskFile {
    do throws(Errno) {
      return try disk.create(name)
    } catch .fileExists {
      // One that was cut short, and could not be taken away then.
      try disk.remove(name)
      return try disk.create(name)
    }
  }

  /// Takes away what was begun, as far as the disk lets us.
  func abandon() {
    guard file != nil else { return }
    file = nil
    try? disk.remove(SegmentName.unfinished(name))
  }

  /// Collects facts up to the budget; true when there are no more.
  private func fill(_ budget: Int) -> Bool {
    while slice.count < budget {
      let before = slice.count
      if let key = keys.popFirst() {
        key.write(into: &slice)
      } else if let line = secrets.popFirst() {
        line.write(into: &slice)
      } else if !replica.write(into: &slice, budget: budget) {
        count(from: before)
        let start = slice.count
        slice.append("{")
        slice.append(member: "end", lines)
        slice.seal(from: start)
        return true
      }
      count(from: before)
    }
    return false
  }

  private func count(from start: Int) { lines += Self.lines(in: slice, from: start) }

  private static func lines(in text: borrowing ByteBuffer, from start: Int) -> Int64 {
    var lines: Int64 = 0
    var at = start
    while let newline = text.bytes.firstIndex(of: UInt8(ascii: "\n"), from: at) {
      lines += 1
      at = newline + 1
    }
    return lines
  }

  private static func write(
    _ slice: borrowing ByteBuffer,
    to file: any DiskFile,
    at offset: Int64
  ) throws(Errno) {
    try file.writeAll(slice.bytes, at: offset)
  }
}
