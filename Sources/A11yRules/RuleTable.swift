// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// For all that has few answers, the rules that match, looked up beforehand.
///
/// Type, class, priority, cause and the three yes-or-no questions have some thousand combinations.
/// Most rules ask nothing else, so nearly every event finds its treatment by one look into a table.
/// A rule with a name, a trait or a text in it is looked at for each event that it could match.
final class RuleTable: Sendable {
  /// Rules that match all events of some combinations, as far as these tell.
  struct Plan: Sendable {
    /// Numbers of rules, in order; the open ones match only if what is open in them does.
    let rules: [Int]
    let open: [Int]
    /// What comes of the rules that are not open.
    let treatment: Treatment
  }

  private let rules: [Rule]
  private let plans: [Plan]
  /// The plan of each combination.
  private let cells: [UInt16]

  let looksAtTexts: Bool

  init(_ rules: [Rule]) {
    looksAtTexts = rules.contains { $0.matchers.texts != nil }
    let filters = rules.map { CellFilter($0.matchers) }
    var plans: [Plan] = []
    var numbers: [[Int]: UInt16] = [:]
    var cells: [UInt16] = []
    cells.reserveCapacity(Cell.count)
    for number in 0..<Cell.count {
      let cell = Cell(number)
      let fitting = rules.indices.filter { filters[$0].admits(cell) }
      let open = fitting.filter { filters[$0].isOpen(in: cell) }
      // Whether a rule is open can differ between cells: by the sign, lists that do are told apart.
      let list = fitting.map { filters[$0].isOpen(in: cell) ? -1 - $0 : $0 }
      if let known = numbers[list] {
        cells.append(known)
        continue
      }
      var composition = Composition()
      for rule in list where rule >= 0 { composition.lay(rules[rule]) }
      // There are fewer plans than cells, and these are some thousand.
      let plan = UInt16(plans.count)
      plans.append(Plan(rules: fitting, open: open, treatment: composition.treatment))
      numbers[list] = plan
      cells.append(plan)
    }
    self.rules = rules
    self.plans = plans
    self.cells = cells
  }

  func treatment(of facts: Facts) -> Treatment {
    let number = Int(cells[Cell(facts).number])
    if plans[number].open.isEmpty { return plans[number].treatment }
    return treatment(of: facts, by: plans[number])
  }

  private func treatment(of facts: Facts, by plan: Plan) -> Treatment {
    var text = UnescapedText(facts.text)
    guard plan.open.contains(where: { rules[$0].matchers.match(facts, &text) }) else {
      return plan.treatment
    }
    var composition = Composition()
    var open = plan.open[...]
    for rule in plan.rules {
      if rule == open.first {
        open.removeFirst()
        guard rules[rule].matchers.match(facts, &text) else { continue }
      }
      composition.lay(rules[rule])
    }
    return composition.treatment
  }

  /// The plan of a combination, for whoever wants to know how it comes about.
  func plan(of cell: Cell) -> Plan { plans[Int(cells[cell.number])] }

  func rule(_ number: Int) -> Rule { rules[number] }
}
