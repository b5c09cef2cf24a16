// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yWire

/// The log as it lies in its directory, read without a daemon or beside one; or entries in one
/// file, or in standard input.
///
/// Entries that come after the beginning of the reading are left out. Reading takes no lock and
/// changes nothing.
struct LogReader {
  let path: String
  /// The directory of the log, or of its one file.
  let disk: any Disk
  /// The segments in the order of their entries, by their headers.
  let segments: [LogSegment]
  let strays: [Stray]
  /// The segments that have the presenter's state beside them, by their first seq.
  let states: [Seq]
  /// The last entry that was safe before the reading began, if that is known.
  let synced: Seq?
  private let progress: Progress
  /// The one file, if the log is no directory.
  private let lines: LogLines?

  /// The bytes to read between two looks at the clock.
  private static let slice = 1_048_576

  init(_ path: String, _ progress: Progress) throws(Failure) {
    if let lines = try LogLines.found(at: path) {
      self.init(lines, path, progress)
    } else {
      try self.init(folder: path, progress)
    }
  }

  private init(folder path: String, _ progress: Progress) throws(Failure) {
    self.path = path
    self.progress = progress
    lines = nil
    let later: LaterFormat?
    do throws(Errno) {
      let disk = try KernelDisk(path)
      self.disk = disk
      later = try LaterFormat(on: disk)
      // First of all, so that every entry that it calls safe is read after it.
      let watermark = try Self.watermark(disk)
      var listing = Listing(disk)
      for name in try disk.names(in: nil) { try listing.classify(name) }
      segments = listing.sorted()
      strays = listing.strays
      states = listing.states
      synced = Self.synced(by: watermark, segments)
    } catch {
      throw Self.failure(path, error)
    }
    if let later {
      let words = "The log in \(path) cannot be read: \(later). Read it with that version."
      throw Failure(.inputOutput, words)
    }
    progress.total = segments.reduce(0) { $0 + $1.size }
  }

  /// Entries in lines, under a name for complaints.
  init(_ lines: LogLines, _ path: String, _ progress: Progress) {
    self.path = path
    self.progress = progress
    self.lines = lines
    disk = lines.disk
    segments = lines.segment.map { [$0] } ?? []
    (strays, states, synced) = ([], [], nil)
    progress.total = lines.segment?.size ?? 0
  }

  private static func watermark(_ disk: any Disk) throws(Errno) -> Watermark? {
    do throws(Errno) {
      return try Watermark.read(disk.open(Watermark.name))
    } catch .noSuchFile {
      return nil
    } catch .invalidArgument {
      // The name belongs to no regular file, which the verification tells.
      return nil
    }
  }

  /// The entry in a watermark, unless the watermark is of another log.
  private static func synced(by watermark: Watermark?, _ segments: [LogSegment]) -> Seq? {
    guard let watermark else { return nil }
    let header = segments.last { $0.header != nil }?.header
    let isOurs = header?.epochs.contains { $0.epoch == watermark.epoch } ?? true
    return isOurs ? watermark.synced : nil
  }

  private static func failure(_ path: String, _ error: Errno) -> Failure {
    let words = VisibleText.of("There is no log to read in \(path): \(error).")
    guard error == .noSuchFile else { return Failure(.noInput, words) }
    let advice = "Another one is named by --log; that of the system service is"
    return Failure(.noInput, "\(words) \(advice) in \(LogPlace.system).")
  }

  /// Whether there may be states of the presenter beside the segments.
  var mayHaveStates: Bool { lines?.isSegment ?? true }

  /// Refuses a log that is no directory, for commands that look at its files.
  func needFolder(for command: String) throws(Failure) {
    guard lines != nil else { return }
    let words = VisibleText.of("\(command) expects the directory of a log; \(path) is none.")
    throw Failure(.noInput, words)
  }

  /// Refuses a log without entries.
  func needEntries() throws(Failure) {
    guard segments.isEmpty else { return }
    throw Failure(.noInput, "There are no entries in \(LogPlace.title(path)).")
  }

  /// A sentence on damaged lines in a log of one file, in which no gap tells of them; nil where
  /// there are none among those that were read.
  var damage: String? {
    guard let count = lines?.damaged, count > 0 else { return nil }
    let words = count.counted("line", "is")
    return "\(words) damaged in \(LogPlace.title(path)), and passed over."
  }

  // MARK: One segment

  /// The content of a segment that was read through.
  struct Content {
    let scan: SegmentScan
    /// The closing line, if there is an intact one.
    let closing: SegmentEnd?
    /// The error that ended the reading early.
    let fault: Errno?
  }

