// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yBroker

/// The state as the broker tells it, and the moments at which it does.
@Suite struct StateTests {
  let bus = HandDriven()

  private func window(_ session: Session, _ id: String, _ members: String) throws {
    _ = try bus.publish(session, #"{"type":"window","window":"\#(id)",\#(members)}"#)
  }

  private func windows(_ state: JSON) -> [String] {
    (state["windows"].list ?? []).map { "\($0["window"].string ?? "") \($0["state"].string ?? "")" }
  }

  @Test func `the state is answered with the cursor that it belongs to`() throws {
    let session = bus.connect(app: "mail")
    try window(session, "w", #""state":"active","title":"Inbox""#)

    let answer = try bus.ask(session, #"{"id":"x","op":"state"}"#)

    #expect(
      answer == [
        "id": "x",
        "ok": [
          "cursor": .string("\(HandDriven.epoch):2"), "focus": .null,
          "windows": [
            [
              "app": "mail", "window": "w", "state": "active", "title": "Inbox", "modal": false,
              "focus": .null,
            ]
          ],
          "reader": ["running": false, "name": .null, "conn": .null], "do_not_disturb": 0,
          "pending": [],
        ],
      ]
    )
  }

  @Test func `a reader is there from its subscription until it leaves`() throws {
    let watcher = bus.connect()
    let reader = bus.connect(role: .read)
    _ = bus.say(reader, #"{"op":"hello","app":"orca","role":"reader"}"#)
    #expect(
      try bus.ask(watcher, #"{"id":1,"op":"state"}"#)["ok"]["reader"]["running"] == false
    )
    _ = bus.say(reader, #"{"op":"subscribe"}"#)
    #expect(
      try bus.ask(watcher, #"{"id":1,"op":"state"}"#)["ok"]["reader"]
        == ["running": true, "name": .null, "conn": .integer(reader.conn)]
    )

    bus.leave(reader)

    #expect(
      try bus.ask(watcher, #"{"id":1,"op":"state"}"#)["ok"]["reader"]
        == ["running": false, "name": .null, "conn": .null]
    )
  }

  @Test func `nobody is told of a state that was not asked for by an id`() throws {
    let session = bus.connect(app: "mail")
    try window(session, "w", #""state":"active""#)
    bus.commit()
    _ = try bus.publish(session)

    for at in ["", #","at":1"#, #","at":2"#, #","at":3"#] {
      #expect(bus.say(session, #"{"op":"state"\#(at)}"#) == [])
      #expect(inquiry(of: session) == nil)
    }
  }

  @Test func `an unknown field is named once, before the answer`() throws {
    let answers = bus.say(bus.connect(), #"{"id":1,"op":"state","foo":1}"#)

    #expect(answers.count == 2)
    #expect(answers.first == #"{"warn":{"fields":["foo"]},"id":1}"# + "\n")
  }

  @Test func `an app that left is gone in time, though nothing else happens`() throws {
    let watcher = bus.connect()
    let session = bus.connect(app: "mail")
    try window(session, "w", #""state":"active""#)
    bus.leave(session)
    bus.commit(after: Model.grace.microseconds - 1)
    #expect(windows(try bus.ask(watcher, #"{"id":1,"op":"state"}"#)["ok"]) == ["w active"])

    bus.commit(after: 1)

    #expect(windows(try bus.ask(watcher, #"{"id":1,"op":"state"}"#)["ok"]) == [])
    // Right after the last entry it was still there.
    let then = try bus.ask(watcher, #"{"id":1,"op":"state","at":\#(bus.last)}"#)["ok"]
    #expect(windows(then) == ["w active"])
  }

  // MARK: Earlier

  @Test func `the state at the last entry is answered at once, at an earlier one by the log`()
    throws
  {
    let session = bus.connect(app: "mail")
    try window(session, "w", #""state":"active""#)

    let now = try bus.ask(session, #"{"id":1,"op":"state","at":2}"#)
    #expect(windows(now["ok"]) == ["w active"])
    #expect(inquiry(of: session) == nil)

    #expect(bus.say(session, #"{"id":"\u0041","op":"state","at":1}"#) == [])

    let open = inquiry(of: session)
    let inquiry = try #require(open)
    #expect(inquiry.seq == Seq(1))
    #expect(!inquiry.opensSubscription)
    var out = ByteBuffer(capacity: 0)
    let cursor = bus.broker.head.cursor(after: Seq(1))
    inquiry.answer(
      Picture(presenter: Presenter(rules: RuleSet()), after: Seq(1), only: nil),
      cursor: cursor,
      into: &out
    )
    let lines = out.bytes.string.split(separator: "\n").map(String.init)
    #expect(lines.count == 1)
    #expect(lines[0].hasPrefix(#"{"id":"\u0041","ok":{"cursor":"\#(HandDriven.epoch):1","focus""#))
  }

  private static var middle: LogHead {
    LogHead(epochs: [HandDriven.start(HandDriven.epoch, 1)], first: Seq(90), last: Seq(300))
  }

  @Test(
    arguments: [
      (301, false), (Int64.max, false), (300, true), (299, true), (90, true), (89, true),
      (88, false), (1, false),
    ] as [(Int64, Bool)]
  )
  func `the log knows from the entry before its first one on`(at: Int64, isKnown: Bool) throws {
    let bus = HandDriven(Self.middle)
    let session = bus.connect()

    let answers = bus.say(session, #"{"id":1,"op":"state","at":\#(at)}"#)

    if isKnown {
      #expect(inquiry(of: session)?.seq == (at == 300 ? nil : Seq(at)))
      #expect(answers.count == (at == 300 ? 1 : 0))
      return
    }
    #expect(inquiry(of: session) == nil)
    let answer = try JSON(answers[0])
    #expect(answer["err"]["code"] == "seq.unknown")
    #expect(answer["err"]["field"] == "at")
    #expect(answer["err"]["last"] == 300)
  }

  @Test(arguments: ["0", "-1", "1.0", "\"1\"", "null", "[]"])
  func `at is the seq of an entry`(at: String) throws {
    let answer = try bus.ask(bus.connect(), #"{"id":1,"op":"state","at":\#(at)}"#)

    #expect(answer["err"]["code"] == "field.invalid")
    #expect(answer["err"]["field"] == "at")
  }

  // MARK: Subscriptions

  @Test(arguments: ["", #""id":7,"#])
  func `a subscription that asks for it begins with the state`(id: String) throws {
    let session = bus.connect(app: "mail")
    try window(session, "v", #""state":"active""#)

    let answers = bus.say(
      session,
      #"{\#(id)"op":"subscribe","state":true,"filter":{"types":[]}}"#
    )

    #expect(answers.count == (id.isEmpty ? 1 : 2))
    let mark = try JSON(answers[answers.count - 1])
    #expect(mark["mark"] == "state")
    #expect(mark["cursor"].string == "\(HandDriven.epoch):2")
    #expect(mark["state"]["cursor"] == mark["cursor"])
    #expect(windows(mark["state"]) == ["v active"])
  }

  @Test func `an application's subscription begins with what is its own`() throws {
    let mail = bus.connect(role: .publish, app: "mail")
    let chat = bus.connect(role: .publish, app: "chat")
    for (session, id) in [(mail, "m"), (chat, "c")] {
      try window(session, id, #""state":"active","title":"\#(id)""#)
      let element = #"{"type":"elements","window":"\#(id)","upsert":[{"id":"e","label":"E"}]}"#
      _ = try bus.publish(session, element)
      _ = try bus.publish(session, #"{"type":"screen-changed","window":"\#(id)","element":"e"}"#)
      _ = try bus.publish(session, #"{"type":"announcement","text":"\#(id) says something"}"#)
    }
    func state(of session: Session) throws -> JSON {
      let answers = bus.say(session, #"{"id":1,"op":"subscribe","state":true}"#)
      return try JSON(answers[1])["state"]
    }

    let (own, others) = (try state(of: chat), try state(of: mail))

    #expect(windows(own) == ["c active"])
    #expect(own["focus"]["window"] == "c")
    #expect(own["pending"].list?.isEmpty == false)
    #expect(own["pending"].list?.allSatisfy { $0["app"] == "chat" } == true)
    #expect(windows(others) == ["m inactive"] || windows(others) == ["m active"])
    #expect(others["focus"] == .null)
    #expect(others["pending"].list?.allSatisfy { $0["app"] == "mail" } == true)
  }

  @Test func `the mark is the state right there, whatever the turn brings after it`() throws {
    let session = bus.connect(app: "mail")
    try window(session, "w", #""state":"active""#)
    let before = bus.replyCount
    _ = bus.say(session, #"{"id":1,"op":"subscribe","state":true}"#)
    try window(session, "w", #""state":"inactive""#)
    try window(session, "x", #""state":"opened""#)

    let lines = bus.replies(from: before)

    let mark = try JSON(lines[1])
    #expect(mark["cursor"].string == "\(HandDriven.epoch):2")
    #expect(windows(mark["state"]) == ["w active"])
    let now = try bus.ask(session, #"{"id":1,"op":"state"}"#)
    #expect(windows(now["ok"]) == ["w inactive", "x opened"])
  }

  @Test(
    arguments: [
      ("start", 89), ("\(HandDriven.epoch):5", 89), ("\(HandDriven.epoch):89", 89),
      ("\(HandDriven.epoch):120", 120), ("\(HandDriven.epoch):300", nil), ("now", nil),
    ] as [(String, Int64?)]
  )
  func `what begins earlier begins with what the log knows of there`(
    from: String,
    seq: Int64?
  ) throws {
    let bus = HandDriven(Self.middle)
    let session = bus.connect()

    let answers = bus.say(session, #"{"id":1,"op":"subscribe","from":"\#(from)","state":true}"#)

    #expect(answers.count == (seq == nil ? 2 : 1))
    #expect(inquiry(of: session)?.seq == seq.map { Seq($0) })
    #expect(inquiry(of: session).map(\.opensSubscription) != false)
    #expect(session.subscription != nil)
  }

  @Test func `without state there is none`() {
    for state in ["", #","state":false"#] {
      let session = bus.connect()
      #expect(bus.say(session, #"{"id":1,"op":"subscribe"\#(state)}"#).count == 1)
    }
  }

  // MARK: The model of the broker

  @Test func `what is refused, or given back, changes nothing`() throws {
    let session = bus.connect(app: "mail")
    try window(session, "w", #""state":"active""#)
    bus.commit()
    let before = bus.broker.presenter.model

    _ = bus.say(
      session,
      #"{"op":"publish","event":{"type":"window","window":"w","state":"closed","cause":99}}"#
    )
    #expect(bus.broker.presenter.model == before)

    try window(session, "w", #""state":"closed""#)
    #expect(bus.broker.presenter.model != before)
  }

  @Test func `who publishes first is in the model, who is refused first is not`() throws {
    let session = bus.connect()
    _ = bus.say(session, #"{"op":"publish","event":{"type":"window","window":"w","state":"x"}}"#)
    #expect(bus.broker.presenter.model == Model())

    _ = try bus.publish(session)
    bus.leave(session)
    let late = bus.connect()
    try window(late, "w", #""state":"opened""#)

    #expect(windows(try bus.ask(late, #"{"id":1,"op":"state"}"#)["ok"]) == ["w opened"])
    bus.leave(late)
    bus.commit(after: Model.grace.microseconds)
    #expect(windows(try bus.ask(bus.connect(), #"{"id":1,"op":"state"}"#)["ok"]) == [])
  }

  @Test func `a window too many is refused, and nothing of it kept`() throws {
    let session = bus.connect(app: "mail")
    for index in 0..<Limits.windowsPerApp { try window(session, "\(index)", #""state":"opened""#) }
    bus.commit()
    let before = bus.broker.presenter.model
    let event = #"{"type":"window","window":"new","state":"opened"}"#

    let answer = try bus.ask(session, #"{"id":1,"op":"publish","dedupe":"k","event":\#(event)}"#)
    #expect(answer["err"]["code"] == "quota.exceeded")
    #expect(answer["err"]["field"] == "event.window")
    #expect(bus.broker.presenter.model == before)
    #expect(bus.entries == [])

    try window(session, "7", #""state":"closed""#)
    let seq = try bus.publish(session, event, more: #","dedupe":"k""#)
    let again = try bus.ask(session, #"{"id":1,"op":"publish","dedupe":"k","event":\#(event)}"#)
    #expect(again["ok"]["seq"].integer == seq)
    _ = try bus.publish(bus.connect(uid: 7, app: "mail"), event)
  }

  @Test func `too many elements are refused by their field`() throws {
    let session = bus.connect(app: "mail")
    var next = 0
    while next < Limits.elementsPerApp {
      let ids = (next..<next + 2_500).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
      _ = try bus.publish(session, #"{"type":"elements","window":"w","upsert":[\#(ids)]}"#)
      next += 2_500
    }

    for field in ["upsert", "replace"] {
      let answer = try bus.ask(
        session,
        #"{"id":1,"op":"publish","event":{"type":"elements","window":"v","#
          + #""\#(field)":[{"id":"a"}]}}"#
      )
      #expect(answer["err"]["code"] == "quota.exceeded")
      #expect(answer["err"]["field"].string == "event.\(field)")
    }
    _ = try bus.publish(
      session,
      #"{"type":"elements","window":"w","upsert":[{"id":"7","label":"x"}]}"#
    )
  }

  /// The question to the log whose answer a connection waits for.
  private func inquiry(of session: Session) -> Inquiry? {
    guard case .inquiry(let inquiry) = session.errand else { return nil }
    return inquiry
  }
}
