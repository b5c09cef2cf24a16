// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yWire

/// When checkpoints are written.
///
/// Beside each segment stands the state at its beginning; from there on a start would have a whole
/// segment to apply anew. So the state is written again and again within the segment that is
/// appended to. A start goes on from the newest checkpoint that the entries bear out.
final class Checkpoints {
  private let disk: any Disk
  private let syncing: any Syncing
  /// The state is to be written beside the newest segment.
  private(set) var isWanted = true
  private var beside: StateWriter?
  private let within: LatestState
  /// The end of the segment that is appended to when the state was last written down.
  private var end: Int64 = 0
  /// The size of that file.
  private(set) var weight: Int64 = 0

  init(on disk: any Disk, _ syncing: any Syncing) {
    self.disk = disk
    self.syncing = syncing
    within = LatestState(on: disk)
  }

  /// Asks for the state once more.
  func request() {
    abandon()
    isWanted = true
  }

  private func abandon() {
    within.abandon()
    beside?.abandon()
    beside = nil
  }

  // MARK: Beside a segment

  /// Begins to write the state as it is now, behind the last entry.
  func begin(
    _ source: borrowing some StateSource & ~Copyable,
    beside segment: Segment
  ) {
    isWanted = false
    guard segment.file != nil, let header = segment.header else { return }
    end = segment.end
    beside = StateWriter(source, beside: header, after: segment.state.last, on: disk)
  }

  var isWriting: Bool { beside != nil }

  /// The whole state is written, and the medium has not confirmed it yet.
  var isOut: Bool { beside?.isWhole ?? false }

  /// The bytes of the file that is not whole yet.
  var unfinishedBytes: Int64 { beside?.offset ?? 0 }

  /// Writes the next slice, or asks whether the medium has the file, and returns its size when it
  /// has; a file that the disk does not take is given up, for a start can do without it.
  func advance(budget: Int) -> Int64? {
    guard let writer = beside else { return nil }
    do throws(Errno) {
      if !writer.isWhole {
        guard try writer.advance(budget: budget), let file = writer.file else { return nil }
        weight = writer.offset
        guard syncing.bring(file) else { return finish() }
      }
      // Answers for files that were given up come first.
      while let (file, result) = syncing.brought() {
        guard file === writer.file else { continue }
        try result.get()
        try writer.finish()
        beside = nil
      }
    } catch {
      abandon()
      return nil
    }
    return beside == nil ? writer.offset : nil
  }

  /// Writes the rest, waits for the medium, and returns the size of the file when it has it.
  func finish() -> Int64? {
    guard let writer = beside else { return nil }
    do throws(Errno) {
      try writer.finishAtOnce()
    } catch {
      abandon()
      return nil
    }
    weight = writer.offset
    beside = nil
    return writer.offset
  }

  // MARK: Within the segment that is appended to

  /// A start applies one of so many parts of a segment: 1 MiB, or a few thousand entries, which
  /// take about five milliseconds.
  private static let parts: Int64 = 16
  /// A state is written again when the log has grown by so many times its size: before that,
  /// applying the entries costs no more than reading the state.
  private static let worth: Int64 = 2

  /// Whether enough was appended for another checkpoint within a segment of this size.
  func isDue(within segment: Segment, of size: Int64) -> Bool {
    // Nearly always it is too little, so that is asked first.
    segment.end - end >= max(size / Self.parts, Self.worth * weight) && segment.file != nil
      && !isWanted && !isWriting && !isWritingLatest
  }

  var isWritingLatest: Bool { within.isWriting }

  /// Begins to write the state as it is now, behind the last entry.
  func beginLatest(
    _ source: borrowing some StateSource & ~Copyable,
    within segment: Segment
  ) {
    guard let header = segment.header else { return }
    end = segment.end
    within.begin(source, within: header, after: segment.state.last)
  }

  /// Writes the next slice, and says whether all is written; the medium may get it later, since a
  /// file tells whether it is whole.
  func advanceLatest(budget: Int) -> Bool {
    guard let size = within.advance(budget: budget) else { return false }
    weight = size
    return true
  }

  /// Stops writing within the segment, and removes what was written there.
  func removeLatest() throws(Errno) {
    within.abandon()
    try StateFile.removeLatest(on: disk)
  }
}

extension EventLog {
  /// The state is to be written beside the newest segment.
  package var wantsState: Bool { checkpoints.isWanted }

