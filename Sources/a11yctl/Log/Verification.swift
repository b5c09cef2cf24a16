// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yWire

/// Reads all of a log, and reports everything that is not as it was written.
struct Verification {
  private let log: LogReader
  private let onFinding: (Finding) throws(Failure) -> Void
  /// The sum of the findings.
  private(set) var result = Result()
  /// The end of the segment before.
  private var before: Ending?

  struct Result: Equatable {
    var segments: Int64 = 0
    var entries: Int64 = 0
    var first: Seq?
    var last: Seq?
    var damages: Int64 = 0
    /// Entries that were damaged or have gone, in order.
    var lost: [ClosedRange<Seq>] = []
    /// Entries that were delivered and never written.
    var unwritten: [ClosedRange<Seq>] = []
  }

  /// The end of a segment as it was found.
  private struct Ending {
    let segment: LogSegment
    let content: LogReader.Content
    let isDamaged: Bool
    /// The next entry that is expected.
    let next: Seq
  }

  init(_ log: LogReader, _ onFinding: @escaping (Finding) throws(Failure) -> Void) {
    self.log = log
    self.onFinding = onFinding
  }

  mutating func verify() throws(Failure) {
    try reportStrays()
    for index in log.segments.indices { try checkSegment(index) }
    try checkEnd()
    try checkStates()
    try checkWatermark()
    try reportQuarantine()
  }

  private mutating func report(_ finding: Finding) throws(Failure) {
    if finding.weight == .damage { result.damages += 1 }
    if let entries = finding.entries {
      if finding.kind == .neverWritten {
        result.unwritten.append(entries)
      } else {
        result.lost.join(entries)
      }
    }
    try onFinding(finding)
  }

  // MARK: Segments

  private mutating func checkSegment(_ index: Int) throws(Failure) {
    let segment = log.segments[index]
    // Retention may have removed the segment meanwhile.
    guard let content = try log.scan(index, { _, _ in true }) else { return }
    result.segments += 1
    result.entries += content.scan.end.count
    if segment.isMisnamed {
      try report(Finding(.damage, .misnamed(first: segment.first), in: segment.name))
    }
    try checkJoint(segment)
    let isLast = index == log.segments.count - 1
    let inspection = SegmentInspection(
      segment,
      content,
      known: isLast ? knownLast(content) : knownLast(content, before: log.segments[index + 1]),
      isLast: isLast,
      on: log.disk
    )
    for finding in inspection.findings { try report(finding) }
    if result.first == nil { result.first = content.scan.extents.first?.first }
    if let last = content.scan.extents.last?.last { result.last = last }
    before = Ending(
      segment: segment,
      content: content,
      isDamaged: inspection.findings.contains { $0.weight == .damage },
      next: inspection.next
    )
  }

  /// The last entry of the last segment, by its closing line or the watermark.
  private func knownLast(_ content: LogReader.Content) -> Seq? {
    content.closing?.last ?? log.synced
  }

  /// The last entry of a segment, by its closing line or the next segment's header.
  private func knownLast(_ content: LogReader.Content, before next: LogSegment) -> Seq? {
    // A missing segment in between is reported elsewhere; only entries of this segment count here.
    let stated = content.closing?.last ?? next.header?.previous?.last
    return stated.map { min($0, next.first.previous) }
  }

  /// Reports entries that are missing between two segments, and segments that do not fit each
  /// other.
  private mutating func checkJoint(_ segment: LogSegment) throws(Failure) {
    guard let before else { return }
    let previous = segment.header?.previous
    if segment.first > before.next {
      let missing = before.next...segment.first.previous
      guard segment.header?.missing == .storage, (previous?.last ?? .none) < before.next else {
        try report(Finding(.damage, .missingSegment, in: segment.name, entries: missing))
        return
      }
      try report(Finding(.note, .neverWritten, in: segment.name, entries: missing))
    }
    guard let previous, !before.isDamaged,
      before.content.closing.map({ $0 == foundEnd(of: before) }) ?? true
    else { return }
    let found = foundEnd(of: before)
    let isSame = previous.count == found.count && previous.last == found.last
    // Forgetting has rewritten lines, and kept the hash of the original ones; this segment was
    // begun behind the ones or the others.
    let hashes = [before.segment.header?.original, found.hash]
    if !isSame || !hashes.contains(previous.hash) {
      try report(
        Finding(
          .damage,
          .contradiction("The segment before it is not the one that it was begun behind."),
          in: segment.name
        )
      )
    }
  }

