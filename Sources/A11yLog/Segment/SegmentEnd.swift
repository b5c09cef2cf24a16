// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// What a segment leaves to the one after it, and states in its own last line.
package struct SegmentEnd: Equatable, Sendable {
  /// The entries in it.
  package private(set) var count: Int64
  package private(set) var last: Seq
  /// Runs over the checksums of its entries in their order.
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

  /// FNV-1a in words of 32 bits: the checksums guard the bytes, this guards their order.
  package static let emptyHash: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Takes note of the next entry, by its checksum.
  package mutating func take(_ seq: Seq, _ checksum: UInt32) {
    count += 1
    last = seq
    hash = Self.hash(behind: hash, checksum)
  }

  static func hash(behind hash: UInt64, _ checksum: UInt32) -> UInt64 {
    (hash ^ UInt64(checksum)) &* 0x100_0000_01b3
  }

  /// The last line of a segment that was closed.
  package func writeClosing(into out: inout ByteBuffer) {
    let start = out.count
    out.append("{\"closed\":")
    write(into: &out)
    out.seal(from: start)
  }

  func write(into out: inout ByteBuffer) {
    out.append("{")
    out.append(member: "count", count)
    out.append(member: "last", last.number)
    out.append(member: "hash", SegmentHeader.hex(hash))
    out.append("}")
  }

  /// Reads a closing line back; nil where it is none.
  package init?(closing line: Span<UInt8>, with reader: JSONReader) {
    do throws(JSONFault) { try reader.read(line) } catch { return nil }
    self.init(reader.document, in: reader.document.member("closed", of: reader.document.root))
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
