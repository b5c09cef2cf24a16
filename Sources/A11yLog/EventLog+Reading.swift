// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

// How readers get from segment to segment.
extension EventLog {
  /// Damage in a segment, as it was found by reading it through.
  package struct Finding: Equatable, Sendable {
    package let segment: String
    /// The entries that cannot be read any more.
    package let lost: [ClosedRange<Seq>]
    /// The error that has ended the reading.
    package let fault: Errno?
  }

  /// The segment that holds `seq`, or the oldest one behind that where it is gone.
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
  /// Segments in between that are gone are skipped.
  package func segment(after segment: Segment) -> Segment? {
    guard segment !== active, let index = known.firstIndex(where: { $0.first > segment.first })
    else { return nil }
    return self.segment(holding: known[index].first)
  }

  /// Whether a segment is still part of the log.
  package func holds(_ segment: Segment) -> Bool { known.contains { $0.open === segment } }

  /// Whether the disk's trouble is why entries right before this segment are missing.
  package func isStorageGap(before segment: Segment) -> Bool {
    known.first { $0.first == segment.first }?.missing == .storage
  }

  /// Reads a segment through, so that only intact lines of it are delivered; true when that is
  /// done.
  ///
  /// A segment that this process has written is read through as well, once nothing more comes to it
  /// and none of it is read from memory.
  package func check(_ segment: Segment, budget: Int) -> Bool {
    if segment.isUnread { doubt(segment) }
    guard let check = segment.check else { return true }
    check.advance(budget: budget) { _, _ in }
    guard check.isDone else { return false }
    segment.finishCheck()
    recordCheck(check, of: segment)
    return true
  }

  /// Remembers the extents of a segment, and reports its damage.
  private func recordCheck(_ check: SegmentCheck, of segment: Segment) {
    guard let index = known.firstIndex(where: { $0.open === segment }) else { return }
    // The next reader may be able to read what could not be read now.
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

  /// Has a segment read through again, because some of it could not be read that could before.
  package func doubt(_ segment: Segment) {
    // Kept lines are read from memory, not from the file.
    guard let file = segment.file, segment !== active, segment.kept.isEmpty,
      let index = known.firstIndex(where: { $0.open === segment })
    else { return }
    known[index].extents = nil
    segment.check = SegmentCheck(file, first: segment.first, before: limit(index))
  }

  private func limit(_ index: Int) -> Seq? {
    index + 1 < known.count ? known[index + 1].first : nil
  }

  /// A segment to read from; nil, and skipped this time, where it could not be opened twice.
  private func openOrSkip(_ index: Int) -> Segment? {
    do throws(Errno) {
      do throws(Errno) {
        return try reopen(index)
      } catch  where error != .noSuchFile {
        return try reopen(index)
      }
    } catch .noSuchFile {
      // The file was removed behind our back.
      known.remove(at: index)
    } catch {
      findings.append(
        Finding(segment: SegmentName.entries(known[index].first), lost: [], fault: error)
      )
    }
    return nil
  }

  /// A segment for a new reader.
  ///
  /// Another reader may still hold it and could not read it to its end: the medium may be able to
  /// by now.
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