  /// Reads a segment through, and gives every intact entry to `onEntry` until it returns false.
  ///
  /// - Returns: The content; nil where retention has removed the segment meanwhile.
  func scan(
    _ index: Int,
    _ onEntry: (Span<UInt8>, Seq) throws(Failure) -> Bool
  ) throws(Failure) -> Content? {
    if let lines {
      try lines.eachEntry(progress, onEntry: onEntry)
      return nil
    }
    let segment = segments[index]
    let limit = index + 1 < segments.count ? segments[index + 1].first : nil
    let file: any DiskFile
    do throws(Errno) {
      file = try disk.open(segment.name)
    } catch .noSuchFile {
      return nil
    } catch {
      let empty = SegmentScan(first: segment.first, before: limit)
      return Content(scan: empty, closing: nil, fault: error)
    }
    let check = SegmentCheck(file, first: segment.first, before: limit)
    var goesOn = true
    while goesOn, !check.isDone {
      let before = check.scan.offset
      try check.advance(budget: Self.slice) { line, seq throws(Failure) in
        if goesOn { goesOn = try onEntry(line, seq) }
      }
      progress.addBytes(check.scan.offset - before)
    }
    let reader = JSONReader(limit: Limits.answerBytes)
    let closing = check.scan.closing.flatMap { SegmentEnd(closing: $0.span, with: reader) }
    return Content(scan: check.scan, closing: closing, fault: check.fault)
  }

  // MARK: All entries

  /// Gives every intact entry of a range to `onEntry`, and the gaps between them to `onGap`, in
  /// order.
  ///
  /// - Returns: The reason why a file could not be read, if one could not; its entries are a gap.
  func readEntries(
    _ range: SeqRange,
    onGap: (Gap) throws(Failure) -> Void,
    onEntry: (Span<UInt8>, Seq, LogSegment) throws(Failure) -> Void
  ) throws(Failure) -> Failure? {
    guard let oldest = segments.first else { return nil }
    if let lines {
      // A file may have any choice of entries: nothing is missing in it but what its marks tell.
      try lines.eachEntry(progress) { gap throws(Failure) in
        let (from, to) = (max(gap.from, range.from ?? gap.from), min(gap.to, range.to ?? gap.to))
        if from <= to { try onGap(Gap(from: from, to: to, reason: gap.reason)) }
      } onEntry: { line, seq throws(Failure) in
        if let to = range.to, seq > to { return false }
        if range.from.map({ seq >= $0 }) ?? true { try onEntry(line, seq, oldest) }
        return true
      }
      return nil
    }
    let from = range.from ?? oldest.first
    let to = range.to ?? Seq(.max)
    var next = from
    var failure: Failure?
    progress.total = size(from: from, to: to)
    func reportGap(through last: Seq, _ reason: Mark.GapReason) throws(Failure) {
      let last = min(last, to)
      guard next <= last else { return }
      try onGap(Gap(from: next, to: last, reason: reason))
      next = last.next
    }

    try reportGap(through: oldest.first.previous, .retention)
    for (index, segment) in segments.enumerated() {
      if index + 1 < segments.count, segments[index + 1].first <= next { continue }
      if segment.first > to { break }
      try skip(to: segment, reportGap)
      let content = try scan(index) { line, seq throws(Failure) in
        if seq > to { return false }
        if seq < next { return true }
        try reportGap(through: seq.previous, .corruption)
        try onEntry(line, seq, segment)
        next = seq.next
        return true
      }
      guard let content else {
        if index + 1 < segments.count {
          try reportGap(through: segments[index + 1].first.previous, .retention)
        }
        continue
      }
      if let fault = content.fault {
        let words = "Reading \(path)/\(segment.name) failed: \(fault)."
        failure = Failure(.inputOutput, VisibleText.of(words))
      }
      // The closing line counts damaged entries too.
      if let last = content.closing?.last { try reportGap(through: last, .corruption) }
    }
    if let synced { try reportGap(through: synced, .corruption) }
    return failure
  }

  /// Gives every entry of a range that can be understood, and the gaps, in order.
  ///
  /// - Returns: The reason why a file could not be read, if one could not.
  func eachDocument(
    _ range: SeqRange = SeqRange(),
    onGap: (Gap) throws(Failure) -> Void = { _ in },
    _ onEntry: (JSONDocument, LogSegment) throws(Failure) -> Void
  ) throws(Failure) -> Failure? {
    let reader = JSONReader(limit: Limits.answerBytes)
    return try readEntries(range, onGap: onGap) { line, _, segment throws(Failure) in
      do throws(JSONFault) { try reader.read(line) } catch { return }
      try onEntry(reader.document, segment)
    }
  }

  /// Gives the intact entries of a range to `onEntry`, in order, until it returns false.
  func entries(
    from: Seq,
    through: Seq,
    _ onEntry: (Span<UInt8>, Seq) -> Bool
  ) throws(Failure) {
    var next = from
    var goesOn = true
    for (index, segment) in segments.enumerated() where goesOn {
      if index + 1 < segments.count, segments[index + 1].first <= next { continue }
      if segment.first > through { return }
      _ = try scan(index) { line, seq throws(Failure) in
        if seq < next { return true }
        guard seq <= through else {
          goesOn = false
          return false
        }
        next = seq.next
        goesOn = onEntry(line, seq)
        return goesOn
      }
    }
  }

  /// The bytes to read for these entries.
  private func size(from: Seq, to: Seq) -> Int64 {
    segments.indices.reduce(0) { sum, index in
      let isBefore = index + 1 < segments.count && segments[index + 1].first <= from
      return isBefore || segments[index].first > to ? sum : sum + segments[index].size
    }
  }

