// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The ways of the focus, the right to move it, and the words about it.
@Suite struct FocusTests {
  // MARK: Reading order

  private static let house: [JSON] = [
    element("title", "Title", ["traits": ["header"]]),
    ["id": "group"],
    button("in1", "One", ["parent": "group"]),
    ["id": "inner", "parent": "group"],
    button("in2", "Two", ["parent": "inner"]),
    button("hidden", "Hidden", ["hidden": true]),
    ["id": "cellar", "hidden": true],
    button("below", "Below", ["parent": "cellar"]),
    element("mute", "Mute", ["accessible": false]),
    button("end", "End"),
    button("moved", "Moved", ["index": 1]),
  ]

  @Test func `the reading order goes depth first past containers and what is hidden`() throws {
    var script = Script(Self.house)
    for step in 0..<5 { script.at(Double(step) * 2_000, user("next")) }

    let heard = try script.run()

    #expect(heard.focus == ["0 moved", "2000 in1", "4000 in2", "6000 end"])
    #expect(heard.delivered.last == "8000 (earcon boundary, at the end)")
  }

  @Test func `back, first and last go the same way`() throws {
    var script = Script(Self.house)
    script.at(0, user("last"))
    script.at(2_000, user("previous"))
    script.at(4_000, user("previous"))
    script.at(6_000, user("first"))
    script.at(8_000, user("previous"))

    let heard = try script.run()

    #expect(heard.focus == ["0 end", "2000 in2", "4000 in1", "6000 title"])
    #expect(heard.delivered.last == "8000 (earcon boundary, at the end)")
  }

  @Test func `a container that is accessible itself is a stop of its own`() throws {
    var script = Script([
      button("a", "Apple"), element("g", "Group", ["accessible": true]),
      button("b", "Bean", ["parent": "g"]),
    ])
    script.at(0, user("next"))
    script.at(2_000, user("next"))

    #expect(try script.run().focus == ["0 g", "2000 b"])
  }

  @Test func `touch finds the front-most element at a point`() throws {
    var script = Script([
      button("a", "Apple", ["frame": [0, 0, 10, 10]]),
      button("back", "Back", ["frame": [100, 100, 100, 100]]),
      button("front", "Front", ["frame": [150, 150, 20, 20]]),
      button("aside", "Aside", ["frame": [300, 300, 20, 20]]),
    ])
    script.at(0, user("touch", ["point": [155, 155]]))
    script.at(2_000, user("touch", ["point": [105, 105]]))
    script.at(4_000, user("touch", ["point": [155, 155]]))

    let heard = try script.run()

    #expect(heard.focus == ["0 front", "2000 back", "4000 front"])
    #expect(heard.spoken == ["0 Front, button", "2000 Back, button", "4000 Front, button"])
  }

  @Test func `activate, focus and touch on another element move the focus there`() throws {
    for action in ["activate", "focus", "touch"] {
      var script = Script(threeButtons)
      script.at(0, user(action, ["element": "b"]))
      #expect(try script.run().spoken == ["0 Bean, button"], "\(action)")
    }
  }

  @Test func `activate and touch on the focused element say nothing themselves`() throws {
    for action in ["activate", "touch", "focus"] {
      var script = Script(threeButtons)
      script.at(0, user(action, ["element": "a"]))
      #expect(try script.run().spoken == [], "\(action)")
    }
  }

  // MARK: Windows

  @Test func `a window gets its focus back when it becomes active again`() throws {
    var script = Script(threeButtons)
    script.at(0, user("next"))
    script.at(2_000, window("m", "opened"), by: "Mail")
    script.at(2_000, tree("m", [button("x", "Write"), button("y", "Read")]), by: "Mail")
    script.at(2_000, window("m", "active"), by: "Mail")
    script.at(4_000, user("last"))
    script.at(6_000, window("w", "active"))
    script.at(8_000, window("m", "active"), by: "Mail")

    let heard = try script.run()

    #expect(heard.focus.contains("4000 y"))
    #expect(Array(heard.focus.suffix(2)) == ["6000 b", "8000 y"])
    #expect(Array(heard.spoken.suffix(2)) == ["6000 Bean, button", "8000 Read, button"])
  }

