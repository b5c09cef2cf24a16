// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

// How readers go from segment to segment.
extension EventLog {
  /// Damage in a segment, as it was found by reading it through.
  package struct Finding: Equatable, Sendable {
    package let segment: String
    /// Entries that cannot be read any more.
    package let lost: [ClosedRange<Seq>]
    /// Why it could not be read to its end.
    package let fault: Errno?
  }

  /// The segment that holds `seq`, or the oldest one behind it where that is gone.
  package func segment(holding seq: Seq) -> Segment {
    var index = known.lastIndex { $0.first <= seq } ?? 0
    while index < known.count - 1 {
      let first = known[index].first
      if let segment = openOrSkip(index) { return segment }
      index = known.firstIndex { $0.first > first } ?? known.count - 1
    }
    return active
  }

  /// The segment behind this one; nil for the one that is appended to.
  ///
  /// Where segments in between are gone it is the oldest that is left.
  package func segment(after segment: Segment) -> Segment? {
    guard segment !== active, let index = known.firstIndex(where: { $0.first > segment.first })
    else { return nil }
    return self.segment(holding: known[index].first)
  }

  /// Whether a segment is part of the log still.
  package func holds(_ segment: Segment) -> Bool { known.contains { $0.open === segment } }

  /// Why entries before a segment are missing that is behind one which is still there.
  package func isStorageGap(before segment: Segment) -> Bool {
    known.first { $0.first == segment.first }?.missing == .storage
  }

  /// Reads a segment through, so that what is delivered of it is known to be intact; true when that
  /// is done.
  ///
  /// What this process has written is read through as well, once nothing more comes to it and none
  /// of it is read from memory.
  package func check(_ segment: Segment, budget: Int) -> Bool {
    if segment.isUnread { doubt(segment) }
    guard let check = segment.check else { return true }
    check.advance(budget: budget) { _, _ in }
    guard check.isDone else { return false }
    segment.finishCheck()
    note(segment, check)
    return true
  }

  /// Remembers what a segment holds, and what of it is damaged.
  private func note(_ segment: Segment, _ check: SegmentCheck) {
    guard let index = known.firstIndex(where: { $0.open === segment }) else { return }
    // What cannot be read now may be readable for the next who asks.
    known[index].extents = check.fault == nil ? segment.extents : nil
    var lost: [ClosedRange<Seq>] = []
    var next = segment.first
    for extent in segment.extents {
      if extent.first > next { lost.append(next...extent.first.previous) }
      next = extent.last.next
    }
    let limit = index + 1 < known.count ? known[index + 1].first : next
    if limit > next, known[index + 1].missing == .nothing { lost.append(next...limit.previous) }
    let spoilt = lost.isEmpty ? check.scan.innerDamage : check.scan.damage[...]
    guard !lost.isEmpty || !spoilt.isEmpty || check.fault != nil else { return }
    let name = SegmentName.entries(segment.first)
    if let file = segment.file {
      for place in spoilt { Quarantine(disk).copy(place, of: file, named: name) }
    }
    findings.append(Finding(segment: name, lost: lost, fault: check.fault))
  }

  /// Has a segment read through again, because it could not be read where it could before.
  package func doubt(_ segment: Segment) {
    // Of what is kept in memory nothing is read from the file.
    guard let file = segment.file, segment !== active, segment.kept.isEmpty,
      let index = known.firstIndex(where: { $0.open === segment })
    else { return }
    known[index].extents = nil
    segment.check = SegmentCheck(file, first: segment.first, before: limit(index))
  }

  private func limit(_ index: Int) -> Seq? {
    index + 1 < known.count ? known[index + 1].first : nil
  }

  /// A segment to read from; what cannot be opened twice is passed over, for this time.
  private func openOrSkip(_ index: Int) -> Segment? {
    do throws(Errno) {
      do throws(Errno) {
        return try reopen(index)
      } catch  where error != .noSuchFile {
        return try reopen(index)
      }
    } catch .noSuchFile {
      // Somebody else has tidied up.
      known.remove(at: index)
    } catch {
      findings.append(
        Finding(segment: SegmentName.entries(known[index].first), lost: [], fault: error)
      )
    }
    return nil
  }

  /// A segment for somebody who comes to it anew.
  ///
  /// Others may hold it still that could not read it to its end: the medium may give it back by now.
  private func reopen(_ index: Int) throws(Errno) -> Segment? {
    let segment = try open(index)
    if let segment, segment.isChecked, segment.readings > 0, known[index].extents == nil {
      doubt(segment)
    }
    return segment
  }

  func open(_ index: Int) throws(Errno) -> Segment? {
    if let segment = known[index].open { return segment }
    let first = known[index].first
    let file = try disk.open(SegmentName.entries(first))
    let segment = Segment(
      file,
      first: first,
      check: SegmentCheck(file, first: first, before: limit(index))
    )
    if let extents = known[index].extents { segment.assume(extents) }
    known[index].open = segment
    return segment
  }
}
