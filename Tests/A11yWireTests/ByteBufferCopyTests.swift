// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yWire

/// Small copies and JSON strings, byte for byte.
@Suite struct ByteBufferCopyTests {
  @Test func `texts of every length are copied as they are, and nothing beside them`() {
    for length in 0...70 {
      let text = (0..<length).map { UInt8(97 + $0 % 26) }
      var out = ByteBuffer(capacity: 64)
      out.append(byte: 1)
      out.append(text.span)
      out.append(byte: 2)
      #expect(out.bytes.array == [1] + text + [2])
    }
  }

  @Test func `each byte is escaped wherever it stands, or left as it is`() {
    for byte in UInt8.min...UInt8.max {
      let isEscaped = byte < 32 || byte == 127 || byte == 34 || byte == 92
      for length in 1...17 {
        for place in 0..<length {
          var text = [UInt8](repeating: 97, count: length)
          text[place] = byte
          #expect(text.span.needsEscapes == isEscaped, "\(byte) at \(place) of \(length)")
          // Neighbouring bytes change nothing.
          text = [UInt8](repeating: 128, count: length)
          text[place] = byte
          #expect(text.span.needsEscapes == isEscaped, "\(byte) at \(place) of \(length)")
        }
      }
    }
  }

  @Test(arguments: [0, 9, 10, 99, 100, 101, 12_345, -1, -10, Int64.max, Int64.min])
  func `numbers are written out`(_ number: Int64) {
    var out = ByteBuffer(capacity: 1)
    out.append(decimal: number)
    out.append(decimal: number)
    #expect(out.bytes.string == "\(number)\(number)")
  }
}