  @Test func `a report of a window that is not active is denied`() throws {
    var script = Script(threeButtons)
    script.at(0, window("v", "opened"))
    script.at(0, tree("v", [button("x", "Write")]))
    script.at(2_000, "one", focused("x", ["window": "v"]))
    script.at(3_000, "two", focused("x", ["window": "v", "cause": "user"]))

    let heard = try script.run()

    #expect(heard.result("one") == "denied")
    #expect(heard.result("two") == "denied")
    #expect(heard.focus == [])
  }

  @Test func `the windows of an app are there for 5 s after it has left`() throws {
    func active(after milliseconds: Double) throws -> [String] {
      var script = Script(threeButtons)
      script.at(0, user("next"))
      script.leaves(1_000, "App")
      script.at(milliseconds, user("next"))
      return try script.run().focus
    }

    #expect(try active(after: 5_999).contains("5999 c"))
    #expect(try active(after: 6_001).contains("6001 c") == false)
  }

  @Test func `an app that is back within 5 s has never been away`() throws {
    var script = Script(threeButtons)
    script.leaves(1_000, "App")
    script.joins(3_000, "App")
    script.at(9_000, user("next"))

    #expect(try script.run().focus == ["9000 b"])
  }

  // MARK: Repair

  private func removed(_ ids: [JSON], of elements: [JSON], at place: JSON) throws -> Heard {
    var script = Script(elements)
    script.at(0, user("focus", ["element": place]))
    script.at(5_000, removes(ids))
    return try script.run()
  }

  @Test func `when the focused element goes, its next sibling has the focus`() throws {
    let heard = try removed(["b"], of: threeButtons, at: "b")

    #expect(heard.focus == ["0 b", "5000 c"])
    #expect(heard.spoken.last == "5000 Cherry, button")
  }

  @Test func `else its previous sibling`() throws {
    #expect(try removed(["c"], of: threeButtons, at: "c").focus == ["0 c", "5000 b"])
  }

  @Test func `siblings that go with it are passed over`() throws {
    let four = threeButtons + [button("d", "Date")]

    #expect(try removed(["b", "c"], of: four, at: "b").focus == ["0 b", "5000 d"])
    #expect(try removed(["c", "b"], of: threeButtons, at: "b").focus == ["0 b", "5000 a"])
  }

  @Test func `else its parent`() throws {
    let elements = [
      button("a", "Apple"), element("g", "Group"), button("b", "Bean", ["parent": "g"]),
      button("c", "Cherry"),
    ]

    #expect(try removed(["b"], of: elements, at: "b").focus == ["0 b", "5000 g"])
  }

  @Test func `a parent that nobody can stop at has its own siblings take its place`() throws {
    let elements = [
      button("a", "Apple"), ["id": "g", "accessible": false] as JSON,
      button("b", "Bean", ["parent": "g"]), button("c", "Cherry"),
    ]

    #expect(try removed(["b"], of: elements, at: "b").focus == ["0 b", "5000 c"])
  }

  @Test func `else the first of the screen`() throws {
    var script = Script(threeButtons)
    script.at(0, user("last"))
    script.at(5_000, tree("w", [button("x", "Fig"), button("y", "Grape")]))

    #expect(try script.run().focus == ["0 c", "5000 x"])
  }

  @Test func `an empty window has the focus nowhere`() throws {
    #expect(try removed(["a", "b", "c"], of: threeButtons, at: "b").focus.last == "5000 nowhere")
  }

  @Test func `an element that is hidden loses the focus, too`() throws {
    var script = Script(threeButtons)
    script.at(0, user("next"))
    script.at(5_000, changes(["id": "b", "hidden": true]))

    #expect(try script.run().focus == ["0 b", "5000 c"])
  }

