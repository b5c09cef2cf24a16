// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yClient
@testable import a11yctl

/// The texts that were spoken, and those that were not.
struct HistoryTests {
  private func deliver(_ seq: Int, of: Int, _ text: String, _ more: String = "") throws -> Entry {
    try RecordedEntry.of(
      "a11yd",
      seq,
      #"{"type":"deliver","of":[\#(of)],"to":3,"speak":[{"text":"\#(text)"}]\#(more)}"#
    )
  }

  private func history(_ entries: [Entry], count: Int = 10) -> SpokenHistory {
    var history = SpokenHistory(count: count)
    for entry in entries { history.take(entry) }
    history.nameApps { seq in
      if seq == 1 { ("org.x", false) } else { nil }
    }
    return history
  }

  @Test func `each text is told with its number, its app, its age and its end`() throws {
    let history = history([
      try deliver(2, of: 1, "Saved"), try RecordedEntry.outcome(3, of: 1, "heard"),
      try deliver(5, of: 4, "Are you sure?"),
    ])

    #expect(
      history.sentences(now: RecordedEntry.time(125)) == [
        "2: Saved. Of org.x, 2 minutes ago; it was heard.",
        "1: Are you sure? 2 minutes ago; it is being spoken, or waits to go on.",
      ]
    )
  }

  @Test func `a text that is repeated stands once, and is named by its last delivery`() throws {
    let history = history([
      try deliver(2, of: 1, "Saved"), try RecordedEntry.outcome(3, of: 1, "heard"),
      try deliver(5, of: 4, "Mail"), try deliver(6, of: 1, "Saved", #","again":true"#),
    ])

    #expect(history.utterances.map(\.text) == ["Saved", "Mail"])
    #expect(history.utterances.map(\.delivery) == [6, 5])
    #expect(history.utterances.first?.end == "was heard")
  }

  @Test func `of the hidden words of a screen reader their length is told`() throws {
    var history = SpokenHistory(count: 10)
    history.take(
      try RecordedEntry.of(
        "a11yd",
        2,
        #"{"type":"deliver","of":[1],"to":3,"speak":[{"redacted":"9-32"}]}"#
      )
    )
    history.take(try RecordedEntry.outcome(3, of: 1, "heard"))
    history.nameApps { _ in ("orca", isReading: true) }

    #expect(
      history.sentences(now: RecordedEntry.time(125)) == [
        "1: Orca read 9 to 32 characters. Of orca, 2 minutes ago; it was heard."
      ]
    )
  }

  @Test func `of more texts than are asked for, the last ones are told`() throws {
    let entries = try (1...9).map { try deliver(10 * $0, of: $0, "text \($0)") }

    let history = history(entries, count: 2)

    #expect(history.isEnough)
    #expect(history.utterances.map(\.text) == ["text 8", "text 9"])
  }

  @Test func `a secret stays hidden, and sounds and words for nobody are left out`() throws {
    let history = history([
      try RecordedEntry.of(
        "a11yd",
        2,
        #"{"type":"deliver","of":[1],"to":3,"speak":[{"redacted":"9-32"}]}"#
      ),
      try RecordedEntry.of("a11yd", 3, #"{"type":"deliver","of":[2],"to":3,"speak":[]}"#),
      try RecordedEntry.of(
        "a11yd",
        4,
        #"{"type":"deliver","of":[3],"speak":[{"text":"nobody"}]}"#
      ),
    ])

    #expect(history.utterances.map(\.text) == ["a hidden text of 9 to 32 characters"])
  }

  // MARK: Missed

  private func missed(_ entries: [Entry], app: String? = nil) -> MissedReport {
    var report = MissedReport(since: RecordedEntry.time(0), of: app)
    for entry in entries { report.take(entry) }
    return report
  }

  private func words(_ report: MissedReport, state: JSONValue? = nil) -> [String] {
    let lines = MissedWords.sentences(
      report,
      waiting: report.waiting(in: state),
      since: RecordedEntry.time(0),
      now: RecordedEntry.time(60)
    )
    return Array(lines.dropFirst())
  }

  @Test(arguments: [
    (#""expired","why":{"held_by":"do-not-disturb"}"#, "it was quiet until it was too late"),
    (#""undeliverable","why":{"reason":"no reader"}"#, "no screen reader was connected"),
    (#""undeliverable","why":{"reason":"reader off"}"#, "the screen reader was off"),
    (#""undeliverable","why":{"count":3}"#, "the screen reader could not speak it"),
    (#""interrupted","rule":"stop""#, "you stopped the speech"),
    (#""interrupted","rule":"interruption","by":9"#, "something else cut it off"),
    (#""inhibited","rule":"mute""#, "you have muted the app"),
    (
      #""inhibited","rule":"background","why":{"reason":"background"}"#,
      "the app was in the background"
    ),
    (
      #""inhibited","rule":"no ads""#, #"the rule "no ads" keeps such texts on record only"#
    ),
    (#""summarised","by":9"#, "a summary told of it together with others"),
    (#""coalesced","by":9"#, "a newer one came in its place"),
    (#""duplicate","by":9"#, "it repeated what had been said before"),
    (#""cancelled""#, "the app took it back"),
    (#""vaporised""#, "it ended as vaporised"),
  ])
  func `each way to be missed has its reason`(result: String, clause: String) throws {
    let outcome = try RecordedEntry.of(
      "a11yd",
      2,
      #"{"type":"outcome","of":1,"result":\#(result)}"#
    )

    let report = missed([try RecordedEntry.announcement(1, "Saved"), outcome])

    #expect(
      words(report) == [
        "org.x: 1 text was not heard, because \(clause).", "  Entry 1, 59 seconds ago: Saved",
      ]
    )
  }

  @Test(arguments: [
    (#""undeliverable","why":{"count":3}"#, "the screen reader could not speak them"),
    (#""coalesced","by":9"#, "newer ones came in their place"),
    (#""duplicate","by":9"#, "they repeated what had been said before"),
    (
      #""expired","why":{"held_by":"rate"}"#,
      "too many came at once, and they were kept back until it was too late"
    ),
  ])
  func `the reason of several texts speaks of several`(result: String, clause: String) throws {
    let entries = try [1, 2].flatMap { seq in
      [
        try RecordedEntry.announcement(seq, "Saved"),
        try RecordedEntry.of(
          "a11yd",
          seq + 2,
          #"{"type":"outcome","of":\#(seq),"result":\#(result)}"#
        ),
      ]
    }.sorted { $0.seq < $1.seq }

    #expect(
      words(missed(entries)).first == "org.x: 2 texts were not heard, because \(clause)."
    )
  }

  @Test func `a text that was cut after some time counts as heard, and is told as a part`() throws {
    var entries: [Entry] = []
    for (seq, heard) in [(1, 40), (2, 0)] {
      entries.append(try RecordedEntry.announcement(10 * seq, "Saved"))
      let end = #","rule":"interruption","why":{"heard_ms":\#(heard)}"#
      entries.append(
        try RecordedEntry.outcome(10 * seq + 1, of: 10 * seq, "interrupted", end)
      )
    }

    let report = missed(entries)

    #expect(report.heard == 1)
    #expect(
      words(report).filter { !$0.hasPrefix(" ") } == [
        "org.x: 1 text was not heard, because something else cut it off.",
        "org.x: 1 text was heard in part, because something else cut it off.",
      ]
    )
    let sum = MissedWords.sentences(report, waiting: [], since: 0, now: 60_000_000)[0]
    #expect(sum.hasSuffix(", 1 text was heard, 1 of them in part, and 1 was not."))
  }

  @Test func `texts of one app and reason are counted, with the last as examples`() throws {
    var entries: [Entry] = []
    for seq in 1...5 {
      entries.append(try RecordedEntry.announcement(10 * seq, "text \(seq)"))
      entries.append(
        try RecordedEntry.outcome(10 * seq + 1, of: 10 * seq, "inhibited", #","rule":"mute""#)
      )
    }
    entries.append(try RecordedEntry.announcement(70, "heard"))
    entries.append(try RecordedEntry.outcome(71, of: 70, "heard"))

    let report = missed(entries)

    #expect(report.heard == 1)
    #expect(
      words(report) == [
        "org.x: 5 texts were not heard, because you have muted the app.",
        "  Entry 30, 30 seconds ago: text 3", "  Entry 40, 20 seconds ago: text 4",
        "  Entry 50, 10 seconds ago: text 5",
      ]
    )
  }

  @Test func `losses are told before repetitions`() throws {
    let report = missed([
      try RecordedEntry.announcement(1, "a"), try RecordedEntry.announcement(2, "b"),
      try RecordedEntry.outcome(3, of: 1, "duplicate"),
      try RecordedEntry.outcome(4, of: 2, "expired"),
    ])

    #expect(report.sorted.map(\.key.reason) == [.expired(nil), .repeated])
  }

  @Test func `waiting texts are told with what they wait for`() throws {
    let report = missed([
      try RecordedEntry.announcement(1, "a"), try RecordedEntry.announcement(2, "b"),
    ])
    let state: JSONValue = [
      "pending": [
        ["seq": 1, "state": "queued", "by": "do-not-disturb"],
        ["seq": 2, "state": "queued", "by": "do-not-disturb"], ["seq": 3, "state": "speaking"],
      ]
    ]

    #expect(
      words(report, state: state) == [
        "org.x: 2 texts wait until it is not quiet any more.",
        "  Entry 1, 59 seconds ago: a", "  Entry 2, 58 seconds ago: b",
      ]
    )
  }

  @Test func `earlier entries and other apps are left out, and secrets stay hidden`() throws {
    let secret = try RecordedEntry.of(
      "org.y",
      3,
      #"{"type":"announcement","redacted":"33+","sensitive":true}"#
    )
    let report = missed(
      [
        try RecordedEntry.announcement(-5, "before"), try RecordedEntry.announcement(1, "other"),
        try RecordedEntry.outcome(2, of: 1, "expired"),
        try RecordedEntry.outcome(2, of: -5, "expired"), secret,
        try RecordedEntry.outcome(4, of: 3, "expired"),
      ],
      app: "org.y"
    )

    #expect(report.isEnough)
    #expect(
      words(report) == [
        "org.y: 1 text was not heard, because it came too late to be worth saying.",
        "  Entry 3, 57 seconds ago: a hidden text of 33 characters or more",
      ]
    )
  }
}
