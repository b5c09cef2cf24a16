// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// The first line of a segment, which makes it readable by itself.
package struct SegmentHeader: Equatable, Sendable {
  package static let format: Int64 = 1

  package var first: Seq
  /// The epochs whose entries may still be there, the oldest first; the last one is in force.
  package var epochs: [EpochStart]
  package var boot: String
  /// The bus clock at the segment's beginning: no earlier entry is younger.
  package var began: Int64
  /// The microseconds that the bus clock adds to the machine's clock.
  package var clockOffset: Int64
  /// The end of the segment before.
  package var previous: SegmentEnd?
  /// Why entries between the segment before and this one are missing.
  package var missing: Missing
  /// The last of the entries that were in segments that were given up, and are in this one now.
  package var rescued: Seq?
  /// The segment's hash before entries in it were forgotten.
  package var original: UInt64?
  /// The file that this header was written to; nil while that is not there, or not known.
  package var birth: FileBirth?

  /// Both words have the same length, so that a header that waits in memory can be corrected.
  package enum Missing: String, Sendable {
    case nothing
    /// Entries were delivered while the disk took nothing, and memory had no room for them.
    case storage
  }

  package init(
    first: Seq,
    epochs: [EpochStart],
    boot: String,
    began: Int64,
    clockOffset: Int64,
    previous: SegmentEnd?
  ) {
    precondition(!epochs.isEmpty, "a log has an epoch from its first line on")
    self.first = first
    self.epochs = epochs
    self.boot = boot
    self.began = began
    self.clockOffset = clockOffset
    self.previous = previous
    missing = .nothing
  }

  /// Appends the header as the line of a segment.
  package func writeLine(into out: inout ByteBuffer) {
    out.appendLine { writeMembers(into: &$0) }
  }

  /// Appends the members of the header.
  package func writeMembers(into out: inout ByteBuffer) {
    out.append(member: "format", Self.format)
    out.append(member: "first", first.number)
    out.append(member: "epoch", epochs[epochs.count - 1].epoch.hex)
    out.array("epochs", of: epochs) { out, start in
      out.object { EpochStart.form.write(start, into: &$0) }
    }
    out.append(member: "boot", boot)
    out.append(member: "began", began)
    out.append(member: "clock_offset", clockOffset)
    if let previous {
      out.append(member: "previous")
      previous.write(into: &out)
    }
    out.append(member: "missing", missing.rawValue)
    if let rescued { out.append(member: "rescued", rescued.number) }
    if let original { out.append(member: "original", Self.hex(original)) }
    // Always as long, since the file is made when the line is there.
    out.append(
      member: "file",
      Self.hex(birth?.inode ?? 0) + Self.hex(birth?.nanoseconds ?? 0)
    )
  }

  /// Reads a header's line; nil where it is not a whole header of a known format.
  package init?(_ line: Span<UInt8>, with json: JSONReader) {
    guard LineChecksum.verified(line) != nil else { return nil }
    do throws(JSONFault) { try json.read(line) } catch { return nil }
    self.init(json.document, in: json.document.root)
  }

  /// Reads the header off the members of an object.
  package init?(_ document: JSONDocument, in object: JSONIndex) {
    guard document.integer("format", of: object) == Self.format,
      let first = document.seq("first", of: object), first > .none,
      let boot = document.string("boot", of: object),
      let began = document.integer("began", of: object).flatMap(Stamp.stated),
      let offset = document.integer("clock_offset", of: object).flatMap(BusClock.statedOffset),
      let list = document.member("epochs", of: object), document.kind(list) == .list
    else { return nil }
    var epochs: [EpochStart] = []
    var item = list + 1
    while item < document.end(list) {
      guard document.kind(item) == .object, let hex = document.string("epoch", of: item),
        let epoch = Epoch(hex: hex), let first = document.seq("first", of: item)
      else { return nil }
      epochs.append(
        EpochStart(
          epoch: epoch,
          first: first,
          ordinal: document.integer("ordinal", of: item) ?? Int64(epochs.count + 1),
          began: document.integer("began", of: item) ?? 0
        )
      )
      item = document.end(item)
    }
    guard !epochs.isEmpty else { return nil }
    self.init(
      first: first,
      epochs: epochs,
      boot: boot,
      began: began,
      clockOffset: offset,
      previous: SegmentEnd(document, in: document.member("previous", of: object))
    )
    missing = document.string("missing", of: object).flatMap(Missing.init) ?? .nothing
    rescued = document.seq("rescued", of: object)
    original = document.string("original", of: object).flatMap { UInt64($0, radix: 16) }
    birth = document.string("file", of: object).flatMap(FileBirth.init(hex:))
  }

  static func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension FileBirth {
  /// Reads 32 hexadecimal digits; nil where they say that nothing is known.
  fileprivate init?(hex: String) {
    let digits = Array(hex.utf8)
    guard digits.count == 32,
      let inode = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16),
      let nanoseconds = UInt64(String(decoding: digits[16...], as: UTF8.self), radix: 16),
      nanoseconds > 0
    else { return nil }
    self.init(inode: inode, nanoseconds: nanoseconds)
  }
}

