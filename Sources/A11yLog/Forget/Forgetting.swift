// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// Takes entries out of segments that are closed, a slice at a time.
///
/// Their numbers stay, and when they were; what they said is gone. A segment is written anew beside
/// the old one and takes its place in one step, so that a crash leaves the one or the other. What is
/// damaged cannot be searched, and goes as a whole; it is a gap as it was before.
package final class Forgetting<State: LoggedState> {
  private let disk: any Disk
  private let reader = JSONReader(limit: Limits.answerBytes)
  private let selection: Selection
  /// The segments to go through, oldest first, and before which entry each ends.
  private let segments: [(first: Seq, limit: Seq?)]
  /// For a header that is damaged.
  private let fallback: SegmentHeader
  private var index = 0
  private var step: Step = .begin
  /// There is something to be forgotten in the segment at hand.
  private var isFound = false
  /// What was forgotten, in their order.
  private var gone: [ClosedRange<Seq>] = []
  package private(set) var count: Int64 = 0
  /// Something may have gone already.
  package private(set) var hasBegun = false
  /// Segments that have another content now, of which nobody was told yet.
  private var changed: [Seq] = []
  /// Why some segment could not be read to its end; it is as it was.
  private var fault: Errno?

  private enum Step {
    case begin
    /// Is there anything in this one?
    ///
    /// Lines that a later segment has taken over stay in the file unseen; they go, whatever they say.
    case look(SegmentCheck, hasMore: Bool)
    case write(SegmentCheck, SegmentCopy)
  }

  package init(
    _ selection: Selection,
    in segments: [(first: Seq, limit: Seq?)],
    on disk: any Disk,
    fallback: SegmentHeader
  ) {
    self.selection = selection
    self.segments = segments
    self.disk = disk
    self.fallback = fallback
  }

  /// Goes through a log that no bus is using; nil where there is none.
  ///
  /// Whoever calls holds its lock.
  package convenience init?(_ selection: Selection, onUnused disk: any Disk) throws(Errno) {
    try StateFile.removeLatest(on: disk)
    let segments = try FoundSegments(on: disk, with: JSONReader(limit: Limits.answerBytes)).segments
    guard let fallback = segments.compactMap(\.header).last else { return nil }
    self.init(
      selection,
      in: segments.indices.map { index in
        (segments[index].first, index + 1 < segments.count ? segments[index + 1].first : nil)
      },
      on: disk,
      fallback: fallback
    )
    if selection.before == nil { try keepSecrets(beside: segments[segments.count - 1]) }
  }

  /// Writes down which values to withhold, before what says so is gone.
  private func keepSecrets(beside newest: FoundSegment) throws(Errno) {
    guard let header = newest.header else { return }
    let past = PastState<State>(
      at: Seq(.max / 2),
      segments: segments.map(\.first),
      unwritten: [],
      on: disk
    )
    while true {
      guard var checkpoint = past.advance(budget: .max) else { continue }
      guard checkpoint.forget(selection) else { return }
      return try write(checkpoint, beside: header)
    }
  }

  /// Works on by about `budget` bytes; true when everything is gone.
  package func advance(budget: Int) throws(Errno) -> Bool {
    hasBegun = true
    guard index < segments.count else {
      try finish()
      return true
    }
    let (first, limit) = segments[index]
    switch step {
    case .begin:
      guard let file = try open(first) else { break }
      isFound = false
      step = .look(SegmentCheck(file, first: first, before: nil), hasMore: false)
    case .look(let check, var hasMore):
      check.advance(budget: budget) { line, seq in
        if let limit, seq >= limit { hasMore = true } else { look(line, seq) }
      }
      step = .look(check, hasMore: hasMore)
      guard check.isDone else { break }
      if let error = check.fault {
        // Written anew, it would be without what may be readable the next time.
        fault = error
        try goOn()
      } else if isFound || hasMore || !check.scan.damage.isEmpty {
        guard let file = try open(first) else { break }
        let copy = try SegmentCopy(of: first, header(check, first), on: disk)
        step = .write(SegmentCheck(file, first: first, before: limit), copy)
      } else {
        try goOn()
      }
    case .write(let check, let copy):
      try check.advance(budget: budget) { line, seq throws(Errno) in
        try copy.take(line, seq, isForgotten: isGone(seq), with: reader)
      }
      guard check.isDone else { break }
      if let error = check.fault { throw error }
      guard try isThere(first) else {
        // Retention was faster, and what has gone must not come back.
        copy.abandon()
        try goOn()
        break
      }
      // Whatever fails from here on, the file may be another one.
      changed.append(first)
      try copy.finish(original: check.scan.end.hash, ending(check, before: limit))
      count += copy.forgotten
      try goOn()
    }
    return false
  }

  /// The segment at hand; nil where retention was faster, so that the next one is at hand.
  private func open(_ first: Seq) throws(Errno) -> (any DiskFile)? {
    do throws(Errno) {
      return try disk.open(SegmentName.entries(first))
    } catch .noSuchFile {
      // What stood beside it may speak of it still.
      try remove(SegmentName.state(first))
      try goOn()
      return nil
    }
  }

  private func isThere(_ first: Seq) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try disk.measure(SegmentName.entries(first))
      return true
    } catch .noSuchFile {
      return false
    }
  }

  /// Leaves a segment for the next one.
  ///
  /// The state beside it may know of what was said in earlier ones.
  private func goOn() throws(Errno) {
    try replaceState(segments[index].first)
    index += 1
    step = .begin
  }

  /// Which segments have another content now, since this was last asked.
  func takeChanged() -> [Seq] {
    defer { changed = [] }
    return changed
  }

  /// Takes away what was begun.
  package func abandon() {
    if case .write(_, let copy) = step { copy.abandon() }
  }

  private func ending(_ check: SegmentCheck, before limit: Seq?) -> SegmentCopy.Ending {
    if let line = check.scan.closing, let end = SegmentEnd(closing: line.span, with: reader) {
      return .closed(last: min(end.last, limit?.previous ?? end.last))
    }
    if limit != nil { return .closed(last: .none) }
    if case .bad = check.scan.tail { return .doubtful }
    return .open
  }

  private func look(_ line: Span<UInt8>, _ seq: Seq) {
    let reader = self.reader
    do throws(JSONFault) { try reader.read(line) } catch { return }
    guard selection.takes(reader.document, isGone: isGone) else { return }
    isFound = true
    if let last = gone.last, last.upperBound.next == seq {
      gone[gone.count - 1] = last.lowerBound...seq
    } else {
      gone.append(seq...seq)
    }
  }

  private func isGone(_ seq: Seq) -> Bool {
    var (low, high) = (0, gone.count)
    while low < high {
      let middle = (low + high) / 2
      if gone[middle].upperBound < seq { low = middle + 1 } else { high = middle }
    }
    return low < gone.count && gone[low].contains(seq)
  }

  private func header(_ check: SegmentCheck, _ first: Seq) -> SegmentHeader {
    if let line = check.scan.header, let header = SegmentHeader(line.span, with: reader) {
      return header
    }
    if let header = Checkpoint<State>.read(beside: first, on: disk, with: reader)?.header {
      return header
    }
    var header = fallback
    header.first = first
    header.previous = nil
    return header
  }

  /// Takes out of the state beside a segment what is to be forgotten.
  private func replaceState(_ first: Seq) throws(Errno) {
    guard var checkpoint = Checkpoint<State>.read(beside: first, on: disk, with: reader),
      let header = checkpoint.header, selection.before == nil
    else {
      // It may say what nobody is to know; it can be done without.
      try remove(SegmentName.state(first))
      return
    }
    if checkpoint.forget(selection) { try write(checkpoint, beside: header) }
  }

  private func write(
    _ checkpoint: Checkpoint<State>,
    beside header: SegmentHeader
  ) throws(Errno) {
    let writer = StateWriter(
      checkpoint.state,
      beside: header,
      after: checkpoint.after,
      on: disk
    )
    do throws(Errno) {
      try writer.finishAtOnce()
    } catch {
      writer.abandon()
      throw error
    }
    try disk.synchronizeNames()
  }

  /// Takes away what is there, if it is.
  private func remove(_ name: String) throws(Errno) {
    do throws(Errno) { try disk.remove(name) } catch .noSuchFile { return }
    try disk.synchronizeNames()
  }

  /// Takes away what cannot be searched: damage that was put aside, and what belongs to no segment.
  private func finish() throws(Errno) {
    do throws(Errno) {
      for name in try disk.names(in: Quarantine.folder) {
        // A folder is none of ours.
        do throws(Errno) { try disk.remove(Quarantine.folder + "/" + name) } catch .isDirectory {}
      }
    } catch .noSuchFile {}
    for name in try disk.names(in: nil) where isStray(name) { try disk.remove(name) }
    try disk.synchronizeNames()
    if let fault { throw fault }
  }

  /// Whether it is a state whose segment is gone, or was never finished, or never came to its place.
  private func isStray(_ name: String) -> Bool {
    if let first = SegmentName.first(moved: name) { return isOurs(first) }
    if let first = SegmentName.first(state: name) {
      return isOurs(first) && !segments.contains { $0.first == first }
    }
    return SegmentName.first(unfinished: name).map(isOurs) ?? false
  }

  /// Whether the log has not begun this segment since.
  private func isOurs(_ first: Seq) -> Bool {
    guard let last = segments.last else { return first < fallback.first }
    return last.limit.map { first < $0 } ?? true
  }
}

