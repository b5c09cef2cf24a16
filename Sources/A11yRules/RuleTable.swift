// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The rules that match, looked up beforehand for all facts that have few values.
///
/// Type, class, priority, cause and the three yes-or-no questions have some thousand combinations.
/// Most rules match nothing else, so that nearly every event finds its treatment in a table. A rule
/// that matches a name, a trait or a text is open: it is tried on the events that it could match.
/// Most open rules ask for an app, a window or an element by its name, and are looked up by that.
public final class RuleTable: Sendable {
  /// Rules that match all events of some combinations, as far as these tell.
  struct Plan: Sendable {
    /// Numbers of rules, in order; the open ones among them have to be tried.
    let rules: [Int]
    let open: [Int]
    /// The open ones that no name leads to.
    fileprivate let nameless: [Int]
    /// The treatment by the rules that are not open.
    let treatment: Treatment
    fileprivate let composition: Composition
  }

  private let rules: [Rule]
  private let filters: [CellFilter]
  private let plans: [Plan]
  /// The plan of each combination.
  private let cells: [UInt16]
  /// The treatment of each plan; nil for plans with open rules.
  private let settled: [Treatment?]
  private let names: NamedRules
  /// The matchers of each rule, in objects, so that asking them copies nothing.
  private let questions: [Question]

  private final class Question: Sendable {
    let matchers: Matchers

    init(_ matchers: Matchers) { self.matchers = matchers }

    func match(_ facts: borrowing Facts, _ text: inout UnescapedText) -> Bool {
      matchers.match(facts, &text)
    }
  }

  let looksAtTexts: Bool

  init(_ rules: [Rule]) {
    looksAtTexts = rules.contains { $0.matchers.texts != nil }
    names = NamedRules(rules)
    var draft = Draft(rules, names)
    draft.fillCells()
    self.rules = rules
    filters = draft.filters
    plans = draft.plans
    cells = draft.cells
    settled = draft.plans.map { $0.open.isEmpty ? $0.treatment : nil }
    questions = rules.map { Question($0.matchers) }
  }

  /// The treatment of an event with these facts.
  public func treatment(of facts: borrowing Facts) -> Treatment {
    settledTreatment(of: facts) ?? treatment(by: laidRules(of: facts))
  }

  /// The treatment of an event whose plan has no open rules; nil where it has some.
  func settledTreatment(of facts: borrowing Facts) -> Treatment? {
    settled[Int(cells[Cell(facts).number])]
  }

  /// The open rules that match an event, with its plan.
  func laidRules(of facts: borrowing Facts) -> LaidRules {
    let cell = Cell(facts)
    let plan = Int(cells[cell.number])
    var laid = LaidRules(on: plan)
    var text = UnescapedText(facts.text)
    for number in plans[plan].nameless where questions[number].match(facts, &text) {
      laid.lay(number)
    }
    names.forEach(of: facts) { number in
      if filters[number].admits(cell), questions[number].match(facts, &text) { laid.lay(number) }
    }
    return laid
  }

  /// The treatment by the rules of a plan, and by the open ones on top.
  func treatment(by laid: borrowing LaidRules) -> Treatment {
    if laid.isEmpty { return plans[laid.plan].treatment }
    var composition = plans[laid.plan].composition
    laid.forEach { composition.lay(rules[$0], $0) }
    return composition.treatment
  }

  /// The number of a cell's plan.
  func planNumber(_ cell: Int) -> Int { Int(cells[cell]) }

  func plan(_ number: Int) -> Plan { plans[number] }
}

/// The table on its way, cell by cell in the order of their numbers.
private struct Draft {
  let rules: [Rule]
  let filters: [CellFilter]
  private let names: NamedRules
  var plans: [RuleTable.Plan] = []
  var cells: [UInt16] = []
  /// The plans by the numbers of their rules; the complement of a number stands for an open rule.
  private var numbers: [[Int]: UInt16] = [:]

  init(_ rules: [Rule], _ names: NamedRules) {
    self.rules = rules
    self.names = names
    filters = rules.map { CellFilter($0.matchers) }
    cells.reserveCapacity(Cell.count)
  }

  mutating func fillCells() {
    for topic in 0..<Cell.topics {
      let ofTopic = rules.indices.filter { filters[$0].admits(topic: topic) }
      for speechClass in 0..<Cell.classes {
        let ofClass = ofTopic.filter { filters[$0].admits(speechClass: speechClass) }
        for priority in 0..<Cell.priorities {
          let fitting = ofClass.filter { filters[$0].admits(priority: priority) }
          fillCircumstances(with: fitting, at: speechClass)
        }
      }
    }
  }

  private mutating func fillCircumstances(with fitting: [Int], at speechClass: Int) {
    if fitting.allSatisfy({ filters[$0].admitsAllCircumstances }) {
      let plan = plan(of: fitting, at: speechClass)
      cells.append(contentsOf: repeatElement(plan, count: Cell.circumstances))
      return
    }
    for number in 0..<Cell.circumstances {
      let cell = Cell(number)
      let rules = fitting.filter { filters[$0].admits(circumstances: cell) }
      cells.append(plan(of: rules, at: speechClass))
    }
  }

  private mutating func plan(of fitting: [Int], at speechClass: Int) -> UInt16 {
    let list = fitting.map { filters[$0].isOpen(at: speechClass) ? ~$0 : $0 }
    if let known = numbers[list] { return known }
    var composition = Composition()
    for rule in list where rule >= 0 { composition.lay(rules[rule], rule) }
    // There are no more plans than cells, and these are some thousand.
    let number = UInt16(plans.count)
    let open = list.filter { $0 < 0 }.map { ~$0 }
    plans.append(
      RuleTable.Plan(
        rules: fitting,
        open: open,
        nameless: open.filter { !names.contains($0) },
        treatment: composition.treatment,
        composition: composition
      )
    )
    numbers[list] = number
    return number
  }
}
