// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// The file as its own index.
@Suite struct SegmentSearchTests {
  private static let header = 333

  /// A segment of lines of these lengths, the first one with the seq `first`, and its places.
  private struct Sample {
    let segment: Segment
    var lines: [[UInt8]] = []
    var offsets: [Int64] = []

    init(first: Int64, lengths: [Int], junk: Int = 0, lacksNewline: Bool = false) throws {
      var bytes = [UInt8](repeating: 120, count: SegmentSearchTests.header - 1) + [10]
      for (index, length) in lengths.enumerated() {
        offsets.append(Int64(bytes.count))
        let head = Array("{\"seq\":\(first + Int64(index)),\"x\":\"".utf8)
        let fill = [UInt8](repeating: 97, count: max(0, length - head.count - 3))
        lines.append(head + fill + Array("\"}\n".utf8))
        bytes += lines[lines.count - 1]
      }
      if lacksNewline { bytes.removeLast() }
      var extents: [Extent] = []
      for index in lengths.indices {
        let isLast = index == lengths.count - 1
        extents.add(
          Seq(first + Int64(index)),
          from: offsets[index],
          to: isLast ? Int64(bytes.count) : offsets[index + 1],
          lacksNewline: isLast && lacksNewline
        )
      }
      let disk = MemoryDisk()
      disk["s"] = bytes + [UInt8](repeating: 0, count: junk)
      let file = try disk.open("s")
      segment = Segment(
        file,
        first: Seq(first),
        check: SegmentCheck(file, first: Seq(first), before: nil)
      )
      segment.assume(extents)
    }
  }

  private func check(_ lengths: [Int], first: Int64, _ note: String) throws {
    for lacksNewline in [false, true] {
      let sample = try Sample(
        first: first,
        lengths: lengths,
        junk: 5_000,
        lacksNewline: lacksNewline
      )
      for (index, offset) in sample.offsets.enumerated() {
        let found = try sample.segment.place(of: Seq(first + Int64(index)))

        #expect(
          found == Segment.Place(extent: 0, offset: offset),
          "entry \(index) of \(lengths.count), \(note)"
        )
        guard let found else { continue }
        #expect(try sample.segment.seq(at: found) == Seq(first + Int64(index)))
      }
      #expect(try sample.segment.place(of: Seq(first + Int64(lengths.count))) == nil)
      #expect(try sample.segment.place(of: Seq(first + 1_000_000)) == nil)
      guard !lengths.isEmpty else { continue }
      #expect(
        try sample.segment.place(of: Seq(1)) == Segment.Place(extent: 0, offset: sample.offsets[0])
      )
      #expect(try sample.segment.seq(at: sample.segment.ending) == nil)
    }
  }

  @Test(
    arguments: [
      [], [30], [30, 30], [70_000], [70_000, 30], [30, 70_000], [30, 70_000, 30, 70_000, 70_000],
      [4_096, 4_096, 4_096], [4_095, 4_097, 1, 8_192], [260_000, 260_000, 30],
      [Int](repeating: 100, count: 500), [200_000] + [Int](repeating: 40, count: 200),
      [Int](repeating: 40, count: 200) + [200_000],
    ]
  )
  func `every entry begins where it is found, whatever the lengths`(lengths: [Int]) throws {
    try check(lengths, first: 1_000, "")
  }

  @Test func `every entry of random segments begins where it is found`() throws {
    var dice = Dice()
    for _ in 0..<25 {
      let lengths = (0..<dice.roll(1...150)).map { _ in
        dice.once(in: 30)
          ? dice.roll(10_000...100_000) : dice.roll(30...dice.pick([60, 400, 5_000]))
      }

      let first = dice.pick([2, 999_990, 1_000_000_000_000])
      try check(lengths, first: Int64(first), "seed \(dice.seed)")
    }
  }

  @Test func `an entry that is not there is looked for behind the damage`() throws {
    let sample = try Sample(first: 10, lengths: [50, 50, 50, 50, 50])
    let (offsets, segment) = (sample.offsets, sample.segment)
    segment.assume([
      Extent(start: offsets[0], end: offsets[2], first: Seq(10), last: Seq(11)),
      Extent(start: offsets[4], end: segment.end, first: Seq(14), last: Seq(14)),
    ])

    #expect(try segment.place(of: Seq(11)) == Segment.Place(extent: 0, offset: offsets[1]))
    for seq in 12...14 {
      #expect(
        try segment.place(of: Seq(Int64(seq))) == Segment.Place(extent: 1, offset: offsets[4])
      )
    }
    #expect(try segment.place(of: Seq(15)) == nil)
  }

  @Test func `where no line begins there is no seq`() throws {
    let sample = try Sample(first: 9, lengths: [40, 9_000, 40])

    #expect(throws: Errno.inputOutput) {
      try sample.segment.seq(at: Segment.Place(extent: 0, offset: sample.offsets[1] + 1))
    }
  }

  @Test func `the rest of a line goes up to its newline`() throws {
    let sample = try Sample(first: 9, lengths: [40, 4_096, 20_000, 40])
    for (index, line) in sample.lines.enumerated() {
      for within in [0, 1, line.count / 2, line.count - 2, line.count - 1] {
        var out = ByteBuffer(capacity: 0)
        out.append("before")

        let next = try sample.segment.restOfLine(
          at: sample.offsets[index] + Int64(within),
          in: sample.segment.extents[0],
          into: &out
        )

        #expect(next == sample.offsets[index] + Int64(line.count))
        let text = out.bytes.array
        #expect(text == Array("before".utf8) + line[within...])
      }
    }
  }
}
