// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import A11yWire
import Testing

/// The answer to a request for the rules.
@Suite struct AnswerTests {
  private func answer(_ rules: RuleSet) throws -> JSON {
    var out = ByteBuffer(capacity: 1_024)
    out.append("{")
    rules.writeAnswer(into: &out)
    out.append("}")
    #expect(out.count <= Limits.answerBytes)
    return try JSON(out.bytes.string)
  }

  private func rows(_ answer: JSON, _ type: String) -> [JSON] {
    (answer["effective"].list ?? []).filter { $0["type"].string == type }
  }

  @Test func `there are as many rows as there are differences`() throws {
    let answer = try answer(RuleSet())

    #expect(rows(answer, "layout-changed").count == 1)
    #expect(rows(answer, "focus").map(\.["cause"]) == ["auto", "user"])
    #expect(rows(answer, "page-scrolled").map(\.["continuous"]) == [false, true])
    #expect(rows(answer, "elements").count == 4)
    // Classes by two priorities, of which some are twofold; and high announcements, which are in
    // no class.
    #expect(rows(answer, "announcement").count == 25)
    #expect(answer["more_effective"] == .absent && answer["more_rules"] == .absent)
    #expect(answer["rules"].count == RuleSet().rules.count)
  }

  @Test func `each value has the rule that it comes from`() throws {
    var rule = Rule("mine")
    rule.matchers.types = [.busy]
    rule.settings.maxWait = .seconds(2)
    rule.place = Rule.Place(file: "/a.toml", line: 7, column: 1)

    let row = rows(try answer(RuleSet(RuleSet().rules + [rule])), "busy")[0]

    #expect(
      row["settings"]["max_wait"]
        == ["value": "2 s", "rule": "mine", "file": "/a.toml", "line": 7]
    )
    #expect(row["settings"]["debounce"] == ["value": "10 s", "rule": "busy"])
    #expect(row["settings"]["burst"] == ["value": 1, "rule": "built in"])
    #expect(row["settings"]["priority"] == .absent)
    #expect(row["also"] == [])
  }

  @Test func `a rule for some apps changes no row, and stands beside those that it may change`()
    throws
  {
    var rule = Rule("mine")
    rule.matchers.apps = [Pattern("org.*")]
    rule.matchers.types = [.busy]
    rule.settings.maxWait = .seconds(2)

    let answer = try answer(RuleSet(RuleSet().rules + [rule]))

    #expect(rows(answer, "busy")[0]["settings"]["max_wait"]["rule"] == "busy")
    #expect(rows(answer, "busy")[0]["also"] == [["rule": "mine"]])
    #expect(rows(answer, "storm")[0]["also"] == [])
  }

  @Test(arguments: [1, 2, 3])
  func `the answer is a line within its bound for any rules`(seed: UInt64) throws {
    var maker = RuleMaker(Dice(seed: seed))

    let answer = try answer(RuleSet(maker.rules(RuleSet.most)))

    let written = Int64(answer["rules"].count ?? 0) + (answer["more_rules"].integer ?? 0)
    #expect(written == Int64(RuleSet.most))
  }
}

extension Facts {
  /// Facts of an event that says no more than it must.
  static func of(_ topic: Topic) -> Facts {
    Facts(topic: topic, uid: 1000, app: Name("org.example.mail"))
  }

  static func announcement(_ priority: Priority) -> Facts {
    of(.announcement).with { $0.priority = priority }
  }

  func of(_ speechClass: SpeechClass) -> Facts { with { $0.speechClass = speechClass } }

  func by(_ cause: Causation) -> Facts { with { $0.cause = cause } }

  func focused() -> Facts { with { $0.isFocused = true } }

  func continuous() -> Facts { with { $0.isContinuous = true } }

  func with(_ change: (inout Facts) -> Void) -> Facts {
    var facts = self
    change(&facts)
    return facts
  }
}
