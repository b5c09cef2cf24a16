// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yModel
import A11yWire
import Testing

@testable import A11yExplain

/// The sentences about the ends of events: a table of all of them.
@Suite struct SentencesTests {
  @Test(arguments: rows)
  func `an end is told in plain words`(row: Row) {
    #expect(Sentences.about(row.account) == row.words)
  }

  @Test func `the table has every result`() {
    let results = Set(Self.rows.compactMap(\.account.ending?.known))

    #expect(results == Set(Result.allCases))
  }

  @Test(arguments: Result.allCases)
  func `whatever the rule, the event and the numbers, it is one to three whole sentences`(
    result: Result
  ) {
    let rules = [
      "announcement default", "interruption", "stop", "repeat", "pause", "once more", "reader",
      "restart", "background", "modal", "media session", "after-action hold", "queue bound",
      "cancel", "busy", "storm", "my \"own\"",
    ]
    let reasons = [nil, "background", "modal", "media-session", "no reader", "reader off", "else"]
    let types = EventType.allCases.map(\.rawValue) + ["focus"]
    for type in types {
      for rule in rules {
        for reason in reasons {
          for by in [nil, Int64(41)] {
            for full in [true, false] {
              var event = Row.happening(42, type)
              event.isOwn = type == "focus"
              let other = full && by != nil ? Row.other(Row.happening(41, type), .heard) : nil
              let row = Row("", result, rule: rule, by: by, of: event, other: other) { why in
                why.reason = reason.map(Reason.init)
                guard full else { return }
                why.heldBy = Obstacle.allCases[rule.utf8.count % Obstacle.allCases.count]
                why.heard = .milliseconds(700)
                why.waited = .milliseconds(1_500)
                why.window = .milliseconds(250)
                why.rate = Why.Rate(interval: .seconds(2), burst: 5)
                why.ttl = .seconds(10)
                why.isEstimated = true
                why.focus = FocusAnswer(.denied, reason: Reason(rawValue: "moved"), seq: nil)
              }
              check(Sentences.about(row.account))
            }
          }
        }
      }
    }
  }

  private func check(_ sentence: String) {
    let ends = sentence.split(separator: ". ").count
    if !(1...3).contains(ends) || !sentence.hasSuffix(".") || sentence.contains("Optional")
      || sentence.contains("  ") || sentence.contains(",,") || sentence.first?.isLowercase != false
    {
      Issue.record("\(sentence)")
    }
  }

  // MARK: Without an outcome

  static let waits: [(Pending.Wait, String)] = [
    (
      .busy,
      "42 has not been heard yet: its element is busy, and its turn comes when that ends, at the "
    ),
    (.storm, "42 has not been heard yet: several elements of its app speak at once; "),
    (.feedback, "42 has not been heard yet: the effect of the user's action is heard first; "),
    (
      .quiet,
      "42 has not been heard yet: the rule \"r\" waits until no other comes close behind it, at "
    ),
    (
      .rate,
      "42 has not been heard yet: the rule \"r\" lets only so many pass; its turn comes in 1.5 s."
    ),
    (.turn, "42 has not been heard yet: it waits for its turn to be spoken."),
    (
      .again,
      "42 has been heard in part: it was cut off, and is spoken once more when the interruption "
    ),
    (
      .voice,
      "42 has not been heard yet: the voice of the screen reader has failed, and is tried again in "
    ),
    (.reader, "42 has not been heard yet: no screen reader is there, "),
    (.readerOff, "42 has not been heard yet: the screen reader is switched off."),
    (.away, "42 has not been heard yet: its user does not sit at the machine."),
    (.userPause, "42 has not been heard yet: the user has stopped all speech for now."),
    (.appPause, "42 has not been heard yet: an app has asked readers to be quiet."),
    (.doNotDisturb, "42 has not been heard yet: do not disturb is on, "),
    (.modal, "42 has not been heard yet: a modal window lies over "),
    (.userReading, "42 has not been heard yet: the user is reading on."),
    (.end, "42 is being spoken at this moment; it counts as heard in 1.5 s, "),
    (.finish, "42 is being spoken at this moment; it is spoken once more, "),
    (.report, "42 was cut off just now; "),
    (.answer, "42 has not been handled yet: its app was asked to do it, and has 1.5 s to answer."),
  ]

  @Test(arguments: waits)
  func `what waits says for what`(wait: Pending.Wait, beginning: String) {
    var account = Account(asked: Row.announcement, event: Row.announcement)
    let now = Instant(microseconds: 10_000_000)
    let due = now + .milliseconds(1_500)
    let pending = Pending(state: .queued, by: .turn, wait: wait, turn: due, rule: "r")
    account.openness = .pending(pending, now: now)

    let sentence = Sentences.about(account)

    #expect(sentence.hasPrefix(beginning), "\(sentence)")
    check(sentence)
  }

  @Test func `no sentence promises a turn that another rule does not let come`() {
    let now = Instant(microseconds: 10_000_000)
    func sentence(_ wait: Pending.Wait, turn: Int64?, end: Int64?) -> String {
      var account = Account(asked: Row.announcement, event: Row.announcement)
      let pending = Pending(
        state: .held,
        by: .rate,
        wait: wait,
        turn: turn.map { now + .seconds($0) },
        end: end.map { now + .seconds($0) },
        rule: "r"
      )
      account.openness = .pending(pending, now: now)
      return Sentences.about(account)
    }

    #expect(sentence(.rate, turn: 3, end: 9).hasSuffix("; its turn comes in 3 s."))
    #expect(
      sentence(.rate, turn: 540, end: 9)
        .hasSuffix("pass. It has to be begun within 9 s, or it is not spoken any more.")
    )
    #expect(sentence(.turn, turn: nil, end: 4).contains("within 4 s"))
  }

  @Test func `the table has everything that can be waited for`() {
    #expect(Self.waits.map(\.0) == Pending.Wait.allCases)
  }

  @Test(arguments: EventType.allCases.map(\.rawValue) + EventType.Own.allCases.map(\.rawValue))
  func `an entry of any type that has no outcome is told of`(type: String) {
    var event = Row.happening(42, type)
    event.isOwn = EventType(rawValue: type) == nil

    check(Sentences.about(Account(asked: event, event: event)))
    check(Sentences.about(Account(asked: event, event: nil)))
    event.of = [Seq(41)]
    check(Sentences.about(Account(asked: event, event: nil)))
    check(Sentences.about(Account(asked: event, event: Row.announcement)))
  }

  @Test func `of another app's event a publisher is told no more than its seq`() {
    var other = Row.other(Row.happening(57, "announcement", app: "org.secret"))
    other.isHidden = true
    let row = Row("", .interrupted, rule: "interruption", by: 57, other: other) {
      $0.heard = .milliseconds(800)
    }

    #expect(
      Sentences.about(row.account)
        == "42 was heard in part, for 0.8 s: 57, which is another app's, came and cut it off."
    )
  }

  @Test func `runs of seqs are told by their ends`() {
    #expect(Sentences.names([Seq(7)]) == "7")
    #expect(Sentences.names([7, 8].map { Seq($0) }) == "7 and 8")
    #expect(
      Sentences.names([7, 8, 9, 12, 20, 21, 22].map { Seq($0) }) == "7 to 9, 12 and 20 to 22"
    )
  }

  @Test func `what an action has led to is one run, not a word for each`() {
    var action = Row.happening(42, "action")
    action.word = "next"
    var account = Account(asked: action, event: action)
    account.feedback = [43, 44, 45].map { Seq($0) }

    #expect(Sentences.about(account) == "42 is the user's action next. It has led to 43 to 45.")
  }
}
