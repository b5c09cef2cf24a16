// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

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