  @Test func `what is said of a place that has gone meanwhile is not said`() throws {
    var script = Script(threeButtons)
    script.at(0, "high", shouts(text(40)))
    script.at(100, user("next"))
    script.at(200, removes(["b"]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(40))", "2000 Cherry, button, late 1800"])
    #expect(heard.focusEnds[0].contains("superseded"))
  }

  // MARK: What apps report

  @Test func `a report of the toolkit moves the focus and is told`() throws {
    var script = Script(threeButtons)
    script.at(0, focused("b"))

    let heard = try script.run()

    #expect(heard.focus == ["0 b"])
    #expect(heard.spoken == ["0 Bean, button"])
  }

  @Test func `reports by themselves are debounced by 50 ms, those of the user are not`() throws {
    var auto = Script(threeButtons)
    auto.at(0, focused("b"))
    auto.at(30, "two", focused("c"))
    auto.at(60, "three", focused("a"))
    let heard = try auto.run()
    #expect(heard.focus == ["0 b", "110 a"])
    #expect(heard.result("two") == "coalesced")

    var user = Script(threeButtons)
    user.at(0, focused("b", ["cause": "user"]))
    user.at(30, focused("c", ["cause": "user"]))
    user.at(60, focused("a", ["cause": "user"]))
    #expect(try user.run().focus == ["0 b", "30 c", "60 a"])
  }

  @Test func `reports by themselves wait 150 ms at most`() throws {
    var script = Script(threeButtons)
    for step in 0..<7 {
      script.at(Double(step) * 40, focused(["b", "c", "a"][step % 3]))
    }

    let heard = try script.run()

    #expect(heard.focus.prefix(2) == ["0 b", "190 c"])
  }

  @Test func `the same element within 1 s is a duplicate`() throws {
    var script = Script(threeButtons)
    script.at(0, focused("b"))
    script.at(999, "same", focused("b"))

    let heard = try script.run()

    #expect(heard.result("same") == "duplicate")
    #expect(heard.spoken == ["0 Bean, button"])
  }

  @Test func `who has been elsewhere meanwhile is told that she is back`() throws {
    var reports = Script(threeButtons)
    reports.at(0, focused("b"))
    reports.at(300, focused("c"))
    reports.at(700, focused("b"))
    let reported = try reports.run()
    #expect(reported.focus == ["0 b", "300 c", "700 b"])
    #expect(reported.spoken.last?.hasPrefix("700 Bean, button") == true)

    var wishes = Script(threeButtons)
    wishes.at(0, layout(["element": "b"]))
    wishes.at(300, layout(["element": "c"]))
    wishes.at(800, layout(["element": "b"]))
    let wished = try wishes.run()
    #expect(wished.focus == ["0 b", "300 c", "800 b"])
    #expect(wished.spoken.last?.hasPrefix("800 Bean, button") == true)
  }

  @Test func `what the user leaves at once is not told to its end`() throws {
    var script = Script(threeButtons)
    script.at(0, user("next"))
    script.at(100, user("next"))

    let heard = try script.run()

    #expect(heard.spoken.count == 2)
    #expect(heard.spoken.last?.hasPrefix("100 Cherry, button") == true)
    #expect(heard.focusEnds[0].contains("superseded by focus"))
    #expect(heard.focusEnds[1] == "800 heard")
  }

  // MARK: What apps ask for

  private func asked(_ event: JSON, after steps: [(Double, JSON)] = []) throws -> Heard {
    var script = Script(threeButtons)
    for (index, step) in steps.enumerated() { script.at(step.0, "step\(index)", step.1) }
    script.at(5_000, "asked", event)
    return try script.run()
  }

  @Test func `a layout with an element moves the focus there`() throws {
    let heard = try asked(layout(["element": "b"]))

    #expect(heard.focus == ["5000 b"])
    #expect(heard.spoken == ["5000 Bean, button"])
    #expect(heard.result("asked") == "heard")
    #expect(heard.why("asked")["focus"]["result"] == "moved")
  }

  @Test func `a layout with nothing leaves the focus and says nothing`() throws {
    let heard = try asked(layout())

    #expect(heard.focus == [])
    #expect(heard.spoken == [])
    #expect(heard.why("asked")["focus"]["result"] == "kept")
  }

  @Test func `a screen with nothing goes to the first element, and is spoken once`() throws {
    let heard = try asked(screen(), after: [(0, user("next"))])

    #expect(heard.focus == ["0 b", "5000 a"])
    #expect(
      heard.delivered == ["0 Bean, button", "5000 (earcon screen)", "5000 Apple, button"]
    )
  }

  @Test func `a screen with an element goes there`() throws {
    let heard = try asked(screen(["element": "c"]))

    #expect(heard.focus == ["5000 c"])
    #expect(heard.delivered == ["5000 (earcon screen)", "5000 Cherry, button"])
  }

  @Test func `within 1 s of the user's move nobody moves the focus by itself`() throws {
    let inside = try asked(layout(["element": "c"]), after: [(4_001, user("next"))])
    #expect(inside.focus == ["4001 b"])
    #expect(inside.why("asked")["focus"]["result"] == "denied")
    #expect(inside.why("asked")["focus"]["reason"] == "moved")
    #expect(inside.result("asked") == "denied")

    let outside = try asked(layout(["element": "c"]), after: [(3_999, user("next"))])
    #expect(outside.focus == ["3999 b", "5000 c"])
  }

