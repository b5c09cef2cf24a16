// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// All rules that are in force, in their order: for each setting the last matching rule wins.
public struct RuleSet: Sendable {
  public let rules: [Rule]
  private let table: RuleTable

  /// Far more than people write by hand, and few enough that all of them are in an entry.
  public static let most = 512

  /// The rules that are shipped, and no others.
  public init() { self = .defaults }

  public init(_ rules: [Rule]) {
    precondition(rules.count <= Self.most, "whoever loads rules counts them")
    self.rules = rules
    table = RuleTable(rules)
  }

  /// Whether any rule wants to know what is said.
  public var looksAtTexts: Bool { table.looksAtTexts }

  /// How an event is treated of which this is known.
  public func treatment(of facts: Facts) -> Treatment { table.treatment(of: facts) }

  var effectiveRows: [EffectiveRow] { EffectiveRows(table).rows }
}

extension RuleSet: Equatable {
  public static func == (a: RuleSet, b: RuleSet) -> Bool { a.rules == b.rules }
}