  private func foundEnd(of ending: Ending) -> SegmentEnd { ending.content.scan.end }

  /// Reports the files that are no part of the log.
  private mutating func reportStrays() throws(Failure) {
    for stray in log.strays {
      switch stray {
      case .notAFile(let name, let first):
        // Entries missing after the oldest segment are reported with the next segment.
        let oldest = log.segments.first?.first ?? first
        let lost = first < oldest ? first...oldest.previous : nil
        try report(Finding(.damage, .notAFile, in: name, entries: lost))
      case .doubled(let name, let first):
        try report(Finding(.damage, .doubled(first: first), in: name))
      case .givenUp(let name): try report(Finding(.note, .givenUp, in: name))
      case .unknown(let name): try report(Finding(.note, .unknownName, in: name))
      }
    }
  }

  // MARK: Files beside the segments

  /// Reports a segment that is missing at the end, by the watermark.
  private mutating func checkEnd() throws(Failure) {
    let next = before?.next ?? log.segments.last?.first ?? Seq(1)
    guard let synced = log.synced, synced >= next else { return }
    try report(Finding(.damage, .missingSegment, in: nil, entries: next...synced))
  }

  private mutating func checkStates() throws(Failure) {
    for first in log.states {
      let name = SegmentName.state(first)
      if case .bad(let finding) = inspectState(name, of: first, .damage) {
        try report(finding)
      } else if !log.segments.contains(where: { $0.first == first }) {
        try report(Finding(.note, .state(.stranger), in: name))
      }
    }
    // While one of these is written the other one holds, so that neither is synced.
    var findings: [Finding] = []
    for name in SegmentName.latest {
      switch inspectState(name, of: nil, .note) {
      case .whole: return
      case .missing: continue
      case .bad(let finding): findings.append(finding)
      }
    }
    for finding in findings { try report(finding) }
  }

  /// The condition of a file with the presenter's state.
  private enum StateLook {
    case whole
    case missing
    case bad(Finding)
  }

  private func inspectState(_ name: String, of first: Seq?, _ weight: Finding.Weight) -> StateLook {
    do throws(Errno) {
      guard let fault = try StateCheck.fault(of: log.disk.open(name), first: first) else {
        return .whole
      }
      return .bad(Finding(weight, .state(fault.kind), in: name, bytes: fault.bytes))
    } catch .noSuchFile {
      return .missing
    } catch {
      return .bad(Finding(weight, .unreadable("\(error)"), in: name))
    }
  }

  /// Checks the watermark; while one of its lines is written the other one holds.
  private mutating func checkWatermark() throws(Failure) {
    let whole: Int
    do throws(Errno) {
      whole = try Watermark.wholeSlots(of: log.disk.open(Watermark.name))
    } catch .noSuchFile {
      return
    } catch {
      try report(Finding(.damage, .unreadable("\(error)"), in: Watermark.name))
      return
    }
    switch whole {
    case 0: try report(Finding(.damage, .watermark, in: Watermark.name))
    case 1: try report(Finding(.note, .watermarkSlot, in: Watermark.name))
    default: break
    }
  }

  private mutating func reportQuarantine() throws(Failure) {
    var files: Int64 = 0
    var bytes: Int64 = 0
    do throws(Errno) {
      for name in try log.disk.names(in: Quarantine.folder) {
        files += 1
        bytes += try log.disk.measure(Quarantine.folder + "/" + name).size
      }
    } catch {
      // There is none.
    }
    guard files > 0 else { return }
    try report(Finding(.note, .quarantine(files: files, bytes: bytes), in: Quarantine.folder))
  }
}

