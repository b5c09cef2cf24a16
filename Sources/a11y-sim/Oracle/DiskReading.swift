// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The entries that an honest reader finds on a disk: all that are whole, whatever damage lies
/// around them.
///
/// It knows the rules of the format and none of the code that keeps them: a line is an entry where
/// its checksum says so, whether its newline is there or not; it belongs to a segment when its seq
/// lies between the segment's first and the next one's.
struct DiskReading {
  /// A segment by the place that it has in the log.
  private struct Segment {
    let bytes: [UInt8]
    let first: Int64
    /// Entries up to here were in segments that were given up, and are in this one now.
    let rescued: Int64
  }

  /// The first seq of the oldest segment; nil where there is none.
  private(set) var first: Int64?
  /// Lines without their newlines, by seq.
  private(set) var entries: [Int64: [UInt8]] = [:]

  init(_ disk: SimDisk) {
    let reader = HeaderReader()
    var segments: [Segment] = []
    var misnamed: [Segment] = []
    for name in disk.fileNames {
      // One that was on the way to its place is part of the log too.
      let isMoved = name.hasSuffix(Self.moved)
      let place = isMoved ? String(name.dropLast(Self.moved.utf8.count)) : name
      guard let stated = Self.first(place), let bytes = disk.content(name) else { continue }
      let header = reader.readHeader(bytes)
      let segment = Segment(
        bytes: bytes,
        first: header?.first ?? stated,
        rescued: header?.rescued ?? 0
      )
      // A header knows better than a name where its segment belongs.
      if segment.first == stated, !isMoved {
        segments.append(segment)
      } else {
        misnamed.append(segment)
      }
    }
    for segment in misnamed where !segments.contains(where: { $0.first == segment.first }) {
      segments.append(segment)
    }
    for rescuer in segments where rescuer.rescued > 0 {
      segments.removeAll { $0.first > rescuer.first && $0.first <= rescuer.rescued }
    }
    segments.sort { $0.first < $1.first }
    first = segments.first?.first
    for (index, segment) in segments.enumerated() {
      let limit = index + 1 < segments.count ? segments[index + 1].first : Int64.max
      readSegment(segment.bytes, from: segment.first, before: limit)
    }
  }

  private static let moved = ".moved"

  var last: Int64 { entries.keys.max() ?? 0 }

  static func first(_ name: String) -> Int64? {
    guard name.utf8.count == 27, name.hasSuffix(".ndjson") else { return nil }
    return Int64(name.dropLast(7)).flatMap { $0 > 0 ? $0 : nil }
  }

  static func name(_ first: Int64) -> String {
    let digits = String(first)
    return String(repeating: "0", count: 20 - digits.utf8.count) + digits + ".ndjson"
  }

  private static let opening = Array("{\"seq\":".utf8)

  private mutating func readSegment(_ bytes: [UInt8], from first: Int64, before limit: Int64) {
    var start = 0
    var highest = first - 1
    while let line = bytes.find(Self.opening, from: start) {
      start = line + 1
      // Within a string every quote is escaped, so that the first of these ends the line.
      guard let crc = bytes.find(Checksum.opening, from: line),
        crc + Checksum.width <= bytes.count
      else { continue }
      let whole = bytes[line..<crc + Checksum.width]
      guard Checksum.isRight(whole), let seq = EntryLine.seq(of: whole) else { continue }
      start = crc + Checksum.width
      guard seq > highest, seq < limit else { continue }
      highest = seq
      entries[seq] = Array(whole)
    }
  }
}

/// Reads of a segment's header what says where its entries belong.
private struct HeaderReader {
  private let reader = JSONReader(limit: Limits.answerBytes)

  func readHeader(_ bytes: [UInt8]) -> (first: Int64, rescued: Int64)? {
    guard let newline = bytes.firstIndex(of: UInt8(ascii: "\n")),
      Checksum.isRight(bytes[..<newline])
    else { return nil }
    do throws(JSONFault) {
      try reader.read(Array(bytes[..<newline]).span)
    } catch {
      return nil
    }
    guard reader.document.integer("format", of: 0) != nil,
      let first = reader.document.integer("first", of: 0)
    else { return nil }
    return (first, reader.document.integer("rescued", of: 0) ?? 0)
  }
}

extension Chronicle {
  /// Blames every entry on a disk, from a seq on, that nobody was told as it stands there.
  func compare(_ reading: DiskReading, from first: Int64, gaps: [ClosedRange<Int64>]) {
    for (seq, line) in reading.entries.sorted(by: { $0.key < $1.key })
    where seq >= first
      && !(known[seq].map { isRight(line, for: $0) } ?? false)
    {
      judge.blame(
        expected: "entry \(seq), which is on the disk: \(shown(line))",
        came: known[seq].map { shown($0.line) }
          ?? "gaps \(gaps.map { "\($0.lowerBound) to \($0.upperBound)" })"
      )
    }
  }
}
