// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Checks as lines of the Test Anything Protocol.
enum TapWords {
  /// Version 13, which every harness knows; each line means the same in version 14.
  static func report(_ checks: [Check]) -> [String] {
    var lines = ["TAP version 13", "1..\(checks.count)"]
    for (index, check) in checks.enumerated() {
      let title = [check.group, check.name].filter { !$0.isEmpty }.joined(separator: ": ")
      lines.append("\(check.isPassed ? "ok" : "not ok") \(index + 1) - \(escaped(title))")
      if check.isPassed {
        lines += check.findings.map { "# \($0.level.rawValue) \($0.code): \($0.message)" }
      } else if !check.findings.isEmpty {
        lines.append("  ---")
        lines.append("  findings:")
        for finding in check.findings { lines += members(finding) }
        lines.append("  ...")
      }
    }
    return lines
  }

  /// A finding as an item of a list in YAML, whose strings may be written as in JSON.
  private static func members(_ finding: CheckFinding) -> [String] {
    var members = [
      "level: \(finding.level.rawValue)", "code: \(quoted(finding.code))",
      "message: \(quoted(finding.message))",
    ]
    if let place = finding.place {
      members.append("file: \(quoted(place.file))")
      if let line = place.line { members.append("line: \(line)") }
      if let column = place.column { members.append("column: \(column)") }
    }
    return members.enumerated().map { "    \($0 == 0 ? "- " : "  ")\($1)" }
  }

  private static func quoted(_ text: String) -> String {
    var out = ByteBuffer(capacity: 64)
    out.append(json: text)
    return out.bytes.string
  }

  /// A description, in which a number sign would begin a directive.
  private static func escaped(_ text: String) -> String {
    text.escaped(["\\": "\\\\", "#": "\\#", "\n": " ", "\r": " "])
  }
}
