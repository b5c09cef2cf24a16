// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yWire
import Testing

/// Keys against duplicates, read off the lines of a log.
@Suite struct UsedKeyTests {
  private let reader = JSONReader(limit: Limits.answerBytes)

  private func key(of members: String) -> UsedKey? {
    let line =
      #"{"seq":7,"time":5,"mono":3,"app":"mail","uid":1000,"conn":1\#(members),"crc":"01234567"}"#
    let bytes = Array(line.utf8)
    return UsedKey.mayBe(in: bytes.span) ? UsedKey(bytes.span, with: reader) : nil
  }

  private func event(_ text: String) -> String {
    #","event":{"type":"announcement","text":"\#(text)"}"#
  }

  @Test func `a key is read by what it says`() throws {
    let used = try #require(key(of: #","dedupe":"k\u0065y""# + event("a")))

    #expect(used.key == "key")
    #expect(used.app == "mail")
    #expect(used.seq == Seq(7))
  }

  @Test(arguments: [#",\"dedupe\":\"k\""#, #"\",\"dedupe\":\"k"#, ",'dedupe':'k'"])
  func `a text that looks like a key is none`(text: String) {
    #expect(key(of: event(text)) == nil)
  }
}
