// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Checks as the XML of JUnit.
enum JUnitWords {
  static func document(_ checks: [Check], of suite: String) -> [String] {
    let failures = checks.count { !$0.isPassed }
    let counts = attributes([
      ("name", suite), ("tests", "\(checks.count)"), ("failures", "\(failures)"), ("errors", "0"),
    ])
    return ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites\(counts)>"]
      + ["  <testsuite\(counts)>"] + checks.flatMap { element($0, suite) }
      + ["  </testsuite>", "</testsuites>"]
  }

  private static func element(_ check: Check, _ suite: String) -> [String] {
    let group = check.group.isEmpty ? suite : check.group
    let head = "    <testcase\(attributes([("classname", group), ("name", check.name)]))"
    guard !check.findings.isEmpty || !check.isPassed else { return [head + "/>"] }
    let words = check.findings.map(summary).joined(separator: "\n")
    guard !check.isPassed else {
      return ["\(head)>", "      <system-out>\(escaped(words))</system-out>", "    </testcase>"]
    }
    let message = check.findings.first?.message ?? check.name
    let about = attributes([
      ("message", message), ("type", check.findings.first?.code ?? "failed"),
    ])
    return ["\(head)>", "      <failure\(about)>\(escaped(words))</failure>", "    </testcase>"]
  }

  /// A finding with its place, as compilers write it.
  private static func summary(_ finding: CheckFinding) -> String {
    guard let place = finding.place else { return finding.message }
    let parts = [place.file] + [place.line, place.column].compactMap { $0.map(String.init) }
    return "\(parts.joined(separator: ":")): \(finding.message)"
  }

  private static func attributes(_ members: [(name: String, value: String)]) -> String {
    members.map { " \($0.name)=\"\(escaped($0.value))\"" }.joined()
  }

  /// A text without the characters that XML cannot have, and with the others as themselves.
  private static func escaped(_ text: String) -> String {
    text.escaped(references)
  }

  private static let references: [Unicode.Scalar: String] = {
    var references: [Unicode.Scalar: String] = [
      "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\u{FFFE}": "", "\u{FFFF}": "",
    ]
    for code in UInt8(0)..<32 { references[Unicode.Scalar(code)] = "" }
    // A blank would stand for these in the value of an attribute.
    for code in ["\t", "\n", "\r"] as [Unicode.Scalar] { references[code] = "&#\(code.value);" }
    return references
  }()
}
