// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yLog

/// Lines in pieces, as if they stood in one.
@Suite struct KeptLinesTests {
  private let spare = SparePieces()
  private static let piece = KeptLines.Piece.size

  private func bytes(_ count: Int, from start: Int) -> [UInt8] {
    (start..<start + count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  }

  private func copy(_ kept: borrowing KeptLines, _ range: Range<Int>) -> [UInt8] {
    var buffer = ByteBuffer(capacity: 0)
    kept.copy(range, into: &buffer)
    return buffer.bytes.array
  }

  @Test func `what was appended is what is there, whatever has gone before it`() {
    var dice = Dice()
    var kept = KeptLines(from: spare)
    var expected: [UInt8] = []
    var written = 0
    for step in 0..<400 {
      let more = bytes(dice.roll(0...dice.pick([300, 20_000, 3 * Self.piece])), from: written)
      kept.append(more.span)
      written += more.count
      expected += more
      if !dice.once(in: 3) {
        let length = dice.once(in: 5) ? expected.count : dice.roll(0...expected.count)
        kept.removeFirst(length)
        expected.removeFirst(length)
      }
      let start = dice.roll(0...expected.count)
      let end = dice.roll(start...expected.count)

      #expect(kept.count == expected.count)
      #expect(copy(kept, start..<end) == Array(expected[start..<end]), "\(dice.seed), \(step)")
      let rest = kept.copy(from: start)
      #expect(rest.bytes.array == Array(expected[start...]), "\(dice.seed), \(step)")
    }
  }

  @Test(arguments: [1, piece - 1, piece, piece + 1, 2 * piece])
  func `all that goes is to be used again`(count: Int) {
    var kept = KeptLines(from: spare)
    let pieces = (count + Self.piece - 1) / Self.piece
    for _ in 0..<3 {
      kept.append(bytes(count, from: 0).span)
      #expect(spare.count == 0)
      kept.removeFirst(count)
      #expect(spare.count == pieces)
    }
  }

  @Test func `what nobody has needed between two times is given back`() {
    var kept = KeptLines(from: spare)
    let size = 10 * Self.piece
    kept.append(bytes(size, from: 0).span)
    kept.removeFirst(size)
    spare.tidy()
    #expect(spare.count == 10, "it has just come")

    kept.append(bytes(4 * Self.piece, from: 0).span)
    kept.removeAll()
    spare.tidy()

    #expect(spare.count == 4)
  }
}
