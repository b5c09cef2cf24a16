// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// A segment by its name, its size and its header.
package struct FoundSegment {
  package let first: Seq
  package let size: Int64
  /// nil where the line is damaged.
  package let header: SegmentHeader?

  package var name: String { SegmentName.entries(first) }
}

/// The segments of a directory, in their order, each under its right name.
///
/// A name says where a segment belongs, and so does its header. Where they differ the header is
/// right: a segment that was moved goes back to its place, and one that is there twice is put aside.
package struct FoundSegments {
  package internal(set) var segments: [FoundSegment] = []
  package private(set) var quarantined: Int64 = 0
  /// The highest number that a segment began with of which nothing else is known: its name was borne
  /// by something else than a file, or it could not be put in its place.
  private(set) var supplanted = Seq.none
  private let disk: any Disk

  package init(on disk: any Disk, with reader: JSONReader) throws(Errno) {
    self.disk = disk
    var misnamed: [(name: String, first: Seq)] = []
    for name in try disk.names(in: nil) {
      if SegmentName.isUnfinished(name) {
        try? disk.remove(name)
      } else if let first = SegmentName.first(entries: name) {
        guard let found = look(at: name, first, with: reader) else { continue }
        if let header = found.header, header.first != first {
          misnamed.append((name, header.first))
        } else {
          segments.append(found)
        }
      } else if let first = SegmentName.first(moved: name) {
        // We were stopped meanwhile. Here too the header is right: the next start would go by it.
        let header = look(at: name, first, with: reader)?.header
        misnamed.append((name, header?.first ?? first))
      }
    }
    if !misnamed.isEmpty { putRight(misnamed, with: reader) }
    segments.sort { $0.first < $1.first }
    dropEmpty()
    dropRescued()
  }

  /// What bears a segment's name; put aside unless it is a file.
  private mutating func look(
    at name: String,
    _ first: Seq,
    with reader: JSONReader
  ) -> FoundSegment? {
    do throws(Errno) {
      let entry = try disk.measure(name)
      guard entry.kind == .file else {
        try Quarantine(disk).take(name)
        quarantined += 1
        supplanted = max(supplanted, first)
        return nil
      }
      let header = try Self.header(of: disk.open(name), with: reader)
      return FoundSegment(first: first, size: entry.size, header: header)
    } catch {
      // It may be readable when its turn has come.
      return FoundSegment(first: first, size: 0, header: nil)
    }
  }

  /// The header of a segment's file; nil where it is damaged.
  package static func header(
    of file: any DiskFile,
    with reader: JSONReader
  ) throws(Errno) -> SegmentHeader? {
    var line = ByteBuffer(capacity: 4_096)
    while line.count < Limits.answerBytes {
      let before = line.count
      try line.append(room: 4_096) { target throws(Errno) in
        try file.read(into: target, at: Int64(before))
      }
      if line.count == before { return nil }
      if let newline = line.bytes.firstIndex(of: UInt8(ascii: "\n"), from: before) {
        return SegmentHeader(line.bytes.extracting(0..<newline), with: reader)
      }
    }
    return nil
  }

  /// Gives segments the names that their headers state, in two steps, since two may have each
  /// other's.
  private mutating func putRight(
    _ misnamed: [(name: String, first: Seq)],
    with reader: JSONReader
  ) {
    var waiting: [(name: String, first: Seq)] = []
    for (name, first) in misnamed {
      let isThere =
        segments.contains { $0.first == first } || waiting.contains { $0.first == first }
      do throws(Errno) {
        if isThere {
          try Quarantine(disk).take(name)
          quarantined += 1
        } else {
          let interim = SegmentName.moved(SegmentName.entries(first))
          if name != interim { try disk.rename(name, to: interim) }
          waiting.append((interim, first))
        }
      } catch {
        // On a disk that takes no names it stays out of the log, and its entries are a gap.
        supplanted = max(supplanted, first)
      }
    }
    for (name, first) in waiting {
      do throws(Errno) {
        try disk.rename(name, to: SegmentName.entries(first))
        // What stands beside it may belong to what bore this name before.
        if let found = look(at: SegmentName.entries(first), first, with: reader) {
          segments.append(found)
        }
      } catch {
        supplanted = max(supplanted, first)
      }
    }
  }

  /// Puts aside what bears a segment's name and holds no entry.
  ///
  /// It would only hide entries of the segment before it. The last one may be new; and the first one
  /// hides nothing, and its name is all that says where the log begins.
  private mutating func dropEmpty() {
    for segment in segments.dropLast().dropFirst() where segment.header == nil {
      do throws(Errno) {
        let check = SegmentCheck(try disk.open(segment.name), first: segment.first, before: nil)
        check.finish { _, _ in }
        guard check.scan.extents.isEmpty, check.fault == nil else { continue }
        if check.scan.offset == 0 {
          // It was begun when the disk took nothing, and could not even be taken away.
          try disk.remove(segment.name)
        } else {
          try Quarantine(disk).take(segment.name)
          quarantined += 1
        }
        segments.removeAll { $0.first == segment.first }
      } catch {
        continue
      }
    }
  }

  /// Leaves out segments that were given up and whose entries are in a later one.
  private mutating func dropRescued() {
    for rescuer in segments {
      guard let through = rescuer.header?.rescued else { continue }
      segments.removeAll { segment in
        guard segment.first > rescuer.first, segment.first <= through else { return false }
        try? disk.remove(segment.name)
        try? disk.remove(SegmentName.state(segment.first))
        return true
      }
    }
  }
}
