// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The places that the focus goes to, and the words about them.
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
