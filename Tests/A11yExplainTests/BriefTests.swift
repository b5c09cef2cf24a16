// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yWire
import Testing

@testable import A11yExplain

/// An end in few words, behind the number of the event that it is of.
@Suite struct BriefTests {
  private func brief(
    _ result: Result,
    _ by: Int64?,
    rule: String = "r",
    _ change: (inout Why) -> Void = { _ in }
  ) -> String {
    var why = Why()
    change(&why)
    return Sentences.brief(
      EventEnding(
        seq: Seq(50),
        mono: 0,
        result: result.rawValue,
        by: by.map { Seq($0) },
        rule: rule,
        why: why
      )
    )
  }

  @Test(arguments: [
    (Result.heard, nil as Int64?, "r", "was heard"),
    (.duplicate, 41, "announcement default", "was not heard: it repeats 41"),
    (.coalesced, 307, "class progress", "was not heard: 307 is newer and came in its place"),
    (.superseded, 43, "focus", "was not heard: 43 is newer and came in its place"),
    (
      .summarised, 40, "storm",
      "was not heard by itself: the summary that came in place of 40 counts it"
    ),
    (.interrupted, 57, "interruption", "was not heard: 57 cut it off"),
    (.interrupted, 57, "stop", "was not heard: the user stopped the speech"),
    (.interrupted, 57, "once more", "was not heard: it was cut off, and could not begin again"),
    (.expired, nil, "r", "was not heard: it could not begin in time"),
    (.expired, nil, "queue bound", "was not heard: too many others were waiting"),
    (.denied, nil, "r", "was not heard: the rule \"r\" turned it down"),
    (.inhibited, nil, "quiet", "was not heard: the rule \"quiet\" keeps it on record only"),
    (.inhibited, 41, "screen-changed", "was not heard: 41 had come just before"),
    (.undeliverable, nil, "reader", "was not heard: there was nobody to deliver it to"),
    (.cancelled, 44, "cancel", "was not heard: its app withdrew it, with 44"),
    (.handled, nil, "gesture", "was handled: its app did what the user asked for"),
    (.unhandled, nil, "gesture", "was not handled: no app did what the user asked for"),
  ])
  func `an end is told in few words`(result: Result, by: Int64?, rule: String, words: String) {
    #expect(brief(result, by, rule: rule) == words)
  }

  @Test func `what had no words was heard all the same`() {
    #expect(brief(.heard, nil) { $0.isSilent = true } == "was heard, without words")
  }

  @Test func `what nobody has confirmed says so`() {
    #expect(
      brief(.heard, nil) { $0.isEstimated = true }
        == "is taken as heard: the reader has not said so"
    )
    #expect(
      brief(.heard, nil) {
        $0.isElsewhere = true
        $0.isEstimated = true
      } == "is taken as heard: it was left to another program"
    )
  }

  @Test func `what was heard in part says for how long`() {
    #expect(
      brief(.interrupted, 57) { $0.heard = .milliseconds(800) }
        == "was heard in part, for 0.8 s: 57 cut it off"
    )
    #expect(
      brief(.superseded, 57) { $0.heard = .milliseconds(800) }
        == "was heard in part, for 0.8 s: 57 is newer and came in its place"
    )
  }

  @Test(arguments: [
    (Result.inhibited, "background", "was not heard: its app is in the background"),
    (
      .inhibited, "media-session", "was not heard: sound or video is playing in the active window"
    ),
    (.inhibited, "screen-changed", "was not heard: its window had just got a new screen"),
    (.denied, "modal", "was not heard: a modal window lies over the place that it came from"),
    (.denied, "moved", "was not heard: the user had moved on by then"),
    (.undeliverable, "no reader", "was not heard: no screen reader was connected"),
    (.undeliverable, "reader off", "was not heard: the screen reader was switched off"),
  ])
  func `a reason is told in words`(result: Result, reason: String, words: String) {
    #expect(brief(result, nil) { $0.reason = Reason(rawValue: reason) } == words)
  }

  @Test func `numbers that decided are told`() {
    #expect(
      brief(.expired, nil) { $0.ttl = .seconds(10) }
        == "was not heard: it could not begin within 10 s"
    )
    #expect(
      brief(.undeliverable, nil) {
        $0.count = 3
        $0.reason = Reason(rawValue: "no device")
      }
        == "was not heard: a reader was given it 3 times and could not speak it:"
        + " no device"
    )
    #expect(
      brief(.undeliverable, nil) {
        $0.count = 3
        $0.reason = .noReport
      }
        == "was not heard: a reader was given it 3 times and never said that it had spoken it"
    )
    #expect(
      brief(.undeliverable, nil) { $0.isSensitive = true }
        == "was not heard: its text is secret, and was gone when the bus came back"
    )
  }
}
