// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// What is in force, for whoever asks: every value with the rule that it comes from.
extension RuleSet {
  /// An answer is a line, which has a bound; what does not fit is counted.
  private static let listBytes = 98_304
  private static let answerBytes = 229_376

  /// Appends the members of the answer to `rules`.
  public func writeAnswer(into out: inout ByteBuffer) {
    let start = out.count
    out.append(member: "hash", hash)
    out.append(member: "files", Array(files.prefix(256)))
    out.append(member: "builtin", builtIn)
    out.append(member: "effective")
    out.append("[")
    let rows = effectiveRows
    var written = 0
    for row in rows where out.count - start < Self.answerBytes - Self.listBytes {
      if written > 0 { out.append(",") }
      writeRow(row, into: &out)
      written += 1
    }
    out.append("]")
    if written < rows.count { out.append(member: "more_effective", Int64(rows.count - written)) }
    out.append(member: "rules")
    out.append("[")
    written = 0
    for rule in rules where out.count - start < Self.answerBytes {
      if written > 0 { out.append(",") }
      rule.writeRule(into: &out)
      written += 1
    }
    out.append("]")
    if written < rules.count { out.append(member: "more_rules", Int64(rules.count - written)) }
  }

  /// The names of the rules that are shipped, each once.
  private var builtIn: [String] {
    var names: [String] = []
    for rule in rules where rule.place == nil && !names.contains(rule.name) {
      names.append(rule.name)
    }
    return names
  }

  private func writeRow(_ row: EffectiveRow, into out: inout ByteBuffer) {
    out.append("{")
    out.append(member: "type", row.topic.rawValue)
    if let classes = row.classes {
      out.append(
        member: "class",
        classes.map { $0 == SpeechClass.otherNumber ? "*" : SpeechClass.known[$0].word }
      )
    }
    if let priorities = row.priorities {
      out.append(member: "priority", priorities.map(\.rawValue))
    }
    if let cause = row.cause { out.append(member: "cause", cause.rawValue) }
    if let flag = row.isContinuous { out.append(member: "continuous", flag) }
    if let flag = row.isFocused { out.append(member: "focused", flag) }
    if let flag = row.isForeground { out.append(member: "foreground", flag) }
    out.append(member: "settings")
    out.append("{")
    for key in SettingKey.allCases {
      guard let value = row.plan.treatment.value(key) else { continue }
      out.append(memberText: key.rawValue)
      out.append("{\"value\":")
      value.writeValue(into: &out)
      writeSource(source(of: key, in: row.plan), into: &out)
      out.append("}")
    }
    out.append("}")
    out.append(member: "also")
    out.append("[")
    for (index, number) in row.plan.open.enumerated() {
      if index > 0 { out.append(",") }
      out.append("{\"rule\":")
      out.append(json: rules[number].name)
      writePlace(of: rules[number], into: &out)
      out.append("}")
    }
    out.append("]}")
  }

  /// The rule that a setting of a plan comes from; nil where none gives it.
  private func source(of key: SettingKey, in plan: RuleTable.Plan) -> Rule? {
    plan.rules.last { !plan.open.contains($0) && rules[$0].settings.value(key) != nil }
      .map { rules[$0] }
  }

  private func writeSource(_ source: Rule?, into out: inout ByteBuffer) {
    out.append(member: "rule", source?.name ?? Composition.builtIn)
    if let source { writePlace(of: source, into: &out) }
  }

  private func writePlace(of rule: Rule, into out: inout ByteBuffer) {
    guard let place = rule.place else { return }
    out.append(member: "file", place.file)
    out.append(member: "line", place.line)
  }
}
