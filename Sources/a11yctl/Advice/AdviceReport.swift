// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import A11yModel
import A11yPosix
import A11yWire

/// Advice to apps, by app and kind, with its count and examples.
struct AdviceReport {
  /// The number of examined entries.
  var entries: Int64 = 0
  private var groups: [Group: Findings] = [:]

  /// The entries that are shown of each kind: enough to see the meaning.
  static let examples = 3

  private struct Group: Hashable {
    let app: AppKey
    let code: AdviceCode
  }

  private struct Findings {
    var count: Int64 = 0
    var examples: [Linter.Finding] = []
  }

  var isEmpty: Bool { groups.isEmpty }

  mutating func record(_ finding: Linter.Finding) {
    let group = Group(app: finding.app, code: finding.advice.code)
    groups[group, default: Findings()].count += 1
    if groups[group]?.examples.count ?? 0 < Self.examples {
      groups[group]?.examples.append(finding)
    }
  }

  /// The advice of one kind to one app.
  struct Row {
    let app: String
    let summary: String
    let count: Int64
    let example: String
  }

  /// The advice, by app and kind.
  var rows: [Row] {
    sorted.map { group, findings in
      Row(
        app: name(group.app),
        summary: "\(group.code.summary)",
        count: findings.count,
        example: findings.examples.first.map {
          "Entry \($0.seq.number), \($0.advice.field): \($0.advice.message)"
        } ?? "none"
      )
    }
  }

  // MARK: Telling

  func show(asJSON isJSON: Bool, to output: Output) {
    for (group, findings) in sorted {
      if isJSON {
        output.line(Self.json(group, findings))
      } else {
        for line in sentences(group, findings) { output.line(line) }
      }
    }
    output.line(isJSON ? jsonSum : sum)
  }

  /// The groups by app, and those of an app in the order of the table.
  private var sorted: [(key: Group, value: Findings)] {
    let order = AdviceCode.allCases
    func rank(_ code: AdviceCode) -> Int { order.firstIndex(of: code) ?? order.count }
    return groups.sorted { one, other in
      let (a, b) = (one.key, other.key)
      if a.app.app != b.app.app { return a.app.app.text < b.app.app.text }
      return a.app.uid == b.app.uid ? rank(a.code) < rank(b.code) : a.app.uid < b.app.uid
    }
  }

  private func sentences(_ group: Group, _ findings: Findings) -> [String] {
    let title = "\(name(group.app)): \(Self.title(group, findings))."
    let examples = findings.examples.map { finding in
      "  Entry \(finding.seq.number), \(finding.advice.field): \(finding.advice.message)"
    }
    return ([title] + examples).map(VisibleText.of)
  }

  /// The kind of advice, with its count.
  private static func title(_ group: Group, _ findings: Findings) -> String {
    let often = findings.count == 1 ? "once" : "\(findings.count) times"
    return "\(group.code.summary), \(often) (\(group.code.rawValue))"
  }

  /// The lines about each app and kind, without the sum.
  var sentences: [String] { sorted.flatMap { sentences($0.key, $0.value) } }

  /// A check for each kind of advice to an app, with the examples; one that is passed where there
  /// is no advice.
  func checks(_ places: EntryPlaces, isPassed: Bool = false) -> [Check] {
    if isEmpty { return [Check("", sum, isPassed: true)] }
    return sorted.map { group, findings in
      let examples = findings.examples.map { finding in
        CheckFinding(
          .warning,
          group.code.rawValue,
          at: places[finding.seq],
          "Entry \(finding.seq.number), \(finding.advice.field): \(finding.advice.message)"
        )
      }
      return Check(name(group.app), Self.title(group, findings), isPassed: isPassed, examples)
    }
  }

  /// An app by its name, and by its user where two users have an app of that name.
  private func name(_ app: AppKey) -> String {
    let isAmbiguous = groups.keys.contains { $0.app.app == app.app && $0.app.uid != app.uid }
    return isAmbiguous ? "\(app.app.text) of user \(app.uid)" : app.app.text
  }

  private var total: Int64 { groups.values.reduce(0) { $0 + $1.count } }

  private var appCount: Int64 { Int64(Set(groups.keys.map(\.app)).count) }

  /// The sum in a sentence.
  var sum: String {
    let entries = entries.counted("entry")
    guard !isEmpty else { return "There is nothing to say about \(entries)." }
    return "\(total.counted("piece")) of advice for"
      + " \(appCount.counted("app")), by \(entries)."
  }

  // MARK: JSON

  private static func json(_ group: Group, _ findings: Findings) -> String {
    var line = ByteBuffer(capacity: 1_024)
    line.object { line in
      line.append(member: "app", group.app.app.text)
      line.append(member: "uid", Int64(group.app.uid))
      line.append(member: "code", group.code.rawValue)
      line.append(member: "count", findings.count)
      line.array("examples", of: findings.examples) { line, finding in
        line.object { line in
          line.append(member: "seq", finding.seq.number)
          line.append(member: "field", finding.advice.field)
          line.append(member: "msg", finding.advice.message)
        }
      }
    }
    return line.bytes.string
  }

  private var jsonSum: String {
    var line = ByteBuffer(capacity: 256)
    line.object { line in
      line.append(member: "entries", entries)
      line.append(member: "count", total)
      line.append(member: "apps", appCount)
      line.append(member: "words", sum)
    }
    return line.bytes.string
  }
}
