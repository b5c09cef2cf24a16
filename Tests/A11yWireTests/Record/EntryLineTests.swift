// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@Suite struct EntryLineTests {
  /// The line of the contract, with its checksum made by the textbook.
  private static let body =
    #"{"seq":1042,"time":1795242000123456,"mono":88123456,"app":"a","#
    + #""uid":1000,"conn":12,"event":{}"#
  private static let line = Array((body + ",\"crc\":\"\(Checksum.text(of: body.utf8))\"}").utf8)

  @Test func `the checksum of a stored line is over all that stands before it`() {
    let verified = LineChecksum.verified(Self.line.span)

    #expect(verified == Checksum.value(of: Self.body.utf8))
  }

  @Test func `one flipped bit anywhere is noticed`() {
    for index in Self.line.indices {
      for bit in 0..<8 {
        var damaged = Self.line
        damaged[index] ^= 1 << bit

        let verified = LineChecksum.verified(damaged.span)

        #expect(verified == nil, "bit \(bit) of byte \(index)")
      }
    }
  }

  @Test func `a part of a line is no line`() {
    for length in 0..<Self.line.count {
      let start = LineChecksum.verified(Self.line.span.extracting(0..<length))
      let end = LineChecksum.verified(
        Self.line.span.extracting(Self.line.count - length..<Self.line.count)
      )

      #expect(start == nil)
      #expect(end == nil)
    }
  }

  @Test(
    arguments: [
      (#"{"seq":1,"#, 1), (#"{"seq":1042,"time":1}"#, 1_042),
      (#"{"seq":9007199254740992,"a":1}"#, 1 << 53), (#"{"seq":9007199254740993,"a":1}"#, nil),
      (#"{"seq":9223372036854775808,"a":1}"#, nil),
      (#"{"seq":"#, nil), (#"{"seq":12"#, nil), (#"{"seq":12}"#, nil), (#"{"seq":,"#, nil),
      (#"{"seq":-1,"#, nil), (#"{"seq":1.5,"#, nil), (#"{"mark":1,"#, nil), ("", nil),
      (#"{"closed":{"#, nil), (#"{"format":1,"first":1"#, nil),
    ] as [(String, Int64?)]
  )
  func `an entry's seq is read off its beginning`(line: String, seq: Int64?) {
    let found = Seq(of: Array(line.utf8).span)

    #expect(found == seq.map(Seq.init))
  }
}