/// The names of a segment's files.
package enum SegmentName {
  private static let suffix = ".ndjson"

  /// The file that holds the entries from `first` on.
  package static func entries(_ first: Seq) -> String { digits(first) + suffix }

  /// The file with the checkpoint at its beginning.
  package static func state(_ first: Seq) -> String { digits(first) + ".state" }

  /// The files with the checkpoints within the segment that is appended to.
  package static let latest = ["latest-0.state", "latest-1.state"]

  private static let interim = ".new"

  /// The name of a file until it is whole and gets `name`.
  package static func unfinished(_ name: String) -> String { name + interim }

  package static func isUnfinished(_ name: String) -> Bool { first(unfinished: name) != nil }

  /// The first seq of the segment of an unfinished file.
  package static func first(unfinished name: String) -> Seq? {
    guard name.hasSuffix(interim) else { return nil }
    let whole = String(name.dropLast(interim.utf8.count))
    return first(entries: whole) ?? first(state: whole)
  }

  private static let onItsWay = ".moved"

  /// The name of a segment on the way to its place.
  static func moved(_ name: String) -> String { name + onItsWay }

  /// The first seq that such a name states.
  static func first(moved name: String) -> Seq? {
    guard name.hasSuffix(onItsWay) else { return nil }
    return first(entries: String(name.dropLast(onItsWay.utf8.count)))
  }

  /// The first seq that the name of a segment's file states.
  package static func first(entries name: String) -> Seq? { first(name, suffix) }

  package static func first(state name: String) -> Seq? { first(name, ".state") }

  private static func first(_ name: String, _ suffix: String) -> Seq? {
    let units = Array(name.utf8)
    guard units.count == 20 + suffix.utf8.count, name.hasSuffix(suffix),
      units[0..<20].allSatisfy({ (48...57).contains($0) }),
      let number = units.span.extracting(0..<20).decimal, number > 0
    else { return nil }
    return Seq(stated: number)
  }

  private static func digits(_ seq: Seq) -> String {
    let digits = String(seq.number)
    return String(repeating: "0", count: 20 - digits.count) + digits
  }
}

/// The end of a segment, stated in its closing line and in the header of the next one.
package struct SegmentEnd: Equatable, Sendable {
  /// The number of entries.
  package private(set) var count: Int64
  package private(set) var last: Seq
  /// A hash of the checksums of the entries in their order.
  package private(set) var hash: UInt64

  package init(count: Int64, last: Seq, hash: UInt64) {
    self.count = count
    self.last = last
    self.hash = hash
  }

  /// The end of a segment that begins with `first` and has no entry yet.
  package init(before first: Seq) {
    self.init(count: 0, last: first.previous, hash: Self.emptyHash)
  }

  /// FNV-1a in words of 32 bits: checksums guard the bytes of lines, the hash guards their order.
  package static let emptyHash: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Includes the next entry, which bears this checksum.
  package mutating func include(_ seq: Seq, _ checksum: UInt32) {
    count += 1
    last = seq
    hash = Self.hash(behind: hash, checksum)
  }

  static func hash(behind hash: UInt64, _ checksum: UInt32) -> UInt64 {
    (hash ^ UInt64(checksum)) &* 0x100_0000_01b3
  }

  /// Appends the closing line, the last one of a segment.
  package func writeClosing(into out: inout ByteBuffer) {
    out.appendLine { out in
      out.append(member: "closed")
      write(into: &out)
    }
  }

  func write(into out: inout ByteBuffer) {
    out.object { out in
      out.append(member: "count", count)
      out.append(member: "last", last.number)
      out.append(member: "hash", SegmentHeader.hex(hash))
    }
  }

  /// Reads a closing line back; nil where it is none.
  package init?(closing line: Span<UInt8>, with json: JSONReader) {
    do throws(JSONFault) { try json.read(line) } catch { return nil }
    self.init(json.document, in: json.document.member("closed", of: json.document.root))
  }

  init?(_ document: JSONDocument, in value: JSONIndex?) {
    guard let value, document.kind(value) == .object,
      let count = document.integer("count", of: value),
      let last = document.seq("last", of: value),
      let hash = document.string("hash", of: value), let number = UInt64(hash, radix: 16)
    else { return nil }
    self.init(count: count, last: last, hash: number)
  }
}