extension Watermark {
  /// The number of intact lines of the two; a line that was never written counts as intact.
  fileprivate static func wholeSlots(of file: any DiskFile) throws(Errno) -> Int {
    let size = 512
    var whole = 0
    for index in 0..<2 {
      var slot = ByteBuffer(capacity: size)
      try slot.append(room: size) { target throws(Errno) in
        try file.read(into: target, at: Int64(index * size))
      }
      let end = slot.bytes.firstIndex(of: "\"}").map { $0 + 2 } ?? 0
      let isWhole = LineChecksum.verified(slot.bytes.extracting(0..<end)) != nil
      if isWhole || slot.bytes.isBlank(from: 0) { whole += 1 }
      if isWhole, !slot.bytes.isBlank(from: end) { whole -= 1 }
    }
    return whole
  }
}

extension Span<UInt8> {
  /// Whether all bytes from `start` on are padding, or were never written.
  fileprivate func isBlank(from start: Int) -> Bool {
    for index in start..<count where self[index] != 0 && self[index] != 10 && self[index] != 32 {
      return false
    }
    return true
  }
}

extension [ClosedRange<Seq>] {
  /// Adds a range, joined with the last one where they touch.
  fileprivate mutating func join(_ range: ClosedRange<Seq>) {
    if let before = last, before.upperBound.next >= range.lowerBound,
      before.lowerBound <= range.lowerBound
    {
      self[count - 1] = before.lowerBound...Swift.max(before.upperBound, range.upperBound)
    } else {
      append(range)
    }
  }
}

/// Reads a file that holds the presenter's state, line by line.
struct StateCheck {
  struct Fault: Equatable {
    let kind: Finding.StateFault
    let bytes: Range<Int64>
  }

  private static let piece = 262_144
  /// The first seq of the segment beside it; nil where the file names it.
  private let first: Seq?
  private let reader = JSONReader(limit: Limits.answerBytes)
  private var end = StateEnd()
  private var isWhole = false
  private var offset: Int64 = 0

  private init(first: Seq?) { self.first = first }

  /// The fault of a state file beside the segment that begins with `first`, or of one that names
  /// its segment itself; nil for none.
  static func fault(of file: any DiskFile, first: Seq?) throws(Errno) -> Fault? {
    var check = StateCheck(first: first)
    var buffer = ByteBuffer(capacity: piece)
    while buffer.count <= Limits.answerBytes {
      let before = buffer.count
      let at = check.offset + Int64(before)
      try buffer.append(room: piece) { target throws(Errno) in try file.read(into: target, at: at) }
      let isEnd = buffer.count == before
      var start = 0
      while let newline = buffer.bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) {
        if let fault = check.fault(in: buffer.bytes.extracting(start..<newline)) { return fault }
        start = newline + 1
        // Later bytes belong to an older, longer state.
        if check.isWhole, first == nil { return nil }
      }
      buffer.removeFirst(start)
      if isEnd { break }
    }
    let end = check.offset + Int64(buffer.count)
    if buffer.count > 0 || !check.isWhole {
      return Fault(kind: .notWhole, bytes: check.offset..<end)
    }
    return nil
  }

  private mutating func fault(in line: Span<UInt8>) -> Fault? {
    let place = offset..<offset + Int64(line.count) + 1
    guard let checksum = LineChecksum.verified(line), !isWhole, accepts(line) else {
      return Fault(kind: .line, bytes: place)
    }
    end.include(checksum)
    offset = place.upperBound
    return nil
  }

  private mutating func accepts(_ line: Span<UInt8>) -> Bool {
    do throws(JSONFault) { try reader.read(line) } catch { return false }
    if end.lines == 0 { return isBeginning(reader.document) }
    let isStated = end.isStated(by: reader.document)
    isWhole = isStated ?? false
    return isStated ?? true
  }

  /// Whether this is the first line of the file beside this segment.
  private func isBeginning(_ line: JSONDocument) -> Bool {
    guard let header = line.member("header", of: line.root),
      let after = line.integer("after", of: line.root),
      let stated = line.integer("first", of: header)
    else { return false }
    return stated == first?.number ?? stated && after >= stated - 1
  }
}
