// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// Forgets entries of closed segments, a slice at a time.
///
/// Seqs and stamps stay. A segment is written anew beside the old one and takes its place in one
/// step, so that a crash leaves the one or the other. Damage cannot be searched, and goes as a
/// whole; it is a gap as it was before.
package final class Forgetting<State: LoggedState> {
  private let disk: any Disk
  private let json = JSONReader(limit: Limits.answerBytes)
  private let selection: Selection
  /// The segments, oldest first, with the first entry of the next one.
  private let segments: [(first: Seq, limit: Seq?)]
  /// The header to copy where one is damaged.
  private let fallback: SegmentHeader
  private var index = 0
  private var step: Step = .begin
  /// The segment at hand has an entry to be forgotten.
  private var isFound = false
  /// The forgotten entries.
  private var gone: [ClosedRange<Seq>] = []
  package private(set) var count: Int64 = 0
  /// Entries may be gone already.
  package private(set) var hasBegun = false
  /// Segments that were replaced since `takeChanged` was called.
  private var changed: [Seq] = []
  /// The error that kept a segment from being read to its end; that segment is as it was.
  private var fault: Errno?

  private enum Step {
    case begin
    /// Looking for an entry to be forgotten.
    ///
    /// Lines that a later segment has taken over are still in the file; they go in any case.
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

  /// Forgets in a log that no bus is using, and whose lock the caller holds; nil where there is no
  /// log.
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

  /// Writes down which values to withhold, before the entries that tell are gone.
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
      return try writeCheckpoint(checkpoint, beside: header)
    }
  }

  /// Reads or writes about `budget` bytes more; true when all is forgotten.
  package func advance(budget: Int) throws(Errno) -> Bool {
    hasBegun = true
    guard index < segments.count else {
      try finishForgetting()
      return true
    }
    let (first, limit) = segments[index]
    switch step {
    case .begin:
      guard let file = try openSegment(first) else { break }
      isFound = false
      step = .look(SegmentCheck(file, first: first, before: nil), hasMore: false)
    case .look(let check, var hasMore):
      check.advance(budget: budget) { line, seq in
        if let limit, seq >= limit { hasMore = true } else { examine(line, seq) }
      }
      step = .look(check, hasMore: hasMore)
      guard check.isDone else { break }
      if let error = check.fault {
        // A copy would lack entries that may be readable the next time.
        fault = error
        try nextSegment()
      } else if isFound || hasMore || !check.scan.damage.isEmpty {
        guard let file = try openSegment(first) else { break }
        let copy = try SegmentCopy(of: first, header(check, first), on: disk)
        step = .write(SegmentCheck(file, first: first, before: limit), copy)
      } else {
        try nextSegment()
      }
    case .write(let check, let copy):
      try check.advance(budget: budget) { line, seq throws(Errno) in
        try copy.append(line, seq, isForgotten: isGone(seq), with: json)
      }
      guard check.isDone else { break }
      if let error = check.fault { throw error }
      guard try isThere(first) else {
        // Retention has removed the segment meanwhile, and it must not come back.
        copy.abandon()
        try nextSegment()
        break
      }
      // From here on the file may be replaced, whatever fails.
      changed.append(first)
      try copy.finish(original: check.scan.end.hash, ending(check, before: limit))
      count += copy.forgotten
      try nextSegment()
    }
    return false
  }

  /// The segment at hand; nil where retention has removed it, so that the next one is at hand.
  private func openSegment(_ first: Seq) throws(Errno) -> (any DiskFile)? {
    do throws(Errno) {
      return try disk.open(SegmentName.entries(first))
    } catch .noSuchFile {
      // The checkpoint beside it may repeat its entries.
      try remove(SegmentName.state(first))
      try nextSegment()
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

  /// Goes on to the next segment.
  ///
  /// The checkpoint beside the last one may repeat entries of earlier ones.
  private func nextSegment() throws(Errno) {
    try replaceState(segments[index].first)
    index += 1
    step = .begin
  }

  /// The runs of forgotten entries in segments that are done.
  package var forgotten: [ClosedRange<Seq>] {
    guard index < segments.count else { return gone }
    let end = segments[index].first
    return gone.filter { $0.upperBound < end }
  }

  /// The segments that were replaced since the last call.
  func takeChanged() -> [Seq] {
    defer { changed = [] }
    return changed
  }

  /// Removes the unfinished copy.
  package func abandon() {
    if case .write(_, let copy) = step { copy.abandon() }
  }

  private func ending(_ check: SegmentCheck, before limit: Seq?) -> SegmentCopy.Ending {
    if let line = check.scan.closing, let end = SegmentEnd(closing: line.span, with: json) {
      return .closed(last: min(end.last, limit?.previous ?? end.last))
    }
    if limit != nil { return .closed(last: .none) }
    if case .bad = check.scan.tail { return .doubtful }
    return .open
  }

  /// Notes an entry that is to be forgotten.
  private func examine(_ line: Span<UInt8>, _ seq: Seq) {
    let json = self.json
    do throws(JSONFault) { try json.read(line) } catch { return }
    guard selection.covers(entry: json.document, isGone: isGone) else { return }
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
    if let line = check.scan.header, let header = SegmentHeader(line.span, with: json) {
      return header
    }
    if let header = Checkpoint<State>.read(beside: first, on: disk, with: json)?.header {
      return header
    }
    var header = fallback
    header.first = first
    header.previous = nil
    return header
  }

  /// Forgets in the checkpoint beside a segment.
  private func replaceState(_ first: Seq) throws(Errno) {
    guard var checkpoint = Checkpoint<State>.read(beside: first, on: disk, with: json),
      let header = checkpoint.header, selection.before == nil
    else {
      // A checkpoint that cannot be changed is removed: a start can do without it.
      try remove(SegmentName.state(first))
      return
    }
    if checkpoint.forget(selection) { try writeCheckpoint(checkpoint, beside: header) }
  }

  private func writeCheckpoint(
    _ checkpoint: Checkpoint<State>,
    beside header: SegmentHeader
  ) throws(Errno) {
    let writer = StateWriter(
      checkpoint.state,
      beside: header,
      after: checkpoint.after,
      hasForgotten: checkpoint.hasForgotten,
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

  /// Removes a file, if it is there.
  private func remove(_ name: String) throws(Errno) {
    if try disk.removeIfThere(name) { try disk.synchronizeNames() }
  }

  /// Removes files that cannot be searched: evidence of damage, and files that belong to no
  /// segment.
  private func finishForgetting() throws(Errno) {
    do throws(Errno) {
      for name in try disk.names(in: Quarantine.folder) {
        // Folders are not made by the log.
        do throws(Errno) { try disk.remove(Quarantine.folder + "/" + name) } catch .isDirectory {}
      }
    } catch .noSuchFile {}
    for name in try disk.names(in: nil) where isStray(name) { try disk.remove(name) }
    try disk.synchronizeNames()
    if let fault { throw fault }
  }

  /// Whether a file has lost its segment, or was never finished, or never came to its place.
  private func isStray(_ name: String) -> Bool {
    if let first = SegmentName.first(moved: name) { return isOurs(first) }
    if let first = SegmentName.first(state: name) {
      return isOurs(first) && !segments.contains { $0.first == first }
    }
    return SegmentName.first(unfinished: name).map(isOurs) ?? false
  }

  /// Whether the segment is older than the log's current one.
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
  /// The entries of which only the seq and the stamp are left.
  private(set) var forgotten: Int64 = 0

  private static let portion = 1_048_576

  init(of first: Seq, _ header: SegmentHeader, on disk: any Disk) throws(Errno) {
    self.disk = disk
    self.header = header
    name = SegmentName.entries(first)
    end = SegmentEnd(before: first)
    try? disk.remove(SegmentName.unfinished(name))
    file = try disk.create(SegmentName.unfinished(name))
    // The header states the original hash, which is known at the end and takes the same room.
    self.header.original = header.original ?? 0
    self.header.birth = try file.birth()
    var line = ByteBuffer(capacity: 512)
    self.header.writeLine(into: &line)
    offset = Int64(line.count)
  }

  /// Appends the next entry, or what is left of it.
  func append(
    _ line: Span<UInt8>,
    _ seq: Seq,
    isForgotten: Bool,
    with json: JSONReader
  ) throws(Errno) {
    let start = out.count
    if isForgotten {
      forgotten += 1
      guard Self.writeTombstone(line, seq, with: json, into: &out) else { throw .inputOutput }
    } else {
      out.append(line)
      out.append(byte: UInt8(ascii: "\n"))
    }
    if let checksum = Self.checksum(out, from: start) { end.include(seq, checksum) }
    if out.count >= Self.portion { try flush() }
  }

  /// The bytes behind the last entry.
  enum Ending {
    /// A closing line; numbers were given up to this one, be the last entry damaged.
    case closed(last: Seq)
    /// No closing line: the end is not known.
    case open
    /// Bytes that may have been an entry.
    case doubtful
  }

  /// Puts the copy in the place of the original segment, whose hash was `original`.
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
    header.writeLine(into: &line)
    try file.writeAll(line, at: 0)
    try file.synchronize()
    try disk.rename(SegmentName.unfinished(name), to: name)
    try disk.synchronizeNames()
  }

  func abandon() { try? disk.remove(SegmentName.unfinished(name)) }

  private func flush() throws(Errno) {
    try file.writeAll(out, at: offset)
    offset += Int64(out.count)
    out.clear()
  }

  private static func checksum(_ out: borrowing ByteBuffer, from start: Int) -> UInt32? {
    LineChecksum.verified(out.bytes.extracting(start..<out.count - 1))
  }

  /// Appends the rest of a forgotten entry: its seq and its stamp.
  private static func writeTombstone(
    _ line: Span<UInt8>,
    _ seq: Seq,
    with json: JSONReader,
    into out: inout ByteBuffer
  ) -> Bool {
    do throws(JSONFault) { try json.read(line) } catch { return false }
    guard let stamp = EntryView(of: json.document).stamp else { return false }
    EntryWriter.writeTombstone(seq, stamp, into: &out)
    return true
  }
}

extension EventLog {
  /// Ends the segment that is appended to, and waits until the medium has the closed ones: lines of
  /// theirs that are kept in case the disk fails would bring forgotten entries back.
  package func prepareForgetting(mono: Int64) -> SyncNews {
    guard trouble == nil else { return .nothing }
    if active.state.count > 0 { roll(mono: mono) }
    return secure(mono: mono)
  }

  /// Begins to forget; nil where the disk takes nothing, or has just failed.
  ///
  /// The caller has called `prepareForgetting`, forgets in its own state, and has that written anew
  /// before the first step.
  package func beginForgetting<State: LoggedState>(
    _ selection: Selection,
    in _: State.Type
  ) -> Forgetting<State>? {
    guard trouble == nil, !hasUnsynced, active.state.count == 0, let header = active.header
    else { return nil }
    do throws(Errno) { try checkpoints.removeLatest() } catch { return nil }
    usage.measureLatest(in: disk)
    usage.removeState(active.first, from: disk)
    guard usage.states[active.first] == nil else { return nil }
    checkpoints.request()
    let closed = known.dropLast()
    return Forgetting(
      selection,
      in: closed.indices.map { (known[$0].first, known[$0 + 1].first) },
      on: disk,
      fallback: header
    )
  }

  /// The entries that were forgotten while no bus ran, of which the log does not tell yet.
  package var forgottenNote: [ForgottenNote.Run] { (try? ForgottenNote.runs(on: disk)) ?? [] }

  /// Drops the note of them, when the medium has the entries that tell.
  ///
  /// A note that stays is told once more by the next bus, which says nothing wrong.
  package func dropForgottenNote(mono: Int64) -> SyncNews {
    let news = secure(mono: mono)
    if trouble == nil, !hasUnsynced { try? ForgottenNote.drop(on: disk) }
    return news
  }

  /// Waits until the medium has the checkpoint beside the newest segment: when the earlier ones are
  /// gone, it alone tells which values to withhold.
  package func secureState() throws(Errno) {
    do throws(Errno) {
      try StateFile.secure(active.first, on: disk)
    } catch .noSuchFile {
      // The checkpoint could not be written.
    }
  }

  /// Adopts the segments that a step has replaced; true if there are such.
  package func adoptChanges(of forgetting: Forgetting<some LoggedState>) -> Bool {
    let changed = forgetting.takeChanged()
    for first in changed {
      guard let index = known.firstIndex(where: { $0.first == first }) else { continue }
      known[index].extents = nil
      known[index].open = nil
      if let entry = try? disk.measure(SegmentName.entries(first)) {
        known[index].size = entry.size
      }
      usage.setSize(ofState: first, try? disk.measure(SegmentName.state(first)).size)
    }
    return !changed.isEmpty
  }

  /// Whether the log has a segment of this name, be its file replaced by now.
  package func hasSegment(from first: Seq) -> Bool { known.contains { $0.first == first } }
}
