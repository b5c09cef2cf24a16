// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yExplain
import A11yPresenter
import A11yTestKit
import A11yWire
import Testing

@testable import A11yBroker

/// The end of an event, asked of the bus.
@Suite struct ExplainTests {
  let bus = HandDriven()

  init() {
    bus.open()
    bus.commit()
  }

  /// A reader that has everything delivered to it.
  private func reader() -> Session {
    let reader = bus.connect()
    _ = bus.say(reader, #"{"op":"hello","app":"reader","role":"reader"}"#)
    _ = bus.say(reader, #"{"op":"subscribe"}"#)
    bus.commit()
    return reader
  }

  private func publish(_ app: Session, _ event: String) throws -> Int64 {
    let seq = try bus.publish(app, event)
    bus.commit(after: 10_000)
    return seq
  }

  private func announce(_ app: Session, _ text: String, more: String = "") throws -> Int64 {
    try publish(app, #"{"type":"announcement","text":"\#(text)"\#(more)}"#)
  }

  private func report(_ reader: Session, _ deliver: Int64, _ state: String) throws {
    _ = try publish(reader, #"{"type":"speech","of":\#(deliver),"state":"\#(state)"}"#)
  }

  /// The last entry of this type that is about `seq`.
  private func last(_ type: String, of seq: Int64) throws -> Int64 {
    for line in bus.log.reversed() {
      let entry = try JSON(line)
      let of = entry["event"]["of"]
      guard entry["event"]["type"].string == type,
        of.integer == seq || of.list?.contains(.integer(seq)) == true
      else { continue }
      return try #require(entry["seq"].integer)
    }
    throw HandDriven.Surprise(["no \(type) of \(seq)"])
  }

  /// The answer to `explain`, with the log read as a daemon would.
  private func explain(_ session: Session, _ seq: Int64) throws -> JSON {
    let answers = bus.say(session, #"{"id":7,"op":"explain","seq":\#(seq)}"#)
    guard case .explain(var explanation, let id) = session.errand else {
      try #require(answers.count == 1)
      return try JSON(answers[0])
    }
    #expect(answers == [])
    session.errand = nil
    bus.commit()
    let reader = JSONReader(limit: Limits.answerBytes)
    var steps = 0
    while explanation.refusal == nil {
      steps += 1
      try #require(steps < 100, "it comes to an end")
      if explanation.openEvent != nil { bus.broker.notePending(in: &explanation) }
      guard let run = explanation.run else {
        if explanation.openEvent != nil { continue }
        break
      }
      for line in bus.log {
        let bytes = Array(line.utf8.dropLast())
        guard let seq = Seq(of: bytes.span), seq >= run.from, seq <= run.through else {
          continue
        }
        try reader.read(bytes.span)
        guard explanation.note(reader.document, seq) else { break }
      }
      explanation.endRun()
    }
    var out = ByteBuffer(capacity: 1_024)
    Errand.answer(explanation, id: id, into: &out)
    return try JSON(out.bytes.string)
  }

  private func relation(_ answer: JSON, _ seq: Int64) -> String? {
    answer["ok"]["related"].list?.first { $0["seq"].integer == seq }?["relation"].string
  }

  // MARK: What is told

  @Test func `a repetition is told with what it repeats, the rule and its number`() throws {
    let reader = reader()
    let app = bus.connect(app: "org.x")
    let first = try announce(app, "Saved")
    try report(reader, last("deliver", of: first), "finished")
    bus.commit(after: 300_000)
    let second = try announce(app, "Saved")

    let answer = try explain(app, second)

    let ok = answer["ok"]
    #expect(answer["id"] == 7)
    #expect(ok["entry"]["seq"].integer == second)
    #expect(ok["entry"]["event"]["text"] == "Saved")
    #expect(ok["entry"]["crc"].isThere, "the very line of the log")
    #expect(ok["outcome"]["event"]["of"].integer == second)
    #expect(ok["outcome"]["event"]["result"] == "duplicate")
    #expect(ok["result"] == "duplicate")
    #expect(ok["rule"] == "announcement default")
    #expect(ok["why"] == ok["outcome"]["event"]["why"])
    #expect(ok["why"]["window_ms"] == 1_000)
    #expect(!ok["pending"].isThere)
    #expect(relation(answer, first) == "duplicate-of")
    #expect(
      ok["sentence"].string
        == "\(second) was not heard: it was the same text as \(first) from the same app,"
        + " delivered 0.3 s"
        + #" before; the rule "announcement default" counts such repetitions within 1 s as"#
        + " duplicates."
    )
  }

  @Test func `what was heard is told with its deliver and the reader's reports`() throws {
    let reader = reader()
    let app = bus.connect(app: "org.x")
    let seq = try announce(app, "Saved")
    let deliver = try last("deliver", of: seq)
    try report(reader, deliver, "started")
    try report(reader, deliver, "finished")

    let answer = try explain(app, seq)

    #expect(answer["ok"]["result"] == "heard")
    #expect(relation(answer, deliver) == "deliver")
    #expect(answer["ok"]["related"].list?.filter { $0["relation"] == "speech" }.count == 2)
    #expect(relation(answer, try last("outcome", of: seq)) == "outcome")
    #expect(answer["ok"]["sentence"].string?.hasPrefix("\(seq) was heard: ") == true)
  }

  @Test func `what is being spoken, and what waits behind it, say so`() throws {
    _ = reader()
    let app = bus.connect(app: "org.x")
    let spoken = try announce(app, "One")
    let waiting = try announce(app, "Two", more: #","queue":true"#)

    let first = try explain(app, spoken)["ok"]
    let second = try explain(app, waiting)["ok"]

    #expect(first["outcome"] == .null)
    #expect(first["pending"]["state"] == "speaking")
    #expect(first["pending"]["due"].integer != nil)
    #expect(second["outcome"] == .null)
    #expect(second["pending"]["state"] == "queued")
    // It has a minute to be begun.
    let mono = try #require(second["entry"]["mono"].integer)
    #expect(second["pending"]["due"].integer == mono + 60_000_000)
    #expect(
      second["sentence"].string?.hasPrefix("\(waiting) has not been heard yet: it waits") == true
    )
  }

  /// The obstacle to an event that waits, as the state and the explanation tell it.
  private func holders(_ app: Session, _ seq: Int64) throws -> [String?] {
    let state = try bus.ask(app, #"{"id":8,"op":"state"}"#)["ok"]["pending"]
    let told = state.list?.first { $0["seq"].integer == seq }
    return [told?["by"].string, try explain(app, seq)["ok"]["pending"]["by"].string]
  }

  @Test func `what holds an event back is told alike while it waits and when it has expired`()
    throws
  {
    _ = reader()
    let app = bus.connect(app: "org.x")
    let seat = bus.connect(app: "seat")
    _ = try publish(app, #"{"type":"pause"}"#)
    _ = try publish(seat, #"{"type":"do-not-disturb","level":60}"#)
    let seq = try announce(app, "Saved", more: #","ttl_ms":2000"#)

    #expect(try holders(app, seq) == ["do-not-disturb", "do-not-disturb"])
    bus.commit(after: 3_000_000)
    bus.commit()
    let answer = try explain(app, seq)["ok"]
    #expect(answer["result"] == "expired")
    #expect(answer["why"]["held_by"] == "do-not-disturb")
    #expect(
      answer["sentence"].string
        == "\(seq) was not heard: it had to be begun within 2 s, as it asked for itself, and do not"
        + " disturb still kept it back after 2 s."
    )
  }

  @Test func `a time that the event has set itself is blamed on no rule`() throws {
    _ = reader()
    let app = bus.connect(app: "org.x")
    _ = try publish(app, #"{"type":"pause"}"#)
    let own = try announce(app, "Saved", more: #","ttl_ms":2000"#)
    let other = try announce(app, "Sent")

    bus.commit(after: 11_000_000)
    bus.commit()

    let (first, second) = (try explain(app, own)["ok"], try explain(app, other)["ok"])
    #expect(first["rule"] == "ttl")
    #expect(first["why"]["from"] == "event")
    #expect(first["why"]["held_by"] == "pause-app")
    #expect(second["rule"] == "announcement default")
    #expect(!second["why"]["from"].isThere)
    #expect(second["why"]["held_by"] == "pause-app")
  }

  @Test func `a rate that an event was held by before is not what it expires of`() throws {
    let reader = reader()
    let app = bus.connect(app: "org.x")
    for number in 0..<5 {
      let seq = try announce(app, "Number \(number)")
      try report(reader, last("deliver", of: seq), "finished")
    }
    let seq = try announce(app, "One more")
    #expect(try holders(app, seq) == ["rate", "rate"])
    let high = try announce(app, "Fire", more: #","priority":"high""#)
    try report(reader, last("deliver", of: high), "started")
    bus.commit(after: 1_500_000)
    let seat = bus.connect(app: "seat")
    _ = try publish(seat, #"{"type":"do-not-disturb","level":60}"#)
    bus.commit(after: 9_000_000)
    bus.commit()

    let answer = try explain(app, seq)["ok"]

    #expect(answer["result"] == "expired")
    #expect(answer["why"]["held_by"] == "do-not-disturb")
    #expect(answer["sentence"].string?.contains("do not disturb") == true)
  }

  @Test func `an outcome that comes while the log is gone through is found too`() throws {
    let reader = reader()
    let app = bus.connect(app: "org.x")
    let seq = try announce(app, "One")
    let deliver = try last("deliver", of: seq)
    _ = bus.say(app, #"{"id":7,"op":"explain","seq":\#(seq)}"#)
    let errand = app.errand
    app.errand = nil
    try report(reader, deliver, "finished")
    app.errand = errand
    guard case .explain(let explanation, _) = errand else {
      throw HandDriven.Surprise(["no errand"])
    }

    #expect(explanation.run?.from == Seq(seq))
    #expect(try explain(app, seq)["ok"]["result"] == "heard")
  }

  @Test func `a change that another overtakes is told with that one and its fate`() throws {
    _ = reader()
    let app = bus.connect(app: "org.x")
    _ = try publish(app, #"{"type":"layout-changed","window":"w"}"#)
    let second = try publish(app, #"{"type":"layout-changed","window":"w"}"#)
    let third = try publish(app, #"{"type":"layout-changed","window":"w"}"#)
    bus.commit(after: 1_000_000)
    bus.commit()

    let answer = try explain(app, second)

    #expect(answer["ok"]["result"] == "coalesced")
    #expect(relation(answer, third) == "coalesced-into")
    #expect(
      answer["ok"]["sentence"].string
        == "\(second) was not heard: \(third), a change of layout, followed it within 100 ms; the"
        + #" rule "layout-changed" passes on only the newest of those that come so close together."#
        + " \(third) was heard."
    )
    #expect(relation(try explain(app, third), second) == "stands-for")
  }

  @Test func `what an action has led to is told with it, and what was heard before`() throws {
    _ = reader()
    let app = bus.connect(app: "org.x")
    _ = try publish(app, #"{"type":"window","window":"w","state":"active"}"#)
    let user = bus.connect(role: .control)
    let action = try publish(user, #"{"type":"action","action":"escape","element":"e"}"#)
    let screen = try publish(
      app,
      #"{"type":"screen-changed","window":"w","text":"Done","cause":\#(action)}"#
    )
    let held = try announce(app, "Deleted", more: #","cause":\#(action)"#)

    let told = try explain(user, held)
    let cause = try explain(user, action)

    #expect(relation(told, action) == "cause")
    #expect(relation(told, screen) == "feedback")
    #expect(relation(cause, screen) == "feedback")
    #expect(relation(cause, held) == "consequence")
    #expect(cause["ok"]["pending"]["state"] == "held")
    #expect(
      cause["ok"]["sentence"].string?.hasPrefix(
        "\(action) has not been handled yet: its app was asked to do it,"
          + " and has 1 s to answer. It has led to "
      ) == true
    )
  }

  @Test func `an action that three are asked in vain to handle ends unhandled`() throws {
    let app = bus.connect(app: "org.x")
    _ = try publish(app, #"{"type":"window","window":"w","state":"active"}"#)
    _ = try publish(
      app,
      #"{"type":"elements","window":"w","upsert":[{"id":"e","label":"E","responds":["escape"]}]}"#
    )
    let user = bus.connect(role: .control)
    _ = try publish(user, #"{"type":"action","action":"next"}"#)
    let action = try publish(user, #"{"type":"action","action":"escape"}"#)
    // Each of them has a second.
    for _ in 1...3 {
      bus.commit(after: 1_000_000)
      _ = bus.say(user, #"{"id":1,"op":"ping"}"#)
    }
    bus.commit()

    let told = try explain(user, action)["ok"]

    #expect(told["result"] == "unhandled", "\(told)")
    #expect(told["outcome"]["seq"].integer == (try last("outcome", of: action)))
    #expect(told["related"].list?.count { $0["relation"] == "gesture" } == 3)
  }

  // MARK: Entries about others

  @Test func `a deliver, an outcome and a report are told by what they are about`() throws {
    let reader = reader()
    let app = bus.connect(app: "org.x")
    let seq = try announce(app, "Saved")
    let deliver = try last("deliver", of: seq)
    try report(reader, deliver, "finished")
    let (report, outcome) = (try last("speech", of: deliver), try last("outcome", of: seq))

    let beginnings = [
      (deliver, "\(deliver) gave \(seq) to readers. \(seq) was heard: "),
      (outcome, "\(outcome) says how \(seq) ended. \(seq) was heard: "),
      (
        report,
        "\(report) is a reader's report that it has finished \(deliver). \(seq) was heard: "
      ),
    ]
    for (asked, beginning) in beginnings {
      let answer = try explain(reader, asked)
      #expect(answer["ok"]["entry"]["seq"].integer == asked)
      #expect(answer["ok"]["result"] == "heard")
      #expect(relation(answer, seq) == "about")
      #expect(answer["ok"]["sentence"].string?.hasPrefix(beginning) == true, "\(answer)")
    }
  }

  @Test(arguments: [
    #"{"type":"window","window":"w","state":"opened"}"#, #"{"type":"pause"}"#,
    #"{"type":"elements","window":"w","upsert":[{"id":"a"}]}"#,
    #"{"type":"do-not-disturb","level":3}"#, #"{"type":"zoom-focus-changed","zoom":"x"}"#,
  ])
  func `what is never spoken says so`(event: String) throws {
    let app = bus.connect(app: "org.x")
    let seq = try publish(app, event)

    let answer = try explain(app, seq)

    #expect(answer["ok"]["outcome"] == .null)
    #expect(!answer["ok"]["pending"].isThere)
    #expect(answer["ok"]["rule"] == .null)
    #expect(answer["ok"]["why"] == [:])
    #expect(answer["ok"]["sentence"].string?.hasPrefix("\(seq) is not spoken: ") == true)
  }

  // MARK: Refusals

  @Test(arguments: [(0, "field.invalid"), (-1, "field.invalid"), (99, "seq.unknown")])
  func `a seq that is none is refused`(seq: Int64, code: String) throws {
    let app = bus.connect(app: "org.x")

    let answer = try explain(app, seq)

    #expect(answer["err"]["code"].string == code)
    #expect(answer["err"]["field"] == "seq")
    if code == "seq.unknown" { #expect(answer["err"]["last"].integer == bus.last) }
  }

  @Test func `without a seq nothing is explained`() throws {
    let app = bus.connect(app: "org.x")

    let answer = try bus.ask(app, #"{"id":1,"op":"explain"}"#)

    #expect(answer["err"]["code"] == "field.missing")
    #expect(answer["err"]["field"] == "seq")
  }

  @Test func `what the log has dropped is refused`() throws {
    let app = bus.connect(app: "org.x")
    let seq = try announce(app, "Saved")
    _ = try announce(app, "Again")
    bus.retain(from: Seq(seq + 1))

    #expect(try explain(app, seq)["err"]["code"] == "seq.unknown")
  }

  @Test func `what nobody wants to hear of is not looked for`() throws {
    let app = bus.connect(app: "org.x")
    let seq = try announce(app, "Saved")

    #expect(bus.say(app, #"{"op":"explain","seq":\#(seq)}"#) == [])
    #expect(app.errand == nil)
  }

  // MARK: Whose it is

  @Test func `a publisher is told of its own, and of nothing else`() throws {
    let reader = reader()
    let mine = bus.connect(role: .publish, app: "org.mine")
    let other = bus.connect(role: .publish, app: "org.other")
    let seq = try announce(mine, "Mine")
    let foreign = try announce(other, "Other", more: #","priority":"high""#)
    try report(reader, last("deliver", of: seq), "interrupted")
    bus.commit(after: 10_000_000)
    bus.commit()

    let own = try explain(mine, seq)

    #expect(own["ok"]["entry"]["event"]["text"] == "Mine")
    #expect(own["ok"]["sentence"].string?.contains("org.other") == false)
    for asked in [foreign, try last("deliver", of: foreign), 1, 2] {
      let answer = try explain(mine, asked)
      #expect(answer["err"]["code"] == "role.denied", "\(asked)")
      #expect(answer["err"]["field"] == "seq")
    }
    #expect(try explain(mine, last("deliver", of: seq))["ok"].isThere)
    #expect(try explain(mine, last("outcome", of: seq))["ok"].isThere)
  }

  @Test func `the same name of another user is another app`() throws {
    let mine = bus.connect(uid: 1_000, role: .publish, app: "org.x")
    let theirs = bus.connect(uid: 1_001, role: .publish, app: "org.x")
    let seq = try announce(theirs, "Theirs")

    #expect(try explain(mine, seq)["err"]["code"] == "role.denied")
    #expect(try explain(theirs, seq)["ok"].isThere)
  }
}
