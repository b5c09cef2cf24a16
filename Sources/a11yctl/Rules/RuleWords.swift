// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix

/// The rules in force as lines, each of which reads well aloud by itself.
enum RuleWords {
  static func lines(_ answer: JSONValue, topic: String?, speechClass: String?) -> [String] {
    let rows = rows(answer, topic: topic, speechClass: speechClass)
    let rules = answer["rules"]?.list ?? []
    let own = rules.filter { $0["file"] != nil }
    var lines = [summary(rules, own, answer)]
    lines += rows.flatMap(settings)
    if let more = answer["more_effective"]?.integer {
      lines.append("There are \(more) more kinds of events than there is room for here.")
    }
    lines += openRules(answer)
    return lines.map(VisibleText.of)
  }

  /// The kinds of events that are asked for.
  static func rows(_ answer: JSONValue, topic: String?, speechClass: String?) -> [JSONValue] {
    (answer["effective"]?.list ?? []).filter { concerns($0, topic, speechClass) }
  }

  /// The rules of files that concern some events of a kind only.
  static func openRules(_ answer: JSONValue) -> [String] {
    let own = (answer["rules"]?.list ?? []).filter { $0["file"] != nil }
    return own.filter(isOpen).map { "Besides, \(openRule($0))." }
  }

  private static func summary(
    _ rules: [JSONValue],
    _ own: [JSONValue],
    _ answer: JSONValue
  )
    -> String
  {
    let count = Int64(rules.count) + (answer["more_rules"]?.integer ?? 0)
    let files = (answer["files"]?.list ?? []).compactMap(\.string)
    let hash = answer["hash"]?.string ?? ""
    let origin = files.isEmpty ? "all built in" : "\(own.count) of them from files"
    return "There are \(count) rules, \(origin), hash \(hash)."
  }

  private static func concerns(
    _ row: JSONValue,
    _ topic: String?,
    _ speechClass: String?
  ) -> Bool {
    if let topic, row["type"]?.string != topic { return false }
    guard let speechClass else { return true }
    guard let classes = row["class"]?.list?.compactMap(\.string) else { return topic != nil }
    return classes.contains(speechClass)
  }

  /// One line for each setting of a kind of event.
  private static func settings(_ row: JSONValue) -> [String] {
    let kind = kind(row)
    guard case .object(let members)? = row["settings"] else { return [] }
    return members.map { member in
      let name = member.name.map { $0 == "_" ? " " : String($0) }.joined()
      let value = words(member.value["value"] ?? .null)
      return "\(kind): \(name) \(value), \(source(member.value))"
    }
  }

  /// “announcement of class chat, priority low, focused”.
  private static func kind(_ row: JSONValue) -> String {
    var words = row["type"]?.string ?? "event"
    if let classes = row["class"]?.list?.compactMap(\.string) {
      let names = classes.map { $0 == "*" ? "any other" : $0 }
      words += " of class \(names.joined(separator: " or "))"
    }
    if let priorities = row["priority"]?.list?.compactMap(\.string) {
      words += ", priority \(priorities.joined(separator: " or "))"
    }
    if let cause = row["cause"]?.string {
      words += cause == "user" ? ", caused by the user" : ", not caused by the user"
    }
    for name in ["continuous", "focused"] {
      if let flag = row[name]?.flag { words += flag ? ", \(name)" : ", not \(name)" }
    }
    if let flag = row["foreground"]?.flag {
      words += flag ? ", in the foreground" : ", in the background"
    }
    return words
  }

  private static func source(_ value: JSONValue) -> String {
    let name = value["rule"]?.string ?? "built in"
    guard let file = value["file"]?.string, let line = value["line"]?.integer else {
      return name == "built in" ? "built in" : "built-in rule \(name)"
    }
    return "rule \(name) at \(file):\(line)"
  }

  private static let openMatchers = ["app", "window", "element", "trait", "text"]

  private static func isOpen(_ rule: JSONValue) -> Bool {
    openMatchers.contains { rule["match"]?[$0] != nil }
  }

  /// “rule quiet at a.toml:3 sets ttl 1 s for app org.x”.
  private static func openRule(_ rule: JSONValue) -> String {
    let sets = members(rule["set"])
    let matches = members(rule["match"])
    let what = sets.isEmpty ? "nothing" : sets.joined(separator: ", ")
    return "\(source(.object(renamed(rule)))) sets \(what) for \(matches.joined(separator: ", "))"
  }

  private static func renamed(_ rule: JSONValue) -> [JSONValue.Member] {
    guard case .object(let members) = rule else { return [] }
    return members.map { $0.name == "name" ? .init("rule", $0.value) : $0 }
  }

  private static func members(_ value: JSONValue?) -> [String] {
    guard case .object(let members)? = value else { return [] }
    return members.map { "\($0.name) \(words($0.value))" }
  }

  private static func words(_ value: JSONValue) -> String {
    switch value {
    case .string(let text), .number(let text): text
    case .flag(let flag): flag ? "yes" : "no"
    case .null: "none"
    case .list(let values): values.map(words).joined(separator: " or ")
    case .object: value.description
    }
  }
}
