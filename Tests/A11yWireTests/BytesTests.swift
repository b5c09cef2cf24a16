// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@Suite struct BytesTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("1234567890", 1_234_567_890),
      ("-1234567890", -1_234_567_890), ("999999999999999999", 999_999_999_999_999_999),
      ("-999999999999999999", -999_999_999_999_999_999), ("0000000000000000000", 0),
      ("00000000000000000007", 7), ("99999999999999999x", nil), ("12345678901234567:", nil),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("-9223372036854775809", nil),
      ("99999999999999999999", nil), ("-99999999999999999999", nil), ("18446744073709551616", nil),
      ("", nil), ("-", nil), ("--1", nil), ("+1", nil), (" 1", nil), ("1 ", nil), ("1.0", nil),
      ("1e3", nil), ("0x1", nil), ("１", nil),
    ] as [(String, Int64?)]
  )
  func `a decimal is digits that fit 64 bits, with or without a minus`(text: String, value: Int64?)
  {
    let decimal = Array(text.utf8).span.decimal

    #expect(decimal == value)
  }

  @Test func `decimals come back as they were written`() {
    var dice = Dice()
    for _ in 0..<2_000 {
      let number = Int64(truncatingIfNeeded: dice.next()) >> Int64(dice.roll(0...63))

      let decimal = Array(String(number).utf8).span.decimal

      #expect(decimal == number, "seed \(dice.seed)")
    }
  }

  @Test(
    arguments: [
      ("00000000", 0), ("ffffffff", .max), ("9ae0f31c", 0x9ae0_f31c), ("0000000a", 10),
      ("9AE0F31C", nil), ("9ae0f31", nil), ("9ae0f31c0", nil), ("9ae0f31g", nil), ("", nil),
      ("-ae0f31c", nil), ("0x000000", nil),
    ] as [(String, UInt32?)]
  )
  func `a word in hex is eight lower-case digits`(text: String, value: UInt32?) {
    let word = Array(text.utf8).span.hexWord

    #expect(word == value)
  }

  @Test func `a byte is found at or behind the start of the search`() {
    let bytes: [UInt8] = [1, 2, 3, 2]

    let twos = (0...4).map { bytes.span.firstIndex(of: 2, from: $0) }
    let ones = (0...4).map { bytes.span.firstIndex(of: 1, from: $0) }
    let nowhere = [UInt8]().span.firstIndex(of: 0)

    #expect(twos == [1, 1, 3, 3, nil])
    #expect(ones == [0, nil, nil, nil, nil])
    #expect(nowhere == nil)
  }

  @Test(arguments: [("", 0), ("123456789", 0xe306_9283), ("a", 0xc1d0_4330)] as [(String, UInt32)])
  func `the checksum is CRC-32C, by its published values`(text: String, value: UInt32) {
    let checksum = Array(text.utf8).span.checksum

    #expect(checksum == value)
    #expect(Checksum.value(of: text.utf8) == value)
  }

  @Test func `the checksum is the textbook's for every length and alignment`() {
    var dice = Dice()
    let bytes = (0..<5_200).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
    // Short ones, and those around a piece of three chains, around two, and far longer ones.
    for length in [0...600, 1_500...1_650, 3_040...3_180, 5_000...5_020].joined() {
      let start = dice.roll(0...99)
      let part = bytes[start..<start + length]

      let sum = bytes.span.extracting(start..<start + length).checksum

      #expect(sum == Checksum.value(of: part), "\(length) bytes from \(start), seed \(dice.seed)")
    }
  }

  @Test func `figures and the first bytes of currency signs are found wherever they stand`() {
    let figures = Set("/0123456789$".utf8).union([0xc2, 0xe2])
    var dice = Dice()
    for _ in 0..<2_000 {
      var bytes = [UInt8](repeating: 0, count: dice.roll(1...70))
      for index in bytes.indices {
        let letter = UInt8(truncatingIfNeeded: dice.next())
        bytes[index] = figures.contains(letter) && dice.roll(0...9) > 0 ? 0x2e : letter
      }
      let start = dice.roll(0...bytes.count)

      let found = bytes.span.firstFigure(from: start)

      let expected = bytes.indices.first { $0 >= start && figures.contains(bytes[$0]) }
      #expect(found == expected, "\(bytes) from \(start), seed \(dice.seed)")
    }
  }

  @Test func `bytes are equal to bytes and to words when all of them are`() {
    let abc = Array("abc".utf8)

    let words = [abc.span.equals("abc"), abc.span.equals("abd"), abc.span.equals("ab")]
    let longer = abc.span.equals("abcd")
    let bytes = [abc.span.equals(abc.span), abc.span.equals([97, 98])]

    #expect(words == [true, false, false])
    #expect(!longer)
    #expect(bytes == [true, false])
  }
}