  /// Reports the gap between the segments before and this one.
  private func skip(
    to segment: LogSegment,
    _ reportGap: (Seq, Mark.GapReason) throws(Failure) -> Void
  ) throws(Failure) {
    if segment.header?.missing == .storage, let last = segment.header?.previous?.last {
      try reportGap(last, .corruption)
      try reportGap(segment.first.previous, .storage)
    } else {
      try reportGap(segment.first.previous, .corruption)
    }
  }

  /// The epochs of the log, each with its first entry, the oldest first.
  var epochs: [(first: Seq, epoch: String)] {
    if let lines, !lines.epochs.isEmpty { return lines.epochs }
    let header = segments.last { $0.header != nil }?.header
    return (header?.epochs ?? []).map { ($0.first, $0.epoch.hex) }
  }

  /// The epoch of an entry of a segment.
  func epoch(of seq: Seq, in segment: LogSegment) -> String {
    if let known = lines?.epochs.last(where: { $0.first <= seq }) { return known.epoch }
    if let header = segment.header { return header.epochs[header.epochs.count - 1].epoch.hex }
    let later = segments.first { $0.first > segment.first && $0.header != nil }
    let epoch = later?.header?.epochs.last { $0.first <= segment.first }
    return epoch?.epoch.hex ?? "unknown"
  }
}

/// A range of seqs, both ends included, either of which may be open.
struct SeqRange: Equatable {
  var from: Seq?
  var to: Seq?
}

/// The files of a log's directory, sorted by what they are.
private struct Listing {
  private let disk: any Disk
  private let reader = JSONReader(limit: Limits.answerBytes)
  private var segments: [LogSegment] = []
  private var misnamed: [LogSegment] = []
  private(set) var strays: [Stray] = []
  private(set) var states: [Seq] = []

  private static let known =
    ["lock", Watermark.name, ForgottenNote.name, Quarantine.folder] + SegmentName.latest

  init(_ disk: any Disk) { self.disk = disk }

  mutating func classify(_ name: String) throws(Errno) {
    if let first = SegmentName.first(state: name) {
      states.append(first)
    } else if let first = SegmentName.first(entries: name) {
      try addSegment(name, first)
    } else if let first = Self.interrupted(name) {
      try addSegment(name, first)
    } else if !Self.known.contains(name), !SegmentName.isUnfinished(name) {
      strays.append(.unknown(name: name))
    }
  }

  /// A segment that a start was giving its right name when it was stopped.
  private static func interrupted(_ name: String) -> Seq? {
    let suffix = ".moved"
    guard name.hasSuffix(suffix) else { return nil }
    return SegmentName.first(entries: String(name.dropLast(suffix.utf8.count)))
  }

  private mutating func addSegment(_ name: String, _ named: Seq) throws(Errno) {
    do throws(Errno) {
      let entry = try disk.measure(name)
      guard entry.kind == .file else {
        strays.append(.notAFile(name: name, first: named))
        return
      }
      let header = try FoundSegments.header(of: disk.open(name), with: reader)
      let first = header?.first ?? named
      let segment = LogSegment(name: name, first: first, header: header, size: entry.size)
      if name == SegmentName.entries(first) {
        segments.append(segment)
      } else {
        misnamed.append(segment)
      }
    } catch .noSuchFile {
      // Retention was faster.
    } catch {
      // Reading the segment tells the error.
      segments.append(LogSegment(name: name, first: named, header: nil, size: 0))
    }
  }

  /// The segments, each in its place; a second one for a place is a stray.
  mutating func sorted() -> [LogSegment] {
    for segment in misnamed {
      if segments.contains(where: { $0.first == segment.first }) {
        strays.append(.doubled(name: segment.name, first: segment.first))
      } else {
        segments.append(segment)
      }
    }
    segments.sort { $0.first < $1.first }
    for rescuer in segments {
      guard let through = rescuer.header?.rescued else { continue }
      for segment in segments where segment.first > rescuer.first && segment.first <= through {
        strays.append(.givenUp(name: segment.name))
      }
      segments.removeAll { $0.first > rescuer.first && $0.first <= through }
    }
    return segments
  }
}

/// A segment of the log, as its first line and its name show it.
struct LogSegment {
  let name: String
  /// The first seq, by its header, else by its name.
  let first: Seq
  /// The header; nil where the first line is damaged.
  let header: SegmentHeader?
  let size: Int64

  /// Whether it bears the name of another segment.
  var isMisnamed: Bool { name != SegmentName.entries(first) }
}

/// A file in the log's directory that is not read.
enum Stray: Equatable {
  /// A folder, pipe or link with a segment's name.
  case notAFile(name: String, first: Seq)
  /// A second copy of a segment.
  case doubled(name: String, first: Seq)
  /// A segment whose entries were written anew, after the disk had failed to keep them.
  case givenUp(name: String)
  /// A file with a name that the log does not use.
  case unknown(name: String)
}

/// A run of missing entries, both ends included.
struct Gap: Equatable {
  let from: Seq
  let to: Seq
  let reason: Mark.GapReason
}
