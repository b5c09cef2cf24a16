// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPresenter
import A11yModel
import A11yTestKit
import A11yWire
import Testing

/// Where a wish for the focus that was denied leads whoever reads.
@Suite struct SuggestionTests {
  private let bus = HandDriven()
  private let app: Session
  private let other: Session
  private let seat: Session

  /// An app with the focus on the first of three buttons in its active window, and one behind it.
  init() {
    bus.open()
    app = bus.connect(app: "a")
    other = bus.connect(app: "b")
    seat = bus.connect(app: "seat")
    tell(other, elements("bw", ["x", "y"]))
    tell(app, elements("w", ["1", "2", "3"]))
    tell(app, elements("v", ["v1", "v2"]))
    tell(app, #"{"type":"window","window":"w","state":"active"}"#)
  }

  private func elements(_ window: String, _ ids: [String], _ members: String = "") -> String {
    let list = ids.map { #"{"id":"\#($0)","label":"Label \#($0)"\#(members)}"# }
    return
      #"{"type":"elements","window":"\#(window)","upsert":[\#(list.joined(separator: ","))]}"#
  }

  /// Publishes, and lets two seconds pass, in which rates and debounces end.
  @discardableResult
  private func tell(_ session: Session, _ event: String, after seconds: Int64 = 2) -> Int64 {
    _ = bus.say(session, #"{"id":1,"op":"publish","event":\#(event)}"#)
    let seq = (bus.log + bus.entries).last { $0.contains(event.dropLast()) }
      .flatMap { try? JSON($0) }?["seq"].integer
    bus.commit(after: seconds * 1_000_000)
    return seq ?? 0
  }

  private func act(_ action: String, _ members: String = "") {
    tell(seat, #"{"type":"action","action":"\#(action)"\#(members)}"#)
  }

  private func ask(for element: String, in window: String = "w", _ members: String = "") -> String {
    #"{"type":"layout-changed","window":"\#(window)","element":"\#(element)"\#(members)}"#
  }

  /// A wish that comes right behind a step of the user, who has gone on by then.
  @discardableResult
  private func askTooLate(for element: String, in window: String = "w") -> Int64 {
    _ = bus.say(seat, #"{"op":"publish","event":{"type":"action","action":"first"}}"#)
    _ = bus.say(seat, #"{"op":"publish","event":{"type":"action","action":"next"}}"#)
    return tell(app, ask(for: element, in: window))
  }

  private var suggestion: JSON {
    get throws { try bus.ask(app, #"{"id":1,"op":"state"}"#)["ok"]["focus"]["suggestion"] }
  }

  // MARK: What it holds

  @Test func `at first there is none`() throws {
    #expect(try suggestion == .null)
  }

  @Test func `a denied wish is kept with its place, its event and the reason`() throws {
    let seq = askTooLate(for: "3")

    #expect(
      try suggestion == [
        "seq": .integer(seq), "app": "a", "window": "w", "element": "3", "reason": "moved",
      ]
    )
  }

  @Test func `a wish from the background is kept, of another app, too`() throws {
    tell(other, ask(for: "y", in: "bw"))

    #expect(try suggestion["app"] == "b")
    #expect(try suggestion["window"] == "bw")
    #expect(try suggestion["element"] == "y")
    #expect(try suggestion["reason"] == "background")
  }

  @Test func `the window is named even where the app has not named it`() throws {
    tell(other, #"{"type":"layout-changed","element":"y"}"#)

    #expect(try suggestion["window"] == "bw")
  }

  @Test func `what covers the rest and too many wishes are reasons as well`() throws {
    for element in ["2", "3", "1"] {
      _ = bus.say(app, #"{"op":"publish","event":\#(ask(for: element))}"#)
    }
    #expect(try suggestion["reason"] == "rate")
    bus.commit(after: 2_000_000)

    tell(app, #"{"type":"window","window":"v","modal":true}"#)
    tell(app, ask(for: "2"))
    #expect(try suggestion["reason"] == "modal")
    #expect(try suggestion["element"] == "2")
  }

  @Test func `what is not there is not suggested`() throws {
    tell(app, ask(for: "nobody"))
    tell(app, elements("w", ["h"], #","hidden":true"#))
    tell(app, ask(for: "h"))

    #expect(try suggestion == .null)
  }

  @Test func `a screen that asks in vain suggests its element, and one that names none nothing`()
    throws
  {
    tell(other, #"{"type":"screen-changed","window":"bw"}"#)
    #expect(try suggestion == .null)

    tell(other, #"{"type":"screen-changed","window":"bw","element":"y"}"#)
    #expect(try suggestion["element"] == "y")
  }

  @Test func `a report is no wish, and suggests nothing`() throws {
    tell(other, #"{"type":"focus-changed","window":"bw","element":"y"}"#)

    #expect(try suggestion == .null)
  }

  @Test func `a granted wish suggests nothing`() throws {
    tell(app, ask(for: "3"))

    #expect(try suggestion == .null)
    #expect(bus.broker.presenter.model.focusSpot?.element == Name("3"))
  }

  @Test func `the outcome says what was kept, and its sentence does`() throws {
    let seq = askTooLate(for: "3")
    let outcome = try bus.log.map { try JSON($0)["event"] }
      .first { $0["type"] == "outcome" && $0["of"] == .integer(seq) }

    #expect(outcome?["why"]["suggestion"] == ["window": "w", "element": "3"])
  }

  // MARK: When it goes

  @Test func `it goes when the focus comes there`() throws {
    askTooLate(for: "3")
    act("focus", #","element":"3""#)

    #expect(try suggestion == .null)
  }

  @Test func `a container stands for the first stop in it`() throws {
    tell(app, elements("w", ["in"], #","parent":"box""#))
    tell(app, elements("w", ["box"]))
    askTooLate(for: "box")
    #expect(try suggestion["element"] == "box")

    act("focus", #","element":"in""#)
    #expect(try suggestion == .null)
  }

  @Test func `it goes when the user goes on in its window`() throws {
    askTooLate(for: "3")
    act("first")

    #expect(try suggestion == .null)
  }

  @Test func `it stays while the user is elsewhere, and as he comes to its window`() throws {
    tell(other, ask(for: "y", in: "bw"))
    act("next")
    #expect(try suggestion["element"] == "y")

    tell(other, #"{"type":"window","window":"bw","state":"active"}"#)
    #expect(bus.broker.presenter.model.focusSpot?.element == Name("x"))
    #expect(try suggestion["element"] == "y")

    act("first")
    #expect(try suggestion == .null)
  }

  @Test func `it stays while something covers it, wherever the user goes there`() throws {
    tell(app, elements("w", ["sheet"], #","modal":true"#))
    tell(app, elements("w", ["s1", "s2"], #","parent":"sheet""#))
    tell(app, #"{"type":"screen-changed","window":"w","element":"s1","modal":true}"#)
    tell(app, ask(for: "3"))
    act("next")
    act("previous")
    #expect(try suggestion["element"] == "3")

    tell(app, #"{"type":"elements","window":"w","remove":["sheet"]}"#)
    #expect(try suggestion["element"] == "3")
    act("next")
    #expect(try suggestion == .null)
  }

  @Test func `a newer one takes its place, and so does a wish that is granted there`() throws {
    tell(other, ask(for: "y", in: "bw"))
    askTooLate(for: "3")
    #expect(try suggestion["element"] == "3")

    tell(app, ask(for: "1"))
    #expect(try suggestion == .null)
  }

  @Test(arguments: [
    #"{"type":"elements","window":"w","remove":["3"]}"#,
    #"{"type":"elements","window":"w","replace":[{"id":"1"},{"id":"2"}]}"#,
    #"{"type":"elements","window":"w","upsert":[{"id":"3","hidden":true}]}"#,
    #"{"type":"elements","window":"w","upsert":[{"id":"3","accessible":false}]}"#,
    #"{"type":"window","window":"w","state":"closed"}"#,
    #"{"type":"screen-changed","window":"w"}"#,
  ])
  func `it goes with its place`(event: String) throws {
    askTooLate(for: "3")
    #expect(try suggestion["element"] == "3")
    tell(app, event)

    #expect(bus.broker.presenter.model.suggestion == nil)
  }

  @Test func `it stays when something else changes`() throws {
    askTooLate(for: "3")
    tell(app, elements("w", ["3", "4"], #","hint":"Does.""#))
    tell(app, #"{"type":"elements","window":"w","remove":["1"]}"#)
    tell(app, #"{"type":"window","window":"w","title":"New"}"#)
    tell(app, #"{"type":"window","window":"v","state":"closed"}"#)

    #expect(try suggestion["element"] == "3")
  }

  @Test func `it goes with its app, 5 s after that has left`() throws {
    tell(other, ask(for: "y", in: "bw"))
    bus.leave(other)
    bus.commit(after: 4_900_000)
    #expect(try suggestion["element"] == "y")

    bus.commit(after: 200_000)
    tell(app, #"{"type":"window","window":"v","title":"New"}"#)
    #expect(try suggestion == .null)
  }

  // MARK: Who else knows it

  @Test func `it survives being written down`() throws {
    askTooLate(for: "3")
    let model = bus.broker.presenter.model
    var replica = Replica(model)
    var out = ByteBuffer(capacity: 0)
    while replica.write(into: &out, budget: 1_000) {}

    var restored = Model()
    let reader = JSONReader(limit: Limits.answerBytes)
    for line in out.bytes.string.split(separator: "\n") {
      try reader.read(Array(line.utf8).span)
      let isTaken = restored.restore(reader.document)
      #expect(isTaken)
    }
    #expect(restored.suggestion == model.suggestion)
    #expect(restored == model)
  }
}
