// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yWire
import Testing

struct SignOfLifeTests {
  private let sign = SignOfLife(epoch: "e0", last: 12, readers: 1)

  @Test func `a sign is read as it was written`() {
    #expect(sign.text == #"{"epoch":"e0","last":12,"readers":1}"#)
    #expect(SignOfLife(Array(sign.text.utf8)) == sign)
  }

  @Test(
    arguments: [
      "", "1", "{}", #"{"epoch":"e 0","last":1,"readers":1}"#,
      #"{"epoch":"","last":1,"readers":1}"#, #"{"epoch":"e","last":"1","readers":1}"#,
      #"{"epoch":"e","last":1}"#,
    ]
  )
  func `words of a stranger are no sign`(text: String) {
    #expect(SignOfLife(Array(text.utf8)) == nil)
  }

  @Test func `a sign is printed with the instant at which the engine got it`() {
    var out = ByteBuffer(capacity: 64)
    sign.writeMark(at: 99, into: &out)
    #expect(out.bytes.string == #"{"mark":"alive","time":99,"last":12,"readers":1}"#)
  }

  @Test func `signs stand beside the log, in a place of their own`() throws {
    let name = try #require(MachineName("m-1"))
    #expect(name.aliveSubject == "a11yd-alive.m-1")
    #expect(name.aliveKey == "a11yd:{m-1}:alive")
  }
}
