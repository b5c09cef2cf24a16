// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yToml
import A11yWire
import Foundation
import Testing

/// The shipped file of rules, from which the built-in ones are made.
@Suite struct ShippedRulesTests {
  let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
  let text: String

  init() throws {
    let file = package.appending(path: "Config/default-rules.toml")
    text = try String(contentsOf: file, encoding: .utf8)
  }

  /// With `A11Y_UPDATE=1` in the environment they are made anew.
  @Test func `what is built in is made from the file`() throws {
    let source = package.appending(path: "Sources/A11yRules/DefaultRules.swift")
    let made = try Self.source(of: TomlText(Array(text.utf8), fileName: "").entries)
    if ProcessInfo.processInfo.environment["A11Y_UPDATE"] == "1" {
      try made.write(to: source, atomically: true, encoding: .utf8)
    }

    #expect(try String(contentsOf: source, encoding: .utf8) == made, "A11Y_UPDATE=1 makes it anew.")
  }

  @Test func `the rules that a version leaves for the next have each matcher and setting`() throws {
    let file = package.appending(path: "Tests/Released/every-rule.toml")
    let every = try String(contentsOf: file, encoding: .utf8)

    for key in MatcherKey.allCases.map(\.rawValue) + SettingKey.allCases.map(\.rawValue) {
      #expect(every.contains(try Regex("(?m)^(match\\.|set\\.)?\(key) = ")), "\(key)")
    }
  }

  private static func source(of entries: [TomlEntry]) -> String {
    var source = """
      // SPDX-FileCopyrightText: The a11yd authors
      // SPDX-License-Identifier: Apache-2.0

      extension RuleSet {
        /// Made from `Config/default-rules.toml` by `ShippedRulesTests`: of each rule its name, its
        /// matchers and its settings, a line each.
        static let shipped = \"""

      """
    for rule in entries.split(whereSeparator: { $0.value == .table }) {
      let isMatcher = { (entry: TomlEntry) in MatcherKey(rawValue: entry.key) != nil }
      let pairs = { (entries: [TomlEntry]) in
        entries.map { "\($0.key) \(words($0.value))" }.joined(separator: ", ")
      }
      let keys = rule.filter { $0.key != "name" }
      source += rule.filter { $0.key == "name" }.map { wrapped(words($0.value)) }.joined()
      source += wrapped(pairs(keys.filter(isMatcher)))
      source += wrapped(pairs(keys.filter { !isMatcher($0) }))
    }
    return source + "    \"\"\"\n}\n"
  }

  private static func words(_ value: TomlValue) -> String {
    switch value {
    case .string(let text): text
    case .array(let items): items.map { words($0.value) }.joined(separator: "|")
    case .table, .integer, .number, .boolean, .time: "\(value)"
    }
  }

  /// One line of the text in lines of the source.
  private static func wrapped(_ line: String) -> String {
    var (done, last) = ("", "    ")
    for word in line.split(separator: " ") {
      if last.count + word.count + 2 > 100 {
        done += last + "\\\n"
        last = "    "
      }
      last += word + " "
    }
    return done + last.dropLast() + "\n"
  }

  @Test func `the file means what is built in`() throws {
    let rules = try Rule.read(text: Array(text.utf8), fileName: "default-rules.toml").map { rule in
      var rule = rule
      rule.place = nil
      return rule
    }

    #expect(rules == RuleSet.defaults.rules)
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