  package var isWritingState: Bool { checkpoints.isWriting }

  /// The whole state is written, and the medium has not confirmed it yet.
  package var isStateOut: Bool { checkpoints.isOut }

  /// The state is written beside the newest segment, or is not going to be.
  package var isStateSettled: Bool { !isWritingState && (!wantsState || trouble != nil) }

  /// Begins to write the state as it is now beside the newest segment.
  package func beginState(_ source: borrowing some StateSource & ~Copyable) {
    checkpoints.begin(source, beside: active)
  }

  /// Writes the next slice of it, or asks whether the medium has the file.
  package func advanceState(budget: Int) {
    if let size = checkpoints.advance(budget: budget) {
      usage.setSize(ofState: active.first, size)
    }
  }

  /// Writes the rest of it, and waits for the medium.
  package func finishState() {
    if let size = checkpoints.finish() { usage.setSize(ofState: active.first, size) }
  }

  /// Enough was appended for another checkpoint within the newest segment.
  package var wantsLatest: Bool {
    checkpoints.isDue(within: active, of: policy.segmentBytes) && trouble == nil
      && !isHeavy(checkpoints.weight)
  }

  package var isWritingLatest: Bool { checkpoints.isWritingLatest }

  /// Begins to write the state as it is now within the newest segment.
  package func beginLatest(_ source: borrowing some StateSource & ~Copyable) {
    checkpoints.beginLatest(source, within: active)
  }

  /// Writes the next slice of it.
  package func advanceLatest(budget: Int) {
    if checkpoints.advanceLatest(budget: budget) { usage.measureLatest(in: disk) }
  }
}

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

/// A checkpoint as the lines of a file, a slice at a time.
struct CheckpointLines {
  /// The version of what the lines of a state mean.
  ///
  /// Whoever changes that raises it: a state of another version is no state, and what it would
  /// have told is read off the entries.
  static let version: Int64 = 1

  private var rest: any StateLines
  private var end = StateEnd()

  /// Appends the first lines: where the checkpoint stands, and what of the state cannot wait.
  init(
    _ source: borrowing some StateSource & ~Copyable,
    beside header: SegmentHeader,
    after: Seq,
    hasForgotten: Bool = false,
    into out: inout ByteBuffer
  ) {
    let start = out.count
    out.appendLine { out in
      out.append(member: "after", after.number)
      out.append(member: "version", CheckpointLines.version)
      if hasForgotten { out.append(member: "forgotten", true) }
      out.object("header") { header.writeMembers(into: &$0) }
    }
    rest = source.beginLines(into: &out)
    countLine(out, from: start)
  }

  /// Appends lines until `out` has about `budget` bytes; true when the last one is among them.
  mutating func appendLines(into out: inout ByteBuffer, budget: Int) -> Bool {
    guard out.count < budget else { return false }
    let start = out.count
    let isLast = rest.appendLines(into: &out, budget: budget)
    countLine(out, from: start)
    if isLast { end.write(into: &out) }
    return isLast
  }

  private mutating func countLine(_ out: borrowing ByteBuffer, from start: Int) {
    let text = out.bytes
    var at = start
    while let newline = text.firstIndex(of: UInt8(ascii: "\n"), from: at) {
      guard let checksum = LineChecksum.stated(text.extracting(at..<newline)) else {
        preconditionFailure("every line of a state is sealed")
      }
      end.include(checksum)
      at = newline + 1
    }
  }
}

/// The last line of a `.state` file: the number of lines before it, and a hash of their checksums.
///
/// A state that is written over another one may leave a file with lines of both, each of them
/// whole; the hash tells.
package struct StateEnd {
  package private(set) var lines: Int64 = 0
  private var hash = SegmentEnd.emptyHash

  package init() {}

  /// Includes the next line, which bears this checksum.
  package mutating func include(_ checksum: UInt32) {
    lines += 1
    hash = SegmentEnd.hash(behind: hash, checksum)
  }

  func write(into out: inout ByteBuffer) {
    out.appendLine { out in
      out.append(member: "end", lines)
      out.append(member: "hash", SegmentHeader.hex(hash))
    }
  }

  /// Whether a line says that these lines were all; nil where it is no such line.
  package func isStated(by line: JSONDocument) -> Bool? {
    guard let count = line.integer("end", of: line.root) else { return nil }
    return count == lines && line.string("hash", of: line.root) == SegmentHeader.hex(hash)
  }
}