/// A segment that is being written anew.
final class SegmentCopy {
  private let disk: any Disk
  private let name: String
  private let file: any DiskFile
  private var header: SegmentHeader
  private var end: SegmentEnd
  private var out = ByteBuffer(capacity: 65_536)
  private var offset: Int64
  /// The entries of which only a number is left now.
  private(set) var forgotten: Int64 = 0

  private static let portion = 1_048_576

  init(of first: Seq, _ header: SegmentHeader, on disk: any Disk) throws(Errno) {
    self.disk = disk
    self.header = header
    name = SegmentName.entries(first)
    end = SegmentEnd(before: first)
    try? disk.remove(SegmentName.unfinished(name))
    file = try disk.create(SegmentName.unfinished(name))
    // Its header says how it ended before, which is known at the end; the room is the same.
    self.header.original = header.original ?? 0
    var line = ByteBuffer(capacity: 512)
    self.header.write(into: &line)
    offset = Int64(line.count)
  }

  /// Takes the next entry, or what is left of it.
  func take(
    _ line: Span<UInt8>,
    _ seq: Seq,
    isForgotten: Bool,
    with reader: JSONReader
  ) throws(Errno) {
    let start = out.count
    if isForgotten {
      forgotten += 1
      guard Self.writeTombstone(line, seq, with: reader, into: &out) else { throw .inputOutput }
    } else {
      out.append(line)
      out.append(byte: UInt8(ascii: "\n"))
    }
    if let checksum = Self.checksum(out, from: start) { end.take(seq, checksum) }
    if out.count >= Self.portion { try flush() }
  }

