// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// All rules that are in force, in their order: for each setting the last matching rule wins.
public struct RuleSet: Sendable {
  public let rules: [Rule]
  /// The rules for those who read them alone: one object, where the set is several.
  public let table: RuleTable
  /// A part of the set, so that other rules bring treatments of their own.
  private var laid = LaidTreatments()

  /// Far more rules than people write by hand, and few enough to fit into an entry.
  public static let most = 512

  /// The rules that are shipped, and no others.
  public init() { self = .defaults }

  public init(_ rules: [Rule]) {
    // A table takes as long to make as a hundred events. Mostly the shipped rules are the only
    // ones, and a start has them from the code, from the files and from the log.
    self = rules == Self.defaults.rules ? .defaults : RuleSet(making: rules)
  }

  /// A set with a table of its own.
  init(making rules: [Rule]) {
    precondition(rules.count <= Self.most, "the loader of rules counts them")
    self.rules = rules
    table = RuleTable(rules)
  }

  /// Whether any rule has a matcher of texts.
  public var looksAtTexts: Bool { table.looksAtTexts }

  /// The treatment of an event with these facts.
  public func treatment(of facts: borrowing Facts) -> Treatment {
    table.treatment(of: facts)
  }

  /// The same, kept for the next event that these rules match.
  public mutating func recallTreatment(of facts: borrowing Facts) -> Treatment {
    if let treatment = table.settledTreatment(of: facts) { return treatment }
    return laid.recall(table.laidRules(of: facts), in: table)
  }

  var effectiveRows: [EffectiveRow] { EffectiveRows(table).rows }
}

extension RuleSet: Equatable {
  public static func == (a: RuleSet, b: RuleSet) -> Bool { a.rules == b.rules }
}
