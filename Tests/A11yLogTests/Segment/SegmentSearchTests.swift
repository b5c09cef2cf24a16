// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// The file as its own index.
@Suite struct SegmentFileTests {
  private static let header = 333

  /// A segment of lines of these lengths, the first one with the seq `first`.
  private func segment(
    _ directory: ScratchDirectory,
    first: Int64,
    lengths: [Int],
    junk: Int = 0
  ) throws -> (file: SegmentFile, offsets: [Int64], lines: [[UInt8]]) {
    var bytes = [UInt8](repeating: 120, count: Self.header - 1) + [10]
    var offsets: [Int64] = []
    var lines: [[UInt8]] = []
    for (index, length) in lengths.enumerated() {
      offsets.append(Int64(bytes.count))
      let head = Array("{\"seq\":\(first + Int64(index)),\"x\":\"".utf8)
      let fill = [UInt8](repeating: 97, count: max(0, length - head.count - 3))
      lines.append(head + fill + Array("\"}\n".utf8))
      bytes += lines[lines.count - 1]
    }
    let end = Int64(bytes.count)
    bytes += [UInt8](repeating: 0, count: junk)
    let path = directory("segment-\(first)-\(lengths.count)")
    let file = try FileDescriptor.open(path, [.readWrite, .create, .truncate])
    try file.writeAll(bytes.span)
    return (
      SegmentFile(file, first: Seq(first), start: Int64(Self.header), end: end), offsets, lines
    )
  }

  private func check(
    _ lengths: [Int],
    first: Int64,
    _ directory: ScratchDirectory,
    _ note: String
  ) throws {
    let (file, offsets, _) = try segment(directory, first: first, lengths: lengths, junk: 5_000)
    let last = Seq(first + Int64(lengths.count) - 1)
    for (index, offset) in offsets.enumerated() {
      let found = try file.offset(of: Seq(first + Int64(index)), last: last)

      #expect(found == offset, "entry \(index) of \(lengths.count), \(note)")
    }
    #expect(try file.offset(of: Seq(first + Int64(lengths.count)), last: last) == file.end)
    #expect(try file.offset(of: Seq(first + 1_000_000), last: last) == file.end)
    #expect(try file.offset(of: Seq(1), last: last) == file.start)
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
    try check(lengths, first: 1_000, try ScratchDirectory(), "")
  }

  @Test func `every entry of random segments begins where it is found`() throws {
    var dice = Dice()
    for _ in 0..<25 {
      let lengths = (0..<dice.roll(1...150)).map { _ in
        dice.once(in: 30)
          ? dice.roll(10_000...100_000) : dice.roll(30...dice.pick([60, 400, 5_000]))
      }

      let first = dice.pick([2, 999_990, 1_000_000_000_000])
      try check(lengths, first: Int64(first), try ScratchDirectory(), "seed \(dice.seed)")
    }
  }

  @Test func `the seq at a line's beginning is read off it`() throws {
    let (file, offsets, _) = try segment(
      try ScratchDirectory(),
      first: 9,
      lengths: [40, 9_000, 40]
    )

    for (index, offset) in offsets.enumerated() {
      #expect(try file.seq(at: offset) == Seq(9 + Int64(index)))
    }
    #expect(throws: Errno.inputOutput) { try file.seq(at: offsets[0] + 1) }
  }

  @Test func `the rest of a line goes up to its newline`() throws {
    let (file, offsets, lines) = try segment(
      try ScratchDirectory(),
      first: 9,
      lengths: [40, 4_096, 20_000, 40]
    )
    for (index, line) in lines.enumerated() {
      for within in [0, 1, line.count / 2, line.count - 2, line.count - 1] {
        var out = ByteBuffer(capacity: 0)
        out.append("before")

        let next = try file.restOfLine(at: offsets[index] + Int64(within), into: &out)

        #expect(next == offsets[index] + Int64(line.count))
        let text = out.bytes.array
        #expect(text == Array("before".utf8) + line[within...])
      }
    }
  }
}
