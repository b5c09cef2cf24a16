// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yToml
import A11yWire
import Foundation
import Testing

/// The shipped file of rules, which nobody reads but people.
@Suite struct ShippedRulesTests {
  let text: String

  init() throws {
    let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let file = package.appending(path: "Config/default-rules.toml")
    text = try String(contentsOf: file, encoding: .utf8)
  }

  @Test func `the file says rule by rule what is built in`() throws {
    let rules = try Rule.read(text: Array(text.utf8), fileName: "default-rules.toml").map { rule in
      var rule = rule
      rule.place = nil
      return rule
    }

    #expect(rules.map(\.name) == RuleSet.defaults.rules.map(\.name))
    for (rule, builtIn) in zip(rules, RuleSet.defaults.rules) { #expect(rule == builtIn) }
  }

  @Test func `every key that there is stands in its explanation`() {
    let explanation = text.components(separatedBy: "[[rule]]\nname = \"layout-changed\"")[0]

    for key in MatcherKey.allCases.map(\.rawValue) + SettingKey.allCases.map(\.rawValue) {
      let isThere = explanation.split { !$0.isLetter && $0 != "_" }.contains(key[...])
      #expect(isThere, "\(key)")
    }
  }

  @Test func `its example is a rule`() throws {
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("#     ") }.prefix(5)
    let example = lines.map { $0.dropFirst(6) }.joined(separator: "\n")

    let rules = try Rule.read(text: Array(example.utf8), fileName: "a.toml")

    #expect(rules.map(\.settings.rate) == [Rate(count: 1, period: .seconds(5))])
  }
}