  /// What is behind the last entry.
  enum Ending {
    /// Numbers were given up to this one, be the last entry damaged.
    case closed(last: Seq)
    /// Nobody has closed it: what became of its end is not known.
    case open
    /// There was something that may have been an entry.
    case doubtful
  }

  /// Puts it in the place of the segment that it is a copy of, whose hash was `original`.
  func finish(original: UInt64, _ ending: Ending) throws(Errno) {
    switch ending {
    case .closed(let last):
      SegmentEnd(count: end.count, last: max(end.last, last), hash: end.hash)
        .writeClosing(into: &out)
    case .open: break
    case .doubtful: out.append("{\"forgotten\":true}\n")
    }
    try flush()
    if header.original == 0 { header.original = original }
    var line = ByteBuffer(capacity: 512)
    header.write(into: &line)
    try Self.write(line, to: file, at: 0)
    try file.synchronize()
    try disk.rename(SegmentName.unfinished(name), to: name)
    try disk.synchronizeNames()
  }

  func abandon() { try? disk.remove(SegmentName.unfinished(name)) }

  private func flush() throws(Errno) {
    try Self.write(out, to: file, at: offset)
    offset += Int64(out.count)
    out.clear()
  }

  private static func write(
    _ bytes: borrowing ByteBuffer,
    to file: any DiskFile,
    at offset: Int64
  ) throws(Errno) {
    try file.writeAll(bytes.bytes, at: offset)
  }

  private static func checksum(_ out: borrowing ByteBuffer, from start: Int) -> UInt32? {
    LineChecksum.verified(out.bytes.extracting(start..<out.count - 1))
  }

  /// Appends what stays of an entry: that it was, and when.
  private static func writeTombstone(
    _ line: Span<UInt8>,
    _ seq: Seq,
    with reader: JSONReader,
    into out: inout ByteBuffer
  ) -> Bool {
    do throws(JSONFault) { try reader.read(line) } catch { return false }
    let entry = reader.document
    guard let time = entry.integer("time", of: entry.root),
      let mono = entry.integer("mono", of: entry.root)
    else { return false }
    let start = out.count
    out.append("{\"seq\":")
    out.append(decimal: seq.number)
    out.append(",\"time\":")
    out.append(decimal: time)
    out.append(",\"mono\":")
    out.append(decimal: mono)
    out.append(",\"event\":{\"type\":\"forgotten\"}")
    out.seal(from: start)
    return true
  }
}
