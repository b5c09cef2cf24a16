// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

// Going on while the disk takes nothing.
//
// Segments that could not be written are kept in memory, whole, with their headers. When the disk
// takes them they become files as they are, and their readers notice nothing.
extension EventLog {
  /// The bytes that are held in memory at most for a disk that takes nothing.
  ///
  /// Half a minute of a busy machine; beyond it the oldest go, as they would by retention.
  static var memory: Int { 16_777_216 }
  /// The size of a segment in memory: the oldest entries go in such pieces.
  private static var piece: Int64 { 2_097_152 }
  /// The written bytes without confirmation that are kept at most, in case the disk fails.
  private static var unconfirmed: Int { 16_777_216 }

  func beginTrouble(_ error: Errno) {
    trouble = error
    writeWatermark()
  }

  /// Makes room in memory for lines that the disk does not take.
  func makeRoom(for count: Int, mono: Int64) {
    if active.state.count > 0, active.end + Int64(count) > Self.piece {
      replaceActive(with: Self.beginInMemory(nextHeader(mono: mono), spare))
    }
    var total = count + heldBytes
    while total > Self.memory,
      let index = known.firstIndex(where: { $0.held?.file == nil && $0.held != nil }),
      index < known.count - 1, let oldest = known[index].held
    {
      total -= oldest.kept.count
      known.remove(at: index)
      // Readers are told why the entries before this segment are missing.
      known[index].missing = .storage
      known[index].held?.setMissing(.storage)
    }
  }

  private var heldBytes: Int { known.reduce(0) { $0 + ($1.held?.kept.count ?? 0) } }

  /// Drops kept lines that have become too many: should the disk fail now, those entries are where
  /// they were written, or lost.
  func boundKept(by count: Int) {
    guard active.file != nil, active.kept.count + count > Self.unconfirmed else { return }
    active.forget(through: active.end)
  }

  /// Tries to write the segments that are held in memory; true when the trouble is over.
  package func heal() -> Bool {
    guard trouble != nil else { return true }
    do throws(Errno) {
      try writeHeld()
    } catch {
      trouble = error
      return false
    }
    if isOnProbation {
      // The disk has lost entries before: its confirmation of these comes first.
      durability.hurry(through: last)
      return false
    }
    endTrouble()
    return true
  }

  func endTrouble() {
    trouble = nil
    checkpoints.request()
    writeWatermark()
  }

  /// Writes all segments that are in memory, the oldest first.
  private func writeHeld() throws(Errno) {
    for index in known.indices {
      guard let segment = known[index].held, segment.file == nil else { continue }
      segment.file = try Self.writeFile(segment, isSafe: hasLegacy, on: disk)
      durability.enqueue(segment)
    }
    if hasLegacy { try disk.synchronizeNames() }
    hasLegacy = false
    for index in known.indices where known[index].held !== active { known[index].held = nil }
    dropMoved()
  }

  /// Removes entries from files where others have them by now, so that each stands in one place.
  func dropMoved() {
    for (first, end) in moved.parted {
      if let file = try? disk.openInPlace(SegmentName.entries(first)) {
        try? file.truncate(to: end)
        try? file.synchronize()
      }
      if let index = known.firstIndex(where: { $0.first == first }) { known[index].size = end }
    }
    for first in moved.givenUp where !known.contains(where: { $0.first == first }) {
      try? disk.remove(SegmentName.entries(first))
      usage.removeState(first, from: disk)
    }
    moved = MovedEntries()
  }

  /// Writes a segment that is in memory to a file, which gets its name when it is whole; an older
  /// file of that name holds no entry, or is given up for this one.
  static func writeFile(
    _ segment: Segment,
    isSafe: Bool,
    on disk: any Disk
  ) throws(Errno) -> any DiskFile {
    let name = SegmentName.entries(segment.first)
    let interim = SegmentName.unfinished(name)
    try? disk.remove(interim)
    let file = try disk.create(interim)
    do throws(Errno) {
      segment.setBirth(try file.birth())
      try segment.writeKept(to: file)
      if isSafe { try file.synchronize() }
      try disk.rename(interim, to: name)
    } catch {
      try? disk.remove(interim)
      throw error
    }
    return file
  }

