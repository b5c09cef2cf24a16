// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// All rules that are in force, in their order: for each setting the last matching rule wins.
package struct RuleSet: Sendable {
  package let rules: [Rule]
  private let table: RuleTable

  /// Far more than people write by hand, and few enough that all of them are in an entry.
  package static let most = 512

  /// The rules that are shipped, and no others.
  package init() { self = .defaults }

  package init(_ rules: [Rule]) {
    precondition(rules.count <= Self.most, "whoever loads rules counts them")
    self.rules = rules
    table = RuleTable(rules)
  }

  /// Whether any rule wants to know what is said.
  package var looksAtTexts: Bool { table.looksAtTexts }

  /// How an event is treated of which this is known.
  package func treatment(of facts: Facts) -> Treatment { table.treatment(of: facts) }

  var effectiveRows: [EffectiveRow] { EffectiveRows(table).rows }
}

extension RuleSet: Equatable {
  package static func == (a: RuleSet, b: RuleSet) -> Bool { a.rules == b.rules }
}
