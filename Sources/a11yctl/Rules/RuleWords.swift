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

/// The treatment of each kind of event as a sentence, with the kind in front.
///
/// Kinds that are treated alike share a sentence, and what is said of a kind is what sets it apart:
/// a setting that does nothing is not named.
struct RuleSentences {
  private struct Treatment {
    let settings: JSONValue
    var rows: [JSONValue]
  }

  private let treatments: [Treatment]
  private let openRules: [String]
  private let files: Int

  init(_ answer: JSONValue, topic: String?, speechClass: String?) {
    var treatments: [Treatment] = []
    for row in RuleWords.rows(answer, topic: topic, speechClass: speechClass) {
      guard let settings = row["settings"] else { continue }
      let same = treatments.firstIndex { treatment in
        treatment.rows[0]["type"] == row["type"]
          && Self.values(treatment.settings) == Self.values(settings)
      }
      if let same {
        treatments[same].rows.append(row)
      } else {
        treatments.append(Treatment(settings: settings, rows: [row]))
      }
    }
    self.treatments = treatments
    openRules = RuleWords.openRules(answer)
    files = answer["files"]?.list?.count ?? 0
  }

  var lines: [String] {
    var lines = treatments.map { treatment in
      let kind = Self.kind(treatment.rows).asSentence
      return "\(kind): \(Self.effect(treatment.settings)).\(Self.origin(treatment.settings))"
    }
    lines += openRules
    if files == 0 { lines.append("All rules are built in; none comes from a file.") }
    lines.append("a11yctl rules show --all names each setting, with the rule that it comes from.")
    return lines.map(VisibleText.of)
  }

  private static func values(_ settings: JSONValue) -> [String] {
    (settings.members ?? []).map { "\($0.name) \($0.value["value"]?.description ?? "")" }
  }

  // MARK: Kinds

  private static let nouns = [
    "announcement": "announcements", "layout-changed": "changed layouts",
    "screen-changed": "changed screens", "page-scrolled": "scrolled pages",
    "focus": "moves of the focus", "elements": "changed values of elements",
    "voiceover-status": "news of the screen reader", "busy": "changes of a busy element",
    "storm": "events in a storm",
  ]

  /// “Announcements of class status, unless high”.
  private static func kind(_ rows: [JSONValue]) -> String {
    let type = rows[0]["type"]?.string ?? "event"
    let noun = nouns[type] ?? "events of type \(type)"
    let classes = rows.flatMap { $0["class"]?.list?.compactMap(\.string) ?? [] }
    let priorities = Set(rows.flatMap { $0["priority"]?.list?.compactMap(\.string) ?? [] })
    var words = noun
    // The class "*" stands for all that have no row of their own.
    if !classes.isEmpty, !classes.contains("*") {
      words += " of class \(unique(classes).joined(separator: " or "))"
    }
    if priorities.count == 1, let only = priorities.first {
      words += " with \(only) priority"
    } else if !priorities.isEmpty, !priorities.contains("high") {
      words += ", unless high"
    }
    let details = unique(rows.map(detail)).filter { !$0.isEmpty }
    return details.isEmpty ? words : "\(words), \(details.joined(separator: " or "))"
  }

  private static func unique(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { seen.insert($0).inserted }
  }

  private static func detail(_ row: JSONValue) -> String {
    var words: [String] = []
    if let cause = row["cause"]?.string {
      words.append(cause == "user" ? "by the user" : "by an app")
    }
    if let flag = row["continuous"]?.flag {
      words.append(flag ? "while scrolling goes on" : "one at a time")
    }
    if let flag = row["focused"]?.flag {
      words.append(flag ? "of the focused element" : "of another element")
    }
    if let flag = row["foreground"]?.flag {
      words.append(flag ? "in the foreground" : "in the background")
    }
    return words.joined(separator: ", ")
  }

  // MARK: Effects

  private static func effect(_ settings: JSONValue) -> String {
    func value(_ name: String) -> String? {
      switch settings[name]?["value"] {
      case .string(let text)? where text != "none" && text != "0 ms": text
      case .number(let text)?: text
      case .flag(true)?: "yes"
      default: nil
      }
    }
    switch value("present") {
    case "log": return "kept on record, and never spoken"
    case "sound": return "told by a sound alone"
    default: break
    }
    var parts: [String] = []
    if value("only_if_user") != nil { parts.append("spoken only where the user has caused them") }
    if let debounce = value("debounce") {
      let most = value("max_wait").map { $0 == debounce ? "" : ", or after \($0)" } ?? ""
      let rest = "when \(debounce) have passed without another\(most)"
      parts.append(value("leading") == nil ? rest : "the first at once, later ones \(rest)")
    }
    if let rate = value("rate") { parts.append(limit(rate, value("burst"), value("over"))) }
    switch value("mode") {
    case "latest": parts.append("of those that wait, only the newest is spoken")
    case "latest-interrupt": parts.append("the newest cuts off the one before")
    case "current-then-latest":
      parts.append("the one in speech is finished, then the newest follows")
    default: break
    }
    switch value("dedupe") {
    case "equal"?: parts.append("one that equals the last is left out")
    case let time?: parts.append("one that repeats another within \(time) is left out")
    case nil: break
    }
    if let ttl = value("ttl"), ttl != "kept" { parts.append("dropped after \(ttl) of waiting") }
    if let hold = value("hold") {
      parts.append("the feedback of an action comes before them, for which they wait \(hold)")
    }
    return parts.isEmpty ? "spoken at once, each of them" : parts.joined(separator: "; ")
  }

  /// “5 at once, then 1 in 2 s; those above are merged”.
  private static func limit(_ rate: String, _ burst: String?, _ over: String?) -> String {
    let parts = rate.split(separator: "/", maxSplits: 1).map(String.init)
    let pace = parts.count == 2 ? "\(parts[0]) in \(parts[1] == "s" ? "1 s" : parts[1])" : rate
    let first = burst == "1" ? "at most \(pace)" : "\(burst ?? "1") at once, then \(pace)"
    switch over {
    case "merge": return "\(first), and those above are merged"
    case "demote": return "\(first), and those above get low priority"
    default: return "\(first), and those above wait"
    }
  }

  /// The files whose rules have a part in the treatment.
  private static func origin(_ settings: JSONValue) -> String {
    var names: [String] = []
    for member in settings.members ?? [] {
      guard let file = member.value["file"]?.string, let line = member.value["line"]?.integer,
        let rule = member.value["rule"]?.string
      else { continue }
      let name = "the rule \(rule) at \(file):\(line)"
      if !names.contains(name) { names.append(name) }
    }
    return names.isEmpty ? "" : " This comes in part from \(names.joined(separator: " and "))."
  }
}
