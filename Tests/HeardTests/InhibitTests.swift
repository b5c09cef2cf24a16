// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// Events that keep others from being heard.
@Suite struct InhibitTests {
  // MARK: A new screen

  @Test func `a new screen supersedes what waits of its window, and never a high`() throws {
    var script = Script(threeButtons)
    script.at(0, "first", shouts(text(40)))
    script.at(10, "page", page("Page", ["window": "w"]))
    script.at(20, "default", says("Default", ["window": "w"]))
    script.at(30, "low", murmurs("Low", ["window": "w"]))
    script.at(40, "hint", tells("hint", "Hint", ["window": "w"]))
    script.at(50, "high", shouts("High", ["window": "w"]))
    script.at(60, "other", says("Other", ["window": "v"]))
    script.at(70, "nowhere", says("Nowhere"))
    script.at(100, "screen", screen(["text": "New"]))
    script.at(110, "later", says("Later", ["window": "w"]))

    let heard = try script.run()

    for label in ["page", "default", "low", "hint"] {
      #expect(heard.end(label) == "100 superseded by screen", "\(label)")
    }
    for label in ["high", "other", "nowhere", "screen", "later"] {
      #expect(heard.result(label) == "heard" || heard.result(label) == "interrupted", "\(label)")
      #expect(heard.times(label).count == 1, "\(label)")
    }
  }

  @Test func `a new screen supersedes a focus of its window that waits`() throws {
    var script = Script(threeButtons)
    script.at(0, "first", shouts(text(40)))
    script.at(10, user("next"))
    script.at(100, "screen", screen(["text": "New"]))

    #expect(try script.run().focusEnds.first == "100 superseded by screen")
  }

  @Test func `for 200 ms after a new screen an app does not move the focus by itself`() throws {
    func moved(_ milliseconds: Double, _ event: JSON) throws -> Heard {
      let field = element("f", "Name", ["traits": ["text-field"]])
      var script = Script(threeButtons + [field])
      script.at(0, "screen", screen(["text": "New"]))
      script.at(milliseconds, "moved", event)
      return try script.run()
    }

    let inside = try moved(199.9, focused("b"))
    #expect(inside.result("moved") == "inhibited")
    #expect(!inside.focus.contains { $0.hasSuffix("b") })
    #expect(try moved(200, focused("b")).focus.last == "200 b")
    #expect(try moved(100, focused("f")).focus.last == "100 f")
    #expect(try moved(100, focused("b", ["cause": "user"])).focus.last == "100 b")
    #expect(try moved(100, user("next")).focus.last?.hasPrefix("100 ") == true)
  }

  // MARK: A modal

  /// The user is at Bean when the dialog opens.
  private func dialog() -> Script {
    var script = Script(threeButtons)
    script.at(0, user("next"))
    script.at(2_000, window("dlg", "opened", ["modal": true]))
    script.at(2_000, tree("dlg", [button("ok", "OK"), button("no", "Cancel")]))
    script.at(2_000, window("dlg", "active"))
    script.at(2_000, screen(["window": "dlg", "modal": true]))
    script.startOver(at: 10_000)
    return script
  }

  @Test func `a modal takes the focus`() throws {
    var script = Script(threeButtons)
    script.at(0, window("dlg", "opened", ["modal": true]))
    script.at(0, tree("dlg", [button("ok", "OK"), button("no", "Cancel")]))
    script.at(0, window("dlg", "active"))
    script.at(0, screen(["window": "dlg", "modal": true]))

    let heard = try script.run()

    #expect(heard.focus.last == "0 ok")
    #expect(heard.spoken.last?.hasPrefix("0 OK, button") == true)
  }

  @Test func `from outside a modal layout, page and focus are denied`() throws {
    var script = dialog()
    script.at(0, "layout", layout())
    script.at(0, "page", page("Page 2", ["window": "w"]))
    script.at(0, "focus", focused("a"))
    script.at(10, "user", focused("a", ["cause": "user"]))

    let heard = try script.run()

    for label in ["layout", "page", "focus", "user"] {
      #expect(heard.result(label) == "denied", "\(label)")
    }
    #expect(heard.focus == [])
    #expect(heard.delivered == [])
  }

  @Test func `inside a modal layout, page and focus go on`() throws {
    var script = dialog()
    script.at(0, "layout", layout(["window": "dlg"]))
    script.at(10, "page", page("Page 2", ["window": "dlg"]))
    script.at(2_000, "focus", focused("no", ["window": "dlg"]))

    let heard = try script.run()

    #expect(heard.result("layout") == "heard")
    #expect(heard.result("page") == "heard")
    #expect(heard.focus == ["2000 no"])
  }

