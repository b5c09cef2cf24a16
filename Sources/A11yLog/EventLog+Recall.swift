// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yWire

// Earlier entries, looked up for the broker.
extension EventLog {
  /// Overwrites the entries that were looked up last.
  package func wipe() {
    json.wipe()
    pastLine.wipe()
  }

  /// The members of an earlier entry that a later one may depend on.
  package func recall(_ seq: Seq) -> Recollection {
    guard seq >= first, seq <= last, let index = known.lastIndex(where: { $0.first <= seq })
    else { return .gone }
    do throws(Errno) {
      guard let segment = try open(index) else { return .gone }
      // A search that damage has led astray proves nothing; reading the segment through does.
      if let entry = try? entry(seq, in: segment, at: index) { return .entry(entry) }
      while !check(segment, budget: .max) {}
      if let entry = try entry(seq, in: segment, at: index) { return .entry(entry) }
      return known[index].extents == nil && segment.readings > 0 ? .unreadable : .gone
    } catch .noSuchFile {
      return .gone
    } catch {
      return .unreadable
    }
  }

  private func entry(
    _ seq: Seq,
    in segment: Segment,
    at index: Int
  ) throws(Errno) -> PastEntry? {
    pastLine.clear()
    guard try line(of: seq, in: segment, at: index, into: &pastLine) else { return nil }
    return Self.entry(seq, in: pastLine, with: json)
  }

  private static func entry(
    _ seq: Seq,
    in line: borrowing ByteBuffer,
    with json: JSONReader
  ) -> PastEntry? {
    // A search for a damaged entry ends at the one behind it.
    guard Seq(of: line.bytes) == seq, LineChecksum.verified(line.bytes) != nil else {
      return nil
    }
    return PastEntry(line.bytes, with: json)
  }

  /// The line of an entry, without its newline, unchecked; false where it is not there.
  private func line(
    of seq: Seq,
    in segment: Segment,
    at index: Int,
    into out: inout ByteBuffer
  ) throws(Errno) -> Bool {
    var extents = segment.extents
    if !segment.isChecked {
      // The line is checked by itself; where damage leads the search astray, the entry counts as
      // gone.
      guard let extent = try assumedExtent(index, segment) else { return false }
      extents = [extent]
    }
    guard let extent = extents.first(where: { $0.first <= seq && seq <= $0.last }) else {
      return false
    }
    var search = SegmentSearch(segment: segment, extent: extent)
    let offset = try search.offset(of: seq)
    _ = try segment.restOfLine(at: offset, in: extent, into: &out)
    if out.count > 0, out.bytes[out.count - 1] == UInt8(ascii: "\n") {
      out.truncate(to: out.count - 1)
    }
    return out.count > 0
  }

  /// The extent of a segment that has no damage.
  private func assumedExtent(_ index: Int, _ segment: Segment) throws(Errno) -> Extent? {
    guard index + 1 < known.count, let file = segment.file else { return nil }
    var head = ByteBuffer(capacity: 4_096)
    while head.count < Limits.answerBytes {
      let before = head.count
      guard try segment.read(into: &head, at: Int64(before), room: 4_096) > 0 else { return nil }
      if let newline = head.bytes.firstIndex(of: UInt8(ascii: "\n"), from: before) {
        return Extent(
          start: Int64(newline) + 1,
          end: try file.size(),
          first: segment.first,
          last: known[index + 1].first.previous
        )
      }
    }
    return nil
  }
}
