// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yClient
@testable import a11yctl

/// What became of an entry, as a person hears it: line by line, the sentence first.
struct ExplainWordsTests {
  private func lines(_ answer: String) throws -> [String] {
    ExplainWords.lines(try #require(JSONValue(json: answer))) { _ in "12:03:04" }
  }

  private static let entry = Says.entry(
    42,
    app: "org.x",
    event: #"{"type":"announcement","text":"Saved\u001b[2J"}"#
  )

  @Test func `the sentence comes first, then what it rests on`() throws {
    let lines = try lines(
      #"{"entry":\#(Self.entry),"outcome":{"seq":43},"result":"duplicate","#
        + #""rule":"announcement default","why":{"waited_ms":300,"window_ms":1000},"#
        + #""related":[{"seq":41,"relation":"duplicate-of"},{"seq":43,"relation":"outcome"}],"#
        + #""sentence":"Not heard: it was the same text as seq 41."}"#
    )

    #expect(
      lines == [
        "Not heard: it was the same text as seq 41.",
        "Seq 42, 12:03:04: org.x announces: Saved<U+001B>[2J.", "Result: duplicate.",
        "Rule: announcement default.", "It waited 0.3 s.", "The rule's time: 1 s.",
        "Seq 41: what it repeats.", "Seq 43: its outcome.",
      ]
    )
  }

  @Test func `of what waits the state is told`() throws {
    let lines = try lines(
      #"{"entry":\#(Self.entry),"outcome":null,"pending":{"state":"queued","due":null},"rule":null,"#
        + #""why":{},"related":[],"sentence":"Not heard yet: it waits for its turn."}"#
    )

    #expect(lines.first == "Not heard yet: it waits for its turn.")
    #expect(lines.last == "State: queued.")
  }

  @Test(arguments: [
    (#""heard_ms":1200"#, "It was spoken for 1.2 s."), (#""ttl_ms":10000"#, "Time to begin: 10 s."),
    (#""rate":"1/1 s, burst 5""#, "The rule's rate: 1/1 s, burst 5."),
    (#""reason":"modal""#, "Reason: modal."), (#""count":9"#, "Count: 9."),
    (#""estimated":true"#, "That it was spoken is an estimate."),
    (#""silent":true"#, "It had no words."), (#""sensitive":true"#, "Its text is secret."),
    (
      #""focus":{"result":"denied","reason":"moved","seq":7}"#,
      "Focus: denied, moved, it is at seq 7."
    ),
    (#""something_new":3"#, "Something new: 3."),
  ])
  func `every number that applied has a line`(why: String, line: String) throws {
    let lines = try lines(
      #"{"entry":\#(Self.entry),"rule":"r","why":{\#(why)},"related":[],"sentence":"S."}"#
    )

    #expect(lines.last == line)
  }

  @Test func `nothing in it acts on the terminal`() throws {
    let lines = try lines(#"{"rule":"a\u001bb","sentence":"from \u202eapp."}"#)

    #expect(lines == ["from <U+202E>app.", "Rule: a<U+001B>b."])
  }

  @Test func `stats says what was heard first, and nothing of ends that there were not`() throws {
    let stats = try #require(
      JSONValue(json: #"{"turns":3,"outcomes":{"heard":4,"duplicate":2,"expired":0,"handled":1}}"#)
    )

    #expect(
      Stats.lines(stats) == [
        "heard: 5", "not heard, or not to the end: 2", "turns: 3", "outcomes, heard: 4",
        "outcomes, duplicate: 2", "outcomes, handled: 1",
      ]
    )
  }

  // MARK: What is worth telling

  @Test(arguments: [
    (#"{"type":"announcement","text":"a"}"#, "duplicate", true),
    (#"{"type":"announcement","redacted":"1-8"}"#, "undeliverable", true),
    (#"{"type":"layout-changed"}"#, "coalesced", false),
    (#"{"type":"layout-changed","element":"e"}"#, "denied", true),
    (#"{"type":"screen-changed","text":"a"}"#, "superseded", true),
    (#"{"type":"focus","element":"e"}"#, "superseded", false),
    (#"{"type":"focus","element":"e"}"#, "expired", true),
    (#"{"type":"action","action":"escape"}"#, "unhandled", true),
    (#"{"type":"voiceover-status","running":true}"#, "duplicate", false),
  ])
  func `why tells of what a person has missed`(event: String, result: String, isTold: Bool) throws {
    let answer = try #require(
      JSONValue(json: #"{"entry":{"seq":1,"event":\#(event)},"result":"\#(result)"}"#)
    )

    #expect(Why.isWorthTelling(answer) == isTold)
  }
}
