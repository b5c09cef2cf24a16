// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
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
      replaceActive(with: Self.beginInMemory(nextHeader(mono: mono)))
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
    active.release(through: active.end, active.state)
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
      segment.file = try write(segment)
      durability.note(segment)
      if segment !== active { known[index].held = nil }
    }
    // What was rescued is in two places until now.
    for first in givenUp {
      try? disk.remove(SegmentName.entries(first))
      try? disk.remove(SegmentName.state(first))
    }
    givenUp = []
  }

  /// Writes a segment that is in memory to a file of its own.
  private func write(_ segment: Segment) throws(Errno) -> any DiskFile {
    let name = SegmentName.entries(segment.first)
    let interim = SegmentName.unfinished(name)
    try? disk.remove(interim)
    let file = try disk.create(interim)
    do throws(Errno) {
      try segment.writeKept(to: file)
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
    // What this process has found and not written is in no memory of its own. Of what it has written
    // some may be in memory no longer: that is where it was written, or it is not.
    for segment in behind.prefix(while: \.isFound) { doubt(segment) }
    let fresh = behind.drop(while: \.isFound)
    let begin = fresh.lastIndex { $0.keptStart > $0.start } ?? fresh.startIndex
    // Those that are in memory alone come last, and nothing has become of them; of the first ones
    // there may be nothing left to be rescued.
    let doubtful = Array(
      fresh[begin...].prefix { $0.file != nil }.drop { $0.kept.isEmpty && $0 !== active }
    )
    guard let oldest = doubtful.first, let index = known.firstIndex(where: { $0.open === oldest })
    else { return .nothing }
    let targets = runs(doubtful).map { rescue($0, mono: mono) }
    let isEmptied = oldest.keptEnd.count == 0
    oldest.extents.cut(at: max(oldest.keptStart, oldest.start), last: oldest.keptEnd.last)
    oldest.state = oldest.keptEnd
    known[index].extents = oldest.extents
    known[index].held = nil
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
    header.first = oldest.keptEnd.last.next
    header.previous = oldest.keptEnd.count > 0 ? oldest.keptEnd : oldest.header?.previous
    header.missing = oldest.keptEnd.count > 0 ? .nothing : oldest.header?.missing ?? .nothing
    header.rescued = segments[segments.count - 1].last
    let target = Self.beginInMemory(header)
    for segment in segments {
      let from = max(segment.keptStart, segment.start)
      let base = target.end
      target.adopt(segment)
      segment.move = Segment.Move(from: from, target: target, base: base)
    }
    target.state = rehash(target)
    return target
  }

  /// The end of a segment that was put together from others.
  private func rehash(_ segment: Segment) -> SegmentEnd {
    var end = SegmentEnd(before: segment.first)
    segment.eachKept { line, seq in
      if let checksum = LineChecksum.verified(line) { end.take(seq, checksum) }
    }
    return end
  }
}
