// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// A segment that is being written anew.
final class SegmentCopy {
  private let disk: any Disk
  private let name: String
  private let file: any DiskFile
  private var header: SegmentHeader
  private var end: SegmentEnd
  private var out = ByteBuffer(capacity: 65_536)
  private var offset: Int64
  /// The entries of which only the seq and the stamp are left.
  private(set) var forgotten: Int64 = 0

  private static let portion = 1_048_576

  init(of first: Seq, _ header: SegmentHeader, on disk: any Disk) throws(Errno) {
    self.disk = disk
    self.header = header
    name = SegmentName.entries(first)
    end = SegmentEnd(before: first)
    try? disk.remove(SegmentName.unfinished(name))
    file = try disk.create(SegmentName.unfinished(name))
    // The header states the original hash, which is known at the end and takes the same room.
    self.header.original = header.original ?? 0
    self.header.birth = try file.birth()
    var line = ByteBuffer(capacity: 512)
    self.header.writeLine(into: &line)
    offset = Int64(line.count)
  }

  /// Appends the next entry, or what is left of it.
  func append(
    _ line: Span<UInt8>,
    _ seq: Seq,
    isForgotten: Bool,
    with json: JSONReader
  ) throws(Errno) {
    let start = out.count
    if isForgotten {
      forgotten += 1
      guard Self.writeTombstone(line, seq, with: json, into: &out) else { throw .inputOutput }
    } else {
      out.append(line)
      out.append(byte: UInt8(ascii: "\n"))
    }
    if let checksum = Self.checksum(out, from: start) { end.include(seq, checksum) }
    if out.count >= Self.portion { try flush() }
  }

  /// The bytes behind the last entry.
  enum Ending {
    /// A closing line; numbers were given up to this one, be the last entry damaged.
    case closed(last: Seq)
    /// No closing line: the end is not known.
    case open
    /// Bytes that may have been an entry.
    case doubtful
  }

  /// Puts the copy in the place of the original segment, whose hash was `original`.
  func finish(original: UInt64, _ ending: Ending) throws(Errno) {
    switch ending {
    case .closed(let last):
      SegmentEnd(count: end.count, last: max(end.last, last), hash: end.hash)
        .writeClosing(into: &out)
    case .open: break
    case .doubtful: out.append("{\"forgotten\":true}\n")
    }
    try flush()
    if header.original == 0 { header.original = original }
    var line = ByteBuffer(capacity: 512)
    header.writeLine(into: &line)
    try file.writeAll(line, at: 0)
    try file.synchronize()
    try disk.rename(SegmentName.unfinished(name), to: name)
    try disk.synchronizeNames()
  }

  func abandon() { try? disk.remove(SegmentName.unfinished(name)) }

  private func flush() throws(Errno) {
    try file.writeAll(out, at: offset)
    offset += Int64(out.count)
    out.clear()
  }

  private static func checksum(_ out: borrowing ByteBuffer, from start: Int) -> UInt32? {
    LineChecksum.verified(out.bytes.extracting(start..<out.count - 1))
  }

  /// Appends the rest of a forgotten entry: its seq and its stamp.
  private static func writeTombstone(
    _ line: Span<UInt8>,
    _ seq: Seq,
    with json: JSONReader,
    into out: inout ByteBuffer
  ) -> Bool {
    do throws(JSONFault) { try json.read(line) } catch { return false }
    guard let stamp = EntryView(of: json.document).stamp else { return false }
    EntryWriter.writeTombstone(seq, stamp, into: &out)
    return true
  }
}
