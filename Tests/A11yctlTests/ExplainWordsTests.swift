// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yClient
@testable import a11yctl

/// The end of an entry, as a person hears it: line by line, the sentence first.
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
        "Entry 42, 12:03:04: org.x announces: Saved<U+001B>[2J.", "The result is duplicate.",
        "The rule is announcement default.", "It waited 0.3 s.", "The rule's time is 1 s.",
        "It repeats 41.", "43 says how it ended.",
      ]
    )
  }

  @Test func `of what waits the state is told`() throws {
    let lines = try lines(
      #"{"entry":\#(Self.entry),"outcome":null,"pending":{"state":"queued","due":null},"#
        + #""rule":null,"why":{},"related":[],"sentence":"Not heard yet: it waits for its turn."}"#
    )

    #expect(lines.first == "Not heard yet: it waits for its turn.")
    #expect(lines.last == "It waits.")
  }

  @Test(arguments: [
    (#""heard_ms":1200"#, "It was spoken for 1.2 s."),
    (#""ttl_ms":10000"#, "It had 10 s to begin."),
    (#""rate":"1/1 s, burst 5""#, "The rule's rate is 1 in 1 s or 5 at once."),
    (#""reason":"modal""#, "The reason is modal."), (#""count":9"#, "9 others were waiting."),
    (#""estimated":true"#, "How far it was spoken is an estimate."),
    (#""silent":true"#, "It had no words."), (#""sensitive":true"#, "The text is secret."),
    (
      #""focus":{"result":"denied","reason":"moved","seq":7}"#,
      "The focus stayed where it was, as 7 says, because the user had moved on by then."
    ),
    (#""held_by":"do-not-disturb""#, "It was kept back by do-not-disturb."),
    (#""from":"event""#, "The event asked for that time itself."),
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

    #expect(lines == ["from <U+202E>app.", "The rule is a<U+001B>b."])
  }

  @Test func `the events that a summary stands for are one line, with their number and range`()
    throws
  {
    let related =
      (7...20).map { #"{"seq":\#($0),"relation":"stands-for"}"# } + [
        #"{"seq":25,"relation":"outcome"}"#
      ]
    let lines = try lines(
      #"{"related":[\#(related.joined(separator: ","))],"sentence":"6 was heard."}"#
    )

    #expect(
      lines == ["6 was heard.", "It stands for 14 others, 7 to 20.", "25 says how it ended."]
    )
  }

  @Test func `where outcomes lie between them the first and the last are told`() throws {
    let related = [7, 9, 11, 13].map { #"{"seq":\#($0),"relation":"stands-for"}"# }
    let lines = try lines(#"{"related":[\#(related.joined(separator: ","))],"sentence":"S."}"#)

    #expect(lines.last == "It stands for 4 others between 7 and 13.")
  }

  @Test func `asked about a delivery, the lines name the event that it is of`() throws {
    let lines = try lines(
      #"{"entry":\#(Self.entry),"why":{"waited_ms":0,"heard_ms":200},"related":["#
        + #"{"seq":41,"relation":"about"},{"seq":42,"relation":"deliver"},"#
        + #"{"seq":44,"relation":"outcome"}],"sentence":"S."}"#
    )

    #expect(
      lines.dropFirst(2) == [
        "41 was spoken for 0.2 s.", "The entry is about 41.", "44 says how 41 ended.",
      ]
    )
  }

  @Test func `where more may stand behind it than the answer holds, that is said`() throws {
    let related = (7...38).map { #"{"seq":\#($0),"relation":"stands-for"}"# }
    let lines = try lines(#"{"related":[\#(related.joined(separator: ","))],"sentence":"S."}"#)

    #expect(lines.last == "It stands for 32 or more others, 7 to 38.")
  }

  @Test(arguments: [
    ("deliver", "7 gave it to readers."), ("speech", "7 is a reader's report on it."),
    ("cause", "7 is the user's action that led to it."),
    ("coalesced-into", "7 is newer and came in place of it."),
    ("superseded-by", "7 is newer and came in place of it."),
    ("summarised-in", "The summary that counts it came in place of 7."),
    ("interrupted-by", "7 cut it off."), ("stands-for", "It stands for 1 other, 7."),
    ("something-new", "something-new: 7."),
  ])
  func `what an entry is to the other is a sentence`(relation: String, line: String) throws {
    let lines = try lines(
      #"{"related":[{"seq":7,"relation":"\#(relation)"}],"sentence":"S."}"#
    )

    #expect(lines.last == line)
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

    #expect(WhyCommand.isWorthTelling(answer) == isTold)
  }
}