  @Test func `an action may move the focus as long as the user has not moved on`() throws {
    let stayed = try asked(
      layout(["element": "c", "cause": "@step0"]),
      after: [(4_500, user("activate"))]
    )
    #expect(stayed.focus == ["5000 c"])

    let moved = try asked(
      layout(["element": "c", "cause": "@step0"]),
      after: [(2_000, user("activate")), (3_000, user("next"))]
    )
    #expect(moved.focus == ["3000 b"])
    #expect(moved.why("asked")["focus"]["reason"] == "moved")
  }

  @Test func `who knows where the focus is may move it`() throws {
    let current = try asked(
      layout(["element": "c", "basis": "focus"]),
      after: [(4_500, user("next"))]
    )
    #expect(current.focus == ["4500 b", "5000 c"])

    var script = Script(threeButtons)
    script.at(0, user("next"))
    script.at(100, "old", says("Hi"))
    script.at(3_000, user("next"))
    // A basis from before the last move.
    script.at(9_000, "asked", layout(["element": "a", "basis": 16]))
    let stale = try script.run()
    #expect(stale.why("asked")["focus"]["reason"] == "moved")
  }

  @Test func `nobody moves the focus to what is not there`() throws {
    let heard = try asked(layout(["element": "nobody"]))

    #expect(heard.focus == [])
    #expect(heard.why("asked")["focus"]["reason"] == "missing")
  }

  @Test func `a screen whose element is not there is heard all the same`() throws {
    let heard = try asked(screen(["element": "nobody"]), after: [(0, user("next"))])

    #expect(heard.result("asked") == "heard")
    #expect(heard.why("asked")["focus"]["reason"] == "missing")
    #expect(heard.delivered.contains("5000 (earcon screen)"))
    #expect(heard.focus.last == "5000 a", "it goes on as if it had no element")
  }

  @Test func `a window moves the focus twice at once and then every 500 ms`() throws {
    func third(at time: Double) throws -> Heard {
      var script = Script(threeButtons)
      script.at(0, "one", layout(["element": "b"]))
      script.at(200, "two", layout(["element": "c"]))
      script.at(time, "three", layout(["element": "a"]))
      return try script.run()
    }

    let inside = try third(at: 499)
    #expect(inside.focus == ["0 b", "200 c"])
    #expect(inside.why("three")["focus"]["reason"] == "rate")
    #expect(try third(at: 500).focus == ["0 b", "200 c", "500 a"])
  }

  @Test func `a modal that opens in front may always take the focus`() throws {
    var script = Script(threeButtons)
    script.at(0, window("dlg", "opened"))
    script.at(0, tree("dlg", [button("ok", "OK"), button("no", "Cancel")]))
    script.at(0, window("dlg", "active"))
    script.at(4_900, user("next"))
    script.at(5_000, "asked", screen(["window": "dlg", "modal": true, "element": "no"]))

    let heard = try script.run()

    #expect(heard.focus.last?.hasSuffix(" no") == true)
    #expect(heard.why("asked")["focus"]["result"] != "denied")
  }

  @Test func `nothing asks for the focus out of a modal`() throws {
    var script = Script(threeButtons)
    script.at(0, changes(["id": "sheet", "modal": true]))
    script.at(0, changes(["id": "yes", "label": "Yes", "parent": "sheet"]))
    script.at(0, screen(["element": "yes", "modal": true]))
    script.at(3_000, "asked", layout(["element": "b"]))

    let heard = try script.run()

    #expect(heard.focus == ["0 yes"])
    #expect(heard.result("asked") == "denied")
    #expect(heard.description.contains("\"reason\":\"modal\""))
  }

  @Test func `a layout by an action says the focused element again`() throws {
    let heard = try asked(
      layout(["element": "a", "cause": "@step0"]),
      after: [(4_500, user("activate"))]
    )
    #expect(heard.focus == ["5000 a again"])
    #expect(heard.spoken == ["5000 Apple, button"])

    let auto = try asked(layout(["element": "a"]))
    #expect(auto.focus == [])
    #expect(auto.spoken == [])
    #expect(auto.why("asked")["focus"]["result"] == "kept")
  }

  // MARK: Gestures

  private static let dialog: [JSON] = [
    ["id": "outer", "responds": ["escape"]],
    ["id": "inner", "parent": "outer", "responds": ["magic-tap"]],
    button("a", "Apple", ["parent": "inner"]),
    button("b", "Bean", ["parent": "outer"]),
  ]

