// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@Suite struct ByteBufferTests {
  @Test(arguments: [
    0, 1, -1, 9, 10, 11, 99, 100, -100, 999_999_999_999_999_999, 1_000_000_000_000_000_000,
    Int64.max, .max - 1, .min, .min + 1,
  ])
  func `numbers are appended as Swift prints them`(number: Int64) {
    var buffer = ByteBuffer(capacity: 0)
    buffer.append("x")
    buffer.append(decimal: number)

    let text = buffer.bytes.string

    #expect(text == "x\(number)")
  }

  @Test func `numbers of every length are appended as Swift prints them`() {
    var dice = Dice()
    for _ in 0..<2_000 {
      let number = Int64(truncatingIfNeeded: dice.next()) >> Int64(dice.roll(0...63))
      var buffer = ByteBuffer(capacity: 0)
      buffer.append(decimal: number)

      let text = buffer.bytes.string

      #expect(text == "\(number)", "seed \(dice.seed)")
    }
  }

  @Test(
    arguments: [(0, "00000000"), (.max, "ffffffff"), (0xab_cdef, "00abcdef")] as [(UInt32, String)]
  )
  func `words in hex have eight digits`(word: UInt32, text: String) {
    var buffer = ByteBuffer(capacity: 0)
    buffer.append(hex: word)

    let text = buffer.bytes.string

    #expect(text == text)
  }

  @Test func `appended bytes stay, however often the buffer has to grow`() {
    var dice = Dice()
    var buffer = ByteBuffer(capacity: 0)
    var expected: [UInt8] = []
    for _ in 0..<300 {
      let more = (0..<dice.roll(0...300)).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
      switch dice.roll(1...6) {
      case 1:
        buffer.append(byte: 7)
        expected.append(7)
      case 2:
        let length = dice.roll(0...expected.count)
        buffer.truncate(to: length)
        expected.removeLast(expected.count - length)
      case 3:
        let length = dice.roll(0...expected.count)
        buffer.removeFirst(length)
        expected.removeFirst(length)
      case 4:
        let start = dice.roll(0...expected.count)
        let end = dice.roll(start...expected.count)
        guard expected.count < 100_000 else { continue }
        buffer.copyWithin(start..<end)
        expected += expected[start..<end]
      default:
        buffer.append(more.span)
        expected += more
      }
      buffer.shrink(to: dice.roll(0...1_000))

      let bytes = buffer.bytes.array
      let count = buffer.count

      #expect(count == expected.count, "seed \(dice.seed)")
      #expect(bytes == expected, "seed \(dice.seed)")
    }
  }

  @Test func `an emptied buffer keeps nothing`() {
    var buffer = ByteBuffer(capacity: 8)
    buffer.append(text: "Straße")
    let before = buffer.isEmpty

    buffer.clear()
    let after = buffer.isEmpty
    let count = buffer.bytes.count

    #expect(!before)
    #expect(after)
    #expect(count == 0)
  }

  @Test func `a call may fill less than the room that it was given`() {
    var buffer = ByteBuffer(capacity: 0)
    buffer.append("a")
    buffer.append(room: 100) { (target: UnsafeMutableRawBufferPointer) in
      target[0] = 98
      return 1
    }

    let text = buffer.bytes.string

    #expect(text == "ab")
  }

  @Test func `the checksum runs from a place to the end`() {
    var buffer = ByteBuffer(capacity: 0)
    buffer.append("xx123456789")

    let whole = buffer.checksum(from: 2)
    let nothing = buffer.checksum(from: 11)

    #expect(whole == 0xe306_9283)
    #expect(nothing == 0)
  }

  @Test(arguments: [
    ("", #""""#), ("a\"b\\c", #""a\"b\\c""#), ("\n\t\r", #""\n\t\u000d""#),
    ("\u{0}\u{1f}\u{7f}", #""\u0000\u001f\u007f""#), ("\u{10}", #""\u0010""#), ("ß🙂", #""ß🙂""#),
    ("\u{2028}\u{202e}", "\"\u{2028}\u{202e}\""), ("/", #""/""#),
  ])
  func `text becomes a JSON string without control characters`(text: String, json: String) {
    var buffer = ByteBuffer(capacity: 0)
    buffer.append(json: text)

    let text = buffer.bytes.string

    #expect(text == json)
  }

  @Test func `every text written as JSON is read back the same`() throws {
    var dice = Dice()
    let reader = JSONReader(limit: 65_536)
    for _ in 0..<500 {
      let text = randomText(&dice)
      var buffer = ByteBuffer(capacity: 0)
      buffer.append("{\"t\":")
      buffer.append(json: text)
      buffer.append("}")

      try reader.read(buffer.bytes)
      let back = reader.document.string("t", of: 0)

      #expect(back == text, "seed \(dice.seed)")
    }
  }

  @Test func `members are separated by commas, without one behind the brace`() {
    var buffer = ByteBuffer(capacity: 0)
    buffer.append("{")
    buffer.append(member: "a", Int64(-1))
    buffer.append(member: "b", "x\n")
    buffer.append(member: "c", true)
    buffer.append(member: "d", ["y", "z"])
    buffer.append(member: "e", [])
    buffer.append(member: "f")
    buffer.append("{")
    buffer.append(memberText: "g\"")
    buffer.append("null}}")

    let written = buffer.bytes.string

    #expect(
      written
        == #"{"a":-1,"b":"x\n","c":true,"d":["y","z"],"e":[],"f":{"g\"":null}}"#
    )
  }

  private func randomText(_ dice: inout Dice) -> String {
    var text = ""
    for _ in 0..<dice.roll(0...40) {
      let range: ClosedRange<Int>
      switch dice.roll(1...4) {
      case 1: range = 1...0x7f
      case 2: range = 0x80...0x7ff
      case 3: range = 0x800...0xffff
      default: range = 0x1_0000...0x10_ffff
      }
      if let scalar = Unicode.Scalar(UInt32(dice.roll(range))) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
