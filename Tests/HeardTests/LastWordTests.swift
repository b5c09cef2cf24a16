// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import Testing

/// Nobody is left with what is not the case any more: what was said last is what holds, and whoever
/// begins to listen is told where things stand.
@Suite struct LastWordTests {
  // MARK: Who changes his mind

  @Test(
    arguments: [
      [:], ["key": "wifi", "mode": "latest"], ["priority": "low"],
      ["class": "status", "key": "wifi"], ["class": "chat"],
    ] as [[String: JSON]]
  )
  func `what is said again after something else is said again`(fields: [String: JSON]) throws {
    var script = Script()
    script.at(0, "first", says("on", fields))
    script.at(300, "off", says("off", fields))
    script.at(900, "last", says("on", fields))

    let heard = try script.run()

    #expect(heard.spoken.last?.hasSuffix(" on") == true)
    #expect(heard.result("last") == "heard")
  }

  @Test func `of what is urgent, too`() throws {
    var script = Script()
    script.at(0, "first", shouts("on"))
    script.at(100, "off", shouts("off"))
    script.at(200, "last", shouts("on"))

    let heard = try script.run()

    #expect(heard.result("last") == "heard")
    #expect(
      heard.spoken.last?.hasSuffix(" on") == true || heard.spoken.last?.contains(" on,") == true
    )
  }

  @Test func `what is said twice in a row is said once`() throws {
    var script = Script()
    script.at(0, "first", says("on"))
    script.at(300, "again", says("on"))

    #expect(try script.run().fate("again") == "duplicate by first")
  }

  @Test func `progress that has come back to what was heard is not told anew`() throws {
    var script = Script()
    for (second, value) in ["10", "20", "10"].enumerated() {
      let text = tells("progress", value, ["key": "p"])
      script.at(Double(second) * 1_000, "\(second)", text)
    }

    let heard = try script.run()

    #expect(heard.spoken == ["0 10"])
    #expect(heard.result("2") == "duplicate")
  }

  // MARK: Where things stand

  @Test func `a reader that is on again is told where the focus is now`() throws {
    var script = Script(threeButtons)
    script.at(0, reader(running: false))
    script.at(1_000, user("next"))
    script.at(5_000, reader(running: true))

    #expect(try script.run().spoken == ["5250 Bean, button, again"])
  }

  @Test func `it is told of no place where the focus is not any more`() throws {
    var script = Script(threeButtons)
    script.at(0, reader(running: false))
    script.at(1_000, window("w", "closed"))
    script.at(5_000, reader(running: true))

    #expect(try script.run().spoken == [])
  }

  @Test func `one that comes late is told where the focus is, and of the summary`() throws {
    var script = Script(
      threeButtons + [element("s", "Sunny", ["traits": ["summary-element"]])],
      .whenJoined
    )
    script.joins(0, "Reader", role: "reader")

    #expect(try script.run().spoken == ["0 Apple, button. Sunny, again"])
  }

  @Test func `one that takes over is not told first where the focus was`() throws {
    var script = Script(threeButtons, .whenJoined)
    script.joins(0, "First", role: "reader")
    script.leaves(4_000, "First")
    script.at(4_500, user("next"))
    script.joins(5_000, "Second", role: "reader")

    let spoken = try script.run().spoken

    #expect(spoken.count == 2)
    #expect(spoken.last?.hasPrefix("5000 Bean, button") == true)
  }

  @Test func `a new screen has its focus told though an element of that name had it`() throws {
    var script = Script(threeButtons)
    script.at(0, tree("w", [element("a", "New", ["traits": ["header"]]), button("z", "Zebra")]))
    script.at(50, screen())

    let heard = try script.run()

    #expect(heard.spoken == ["50 New, heading"])
    #expect(heard.focus.last == "50 a again")
  }

  @Test func `a screen whose focus is being told already has it told once`() throws {
    var script = Script(threeButtons)
    script.at(0, user("next"))
    script.at(100, screen(["element": "b"]))

    #expect(try script.run().spoken == ["0 Bean, button"])
  }

  // MARK: What keeps something from being heard

  @Test func `what is urgent does not wait for the end of a pause, and what was cut does`() throws {
    var script = Script()
    script.at(0, "cut", says(text(60)))
    script.at(100, user("pause"))
    script.at(200, "alarm", shouts("Fire"))
    script.at(2_000, user("resume"))

    let heard = try script.run()

    #expect(heard.times("alarm") == ["200"])
    #expect(heard.times("cut") == ["0", "2000"])
    #expect(heard.result("cut") == "heard")
  }

  @Test func `what was missed is told when there is an end to it, once`() throws {
    var script = Script()
    script.at(0, quiet(90))
    script.at(10, "missed", says("Missed"))
    script.at(11_000, quiet(80))
    script.at(13_000, "too", says("Too"))
    script.at(24_000, quiet(65))
    script.at(30_000, quiet(0))

    let heard = try script.run()

    #expect(heard.spoken == ["30000 2 announcements from App were missed, counting 2"])
    #expect(heard.outcome("missed")["event"]["why"]["held_by"] == "do-not-disturb")
  }

  @Test func `a summary that was cut is told once more`() throws {
    var script = Script()
    for number in 0...10 {
      let status = tells("status", "Row \(number)", ["element": .string("e\(number)")])
      script.at(Double(number) * 10, "\(number)", status)
    }
    script.at(400, "next", tells("status", "Next", ["element": "e11"]))

    let summaries = try script.run().spoken.filter { $0.contains("10 more from App") }

    #expect(summaries.count == 1 || summaries.last?.contains("again") == true)
  }

  @Test func `a rule can have a sound in the place of words`() throws {
    var rule = Rule("beep")
    rule.matchers.apps = [Pattern("Mail")]
    rule.settings.present = .sound
    var script = Script(rules: RuleSet(RuleSet.defaults.rules + [rule]))
    script.at(0, "one", says("One"), by: "Mail")

    let heard = try script.run()

    #expect(heard.spoken == [])
    #expect(heard.delivered == ["150 (earcon sound)"] || heard.delivered == ["0 (earcon sound)"])
    #expect(heard.result("one") == "heard")
  }

  @Test func `such a sound disturbs nobody who is not to be disturbed`() throws {
    var rule = Rule("beep")
    rule.matchers.apps = [Pattern("Mail")]
    rule.settings.present = .sound
    var script = Script(rules: RuleSet(RuleSet.defaults.rules + [rule]))
    script.at(0, quiet(100))
    script.at(10, "one", says("One"), by: "Mail")

    let heard = try script.run()

    #expect(heard.delivered == [])
    #expect(heard.result("one") == "expired")
  }

  @Test func `an element that changes all the time is told like a timer`() throws {
    var script = Script([
      element("t", "Clock", ["value": "0", "traits": ["updates-frequently"]]), button("b", "Bean"),
    ])
    for second in 1...25 {
      script.at(
        Double(second) * 1_000,
        changes(["id": "t", "value": .string("\(second)")])
      )
    }

    let heard = try script.run()

    #expect((2...4).contains(heard.spoken.count), "\(heard.spoken)")
  }
}