  @Test func `a low from outside waits for the end of a modal, default and high pass`() throws {
    var script = dialog()
    script.at(0, "low", murmurs("Low", ["window": "w"]))
    script.at(500, "default", says("Default", ["window": "w"]))
    script.at(2_000, "high", shouts("High", ["window": "w"]))
    script.at(5_000, window("dlg", "closed"))

    let heard = try script.run()

    #expect(heard.times("default") == ["500"])
    #expect(heard.times("high") == ["2000"])
    #expect(heard.result("low") == "heard")
    #expect(heard.delivery("low").mono >= 75_000_000)
  }

  @Test func `another app says what it likes beside a modal`() throws {
    var script = dialog()
    script.at(0, "page", says("Mail", ["window": "m", "foreground": true]), by: "Mail")

    #expect(try script.run().result("page") == "heard")
  }

  @Test func `the focus returns to where it was when a modal ends`() throws {
    let ends: [JSON] = [
      window("dlg", "closed"), window("dlg", "active", ["modal": false]),
      screen(["window": "dlg"]),
    ]
    for (number, end) in ends.enumerated() {
      var script = dialog()
      script.at(0, end)
      let heard = try script.run()
      if number == 0 {
        #expect(heard.focus == ["0 b"])
        #expect(heard.spoken == ["0 Bean, button"])
      }
      // The rest of the app can be reached again.
      var open = dialog()
      open.at(0, end)
      open.at(2_000, window("w", "active"))
      open.at(4_000, focused("c"))
      #expect(try open.run().focus.last == "4000 c", "\(end)")
    }
  }

  @Test func `where the focus returns to is said before what has waited for the end of a modal`()
    throws
  {
    var script = Script(threeButtons)
    script.at(0, changes(["id": "sheet", "modal": true]))
    script.at(0, changes(["id": "yes", "label": "Yes", "parent": "sheet"]))
    script.at(0, screen(["element": "yes", "modal": true]))
    script.at(3_000, "low", murmurs("Waits", ["window": "w", "element": "b"]))
    script.at(5_000, removes(["sheet"]))

    let heard = try script.run()

    #expect(heard.spoken.suffix(2).map { $0.split(separator: " ")[1] } == ["Apple,", "Waits,"])
    #expect(heard.result("low") == "heard")
    #expect(heard.times("low").count == 1, "it was not cut")
  }

  @Test func `an element can be modal, too, and ends with its removal`() throws {
    var script = Script(threeButtons)
    script.at(0, user("next"))
    script.at(2_000, changes(["id": "sheet", "modal": true]))
    script.at(2_000, changes(["id": "yes", "label": "Yes", "parent": "sheet"]))
    script.at(2_000, changes(["id": "nope", "label": "No", "parent": "sheet"]))
    script.at(2_000, screen(["element": "yes", "modal": true]))
    script.at(4_000, "outside", focused("a"))
    script.at(6_000, user("last"))
    script.at(8_000, user("next"))
    script.at(10_000, removes(["sheet"]))

    let heard = try script.run()

    #expect(heard.focus == ["0 b", "2000 yes", "6000 nope", "10000 b"])
    #expect(heard.result("outside") == "denied")
    #expect(heard.delivered.contains("8000 (earcon boundary, at the end)"))
  }

  // MARK: Keys

  @Test func `the same key with a latest mode supersedes what waits`() throws {
    var script = Script()
    script.at(0, shouts(text(40)))
    script.at(10, "one", says("One", ["key": "k", "mode": "latest"]))
    script.at(500, "two", says("Two", ["key": "k", "mode": "latest"]))

    let heard = try script.run()

    #expect(["superseded by two", "coalesced by two"].contains(heard.fate("one")))
    #expect(heard.result("two") == "heard")
  }

  @Test func `another app's key is another key`() throws {
    var script = Script()
    script.at(0, shouts(text(40)))
    script.at(10, "one", says("One", ["key": "k", "mode": "latest", "queue": true]))
    script.at(500, "two", says("Two", ["key": "k", "mode": "latest", "queue": true]), by: "Mail")

    let heard = try script.run()

    #expect(heard.result("one") == "heard")
    #expect(heard.result("two") == "heard")
  }