  /// Writes entries anew that the disk has taken and not kept.
  ///
  /// The kernel has forgotten all that it could not bring to the medium, and a later success proves
  /// nothing about it: the segments are given up, and their entries go into a new one. If that
  /// fails too, the log is in trouble.
  func rescue(from error: Errno, mono: Int64) -> SyncNews {
    let given = durability.giveUp()
    // Later segments have not reached the medium either. The list is kept alive, for it may be the
    // only holder of these segments.
    let behind = withExtendedLifetime(given) {
      known.drop { entry in !given.contains { $0 === entry.open } }.compactMap(\.open)
    }
    // Segments in memory alone come last and are not affected; of the first ones all entries may be
    // safe already.
    let doubtful = Array(
      behind.prefix { $0.file != nil }.drop { $0.safe.offset >= $0.end && $0 !== active }
    )
    guard let oldest = doubtful.first, let index = known.firstIndex(where: { $0.open === oldest })
    else { return .nothing }
    let targets = runs(doubtful).map { rescue($0, mono: mono) }
    let safe = oldest.safe
    let isEmptied = safe.end.count == 0
    oldest.extents.cut(at: max(safe.offset, oldest.start), last: safe.end.last)
    oldest.state = safe.end
    known[index].extents = nil
    known[index].held = nil
    if !isEmptied { moved.parted.append((oldest.first, oldest.end)) }
    let rest = known[index...].filter { entry in
      !doubtful.contains { $0 === entry.open } || entry.open === oldest && !isEmptied
    }
    known.removeSubrange(index...)
    if !isEmptied, let entry = rest.first { known.append(entry) }
    for target in targets { addKnown(target) }
    known += rest.dropFirst(isEmptied ? 0 : 1)
    moved.givenUp += doubtful.map(\.first).filter { first in !known.contains { $0.first == first } }
    if active.move != nil, let last = targets.last { active = last }
    checkpoints.request()

    if isOnProbation || trouble != nil {
      beginTrouble(error)
      return .failed(error)
    }
    isOnProbation = true
    do throws(Errno) {
      try writeHeld()
    } catch {
      beginTrouble(error)
      return .failed(error)
    }
    durability.hurry(through: last)
    return .rescued(error)
  }

  /// Groups segments whose entries follow each other.
  private func runs(_ segments: [Segment]) -> [[Segment]] {
    var runs: [[Segment]] = []
    for segment in segments {
      if let before = runs.last?.last, before.last.next == segment.first {
        runs[runs.count - 1].append(segment)
      } else {
        runs.append([segment])
      }
    }
    return runs
  }

  /// A segment in memory with those entries of `segments` that the medium may not have.
  private func rescue(_ segments: [Segment], mono: Int64) -> Segment {
    let oldest = segments[0]
    var header = nextHeader(mono: mono)
    let end = oldest.safe.end
    header.first = end.last.next
    header.previous = end.count > 0 ? end : oldest.header?.previous
    header.missing = end.count > 0 ? .nothing : oldest.header?.missing ?? .nothing
    header.rescued = segments[segments.count - 1].last
    // The checkpoint beside the segment that it replaces stays valid.
    if end.count == 0, let began = oldest.header?.began { header.began = began }
    let target = Self.beginInMemory(header, spare)
    for segment in segments { target.adopt(segment) }
    return target
  }
}

/// Entries that stand in other segments by now, and the files that still have them.
struct MovedEntries {
  /// Segments whose files are to go when the others are written.
  var givenUp: [Seq] = []
  /// Segments whose files are to end then where the first of these entries begins.
  var parted: [(first: Seq, end: Int64)] = []
}
