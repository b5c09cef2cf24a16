// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
package import A11yWire

/// What a segment turns out to hold when it is read from its first line to where it stops.
///
/// Fed line by line, in pieces of any size. Entries count for as long as each is whole and follows
/// the one before; where that ends, the rest is a torn tail.
package struct SegmentScan {
  package private(set) var count: Int64 = 0
  package private(set) var last: Seq
  package private(set) var hash = SegmentEnd.emptyHash
  /// Entries that may bear a key against duplicates.
  package private(set) var keys: Int64 = 0
  /// Where the last whole entry ends.
  package private(set) var bytes: Int64
  /// The closing line was there and agrees with what stands before it.
  package private(set) var isClosed = false
  /// The highest seq that a whole entry bears, be it behind a damaged one: no number is given twice.
  package private(set) var highest: Seq
  /// A line that is neither the next entry nor the closing line was met.
  package private(set) var isTorn = false

  /// A scan of the entries behind a header of `headerBytes` bytes.
  package init(first: Seq, headerBytes: Int64) {
    last = first.previous
    highest = first.previous
    bytes = headerBytes
  }

  package var end: SegmentEnd {
    SegmentEnd(count: count, last: last, hash: hash, bytes: bytes, keys: keys)
  }

  /// Takes the next line, without its newline; what follows a torn one counts no more.
  package mutating func take(_ line: Span<UInt8>) {
    guard let checksum = LineChecksum.verified(line) else {
      isTorn = true
      return
    }
    if let seq = LineSeq.of(line) ?? closingSeq(line) { highest = max(highest, seq) }
    guard !isTorn, !isClosed else {
      isTorn = true
      return
    }
    guard LineSeq.of(line) == last.next else {
      isClosed = isClosing(line)
      isTorn = !isClosed
      return
    }
    count += 1
    last = last.next
    hash = SegmentEnd.hash(hash, adding: checksum)
    bytes += Int64(line.count) + 1
    if UsedKey.mayBe(in: line) { keys += 1 }
  }

  /// The last seq that a closing line states, be what stands before it damaged.
  private func closingSeq(_ line: Span<UInt8>) -> Seq? {
    guard line.firstIndex(of: "{\"closed\":") == 0, let name = line.firstIndex(of: "\"last\":")
    else { return nil }
    let digits = line.extracting(name + 7..<line.count)
    guard let end = digits.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    return digits.extracting(0..<end).decimal.map(Seq.init)
  }

  /// A closing line says what stands before it, so all of it is known beforehand.
  private func isClosing(_ line: Span<UInt8>) -> Bool {
    var expected = ByteBuffer(capacity: 256)
    end.writeClosing(into: &expected)
    return expected.bytes.extracting(0..<expected.count - 1).equals(line)
  }
}