  @Test func `escape goes outwards, a second each, and at last nobody is told of`() throws {
    var script = Script(Self.dialog)
    script.at(0, "act", user("escape"))

    let heard = try script.run()

    #expect(
      heard.gestures == ["0 escape to outer", "1000 escape to window w", "2000 escape to app App"]
    )
    #expect(heard.end("act") == "3000 unhandled")
    #expect(heard.delivered.last == "3000 (earcon no-action)")
  }

  @Test func `magic-tap goes to those who respond to it`() throws {
    var script = Script(Self.dialog)
    script.at(0, "act", user("magic-tap"))
    script.at(500, event("handled", ["of": "gesture:@act", "handled": true]))

    let heard = try script.run()

    #expect(heard.gestures == ["0 magic-tap to inner"])
    #expect(heard.end("act") == "500 handled")
    #expect(heard.delivered == [])
  }

  @Test func `who does not handle a gesture passes it on at once`() throws {
    var script = Script(Self.dialog)
    script.at(0, "act", user("escape"))
    script.at(300, event("handled", ["of": "gesture:@act", "handled": false]))
    script.at(1_000, event("handled", ["of": "gesture:@act", "handled": true]))

    let heard = try script.run()

    #expect(heard.gestures == ["0 escape to outer", "300 escape to window w"])
    #expect(heard.end("act") == "1000 handled")
  }

  @Test func `an answer after a second comes too late`() throws {
    var script = Script(Self.dialog)
    script.at(0, "act", user("activate"))
    script.at(1_001, event("handled", ["of": "gesture:@act", "handled": true]))

    let heard = try script.run()

    #expect(heard.gestures == ["0 activate to a"])
    #expect(heard.end("act") == "1000 unhandled")
  }

  @Test func `an answer just within the second counts`() throws {
    var script = Script(Self.dialog)
    script.at(0, "act", user("activate"))
    script.at(999, event("handled", ["of": "gesture:@act", "handled": true]))

    #expect(try script.run().end("act") == "999 handled")
  }

  @Test func `increment, scroll and custom go to the element and say nothing`() throws {
    for action in ["increment", "scroll", "custom"] {
      var script = Script(threeButtons)
      script.at(0, "act", user(action, ["element": "a", "name": "archive"]))
      script.at(10, event("handled", ["of": "gesture:@act", "handled": true]))

      let heard = try script.run()

      #expect(heard.gestures.count == 1)
      #expect(heard.end("act") == "10 handled")
      #expect(heard.delivered == [])
    }
  }

  @Test func `escape cuts what is spoken, and it is not said again`() throws {
    var script = Script(Self.dialog)
    script.at(0, "one", says(text(40)))
    script.at(1_000, "act", user("escape"))
    script.at(1_010, event("handled", ["of": "gesture:@act", "handled": true]))

    let heard = try script.run()

    #expect(heard.times("one") == ["0"])
  }

  // MARK: What is said

  private func name(of element: JSON) throws -> String {
    var script = Script([button("first", "First"), element])
    script.at(0, user("next"))
    return try script.run().spoken.first ?? ""
  }

  @Test func `a button is its label, its role and then its hint`() throws {
    #expect(
      try name(of: button("b", "Delete", ["hint": "Removes the contact."]))
        == "0 Delete, button. Removes the contact."
    )
    #expect(try name(of: element("b", "Total")) == "0 Total")
  }

  @Test func `the value stands between label and role`() throws {
    let words = try name(
      of: element("b", "Volume", ["value": "50%", "traits": ["adjustable"]])
    )

    #expect(words.hasPrefix("0 Volume, 50%, "))
  }

  @Test func `states stand behind the role`() throws {
    let words = try name(
      of: element("b", "News", ["traits": ["button", "selected", "not-enabled"]])
    )

    #expect(words.hasPrefix("0 News, button, "))
    #expect(words.contains("selected"))
  }

  @Test func `what is typed into a secure field is never said`() throws {
    var script = Script([
      button("a", "Apple"),
      element("p", "Password", ["value": "hunter2", "traits": ["text-field", "secure"]]),
    ])
    script.at(0, user("next"))

    let heard = try script.run()

    #expect(heard.spoken.first?.contains("Password") == true)
    #expect(!heard.description.contains("hunter2"))
  }
}
