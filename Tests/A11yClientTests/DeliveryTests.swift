// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yClient

/// The bus's decisions, as an app or a reader gets them.
@Suite struct DeliveryTests {
  private func entry(_ event: String, conn: Int = 0) throws -> Entry {
    let line = Says.entry(7, app: "a11yd", event: event)
      .replacing(#""conn":1,"#, with: #""conn":\#(conn),"#)
    let reader = JSONReader(limit: 4_096)
    try reader.read(Array(line.utf8).span)
    return try Entry(7, reader.document)
  }

  @Test func `a deliver says what is to be spoken, by whom, and over what`() throws {
    let delivery = try #require(
      entry(
        #"{"type":"deliver","of":[3,4],"to":2,"speak":[{"text":"a"},{"text":"b","spell":true}],"#
          + #""priority":"high","interrupts":5,"interruptible":true,"earcon":"screen","#
          + #""late_ms":1500,"boundary":true,"again":true,"truncated":true}"#
      ).delivery
    )

    #expect(delivery.seq == 7)
    #expect(delivery.of == [3, 4])
    #expect(delivery.to == 2)
    #expect(delivery.speech.runs == [.init("a"), .init("b", spell: true)])
    #expect(delivery.hidden == nil)
    #expect(delivery.priority == "high")
    #expect(delivery.interrupts == 5)
    #expect(delivery.isInterruptible)
    #expect(delivery.earcon == "screen")
    #expect(delivery.late == .milliseconds(1_500))
    #expect(delivery.isBoundary && delivery.isAgain && delivery.isTruncated)
  }

  @Test func `of a hidden text nothing is there but its length`() throws {
    let delivery = try #require(
      entry(#"{"type":"deliver","of":[3],"speak":[{"redacted":"9-32"}]}"#).delivery
    )

    #expect(delivery.hidden == "9-32")
    #expect(delivery.speech.text == "")
    #expect(!delivery.isAgain && !delivery.isInterruptible)
  }

  @Test func `an outcome says how it ended, by what and why`() throws {
    let outcome = try #require(
      entry(
        #"{"type":"outcome","of":3,"result":"duplicate","by":2,"rule":"r","why":{"window_ms":9}}"#
      ).outcome
    )

    #expect(outcome.of == 3)
    #expect(outcome.result == "duplicate")
    #expect(outcome.by == 2)
    #expect(outcome.rule == "r")
    #expect(outcome.why["window_ms"]?.integer == 9)
    #expect(!outcome.isHeard)
    #expect(
      try entry(#"{"type":"outcome","of":3,"result":"heard","rule":"r"}"#).outcome?.isHeard == true
    )
  }

  @Test func `a silence says what is to stop`() throws {
    let silence = try #require(entry(#"{"type":"silence","of":3,"by":4,"hold":true}"#).silence)

    #expect(silence.of == 3)
    #expect(silence.by == 4)
    #expect(silence.isHold)
  }

  @Test(arguments: ["deliver", "outcome", "silence"])
  func `what an app calls so is none`(type: String) throws {
    let entry = try entry(#"{"type":"\#(type)","of":3,"result":"heard","speak":[]}"#, conn: 2)

    #expect(entry.delivery == nil)
    #expect(entry.outcome == nil)
    #expect(entry.silence == nil)
  }

  // MARK: Asking and reporting

  @Test func `a reader reports without waiting`() throws {
    let bus = try FakeBus(
      .init(
        .hear([#""event":{"type":"speech","of":7,"state":"started"}"#]),
        .hear([#""event":{"type":"speech","of":7,"state":"interrupted","heard_ms":120}"#]),
        .hear(["ping"]),
        .say([#"{"id":1,"ok":{"last":9}}"#]),
        .wait
      )
    )
    let connection = try BusConnection(path: bus.path)

    try connection.report(.started, of: 7)
    try connection.report(.interrupted, of: 7, heard: .milliseconds(120))
    try connection.ping()

    #expect(bus.complaint == nil)
  }

  @Test func `an explanation has its sentence and what it rests on`() throws {
    let bus = try FakeBus(
      .init(
        .hear([#"{"id":1,"op":"explain","seq":7}"#]),
        .say([
          #"{"id":1,"ok":{"sentence":"Not heard.","result":"expired","rule":"r","why":{},"#
            + #""related":[{"seq":3,"relation":"cause"}]}}"#
        ]),
        .wait
      )
    )

    let explanation = try BusConnection(path: bus.path).explain(7)

    #expect(explanation.sentence == "Not heard.")
    #expect(explanation.result == "expired")
    #expect(explanation.pending == nil)
    #expect(explanation.rule == "r")
    #expect(explanation.related.map(\.seq) == [3])
    #expect(explanation.related.map(\.relation) == ["cause"])
    #expect(bus.complaint == nil)
  }

  @Test func `a receipt has the advice and what became of the focus`() throws {
    let bus = try FakeBus(
      .init(
        .hear(["publish"]),
        .say([
          #"{"id":1,"ok":{"seq":9,"durability":"written","warnings":[{"code":"text.long","#
            + #""field":"text","msg":"say less"}],"focus":{"result":"denied","reason":"moved","#
            + #""seq":4}}}"#
        ]),
        .wait
      )
    )

    let receipt = try BusConnection(path: bus.path).publish(.layoutChanged(focusOn: "e"))

    #expect(receipt.warnings.map(\.code) == ["text.long"])
    #expect(receipt.warnings.map(\.field) == ["text"])
    #expect(receipt.warnings.map(\.message) == ["say less"])
    #expect(receipt.focus?.result == "denied")
    #expect(receipt.focus?.reason == "moved")
    #expect(receipt.focus?.seq == 4)
  }
}
