// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import Testing

/// An announcement that is `high` is high whatever else it is, and however many there are of it.
@Suite struct AlarmTests {
  @Test func `an outcome names the priority, for those who follow alarms alone`() throws {
    var script = Script()
    script.at(0, "alarm", shouts("Fire"))
    script.at(0, "chat", murmurs("Hello"))
    script.at(0, "layout", layout())

    let heard = try script.run()

    #expect(heard.outcome("alarm")["event"]["priority"] == "high")
    #expect(heard.outcome("chat")["event"]["priority"] == "low")
    #expect(heard.outcome("layout")["event"]["priority"] == .absent)
  }

  // MARK: Above the rate

  /// Highs of one app, one each 100 ms, each of which takes so many characters to speak.
  private func alarms(_ count: Int, _ fields: [String: JSON] = [:], length: Int = 8) throws -> Heard
  {
    var script = Script()
    for number in 0..<count {
      let words = "A\(number)" + text(length - 2 - (number > 9 ? 1 : 0))
      script.at(Double(number) * 100, "\(number)", shouts(words, fields))
    }
    return try script.run()
  }

  @Test(arguments: [8, 40])
  func `of thirty alarms each is spoken or counted, and none is cut`(_ length: Int) throws {
    let heard = try alarms(30, length: length)

    #expect(heard.entries("deliver").allSatisfy { !$0["event"]["interrupts"].isThere })
    #expect(heard.entries("deliver").allSatisfy { $0["event"]["priority"] == "high" })
    #expect(heard.count("heard") + heard.count("summarised") == 30)
    #expect(heard.counts.reduce(0, +) == Int64(heard.count("summarised")))
    #expect(heard.count("summarised") > 0)
  }

  @Test func `the tenth that waits has the oldest counted, and the newest are spoken`() throws {
    let heard = try alarms(30)

    #expect((22..<30).allSatisfy { heard.result("\($0)") == "heard" })
    #expect(heard.result("4") == "summarised")
  }

  @Test func `nine that wait are all spoken, one a second`() throws {
    let heard = try alarms(12, length: 4)

    #expect(heard.counts == [])
    #expect((3..<12).map { heard.times("\($0)") } == (1...9).map { ["\($0 * 1_000)"] })
  }

  @Test func `nine of an app wait for a reader, and more are counted in their summary`() throws {
    var script = Script(.whenJoined)
    for number in 0..<14 {
      script.at(Double(number) * 5_000, "\(number)", shouts("A\(number)"))
    }
    script.joins(100_000, "Reader", role: "reader")

    let heard = try script.run()

    #expect(heard.spoken.first == "100000 6 more from App, late 100000, counting 6")
    #expect(heard.spoken.count == 9)
    #expect(heard.count("heard") + heard.count("summarised") == 14)
  }

  @Test func `a rule can still have what is over the rate demoted`() throws {
    var rule = Rule("less")
    rule.matchers.types = [.announcement]
    rule.matchers.priorities = [.high]
    rule.settings.over = .demote
    var script = Script(rules: RuleSet(RuleSet.defaults.rules + [rule]))
    for number in 0..<4 { script.at(Double(number) * 10, "\(number)", shouts("H\(number)")) }

    #expect(try script.run().delivery("3")["event"]["priority"] == "default")
  }

  @Test func `an alarm that has waited for its rate cuts what is lower`() throws {
    var script = Script()
    for number in 0..<4 { script.at(Double(number), "\(number)", shouts("H\(number)")) }
    script.at(500, "mail", says(text(40)), by: "Mail")

    let heard = try script.run()

    #expect(heard.spoken[4] == "1000 H3, cutting mail")
    #expect(heard.end("mail") == "3100 heard")
  }

  // MARK: Whatever else it is

  @Test(arguments: ["status", "progress", "timer", "value", "chat", "hint"])
  func `no class delays a high`(_ kind: String) throws {
    var script = Script(threeButtons)
    script.at(0, "first", tells(kind, "First", ["element": "b", "window": "w", "cause": "auto"]))
    script.at(50, "one", tells(kind, "One", ["priority": "high", "element": "b", "window": "w"]))
    script.at(100, "two", tells(kind, "Two", ["priority": "high", "element": "b", "window": "w"]))

    let heard = try script.run()

    #expect(heard.times("one") == ["50"])
    #expect(heard.times("two") == ["200"], "behind the first")
    #expect(heard.end("one") == "200 heard")
    #expect(heard.rule("one") == "announcement high")
  }

  @Test func `a mention in a chat is not counted with the other lines`() throws {
    var script = Script()
    for number in 0..<10 {
      script.at(Double(number) * 10, "\(number)", tells("chat", "C\(number)", ["element": "room"]))
    }
    script.at(100, "you", tells("chat", "For you", ["element": "room", "priority": "high"]))
    for number in 10..<20 {
      script.at(
        Double(number) * 10 + 10,
        "\(number)",
        tells("chat", "C\(number)", ["element": "room"])
      )
    }

    let heard = try script.run()

    #expect(heard.times("you") == ["100"])
    #expect(heard.result("you") == "heard")
  }

  @Test func `a trait does not make a timer of a high`() throws {
    var script = Script([
      button("a", "Apple"), element("t", "Clock", ["traits": ["updates-frequently"]]),
    ])
    script.at(0, "one", shouts("Over", ["window": "w", "element": "t"]))

    let heard = try script.run()

    #expect(heard.times("one") == ["0"])
    #expect(heard.rule("one") == "announcement high")
  }

  @Test func `with a key the class lends its mode to a high`() throws {
    var script = Script()
    script.at(0, shouts(text(40)))
    script.at(10, "one", tells("status", "One", ["priority": "high", "key": "k"]))
    script.at(20, "two", tells("status", "Two", ["priority": "high", "key": "k"]))
    script.at(30, "low", tells("status", "Low", ["key": "k"]))
    script.at(40, "bare", tells("status", "Bare", ["priority": "high"]), by: "Mail")
    script.at(50, "bare2", tells("status", "Bare2", ["priority": "high"]), by: "Mail")

    let heard = try script.run()

    #expect(heard.fate("one") == "superseded by two")
    #expect(heard.times("two") == ["2000"])
    #expect(heard.result("low") == "heard")
    #expect(heard.result("bare") == "heard")
    #expect(heard.result("bare2") == "heard")
  }

  @Test func `a final value of a high keeps the rate, too`() throws {
    var script = Script()
    for number in 0..<5 {
      let fields: [String: JSON] = ["priority": "high", "final": true]
      script.at(Double(number), "\(number)", tells("progress", "P\(number)", fields))
    }

    #expect(try script.run().times("4") == ["2000"])
  }

  @Test func `a high from the background is heard like any other`() throws {
    var script = Script(threeButtons)
    script.at(0, window("m", "opened"), by: "Mail")
    script.startOver(at: 10_000)
    script.at(0, "one", shouts("One"), by: "Mail")
    script.at(1_000, "two", shouts("Two"), by: "Mail")

    let heard = try script.run()

    #expect(heard.times("one") == ["0"])
    #expect(heard.times("two") == ["1000"])
  }
}