  @Test func `the same key with mode all supersedes nothing`() throws {
    var script = Script()
    script.at(0, shouts(text(40)))
    script.at(10, "one", says("One", ["key": "k", "queue": true]))
    script.at(500, "two", says("Two", ["key": "k", "queue": true]))

    let heard = try script.run()

    #expect(heard.result("one") == "heard")
    #expect(heard.result("two") == "heard")
  }

  // MARK: Do not disturb

  @Test func `low counts 20, default 50 and high 80`() throws {
    func passes(_ event: JSON, at level: Int64) throws -> Bool {
      var script = Script()
      script.at(0, quiet(level))
      script.at(2_000, "one", event)
      script.at(5_000, quiet(0))
      return try script.run().times("one") == ["2000"]
    }

    #expect(try passes(murmurs("Hi"), at: 20))
    #expect(try !passes(murmurs("Hi"), at: 21))
    #expect(try passes(says("Hi"), at: 50))
    #expect(try !passes(says("Hi"), at: 51))
    #expect(try passes(shouts("Hi"), at: 80))
    #expect(try !passes(shouts("Hi"), at: 81))
  }

  @Test func `what was kept back is heard when the user may be disturbed again`() throws {
    var script = Script()
    script.at(0, quiet(60))
    script.at(2_000, "one", says("One"))
    script.at(5_000, quiet(50))

    #expect(try script.run().spoken == ["5000 One, late 3000"])
  }

