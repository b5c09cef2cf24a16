// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

@Suite struct CursorTests {
  private static let hex = "0123456789abcdef0123456789abcdef"

  @Test(arguments: [0, 1, 1042, Int64.max])
  func `a cursor is read back as it was printed`(number: Int64) throws {
    let text = "\(Self.hex):\(number)"

    let cursor = try #require(Cursor(text))

    #expect(cursor.epoch.hex == Self.hex)
    #expect(cursor.seq == Seq(number))
    #expect(cursor.text == text)
  }

  @Test(arguments: [
    "", ":", "0", "now", hex, "\(hex):", ":5", "\(hex):-1", "\(hex):-0", "\(hex):+1", "\(hex): 1",
    "\(hex):1 ", "\(hex):1:2", "\(hex):1.0", "\(hex):1e2", "\(hex):x", "\(hex):9223372036854775808",
    "\(hex.dropLast()):1", "\(hex)0:1", "\(hex.uppercased()):1", "\(hex.dropLast())g:1",
    "\(hex.dropLast())é:1",
  ])
  func `a text without an epoch and a seq is no cursor`(text: String) {
    #expect(Cursor(text) == nil)
  }

  @Test func `an epoch is 32 lower-case hex digits and nothing else`() {
    #expect(Epoch(hex: Self.hex)?.hex == Self.hex)
    #expect(Epoch(hex: "") == nil)
    #expect(Epoch(hex: Self.hex.uppercased()) == nil)
    #expect(Epoch(hex: Self.hex + "0") == nil)
    #expect(Epoch(hex: String(repeating: "é", count: 16)) == nil)
  }

  @Test func `seqs are dense and in order`() {
    #expect(Seq.none.next == Seq(1))
    #expect(Seq(2).previous == Seq(1))
    #expect(Seq(9) < Seq(10))
  }
}
