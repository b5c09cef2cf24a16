// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What an honest reader finds on a disk: every entry that is whole, wherever damage lies around it.
///
/// It knows the rules of the format and none of the code that keeps them: a line is an entry where its
/// checksum says so, whether its newline is there or not; it belongs to a segment when its seq lies
/// between the segment's name and the next one's.
struct DiskReading {
  struct Segment {
    let name: String
    let first: Int64
  }

  let segments: [Segment]
  /// Lines without their newlines, by seq.
  private(set) var entries: [Int64: [UInt8]] = [:]

  init(_ disk: SimDisk) {
    self.init(names: disk.fileNames) { disk.content($0) }
  }

  /// What would be there if the power went now and took all it could.
  init(durable disk: SimDisk) {
    self.init(names: disk.fileNames) { disk.durableContent($0) }
  }

  private init(names: [String], content: (String) -> [UInt8]?) {
    segments = names.compactMap { name in
      Self.first(name).map { Segment(name: name, first: $0) }
    }
    for (index, segment) in segments.enumerated() {
      let limit = index + 1 < segments.count ? segments[index + 1].first : Int64.max
      guard let bytes = content(segment.name) else { continue }
      read(bytes, from: segment.first, before: limit)
    }
  }

  var first: Int64? { segments.first?.first }
  var last: Int64 { entries.keys.max() ?? 0 }

  static func first(_ name: String) -> Int64? {
    guard name.utf8.count == 27, name.hasSuffix(".ndjson") else { return nil }
    return Int64(name.dropLast(7)).flatMap { $0 > 0 ? $0 : nil }
  }

  private static let opening = Array("{\"seq\":".utf8)

  private mutating func read(_ bytes: [UInt8], from first: Int64, before limit: Int64) {
    var start = 0
    var highest = first - 1
    while let line = Self.find(Self.opening, in: bytes, from: start) {
      start = line + 1
      // Within a string every quote is escaped, so that the first of these ends the line.
      guard let crc = Self.find(Checksum.opening, in: bytes, from: line),
        crc + Checksum.width <= bytes.count
      else { continue }
      let whole = bytes[line..<crc + Checksum.width]
      guard Checksum.isRight(whole), let seq = EntryLine.seq(of: whole), seq > highest, seq < limit
      else { continue }
      highest = seq
      entries[seq] = Array(whole)
      start = crc + Checksum.width
    }
  }

  private static func find(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    return bytes.find(wanted, from: start)
  }
}
