// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import A11yWire
import Testing

/// The changes that a user's own rule makes to what is heard.
@Suite struct RuleTests {
  private func script(_ name: String, _ change: (inout Rule) -> Void) -> Script {
    var rule = Rule(name)
    change(&rule)
    return Script(rules: RuleSet(RuleSet.defaults.rules + [rule]))
  }

  @Test func `what is only to be logged is not heard`() throws {
    var script = script("no mail") { rule in
      rule.matchers.apps = [Pattern("Mail")]
      rule.settings.present = .log
    }
    script.at(0, "one", says("One"), by: "Mail")
    script.at(0, "two", says("Two"))

    let heard = try script.run()

    #expect(heard.end("one") == "0 inhibited")
    #expect(heard.rule("one") == "no mail")
    #expect(heard.spoken == ["0 Two"])
  }

  @Test func `a priority of a rule is the event's`() throws {
    var script = script("mail is low") { rule in
      rule.matchers.apps = [Pattern("Ma*")]
      rule.settings.priority = .low
    }
    script.at(0, "front", says(text(20)))
    script.at(100, "one", says("One"), by: "Mail")

    let heard = try script.run()

    #expect(heard.spoken == ["0 \(text(20))", "1000 One"])
    #expect(heard.delivery("one")["event"]["priority"] == "low")
  }

  @Test func `one number is overridden and the rest stays`() throws {
    var script = script("slower layouts") { rule in
      rule.matchers.types = [.layoutChanged]
      rule.settings.debounce = .milliseconds(200)
    }
    script.at(0, "one", layout())
    script.at(50, "two", layout())
    script.at(200, "three", layout())

    let heard = try script.run()

    #expect(heard.times("one") == ["0"], "the leading edge stays")
    #expect(heard.times("three") == ["400"], "350 ms at most stays, too")
  }

  @Test func `a layout keeps its rate where nothing debounces it`() throws {
    var script = script("no debounce") { rule in
      rule.matchers.types = [.layoutChanged]
      rule.settings.debounce = .zero
    }
    for number in 0..<5 { script.at(Double(number) * 10, "\(number)", layout()) }

    let heard = try script.run()

    #expect(heard.times("0") == ["0"])
    #expect(heard.times("1") == ["10"])
    #expect(heard.times("4") == ["100"], "ten a second, two at once")
    #expect(heard.fate("3") == "coalesced by 4")
  }

  @Test func `a rate for all keeps the words of a default, and counts the lows`() throws {
    var script = script("one in two seconds") { rule in
      rule.matchers.types = [.announcement]
      rule.settings.rate = Rate(count: 1, period: .seconds(2))
      rule.settings.burst = 1
    }
    script.at(0, "first", says("First"))
    script.at(10, "second", says("Second"))
    script.at(20, "low", says("Low", ["priority": "low"]))
    script.at(30, "lower", says("Lower", ["priority": "low"]))
    script.at(40, "third", says("Third"))

    let heard = try script.run()

    #expect(heard.times("first") == ["0"])
    #expect(heard.times("second") == ["2000"])
    #expect(heard.times("low") == ["4000"])
    #expect(heard.counts == [2])
    #expect(heard.times("third") == ["6000"])
    #expect(heard.fate("lower") == "summarised by low")
  }

  @Test func `what is to be heard after the user's action only is not heard of itself`() throws {
    var script = script("only if asked") { rule in
      rule.matchers.types = [.announcement]
      rule.settings.onlyIfUser = true
    }
    script.at(0, "one", says("One"))
    script.at(0, "two", says("Two", ["cause": "user"]))

    let heard = try script.run()

    #expect(heard.end("one") == "0 inhibited")
    #expect(heard.result("two") == "heard")
  }

  @Test func `what is demoted is treated as what is one priority lower`() throws {
    var script = script("one at a time") { rule in
      rule.matchers.types = [.announcement]
      rule.matchers.priorities = [.default]
      rule.settings.rate = Rate(count: 1, period: .seconds(10))
      rule.settings.burst = 1
      rule.settings.over = .demote
    }
    script.at(0, "one", says("One"))
    script.at(3_000, "two", says("Two"))

    let heard = try script.run()

    #expect(heard.spoken == ["0 One", "3000 Two"])
    #expect(heard.delivery("one")["event"]["priority"] == "default")
    #expect(heard.delivery("two")["event"]["priority"] == "low")
  }

  @Test func `a text is cut where a rule says so`() throws {
    var script = script("briefly") { rule in
      rule.matchers.types = [.announcement]
      rule.settings.maxChars = 5
    }
    script.at(0, "one", says("Saved and sent"))

    #expect(try script.run().spoken == ["0 Saved, truncated"])
  }
}
