// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The rules that ask for an app, a window or an element by its whole name, by that name.
///
/// People write most rules for one app each: an event meets those of its own app, and not all of
/// them. A rule is listed under the names of one matcher alone, so that it is met once.
struct NamedRules: Sendable {
  private var apps: [Name: [Int]] = [:]
  private var elements: [Name: [Int]] = [:]
  private var windows: [Name: [Int]] = [:]
  private var isListed: [Bool]

  init(_ rules: [Rule]) {
    isListed = [Bool](repeating: false, count: rules.count)
    for (number, rule) in rules.enumerated() {
      isListed[number] =
        Self.list(number, under: rule.matchers.apps, &apps)
        || Self.list(number, under: rule.matchers.elements, &elements)
        || Self.list(number, under: rule.matchers.windows, &windows)
    }
  }

  /// False where there are no patterns, or one of them stands for many names.
  private static func list(
    _ number: Int,
    under patterns: [Pattern]?,
    _ table: inout [Name: [Int]]
  ) -> Bool {
    guard let patterns, patterns.allSatisfy(\.isLiteral) else { return false }
    for name in Set(patterns.map { Name($0.text) }) { table[name, default: []].append(number) }
    return true
  }

  /// Whether the rule with this number is met by a name alone.
  func contains(_ number: Int) -> Bool { isListed[number] }

  /// Calls `body` with the number of each listed rule that an event could match.
  func forEach(of facts: borrowing Facts, _ body: (Int) -> Void) {
    Self.forEach(under: facts.app, apps, body)
    if let element = facts.element { Self.forEach(under: element, elements, body) }
    if let window = facts.window { Self.forEach(under: window, windows, body) }
  }

  private static func forEach(under name: Name, _ table: [Name: [Int]], _ body: (Int) -> Void) {
    guard !table.isEmpty, let numbers = table[name] else { return }
    for number in numbers { body(number) }
  }
}
