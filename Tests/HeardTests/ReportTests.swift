// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// Reports of toolkits that the user has moved by their own means, and answers of apps to gestures.
@Suite struct ReportTests {
  @Test func `the user's own report of the same element is spoken again`() throws {
    var script = Script(threeButtons)
    script.at(0, "one", focused("b", ["cause": "user"]))
    script.at(700, "two", focused("b", ["cause": "user"]))
    script.at(6_000, "three", focused("b", ["cause": "user"]))

    let heard = try script.run()

    #expect(heard.spoken == ["0 Bean, button", "700 Bean, button", "6000 Bean, button"])
    #expect(heard.focus == ["0 b", "700 b again", "6000 b again"])
    #expect(heard.result("three") == "not ended")
  }

  @Test func `an app's report of the same element is a duplicate`() throws {
    var script = Script(threeButtons)
    script.at(0, focused("b"))
    script.at(700, "two", focused("b"))

    #expect(try script.run().result("two") == "duplicate")
  }

  @Test func `a user's report is the app's last action, and its focus is feedback`() throws {
    var script = Script([button("a", "Apple"), button("clear", "Clear Contacts")])
    script.at(0, "report", focused("clear", ["cause": "user"]))
    script.at(10, "said", says("Done"))
    script.at(20, "user", says("More", ["cause": "user"]))

    let heard = try script.run()

    #expect(
      heard.spoken == [
        "0 Clear Contacts, button", "1100 Done, late 1090", "1300 More, late 1280",
      ]
    )
    #expect(heard.entries("focus")[0]["event"]["cause"].integer == heard["report"].seq)
  }

  @Test func `a report that waited is judged by the screen that has come`() throws {
    var script = Script(threeButtons)
    script.at(0, focused("b"))
    script.at(20, "late", focused("c"))
    script.at(30, screen())

    let heard = try script.run()

    #expect(heard.focus == ["0 b", "30 a"])
    #expect(heard.result("late") == "inhibited")
  }

  // MARK: Gestures

  @Test func `what an app tells of an activation has handled it`() throws {
    let answers: [(JSON, String)] = [
      (says("Done", ["cause": "@act"]), "said"), (says("Done"), "said"),
      (changes(["id": "c", "label": "Cider"]), "said"), (layout(["cause": "user"]), "said"),
    ]
    for (answer, label) in answers {
      var script = Script(threeButtons)
      script.at(0, "act", user("activate"))
      script.at(300, label, answer)

      let heard = try script.run()

      #expect(heard.end("act") == "300 handled by said", "\(answer)")
      #expect(!heard.delivered.contains { $0.contains("no-action") })
    }
  }

  @Test func `what is nobody's doing, of another app or too late has handled nothing`() throws {
    var script = Script(threeButtons)
    script.at(0, "act", user("activate"))
    script.at(100, says("Done", ["cause": "auto"]))
    script.at(200, says("Done"), by: "Mail")
    script.at(1_200, says("Done"))

    let heard = try script.run()

    #expect(heard.end("act") == "1000 unhandled")
    #expect(heard.delivered.contains("1000 (earcon no-action)"))
  }

  @Test func `escape is handled by whoever says so, and by nobody else`() throws {
    var script = Script(threeButtons)
    script.at(0, "act", user("escape"))
    script.at(300, says("Done"))

    #expect(try script.run().result("act") == "unhandled")
  }

  // MARK: The foreground

  @Test(arguments: ["notification", "ssip"] as [JSON])
  func `what has no window to be in front with is heard as it is`(origin: JSON) throws {
    var script = Script(threeButtons)
    script.at(0, "note", says("Mail from Ann", ["origin": origin]), by: "Mail")
    script.at(2_000, "low", murmurs("Rain", ["origin": origin]), by: "Mail")
    script.at(4_000, "plain", murmurs("Rain"), by: "Mail")

    let heard = try script.run()

    #expect(heard.delivery("note")["event"]["priority"].string == "default")
    #expect(heard.result("low") == "heard")
    #expect(heard.fate("plain") == "inhibited")
  }

  @Test func `a screen without an argument asks for nothing, and is not denied`() throws {
    var script = Script(threeButtons)
    script.at(0, user("next"))
    script.at(300, "screen", screen())

    let heard = try script.run()

    #expect(heard.focus == ["0 b"])
    #expect(heard.why("screen")["focus"]["result"].string == "kept")
  }

  @Test func `what sums up a window is read when its app becomes active, and not else`() throws {
    let summary = element("sum", "3 messages", ["traits": ["summary-element"]])
    var script = Script([button("a", "Apple"), summary])
    script.at(0, window("v", "opened"))
    script.at(0, tree("v", [button("x", "X")]))
    script.at(1_000, window("v", "active"))
    script.at(4_000, window("w", "active"))
    script.at(8_000, window("m", "active"), by: "Mail")
    script.at(12_000, window("w", "active"))

    let spoken = try script.run().spoken

    #expect(spoken.contains("4000 Apple, button"))
    #expect(spoken.last == "12000 Apple, button. 3 messages")
  }
}
