// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import A11yBroker
import A11yTestKit
import A11yWire
import Testing

/// Warnings to a publisher about its own events, in the reply to each.
@Suite struct WarningTests {
  let bus = HandDriven()

  private func warnings(_ session: Session, _ event: String) throws -> JSON {
    try bus.ask(session, #"{"id":1,"op":"publish","event":\#(event)}"#)["ok"]["warnings"]
  }

  private func codes(_ session: Session, _ event: String) throws -> [String] {
    (try warnings(session, event).list ?? []).compactMap { $0["code"].string }
  }

  /// A connection that wants advice on style.
  private func advised(_ app: String) -> Session { bus.connect(app: app, more: #","advice":true"#) }

  @Test func `style is judged only where advice was asked for`() throws {
    let events = [
      #"{"type":"layout-changed","text":"Saved"}"#,
      #"{"type":"announcement","text":"Your code is 482913. Keep it."}"#,
      #"{"type":"elements","window":"w","upsert":[{"id":"a","label":"delete.","#
        + #""traits":["button"]}]}"#,
    ]
    for (more, isAdvised) in [
      ("", false), (#","advice":false"#, false), (#","advice":true"#, true),
    ] {
      let app = bus.connect(app: "x", more: more)
      for event in events { #expect(try codes(app, event).isEmpty == !isAdvised) }
    }
  }

  @Test func `a text that is cut off is told without being asked`() throws {
    let text = String(repeating: "ä", count: 4_000)
    for app in [bus.connect(app: "x"), advised("x")] {
      #expect(
        try codes(app, #"{"type":"announcement","text":"\#(text)b"}"#) == ["text.truncated"]
      )
      #expect(
        try codes(app, #"{"type":"page-scrolled","text":[{"text":"\#(text)"},{"text":"b"}]}"#)
          == ["text.truncated"]
      )
    }
    #expect(try codes(bus.connect(app: "x"), #"{"type":"announcement","text":"\#(text)"}"#) == [])
  }

  @Test func `there are none where nothing is wrong`() {
    let app = advised("x")

    #expect(
      bus.say(app, #"{"id":1,"op":"publish","event":\#(HandDriven.announcement)}"#)
        == ["{\"id\":1,\"ok\":{\"seq\":2,\"durability\":\"written\"}}\n"]
    )
  }

  @Test func `each has a code, the way to the field, and a sentence that says what to do`() {
    let app = advised("x")

    let answer = bus.say(
      app,
      """
      {"id":1,"op":"publish","event":{"type":"elements","window":"w","upsert":[{"id":"a"},\
      {"id":"b","label":"Delete button","traits":["button"]}]}}
      """
    )

    #expect(
      answer == [
        #"{"id":1,"ok":{"seq":2,"durability":"written","warnings":[{"code":"label.names-type","#
          + #""field":"event.upsert[1].label","msg":"Leave \"button\" out of \"Delete button\";"#
          + #" readers say what an element is by its traits."}]}}"# + "\n"
      ]
    )
  }

  @Test func `nothing is sent to who does not ask`() {
    let app = advised("x")

    #expect(bus.say(app, #"{"op":"publish","event":{"type":"layout-changed","text":"A"}}"#) == [])
  }

  @Test func `the same is told again with each event`() throws {
    let app = advised("x")

    for _ in 0..<3 {
      #expect(try codes(app, #"{"type":"layout-changed","text":"Saved"}"#) == ["layout.text"])
    }
  }

  @Test func `an event that is refused is not judged`() throws {
    let app = advised("x")

    let answer = try bus.ask(
      app,
      #"{"id":1,"op":"publish","event":{"type":"layout-changed","text":"A","cause":99}}"#
    )

    #expect(answer["err"]["code"].string == "seq.unknown")
    #expect(answer["ok"] == .absent)
  }

  @Test func `a repeated publish is answered without them`() throws {
    let app = advised("x")
    let line =
      #"{"id":1,"op":"publish","dedupe":"k","event":{"type":"layout-changed","text":"A"}}"#
    #expect(try bus.ask(app, line)["ok"]["warnings"].count == 1)

    let again = try bus.ask(app, line)["ok"]

    #expect(again["duplicate"] == .bool(true))
    #expect(again["warnings"] == .absent)
  }

  @Test func `a reply holds only so many`() throws {
    let app = advised("x")
    let elements = (0..<100).map { #"{"id":"\#($0)","label":"delete.","traits":["button"]}"# }

    let codes = try codes(
      app,
      #"{"type":"elements","window":"w","upsert":[\#(elements.joined(separator: ","))]}"#
    )

    #expect(codes.count == 16)
  }

  @Test func `a label that was given before is known`() throws {
    let app = advised("x")
    func element(_ fields: String) -> String {
      #"{"type":"elements","window":"w","upsert":[{"id":"a",\#(fields)}]}"#
    }

    #expect(try codes(app, element(#""label":"Delete""#)) == [])
    #expect(try codes(app, element(#""traits":["button"]"#)) == [])
    #expect(try codes(app, element(#""label":"Delete button""#)) == ["label.names-type"])
    #expect(try codes(app, element(#""label":null"#)) == ["label.missing"])
    #expect(try codes(advised("y"), element(#""traits":["button"]"#)) == ["label.missing"])
  }

  @Test func `what is secret is not repeated, but measured`() throws {
    let app = advised("x")
    let text = "98110 " + String(repeating: "a", count: 600)

    let said = try warnings(app, #"{"type":"announcement","text":"\#(text)","sensitive":true}"#)

    #expect(said.count == 1)
    #expect(said[0]["code"].string == "text.long")
    #expect(try codes(app, #"{"type":"announcement","text":"98110","sensitive":true}"#) == [])
  }

  @Test func `high is counted for all connections of an app`() throws {
    let sessions = [advised("x"), advised("x")]
    let high = #"{"type":"announcement","text":"Hi","priority":"high"}"#
    for number in 0..<5 {
      #expect(try codes(sessions[number % 2], high) == [])
      bus.commit(after: 1_000_000)
    }

    #expect(try codes(sessions[1], high) == ["priority.overused"])
    #expect(try codes(advised("y"), high) == [])
    bus.commit(after: 60_000_000)
    #expect(try codes(sessions[1], high) == [])
  }

  @Test func `a pause that the bus had to end is told with the next event`() throws {
    let app = advised("x")
    #expect(try codes(app, #"{"type":"pause"}"#) == [])
    bus.commit(after: 29_999_999)
    #expect(try codes(app, HandDriven.announcement) == [])
    bus.commit(after: 1)

    #expect(try codes(app, HandDriven.announcement) == ["pause.unresumed"])
    #expect(try codes(app, HandDriven.announcement) == [])
  }

  @Test func `a pause that was taken back is not`() throws {
    let app = advised("x")
    #expect(try codes(app, #"{"type":"pause"}"#) == [])
    #expect(try codes(app, #"{"type":"resume"}"#) == [])
    bus.commit(after: 40_000_000)

    #expect(try codes(app, HandDriven.announcement) == [])
  }

  @Test func `low from the background is told that nobody hears it`() throws {
    let active = bus.connect(app: "x")
    let other = bus.connect(app: "y")
    let low = #"{"type":"announcement","text":"Hi","priority":"low"}"#
    #expect(try codes(other, low) == [])
    _ = try bus.publish(active, #"{"type":"window","window":"w","state":"active"}"#)

    let said = try warnings(other, low)

    #expect(said[0]["code"].string == "background.low")
    #expect(said[0]["field"].string == "event.priority")
    #expect(try codes(active, low) == [])
    #expect(try codes(other, #"{"type":"announcement","text":"Hi"}"#) == [])
  }

  @Test func `an app that asks for the focus in vain is told so`() throws {
    let active = advised("x")
    let other = advised("y")
    for (app, window) in [(active, "v"), (other, "w")] {
      _ = try bus.publish(app, #"{"type":"window","window":"\#(window)","state":"opened"}"#)
      _ = try bus.publish(
        app,
        #"{"type":"elements","window":"\#(window)","upsert":[{"id":"a","label":"A"}]}"#
      )
    }
    _ = try bus.publish(active, #"{"type":"window","window":"v","state":"active"}"#)
    let layout = #"{"type":"layout-changed","window":"w","element":"a"}"#
    for _ in 0..<5 { #expect(try codes(other, layout) == []) }

    #expect(try codes(other, layout) == ["focus.denied"])
  }

  @Test func `a wish for the focus of what is not there is told without being asked`() throws {
    let app = bus.connect(app: "x")
    _ = try bus.publish(app, #"{"type":"window","window":"w","state":"active"}"#)
    for type in ["layout-changed", "screen-changed", "focus-changed"] {
      let said = try warnings(app, #"{"type":"\#(type)","window":"w","element":"nobody"}"#)

      #expect(said.list?.count == 1)
      #expect(said[0]["code"].string == "focus.missing")
      #expect(said[0]["field"].string == "event.element")
      #expect(said[0]["msg"].string?.contains("nobody") == true)
    }
  }

  @Test func `a class that nobody knows is told with the nearest that there is`() throws {
    let app = bus.connect(app: "x")

    let said = try warnings(app, #"{"type":"announcement","text":"5%","class":"progres"}"#)

    #expect(said[0]["code"].string == "class.unknown")
    #expect(said[0]["field"].string == "event.class")
    #expect(said[0]["msg"].string?.hasSuffix("Did you mean progress?") == true)
    #expect(try codes(app, #"{"type":"announcement","text":"5%","class":"progress"}"#) == [])
  }

  @Test func `what is to be repeated is a delivery that there was`() throws {
    let user = bus.connect(app: "x")
    let seq = try bus.publish(user, HandDriven.announcement)
    for (of, code) in [(seq, "field.invalid"), (99_999, "seq.unknown")] {
      let error = try bus.ask(
        user,
        #"{"id":1,"op":"publish","event":{"type":"action","action":"repeat","of":\#(of)}}"#
      )["err"]

      #expect(error["code"].string == code)
      #expect(error["field"].string == "event.of")
    }
  }

  @Test func `all codes are described`() throws {
    let ok = try bus.ask(bus.connect(), #"{"id":1,"op":"describe"}"#)["ok"]

    #expect(ok["warnings"].names == Set(AdviceCode.allCases.map(\.rawValue)))
    #expect(ok["warnings"]["label.names-type"].string?.isEmpty == false)
  }
}
