// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import A11yWire
import Testing

/// A set of rules as an entry has it.
@Suite struct RuleSetJSONTests {
  private let reader = JSONReader(limit: 1_048_576)

  private func written(_ rules: RuleSet) -> String {
    var out = ByteBuffer(capacity: 1_024)
    rules.write(into: &out)
    return out.bytes.string
  }

  private func read(_ text: String) throws -> RuleSet? {
    try reader.read(Array("{\"content\":\(text)}".utf8).span)
    let line = reader.document
    guard let content = line.member("content", of: line.root) else { return nil }
    return RuleSet(line, content)
  }

  @Test func `the shipped rules come back as they went`() throws {
    #expect(try read(written(RuleSet())) == RuleSet())
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func `any rules come back as they went`(seed: UInt64) throws {
    var maker = RuleMaker(Dice(seed: seed))
    for count in [0, 1, 2, 40] {
      let rules = RuleSet(maker.rules(count))

      let back = try read(written(rules))

      #expect(back == rules, "seed \(seed)")
      #expect(back?.hash == rules.hash)
    }
  }

  @Test func `a rule is written in the words of a file`() throws {
    var rule = Rule("quiet")
    rule.matchers.apps = [Pattern("org.*")]
    rule.matchers.priorities = [.low, .high]
    rule.settings.rate = Rate(count: 1, period: .seconds(10))
    rule.settings.ttl = .some(nil)
    rule.settings.debounce = .milliseconds(1_500)
    rule.settings.hold = .zero
    rule.place = Rule.Place(file: "a.toml", line: 3, column: 1)

    #expect(
      written(RuleSet([rule])) == #"[{"name":"quiet","file":"a.toml","line":3,"column":1,"#
        + #""match":{"app":"org.*","priority":["low","high"]},"#
        + #""set":{"debounce":"1500 ms","rate":"1/10 s","ttl":"kept","hold":false}}]"#
    )
  }

  @Test(arguments: [
    "{}", "[1]", "[{}]", #"[{"name":"a"}]"#, #"[{"name":"","match":{},"set":{}}]"#,
    #"[{"name":"a","match":{"apps":"x"},"set":{}}]"#,
    #"[{"name":"a","match":{},"set":{"ttl":-1}}]"#,
    #"[{"name":"a","match":{},"set":{"mode":"new"}}]"#,
    #"[{"name":"a","match":{},"set":{"key":{}}}]"#,
    #"[{"name":"a","match":{"type":[]},"set":{}}]"#,
    #"[{"name":"a","file":"f","match":{},"set":{}}]"#,
  ])
  func `a value that no set has written is refused`(text: String) throws {
    #expect(try read(text) == nil)
  }

  @Test func `the hash tells sets apart, and says what the text book says`() {
    #expect(ContentHash.of([UInt8]().span) == "6c62272e07bb014262b821756295c58d")
    #expect(ContentHash.of([97].span) == "d228cb696f1a8caf78912b704e4a8964")
    #expect(RuleSet().hash != RuleSet([]).hash)
  }
}
