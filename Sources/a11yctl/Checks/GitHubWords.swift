// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Findings as workflow commands of GitHub, and the checks counted in a sentence behind them.
enum GitHubWords {
  static func commands(_ checks: [Check]) -> [String] {
    let failures = checks.count { !$0.isPassed }
    let sum = "\(SeqWords.count(Int64(checks.count), "check", "checks")), \(failures) failed."
    return checks.flatMap { check in check.findings.map { command($0, check) } } + [sum]
  }

  private static func command(_ finding: CheckFinding, _ check: Check) -> String {
    var properties: [(name: String, value: String)] = []
    if let place = finding.place {
      properties.append(("file", place.file))
      if let line = place.line { properties.append(("line", "\(line)")) }
      if let column = place.column { properties.append(("col", "\(column)")) }
    }
    let title = check.group.isEmpty ? finding.code : "\(check.group), \(finding.code)"
    properties.append(("title", title))
    let list = properties.map { "\($0.name)=\(property($0.value))" }.joined(separator: ",")
    return "::\(finding.level.rawValue) \(list)::\(data(finding.message))"
  }

  /// A message, in which GitHub turns these codes back.
  private static func data(_ text: String) -> String { text.escaped(codes) }

  /// The value of a property, which ends at a comma or a colon.
  private static func property(_ text: String) -> String {
    text.escaped(codes.merging([":": "%3A", ",": "%2C"]) { $1 })
  }

  private static let codes: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]
}
