// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yCore
package import A11yPosix
package import A11yWire

/// Takes entries out of segments that are closed, a slice at a time.
///
/// Their numbers stay, and when they were; what they said is gone. A segment is written anew beside
/// the old one and takes its place in one step, so that a crash leaves the one or the other.
package final class Forgetting {
  private let disk: any Disk
  private let reader = JSONReader(limit: Limits.answerBytes)
  private let selection: Selection
  /// The segments to go through, oldest first, and before which entry each ends.
  private let segments: [(first: Seq, limit: Seq?)]
  /// For a header that is damaged.
  private let fallback: SegmentHeader
  private var index = 0
  private var step: Step = .begin
  /// What was forgotten, in their order.
  private var gone: [ClosedRange<Seq>] = []
  package private(set) var count: Int64 = 0
  /// Segments that have another content now.
  package private(set) var changed: [Seq] = []

  private enum Step {
    case begin
    /// Is there anything in this one?
    ///
    /// Lines that a later segment has taken over stay in the file unseen; they go, whatever they say.
    case look(SegmentCheck, found: [ClosedRange<Seq>], hasMore: Bool)
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
  }

  /// Works on by about `budget` bytes; true when everything is gone.
  package func advance(budget: Int) throws(Errno) -> Bool {
    guard index < segments.count else {
      try finish()
      return true
    }
    let (first, limit) = segments[index]
    switch step {
    case .begin:
      do throws(Errno) {
        let file = try disk.open(SegmentName.entries(first))
        step = .look(SegmentCheck(file, first: first, before: nil), found: [], hasMore: false)
      } catch .noSuchFile {
        // Retention was faster.
        index += 1
      }
    case .look(let check, var found, var hasMore):
      check.advance(budget: budget) { line, seq in
        if let limit, seq >= limit { hasMore = true } else { look(line, seq, &found) }
      }
      step = .look(check, found: found, hasMore: hasMore)
      guard check.isDone else { break }
      if found.isEmpty, !hasMore {
        // It may know of what was said in earlier ones.
        try replaceState(first)
        index += 1
        step = .begin
      } else {
        let file = try disk.open(SegmentName.entries(first))
        let copy = try SegmentCopy(of: first, header(check, first), on: disk)
        step = .write(SegmentCheck(file, first: first, before: limit), copy)
      }
    case .write(let check, let copy):
      try check.advance(budget: budget) { line, seq throws(Errno) in
        let isGone = isGone(seq)
        if isGone { count += 1 }
        try copy.take(line, seq, isForgotten: isGone, with: reader)
      }
      guard check.isDone else { break }
      try copy.finish(
        original: check.scan.end.hash,
        isClosed: limit != nil || check.scan.closing != nil
      )
      try replaceState(first)
      changed.append(first)
      index += 1
      step = .begin
    }
    return false
  }

  /// Takes away what was begun.
  package func abandon() {
    if case .write(_, let copy) = step { copy.abandon() }
  }

  private func look(_ line: Span<UInt8>, _ seq: Seq, _ found: inout [ClosedRange<Seq>]) {
    let reader = self.reader
    do throws(JSONFault) { try reader.read(line) } catch { return }
    guard selection.takes(reader.document, isGone: isGone) else { return }
    Self.add(seq, to: &found)
    Self.add(seq, to: &gone)
  }

  private static func add(_ seq: Seq, to ranges: inout [ClosedRange<Seq>]) {
    if let last = ranges.last, last.upperBound.next == seq {
      ranges[ranges.count - 1] = last.lowerBound...seq
    } else {
      ranges.append(seq...seq)
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
    if let header = StateFile.read(first, on: disk, with: reader)?.header { return header }
    var header = fallback
    header.first = first
    header.previous = nil
    return header
  }

  /// Takes out of the state beside a segment what is to be forgotten.
  private func replaceState(_ first: Seq) throws(Errno) {
    let name = SegmentName.state(first)
    guard var state = StateFile.read(first, on: disk, with: reader), let header = state.header,
      selection.before == nil
    else {
      // It may say what nobody is to know; it can be done without.
      do throws(Errno) { try disk.remove(name) } catch .noSuchFile {}
      return
    }
    guard state.forget(selection) else { return }
    let writer = StateWriter(
      disk,
      beside: header,
      after: state.after,
      model: state.model,
      keys: state.keys[...]
    )
    while try !writer.advance(budget: 1_048_576) {}
  }

  /// Damage that was put aside cannot be searched, and goes as a whole.
  private func finish() throws(Errno) {
    guard !changed.isEmpty else { return }
    do throws(Errno) {
      for name in try disk.names(in: Quarantine.folder) {
        try disk.remove(Quarantine.folder + "/" + name)
      }
    } catch .noSuchFile {}
    try disk.synchronizeNames()
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
      guard Self.writeTombstone(line, seq, with: reader, into: &out) else { throw .inputOutput }
    } else {
      out.append(line)
      out.append(byte: UInt8(ascii: "\n"))
    }
    if let checksum = Self.checksum(out, from: start) { end.take(seq, checksum) }
    if out.count >= Self.portion { try flush() }
  }

  /// Puts it in the place of the segment that it is a copy of, whose hash was `original`.
  ///
  /// One that nobody has closed stays so: what became of its end is not known.
  func finish(original: UInt64, isClosed: Bool) throws(Errno) {
    if isClosed { end.writeClosing(into: &out) }
    try flush()
    if header.original == 0 { header.original = original }
    var line = ByteBuffer(capacity: 512)
    header.write(into: &line)
    try Self.write(line, to: file, at: 0)
    try file.synchronize()
    try disk.rename(SegmentName.unfinished(name), to: name)
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
