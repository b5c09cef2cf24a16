// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The reports and wishes of apps that move the focus, and the right to do so.
@Suite struct FocusWishTests {
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
}
