// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// One thing that was looked at, with the findings about it: a test for programs that count tests.
struct Check: Equatable {
  /// The group that the check belongs to, such as an app.
  let group: String
  let name: String
  let isPassed: Bool
  let findings: [CheckFinding]

  /// A check with texts of strangers in it, which are made visible.
  init(_ group: String, _ name: String, isPassed: Bool, _ findings: [CheckFinding] = []) {
    self.group = VisibleText.of(group)
    self.name = VisibleText.of(name)
    self.isPassed = isPassed
    self.findings = findings
  }
}

/// A finding about a place, in words.
struct CheckFinding: Equatable {
  enum Level: String {
    case error, warning, notice
  }

  /// The place in a file, as far as it is known.
  struct Place: Equatable {
    let file: String
    var line: Int?
    var column: Int?
  }

  let level: Level
  /// A word for the kind of finding, such as `text.missing`.
  let code: String
  let place: Place?
  let message: String

  init(_ level: Level, _ code: String, at place: Place? = nil, _ message: String) {
    self.level = level
    self.code = code
    self.place = place
    self.message = VisibleText.of(message)
  }
}

extension String {
  /// The text with other words in the place of some characters.
  func escaped(_ table: [Unicode.Scalar: String]) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let words = table[scalar] {
        result.append(contentsOf: words.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}

/// A form in which checks are printed for other programs.
enum CheckFormat: String, CaseIterable {
  /// Sentences, in the words of each command.
  case text
  /// The Test Anything Protocol, as far as its versions 13 and 14 are one.
  case tap
  /// The XML of JUnit.
  case junit
  /// Workflow commands of GitHub, which become annotations.
  case github

  /// The lines that tell these checks, of a suite with a name; nil for text.
  func rows(_ checks: [Check], of suite: String) -> [String]? {
    switch self {
    case .text: nil
    case .tap: TapWords.report(checks)
    case .junit: JUnitWords.document(checks, of: suite)
    case .github: GitHubWords.commands(checks)
    }
  }

  /// Prints checks, and tells whether that was done; text is left to the command.
  func present(_ checks: [Check], of suite: String, to output: Output) -> Bool {
    guard let lines = rows(checks, of: suite) else { return false }
    for line in lines { output.line(line) }
    return true
  }
}

/// The option that chooses the form.
struct CheckFormatOption: OptionGroup {
  @Option(
    "format",
    "FORMAT",
    "text, which is usual, or for other programs tap, junit or github",
    as: .word
  )
  private var chosen: CheckFormat?

  var format: CheckFormat { chosen ?? .text }
}

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
    let about = attributes([("message", message), ("type", check.findings.first?.code ?? "failed")])
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

/// Findings as workflow commands of GitHub, and the checks counted in a sentence behind them.
enum GitHubWords {
  static func commands(_ checks: [Check]) -> [String] {
    let failures = checks.count { !$0.isPassed }
    let sum = "\(checks.count.counted("check")), \(failures) failed."
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
