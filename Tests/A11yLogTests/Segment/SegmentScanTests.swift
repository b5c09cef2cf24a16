// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yLog
import A11yTestKit
import A11yWire
import Testing

/// What counts of a segment, line by line, and from where on nothing does.
@Suite struct SegmentScanTests {
  private static let header: Int64 = 300

  /// Lines of a real broker, without their newlines, from seq 1 on.
  private let lines: [[UInt8]]
  private let checksums: [UInt32]

  init() throws {
    let bus = HandDriven()
    let session = bus.connect()
    for number in 0..<9 {
      _ = try bus.publish(session, #"{"type":"announcement","text":"number \#(number)"}"#)
    }
    lines = bus.entries.map { Array($0.utf8.dropLast()) }
    checksums = bus.checksums
  }

  private func scan(_ lines: [[UInt8]]) -> SegmentScan {
    var scan = SegmentScan(first: Seq(1), headerBytes: Self.header)
    for line in lines { scan.take(line.span) }
    return scan
  }

  private func end(of count: Int) -> SegmentEnd {
    SegmentEnd(
      count: Int64(count),
      last: Seq(Int64(count)),
      hash: checksums.prefix(count).reduce(SegmentEnd.emptyHash) {
        SegmentEnd.hash($0, adding: $1)
      },
      bytes: lines.prefix(count).reduce(Self.header) { $0 + Int64($1.count) + 1 },
      keys: 0
    )
  }

  private func closing(_ end: SegmentEnd) -> [UInt8] {
    var out = ByteBuffer(capacity: 0)
    end.writeClosing(into: &out)
    return out.bytes.array.dropLast()
  }

  @Test func `whole entries count, one after the other`() {
    for count in 0...lines.count {
      let scan = scan(Array(lines.prefix(count)))

      #expect(scan.end == end(of: count))
      #expect(!scan.isTorn)
      #expect(!scan.isClosed)
    }
  }

  @Test func `the closing line ends it`() {
    let scan = scan(lines + [closing(end(of: lines.count))])

    #expect(scan.isClosed)
    #expect(!scan.isTorn)
    #expect(scan.end == end(of: lines.count))
  }

  @Test func `a last line torn at any byte does not count`() {
    let last = lines[lines.count - 1]
    for length in 0..<last.count {
      let scan = scan(lines.dropLast() + [Array(last.prefix(length))])

      #expect(scan.isTorn, "torn at \(length)")
      #expect(scan.end == end(of: lines.count - 1))
    }
  }

  @Test func `behind a flipped bit nothing counts`() {
    for index in lines[4].indices {
      var damaged = lines
      damaged[4][index] ^= 1

      let scan = scan(damaged + [closing(end(of: lines.count))])

      #expect(scan.isTorn, "byte \(index)")
      #expect(!scan.isClosed)
      #expect(scan.end == end(of: 4))
    }
  }

  @Test func `behind a missing line nothing counts`() {
    for missing in 0..<lines.count - 1 {
      var rest = lines
      rest.remove(at: missing)

      let scan = scan(rest)

      #expect(scan.isTorn)
      #expect(scan.end == end(of: missing))
    }
  }

  @Test func `behind a doubled line nothing counts`() {
    for doubled in 0..<lines.count {
      var more = lines
      more.insert(lines[doubled], at: doubled)

      let scan = scan(more)

      #expect(scan.isTorn)
      #expect(scan.end == end(of: doubled + 1))
    }
  }

  @Test(arguments: [[], [0, 0, 0, 0], Array("junk".utf8), Array("{}".utf8)])
  func `junk is a torn tail`(junk: [UInt8]) {
    let scan = scan(lines + [junk])

    #expect(scan.isTorn)
    #expect(!scan.isClosed)
    #expect(scan.end == end(of: lines.count))
  }

  @Test func `nothing counts behind the closing line`() {
    let closing = closing(end(of: 5))

    let scan = scan(lines.prefix(5) + [closing] + lines.dropFirst(5))

    #expect(scan.end == end(of: 5))
  }

  @Test func `a closing line that disagrees with its entries closes nothing`() {
    let truth = end(of: lines.count)
    let lies = [
      SegmentEnd(
        count: truth.count + 1,
        last: truth.last,
        hash: truth.hash,
        bytes: truth.bytes,
        keys: 0
      ),
      SegmentEnd(
        count: truth.count,
        last: truth.last.next,
        hash: truth.hash,
        bytes: truth.bytes,
        keys: 0
      ),
      SegmentEnd(
        count: truth.count,
        last: truth.last,
        hash: truth.hash ^ 1,
        bytes: truth.bytes,
        keys: 0
      ),
      SegmentEnd(
        count: truth.count,
        last: truth.last,
        hash: truth.hash,
        bytes: truth.bytes - 1,
        keys: 0
      ),
    ]
    for lie in lies {
      let scan = scan(lines + [closing(lie)])

      #expect(!scan.isClosed, "\(lie)")
      #expect(scan.isTorn)
      #expect(scan.end == truth)
    }
  }
}
