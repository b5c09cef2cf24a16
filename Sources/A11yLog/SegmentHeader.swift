// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yCore
package import A11yWire

/// What a segment leaves to the one after it.
package struct SegmentEnd: Equatable, Sendable {
  /// The entries in it.
  package let count: Int64
  package let last: Seq
  /// Runs over the checksums of its entries in their order.
  package let hash: UInt64
  /// Where its last whole entry ends: nothing behind it is ever read.
  package let bytes: Int64
  /// How many of its entries bear a key against duplicates; a start looks for them only where
  /// there are some.
  package let keys: Int64

  package init(count: Int64, last: Seq, hash: UInt64, bytes: Int64, keys: Int64) {
    self.count = count
    self.last = last
    self.hash = hash
    self.bytes = bytes
    self.keys = keys
  }

  /// FNV-1a in words of 32 bits: the checksums guard the bytes, this guards their order.
  package static let emptyHash: UInt64 = 0xcbf2_9ce4_8422_2325

  package static func hash(_ hash: UInt64, adding checksum: UInt32) -> UInt64 {
    (hash ^ UInt64(checksum)) &* 0x100_0000_01b3
  }
}

/// The first line of a segment, by which it can be understood alone.
package struct SegmentHeader: Equatable, Sendable {
  package static let format: Int64 = 1

  package let first: Seq
  /// All epochs so far, the oldest first; the last one is in force.
  package let epochs: [EpochStart]
  package let boot: String
  /// The bus clock when it was begun: no entry before it is younger.
  package let began: Int64
  /// What the bus clock adds to the machine's clock, in microseconds.
  package let clockOffset: Int64
  package let previous: SegmentEnd?

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
  }

  /// The file that holds the entries from `first` on.
  package static func fileName(first: Seq) -> String {
    let digits = String(first.number)
    return String(repeating: "0", count: 20 - digits.count) + digits + ".ndjson"
  }

  /// The first seq that a file name states, if it is a segment's.
  package static func first(fileName: String) -> Seq? {
    let units = Array(fileName.utf8)
    guard units.count == 27, fileName.hasSuffix(".ndjson"),
      units[0..<20].allSatisfy({ (48...57).contains($0) }),
      let number = units.span.extracting(0..<20).decimal, number > 0
    else { return nil }
    return Seq(number)
  }

  package func write(into out: inout ByteBuffer) {
    let start = out.count
    out.append("{")
    out.append(member: "format", Self.format)
    out.append(member: "first", first.number)
    out.append(member: "epoch", epochs[epochs.count - 1].epoch.hex)
    out.append(member: "epochs")
    out.append("[")
    for (index, epoch) in epochs.enumerated() {
      if index > 0 { out.append(",") }
      out.append("{")
      out.append(member: "epoch", epoch.epoch.hex)
      out.append(member: "first", epoch.first.number)
      out.append("}")
    }
    out.append("]")
    out.append(member: "boot", boot)
    out.append(member: "began", began)
    out.append(member: "clock_offset", clockOffset)
    if let previous {
      out.append(member: "previous")
      previous.write(into: &out)
    }
    out.seal(from: start)
  }

  /// Reads the line back; nil where it is not a whole header of a format that is known.
  package init?(_ line: Span<UInt8>, with reader: JSONReader) {
    guard LineChecksum.verified(line) != nil else { return nil }
    do throws(JSONFault) { try reader.read(line) } catch { return nil }
    let document = reader.document
    guard document.integer("format", of: 0) == Self.format,
      let first = document.integer("first", of: 0), let boot = document.string("boot", of: 0),
      let began = document.integer("began", of: 0),
      let offset = document.integer("clock_offset", of: 0),
      let list = document.member("epochs", of: 0)
    else { return nil }
    var epochs: [EpochStart] = []
    var item = list + 1
    while item < document.end(list) {
      guard let hex = document.string("epoch", of: item), let epoch = Epoch(hex: hex),
        let first = document.integer("first", of: item)
      else { return nil }
      epochs.append(EpochStart(epoch: epoch, first: Seq(first)))
      item = document.end(item)
    }
    guard !epochs.isEmpty else { return nil }
    self.init(
      first: Seq(first),
      epochs: epochs,
      boot: boot,
      began: began,
      clockOffset: offset,
      previous: SegmentEnd(document, in: document.member("previous", of: 0))
    )
  }
}

extension SegmentEnd {
  /// The last line of a segment that was closed.
  package func writeClosing(into out: inout ByteBuffer) {
    let start = out.count
    out.append("{\"closed\":")
    write(into: &out)
    out.seal(from: start)
  }

  fileprivate func write(into out: inout ByteBuffer) {
    out.append("{")
    out.append(member: "count", count)
    out.append(member: "last", last.number)
    out.append(member: "hash")
    out.append("\"")
    out.append(hex: UInt32(truncatingIfNeeded: hash >> 32))
    out.append(hex: UInt32(truncatingIfNeeded: hash))
    out.append("\"")
    out.append(member: "bytes", bytes)
    out.append(member: "keys", keys)
    out.append("}")
  }

  fileprivate init?(_ document: JSONDocument, in value: JSONIndex?) {
    guard let value, let count = document.integer("count", of: value),
      let last = document.integer("last", of: value),
      let bytes = document.integer("bytes", of: value),
      let keys = document.integer("keys", of: value),
      let hash = document.string("hash", of: value), let number = UInt64(hash, radix: 16)
    else { return nil }
    self.init(count: count, last: Seq(last), hash: number, bytes: bytes, keys: keys)
  }
}
