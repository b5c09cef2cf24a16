// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// A segment by its name, its size and its header.
package struct FoundSegment {
  package let first: Seq
  package let size: Int64
  /// The header; nil where its line is damaged.
  package let header: SegmentHeader?

  package var name: String { SegmentName.entries(first) }

  /// The entries at most that the file has behind its first `offset` bytes.
  func mostEntries(behind offset: Int64) -> Int64 { max(0, size - offset) / Self.shortestLine }

  /// No entry has fewer bytes: its members without their values have more.
  private static let shortestLine: Int64 = 64
}

/// The segments of a directory, in their order, each under its right name.
///
/// Both the name and the header of a segment state its place. Where they differ the header is
/// right: a segment that was moved goes back to its place, and one that is there twice is put
/// aside.
package struct FoundSegments {
  package internal(set) var segments: [FoundSegment] = []
  package private(set) var quarantined: Int64 = 0
  /// The highest first number of a segment of which nothing else is known: something else than a
  /// file had its name, or it could not be put in its place.
  private(set) var supplanted = Seq.none
  private let disk: any Disk

  package init(on disk: any Disk, with json: JSONReader) throws(Errno) {
    self.disk = disk
    var misnamed: [(name: String, first: Seq)] = []
    for name in try disk.names(in: nil) {
      if SegmentName.isUnfinished(name) {
        try? disk.remove(name)
      } else if let first = SegmentName.first(entries: name) {
        guard let found = look(at: name, first, with: json) else { continue }
        if let header = found.header, header.first != first {
          misnamed.append((name, header.first))
        } else {
          segments.append(found)
        }
      } else if let first = SegmentName.first(moved: name) {
        // An earlier start was stopped meanwhile. Here too the header is right.
        let header = look(at: name, first, with: json)?.header
        misnamed.append((name, header?.first ?? first))
      }
    }
    if !misnamed.isEmpty { putRight(misnamed, with: json) }
    segments.sort { $0.first < $1.first }
    dropEmpty()
    dropRescued()
  }

  /// The file with a segment's name; anything else of that name is put aside.
  private mutating func look(
    at name: String,
    _ first: Seq,
    with json: JSONReader
  ) -> FoundSegment? {
    do throws(Errno) {
      let entry = try disk.measure(name)
      guard entry.kind == .file else {
        try Quarantine(disk).move(name)
        quarantined += 1
        supplanted = max(supplanted, first)
        return nil
      }
      return FoundSegment(first: first, size: entry.size, header: readHeader(name, with: json))
    } catch {
      // The file may be readable later.
      return FoundSegment(first: first, size: 0, header: nil)
    }
  }

  /// The header of a segment; nil where it is damaged or cannot be read now.
  private func readHeader(_ name: String, with json: JSONReader) -> SegmentHeader? {
    do throws(Errno) {
      return try Self.header(of: disk.open(name), with: json)
    } catch {
      return nil
    }
  }

  /// The header of a segment's file; nil where it is damaged.
  package static func header(
    of file: any DiskFile,
    with json: JSONReader
  ) throws(Errno) -> SegmentHeader? {
    var line = ByteBuffer(capacity: 4_096)
    guard let end = try readFirstLine(of: file, into: &line) else { return nil }
    return SegmentHeader(line.bytes.extracting(0..<end), with: json)
  }

  /// Reads the first line of a segment's file, and returns its end; nil where it has none.
  static func readFirstLine(
    of file: any DiskFile,
    into line: inout ByteBuffer
  ) throws(Errno) -> Int? {
    while line.count < Limits.answerBytes {
      let before = line.count
      guard try file.read(into: &line, at: Int64(before), room: 4_096) > 0 else { return nil }
      if let newline = line.bytes.firstIndex(of: UInt8(ascii: "\n"), from: before) {
        return newline
      }
    }
    return nil
  }

  /// Gives segments the names that their headers state, in two steps, since two may have each
  /// other's.
  private mutating func putRight(
    _ misnamed: [(name: String, first: Seq)],
    with json: JSONReader
  ) {
    var waiting: [(name: String, first: Seq)] = []
    for (name, first) in misnamed {
      let isThere =
        segments.contains { $0.first == first } || waiting.contains { $0.first == first }
      do throws(Errno) {
        if isThere {
          try Quarantine(disk).move(name)
          quarantined += 1
        } else {
          let interim = SegmentName.moved(SegmentName.entries(first))
          if name != interim { try disk.rename(name, to: interim) }
          waiting.append((interim, first))
        }
      } catch {
        // The segment stays out of the log, and its entries are a gap.
        supplanted = max(supplanted, first)
      }
    }
    for (name, first) in waiting {
      do throws(Errno) {
        try disk.rename(name, to: SegmentName.entries(first))
        if let found = look(at: SegmentName.entries(first), first, with: json) {
          segments.append(found)
        }
      } catch {
        supplanted = max(supplanted, first)
      }
    }
  }

  /// Puts segments aside that hold no entry, which would hide entries of the segment before.
  ///
  /// The last segment may be new; and the first one hides nothing, while its name alone may tell
  /// where the log begins.
  private mutating func dropEmpty() {
    for segment in segments.dropLast().dropFirst() where segment.header == nil {
      do throws(Errno) {
        let check = SegmentCheck(try disk.open(segment.name), first: segment.first, before: nil)
        check.finish { _, _ in }
        guard check.scan.extents.isEmpty, check.fault == nil else { continue }
        if check.scan.offset == 0 {
          // Begun when the disk took nothing, and left because it could not be removed either.
          try disk.remove(segment.name)
        } else {
          try Quarantine(disk).move(segment.name)
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
