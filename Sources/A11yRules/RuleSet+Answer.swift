// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// The answer to `rules`: every value that is in force, with the rule that it comes from.
extension RuleSet {
  /// Bounds of the two lists, because an answer is a line; rows that do not fit are counted.
  private static let listBytes = 98_304
  private static let answerBytes = 229_376

  /// Appends the members of the answer to `rules`.
  public func writeAnswer(into out: inout ByteBuffer) {
    let start = out.count
    out.append(member: "hash", hash)
    out.append(member: "files", Array(files.prefix(256)))
    out.append(member: "builtin", builtIn)
    let rows = effectiveRows
    var written = 0
    out.array("effective") { out in
      for row in rows where out.count - start < Self.answerBytes - Self.listBytes {
        out.separate()
        writeRow(row, into: &out)
        written += 1
      }
    }
    if written < rows.count { out.append(member: "more_effective", Int64(rows.count - written)) }
    written = 0
    out.array("rules") { out in
      for rule in rules where out.count - start < Self.answerBytes {
        out.separate()
        rule.writeRule(into: &out)
        written += 1
      }
    }
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
    out.object { out in
      writeFacts(row, into: &out)
      out.object("settings") { out in
        for key in SettingKey.allCases {
          guard let value = row.plan.treatment.value(key) else { continue }
          out.append(memberText: key.rawValue)
          out.object {
            $0.append(member: "value")
            value.writeValue(into: &$0)
            writeSource(source(of: key, in: row.plan), into: &$0)
          }
        }
      }
      out.array("also", of: row.plan.open) { out, number in
        out.object { writeSource(rules[number], into: &$0) }
      }
    }
  }

  private func writeFacts(_ row: EffectiveRow, into out: inout ByteBuffer) {
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
  }

  /// The rule that a setting of a plan comes from; nil where none gives it.
  private func source(of key: SettingKey, in plan: RuleTable.Plan) -> Rule? {
    plan.rules.last { !plan.open.contains($0) && rules[$0].settings.value(key) != nil }
      .map { rules[$0] }
  }

  private func writeSource(_ source: Rule?, into out: inout ByteBuffer) {
    out.append(member: "rule", source?.name ?? Composition.builtIn)
    guard let place = source?.place else { return }
    out.append(member: "file", place.file)
    out.append(member: "line", place.line)
  }
}
