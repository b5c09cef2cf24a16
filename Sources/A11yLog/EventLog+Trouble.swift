// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

// What happens while the disk does not take what it is given.
//
// Segments that it could not take are kept in memory, whole, with their headers. When it takes them
// they become files as they are, and nobody who reads them notices.
extension EventLog {
  /// What is held in memory at most for a disk that takes nothing, in bytes.
  ///
  /// Half a minute of a busy machine; beyond it the oldest goes, as it would by retention.
  static var memory: Int { 16_777_216 }
  /// A segment in memory is this long, so that the oldest goes in pieces.
  private static var piece: Int64 { 2_097_152 }
  /// Of what the disk has taken and not yet confirmed so much is kept for the case that it fails.
  private static var unconfirmed: Int { 16_777_216 }

  func beginTrouble(_ error: Errno) {
    trouble = error
    mark()
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
      // Whoever reads on there is told what became of those that are missing.
      known[index].missing = .storage
      known[index].held?.note(missing: .storage)
    }
  }

  private var heldBytes: Int { known.reduce(0) { $0 + ($1.held?.kept.count ?? 0) } }

  /// Forgets what was kept for the case that the disk fails, where it has become too much: should it
  /// fail now, those entries are where they were written, or they are not.
  func boundKept(by count: Int) {
    guard active.file != nil, active.kept.count + count > Self.unconfirmed else { return }
    active.forget(through: active.end)
  }

  /// Tries to give the disk what is held in memory; true when there is no trouble any more.
  package func heal() -> Bool {
    guard trouble != nil else { return true }
    do throws(Errno) {
      try writeHeld()
    } catch {
      trouble = error
      return false
    }
    if isOnProbation {
      // It has taken entries before and not kept them: what it says about these comes first.
      durability.hurry(through: last)
      return false
    }
    endTrouble()
    return true
  }

  func endTrouble() {
    trouble = nil
    requestState()
    mark()
  }

  /// Writes all segments that are in memory, the oldest first.
  private func writeHeld() throws(Errno) {
    for index in known.indices {
      guard let segment = known[index].held, segment.file == nil else { continue }
      segment.file = try Self.write(segment, isSafe: hasLegacy, on: disk)
      durability.note(segment)
    }
    if hasLegacy { try disk.synchronizeNames() }
    hasLegacy = false
    for index in known.indices where known[index].held !== active { known[index].held = nil }
    dropMoved()
  }

  /// Takes from the files what others have by now, so that every entry stands in one place.
  func dropMoved() {
    for (first, end) in parted {
      if let file = try? disk.openInPlace(SegmentName.entries(first)) {
        try? file.truncate(to: end)
        try? file.synchronize()
      }
      if let index = known.firstIndex(where: { $0.first == first }) { known[index].size = end }
    }
    parted = []
    for first in givenUp where !known.contains(where: { $0.first == first }) {
      try? disk.remove(SegmentName.entries(first))
      besides.removeState(first, from: disk)
    }
    givenUp = []
  }

  /// Writes a segment that is in memory to a file of its own, which has its name when it is whole;
  /// whatever bore that name holds no entry, or is given up for it.
  static func write(
    _ segment: Segment,
    isSafe: Bool,
    on disk: any Disk
  ) throws(Errno) -> any DiskFile {
    let name = SegmentName.entries(segment.first)
    let interim = SegmentName.unfinished(name)
    try? disk.remove(interim)
    let file = try disk.create(interim)
    do throws(Errno) {
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
  /// What the kernel could not bring to the medium it has forgotten, and a later success says
  /// nothing about it: the segments are given up, and their entries go into a new one. If that
  /// fails too, the disk is not believed any more.
  func rescue(from error: Errno, mono: Int64) -> SyncNews {
    let given = durability.giveUp()
    // Whatever is behind it has not reached the medium either. Nobody else may hold these segments,
    // and what nobody holds is gone after its last use.
    let behind = withExtendedLifetime(given) {
      known.drop { entry in !given.contains { $0 === entry.open } }.compactMap(\.open)
    }
    // Those that are in memory alone come last, and nothing has become of them; of the first ones
    // there may be nothing left to be rescued.
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
    if !isEmptied { parted.append((oldest.first, oldest.end)) }
    let rest = known[index...].filter { entry in
      !doubtful.contains { $0 === entry.open } || entry.open === oldest && !isEmptied
    }
    known.removeSubrange(index...)
    if !isEmptied, let entry = rest.first { known.append(entry) }
    for target in targets { know(target) }
    known += rest.dropFirst(isEmptied ? 0 : 1)
    givenUp += doubtful.map(\.first).filter { first in !known.contains { $0.first == first } }
    if active.move != nil, let last = targets.last { active = last }
    requestState()

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

  /// Those of these segments together whose entries follow each other.
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

  /// A segment in memory with the entries of these that may not be on the medium.
  private func rescue(_ segments: [Segment], mono: Int64) -> Segment {
    let oldest = segments[0]
    var header = nextHeader(mono: mono)
    let end = oldest.safe.end
    header.first = end.last.next
    header.previous = end.count > 0 ? end : oldest.header?.previous
    header.missing = end.count > 0 ? .nothing : oldest.header?.missing ?? .nothing
    header.rescued = segments[segments.count - 1].last
    // The state beside the one whose place it takes holds on.
    if end.count == 0, let began = oldest.header?.began { header.began = began }
    let target = Self.beginInMemory(header, spare)
    for segment in segments { target.adopt(segment) }
    return target
  }
}
