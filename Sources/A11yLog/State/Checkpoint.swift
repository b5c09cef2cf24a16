// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// A state with its place in the log: behind which entry it was, and beside which segment.
///
/// A `.state` file holds one from the beginning of a segment, so that nothing before that segment
/// is needed to go on.
package struct Checkpoint<State: LoggedState> {
  package private(set) var state: State
  package private(set) var after: Seq
  /// The header of the segment it stands beside, should the segment's own be damaged.
  package let header: SegmentHeader?
  /// Something was taken out of it when it was of the past already.
  ///
  /// It does to go on from with what comes, and does not lead to the decisions that were made:
  /// those were made by what is forgotten as well.
  package private(set) var hasForgotten: Bool

  package init(
    _ state: State = State(),
    after: Seq,
    beside header: SegmentHeader? = nil,
    hasForgotten: Bool = false
  ) {
    self.state = state
    self.after = after
    self.header = header
    self.hasForgotten = hasForgotten
  }

  /// Applies the next entry, without its newline; entries up to `after` change nothing.
  package mutating func apply(_ line: Span<UInt8>, _ seq: Seq, with json: JSONReader) {
    guard seq > after else { return }
    after = seq
    state.apply(line, with: json)
  }

  mutating func expire(through mono: Int64) { state.expire(through: mono) }

  mutating func forgetKeys(from first: Seq) { state.forgetKeys(from: first) }

  mutating func forget(_ selection: Selection) -> Bool {
    guard state.forget(selection) else { return false }
    hasForgotten = true
    return true
  }

  mutating func restore(_ line: JSONDocument) -> Bool { state.restore(line) }

  /// Whether it can have been written beside a segment with this header and entries up to `last`.
  ///
  /// After a power cut numbers are given again, and a file beside an earlier segment of the same
  /// name may have come through while the segment did not, or while its last entries did not.
  func belongs(to header: SegmentHeader?, through last: Seq) -> Bool {
    guard after <= last else { return false }
    guard let header, let own = self.header else { return true }
    // A segment that was written anew by a later start may have begun another epoch.
    return header.epochs.starts(with: own.epochs) && own.boot == header.boot
      && own.began == header.began
  }

  /// Whether all entries of its segment up to it are there.
  ///
  /// Damaged entries count as unknown, though the state was made with them.
  func isBorneOut(by scan: SegmentScan) -> Bool {
    guard let header, let extent = scan.extents.first else { return false }
    return extent.first == header.first && extent.last >= after
  }
}

/// The files of checkpoints.
enum StateFile {
  /// Waits until the medium has the file beside a segment.
  static func secure(_ first: Seq, on disk: any Disk) throws(Errno) {
    try disk.open(SegmentName.state(first)).synchronize()
    try disk.synchronizeNames()
  }

  /// Removes the checkpoints within the segment that is appended to, from the medium too: they may
  /// speak of entries that are to be forgotten.
  static func removeLatest(on disk: any Disk) throws(Errno) {
    for name in SegmentName.latest {
      try disk.removeIfThere(name)
    }
    // Even where none was there: an earlier attempt may have come only so far.
    try disk.synchronizeNames()
  }
}

extension Checkpoint {
  /// Reads the checkpoint beside a segment; nil where the file is not there or not whole.
  package static func read(
    beside first: Seq,
    on disk: any Disk,
    with json: JSONReader
  ) -> Checkpoint? {
    do throws(Errno) {
      return finishReading(try StateReader(first, on: disk, with: json))
    } catch {
      return nil
    }
  }

  /// The whole checkpoints within a segment, the newest first, each read when it is asked for.
  static func latest(
    within segment: FoundSegment,
    on disk: any Disk,
    with json: JSONReader
  ) -> some Sequence<Checkpoint> {
    var found: [(name: String, after: Seq)] = []
    for name in SegmentName.latest {
      // Without a header nobody can tell to which segment a checkpoint belongs.
      guard let header = segment.header,
        let known = readPlace(name, on: disk, with: json), known.header?.first == segment.first,
        known.belongs(to: header, through: known.after)
      else { continue }
      found.append((name, known.after))
    }
    found.sort { $0.after > $1.after }
    return found.lazy.compactMap { name, _ in readLatest(name, on: disk, with: json) }
  }

  private static func readPlace(
    _ name: String,
    on disk: any Disk,
    with json: JSONReader
  ) -> Checkpoint? {
    do throws(Errno) {
      var file = try StateReader<State>(latest: name, on: disk, with: json)
      return file.readPlace()
    } catch {
      return nil
    }
  }

  private static func readLatest(
    _ name: String,
    on disk: any Disk,
    with json: JSONReader
  ) -> Checkpoint? {
    do throws(Errno) {
      return finishReading(try StateReader(latest: name, on: disk, with: json))
    } catch {
      return nil
    }
  }

  private static func finishReading(_ reader: consuming StateReader<State>) -> Checkpoint? {
    while true {
      switch reader.advance(budget: .max) {
      case .more: continue
      case .whole(let checkpoint): return checkpoint
      case .nothing: return nil
      }
    }
  }
}

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
      let count: Int
      do throws(Errno) {
        count = try file.read(into: &unread, at: offset, room: max(4_096, min(262_144, left)))
      } catch {
        return .nothing
      }
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

/// Puts a checkpoint together from the lines of its file.
struct StateLineReader<State: LoggedState> {
  /// The first entry of the segment that the file stands beside, where that is known.
  let first: Seq?
  let json: JSONReader
  private var end = StateEnd()
  private(set) var checkpoint: Checkpoint<State>?
  /// The end line has come, and it is right.
  private(set) var isWhole = false
  /// A line is damaged or none of a state.
  private(set) var isBad = false

  init(first: Seq?, json: JSONReader) {
    self.first = first
    self.json = json
  }

  /// Restores the next line, without its newline.
  mutating func restore(_ line: Span<UInt8>) {
    guard !isWhole, !isBad else { return }
    isBad = true
    guard let checksum = LineChecksum.verified(line) else { return }
    let json = self.json
    do throws(JSONFault) { try json.read(line) } catch { return }
    let document = json.document
    if end.lines == 0 {
      checkpoint = readPlace(document)
      isBad = checkpoint == nil
    } else if let isStated = end.isStated(by: document) {
      isWhole = isStated
      isBad = !isWhole
    } else {
      isBad = !(checkpoint?.restore(document) ?? false)
    }
    end.include(checksum)
  }

  /// The place that the first line states.
  private func readPlace(_ document: JSONDocument) -> Checkpoint<State>? {
    // States of 0.1 state no version, and have the first.
    guard document.integer("version", of: document.root) ?? 1 == CheckpointLines.version,
      let after = document.seq("after", of: document.root),
      let object = document.member("header", of: document.root),
      let header = SegmentHeader(document, in: object), header.first == first ?? header.first,
      after >= header.first.previous
    else { return nil }
    let hasForgotten = document.member("forgotten", of: document.root) != nil
    return Checkpoint(after: after, beside: header, hasForgotten: hasForgotten)
  }
}