  @Test(arguments: [1, 3])
  func `what has expired meanwhile is one summary with its count`(_ count: Int) throws {
    var script = Script()
    script.at(0, quiet(60))
    for number in 0..<count { script.at(2_000, "\(number)", says("N\(number)")) }
    script.at(20_000, quiet(0))

    let heard = try script.run()

    #expect(
      (0..<count).map { heard.end("\($0)") } == Array(repeating: "12000 expired", count: count)
    )
    #expect(heard.counts == [Int64(count)])
    #expect(heard.spoken.count == 1)
    #expect(heard.spoken.first?.hasPrefix("20000 ") == true)
  }

  @Test func `the user's own moves are heard while she is not to be disturbed`() throws {
    var script = Script(threeButtons)
    script.at(0, quiet(60))
    script.at(2_000, user("next"))

    #expect(try script.run().spoken == ["2000 Bean, button"])
  }

  // MARK: Background

  /// "App" is in front; "Mail" has a window, too.
  private func twoApps() -> Script {
    var script = Script(threeButtons)
    script.at(0, window("m", "opened"), by: "Mail")
    script.at(0, tree("m", [button("x", "Write"), button("y", "Read")]), by: "Mail")
    script.startOver(at: 10_000)
    return script
  }

  @Test func `a default from the background counts as low`() throws {
    var script = twoApps()
    script.at(0, "front", says(text(20)))
    script.at(100, "mail", says("Mail"), by: "Mail")

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(20))", "1000 Mail"])
    #expect(heard.delivery("mail")["event"]["priority"] == "low")
  }

  @Test func `a low from the background is only logged`() throws {
    var script = twoApps()
    script.at(0, "mail", murmurs("Mail"), by: "Mail")

    let heard = try script.run()

    #expect(heard.end("mail") == "0 inhibited")
    #expect(heard.delivered == [])
  }

  @Test func `an app may count itself to the background, and not to the front`() throws {
    var script = twoApps()
    script.at(0, "lowered", murmurs("App", ["foreground": false]))
    script.at(0, "raised", murmurs("Mail", ["foreground": true]), by: "Mail")

    let heard = try script.run()

    #expect(heard.result("lowered") == "inhibited")
    #expect(heard.result("raised") == "inhibited")
  }

  @Test func `while no window is active all apps are in front`() throws {
    var script = twoApps()
    script.at(0, window("w", "inactive"))
    script.at(10, "mail", murmurs("Mail"), by: "Mail")

    #expect(try script.run().result("mail") == "heard")
  }

  @Test func `the app whose window became active last is in front`() throws {
    var script = twoApps()
    script.at(0, window("m", "active"), by: "Mail")
    script.at(3_000, "app", murmurs("App"))
    script.at(3_000, "mail", murmurs("Mail"), by: "Mail")

    let heard = try script.run()

    #expect(heard.result("app") == "inhibited")
    #expect(heard.result("mail") == "heard")
  }

  @Test func `what the background changes is not heard and moves nothing`() throws {
    var script = twoApps()
    script.at(0, "layout", layout(["window": "m"]), by: "Mail")
    script.at(10, "element", layout(["window": "m", "element": "y"]), by: "Mail")
    script.at(20, "screen", screen(["window": "m", "text": "New"]), by: "Mail")
    script.at(1_000, "screen2", screen(["window": "m", "element": "y"]), by: "Mail")

    let heard = try script.run()

    #expect(heard.result("layout") == "inhibited")
    #expect(heard.result("element") == "denied")
    #expect(heard.result("screen") == "inhibited")
    #expect(heard.result("screen2") == "denied")
    #expect(heard.why("element")["focus"]["reason"] == "background")
    #expect(heard.why("screen")["reason"] == "background")
    #expect(heard.delivered == [])
    #expect(heard.focus == [])
  }

  // MARK: Elements

  @Test func `during a media session low and default are only logged`() throws {
    var script = Script(threeButtons + [button("m", "Play", ["traits": ["starts-media-session"]])])
    script.at(0, user("activate", ["element": "m"]))
    script.at(5_000, "low", murmurs("Low"))
    script.at(5_000, "default", says("Default"))
    script.at(5_000, "high", shouts("High"))

    let heard = try script.run()

    #expect(heard.result("low") == "inhibited")
    #expect(heard.result("default") == "inhibited")
    #expect(heard.times("high") == ["5000"])
  }

  @Test func `a page that has been read to its end turns`() throws {
    var script = Script([
      button("a", "Apple"), element("p", text(20), ["traits": ["causes-page-turn"]]),
    ])
    script.at(0, user("next"))

    let heard = try script.run()

    #expect(heard.gestures == ["1000 scroll to p"])
  }

  @Test func `a page that was cut does not turn`() throws {
    var script = Script([
      button("a", "Apple"), element("p", text(20), ["traits": ["causes-page-turn"]]),
    ])
    script.at(0, user("next"))
    script.at(500, user("previous"))

    #expect(try script.run().gestures == [])
  }

  @Test func `a summary is read when its app comes to the front`() throws {
    var script = Script(threeButtons + [element("s", "Sunny", ["traits": ["summary-element"]])])
    script.at(0, window("m", "opened"), by: "Mail")
    script.at(0, window("m", "active"), by: "Mail")
    script.at(5_000, window("w", "active"))

    let heard = try script.run()

    #expect(heard.spoken.contains { $0.contains("Sunny") })
    #expect(heard.spoken.filter { $0.contains("Sunny") }.count == 1)
  }

  @Test func `a reader that is on again is told the state, the summaries and what was kept`() throws
  {
    var script = Script(threeButtons + [element("s", "Sunny", ["traits": ["summary-element"]])])
    script.at(0, reader(running: false))
    script.at(1_000, "high", shouts("Fire"))
    script.at(5_000, reader(running: true))

    let heard = try script.run()

    #expect(heard.spoken.count == 2)
    #expect(heard.spoken.first?.hasPrefix("5250 Apple, button. Sunny") == true)
    #expect(heard.spoken.last?.contains("Fire") == true)
  }

  @Test func `a changed value of the focused element is heard`() throws {
    var script = Script([element("a", "Volume", ["value": "1%", "traits": ["adjustable"]])])
    script.at(0, "one", changes(["id": "a", "value": "2%"]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 2%"])
    #expect(heard.end("one") == "100 heard")
    #expect(heard.rule("one") == "class value")
  }

  @Test func `a changed state of the focused element is heard`() throws {
    for trait in ["selected", "not-enabled"] as [JSON] {
      var script = Script(threeButtons)
      script.at(0, "one", changes(["id": "a", "traits": ["button", trait]]))

      let heard = try script.run()

      #expect(heard.spoken.count == 1)
      #expect(heard.result("one") == "heard")
    }
  }

  @Test func `a changed value of another element is not heard, and has no outcome`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", changes(["id": "b", "value": "2%"]))

    let heard = try script.run()

    #expect(heard.delivered == [])
    #expect(heard.end("one") == "not ended")
  }

  @Test func `a changed value of what the user has acted on is heard within 1 s`() throws {
    func changed(_ milliseconds: Double) throws -> [String] {
      var script = Script(threeButtons)
      script.at(0, "act", user("increment", ["element": "b"]))
      script.at(milliseconds, "one", changes(["id": "b", "value": "2%"]))
      return try script.run().spoken
    }

    #expect(try changed(999) == ["999 2%"])
    #expect(try changed(1_001) == [])
  }
}
