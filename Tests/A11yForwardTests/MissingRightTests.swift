// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import Testing

struct MissingRightTests {
  private func sentence(_ words: String) -> String? {
    MissingRight(words, inbox: "_INBOX.desk")?.sentence
  }

  @Test func `a right is named by its subject`() {
    #expect(
      sentence(#"'Permissions Violation for Publish to "a11yd.desk.log"'"#)
        == "the right to publish to a11yd.desk.log is missing"
    )
    #expect(
      sentence(#"nats: permissions violation for subscription to "a11yd.>" using queue "q""#)
        == "the right to subscribe to a11yd.> is missing"
    )
  }

  @Test func `a place for answers is named by what all of them have in common`() {
    #expect(
      sentence(#"Permissions Violation for Subscription to "_INBOX.desk.7f3K.*""#)
        == "the right to subscribe to _INBOX.desk.> is missing"
    )
    #expect(
      sentence(#"Permissions Violation for Subscription to "_INBOX.desk-1.7f3K.*""#)
        == "the right to subscribe to _INBOX.desk-1.7f3K.* is missing"
    )
  }

  @Test func `other words are no right`() {
    #expect(sentence("Authorization Violation") == nil)
    #expect(sentence("Permissions Violation") == nil)
    #expect(sentence(#"Slow consumer "a" "b""#) == nil)
  }

  @Test func `the epochs of a log go into a header and out of it`() {
    let line = EpochLine(header: "a-1:1 b_2:70")
    #expect(line?.header == "a-1:1 b_2:70")
    #expect(line?.epoch(of: 69).epoch == "a-1" && line?.epoch(of: 70).epoch == "b_2")
    for wrong in ["", "a", "a:0", "a:-5", "a:x", "a:1:2", "a:1 b", "a:99999999999999999999"] {
      #expect(EpochLine(header: wrong) == nil, "\(wrong)")
    }
  }
}
