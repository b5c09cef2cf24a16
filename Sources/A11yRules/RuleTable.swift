// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

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

/// The facts of an event that have few values, as one number.
struct Cell {
  let topic: Int
  let speechClass: Int
  let priority: Int
  let cause: Int
  let isForeground: Bool
  let isFocused: Bool
  let isContinuous: Bool

  static let topics = Topic.allCases.count
  static let classes = SpeechClass.otherNumber + 1
  static let priorities = Priority.allCases.count
  /// The combinations of cause, foreground, focused and continuous.
  static let circumstances = 16
  static let count = topics * classes * priorities * circumstances

  init(_ facts: borrowing Facts) {
    topic = facts.topic.number
    speechClass = facts.speechClass.number
    priority = facts.priority.rank
    cause = facts.cause.number
    isForeground = facts.isForeground
    isFocused = facts.isFocused
    isContinuous = facts.isContinuous
  }

  init(_ number: Int) {
    isForeground = number & 1 != 0
    isFocused = number & 2 != 0
    isContinuous = number & 4 != 0
    cause = number >> 3 & 1
    var rest = number >> 4
    priority = rest % Self.priorities
    rest /= Self.priorities
    speechClass = rest % Self.classes
    topic = rest / Self.classes
  }

  var number: Int {
    let flags = (isForeground ? 1 : 0) | (isFocused ? 2 : 0) | (isContinuous ? 4 : 0)
    let kind = (topic * Self.classes + speechClass) * Self.priorities + priority
    return kind * Self.circumstances + cause * 8 + flags
  }
}

/// A rule's matchers of facts that have few values, as bits: every rule is asked about every cell.
struct CellFilter {
  private var topics: UInt32 = .max
  private var classes: UInt32 = .max
  private var priorities: UInt32 = .max
  private var causes: UInt32 = .max
  private let isForeground: Bool?
  private let isFocused: Bool?
  private let isContinuous: Bool?
  private let areOpen: Bool
  private let namesClasses: Bool

  init(_ matchers: Matchers) {
    if let types = matchers.types { topics = Self.bits(types.map(\.number)) }
    if let names = matchers.classes {
      classes = Self.bits(names.map { SpeechClass($0).number })
    }
    if let words = matchers.priorities { priorities = Self.bits(words.map(\.rank)) }
    if let words = matchers.causes { causes = Self.bits(words.map(\.number)) }
    isForeground = matchers.isForeground
    isFocused = matchers.isFocused
    isContinuous = matchers.isContinuous
    areOpen = matchers.areOpen
    namesClasses = matchers.classes != nil
  }

  private static func bits(_ numbers: [Int]) -> UInt32 {
    numbers.reduce(0) { $0 | 1 << UInt32($1) }
  }

  func admits(topic: Int) -> Bool { topics & 1 << UInt32(topic) != 0 }

  func admits(speechClass: Int) -> Bool { classes & 1 << UInt32(speechClass) != 0 }

  func admits(priority: Int) -> Bool { priorities & 1 << UInt32(priority) != 0 }

  /// Whether the rule may match events of this cell, as far as its circumstances tell.
  func admits(circumstances cell: Cell) -> Bool {
    causes & 1 << UInt32(cell.cause) != 0
      && (isForeground ?? cell.isForeground) == cell.isForeground
      && (isFocused ?? cell.isFocused) == cell.isFocused
      && (isContinuous ?? cell.isContinuous) == cell.isContinuous
  }

  /// Whether the rule may match events of this cell, as far as that tells.
  func admits(_ cell: Cell) -> Bool {
    admits(topic: cell.topic) && admits(speechClass: cell.speechClass)
      && admits(priority: cell.priority) && admits(circumstances: cell)
  }

  /// Whether the rule asks for none of the circumstances.
  var admitsAllCircumstances: Bool {
    causes == .max && isForeground == nil && isFocused == nil && isContinuous == nil
  }

  /// Whether only the event itself can tell if the rule matches; so at classes that only apps know.
  func isOpen(at speechClass: Int) -> Bool {
    areOpen || namesClasses && speechClass == SpeechClass.otherNumber
  }
}

/// A treatment in the making: rules are laid over each other.
///
/// Each setting knows the number of the rule that gave it, so that rules may be laid in any order:
/// the rules that only an event can tell come on top of those that are known beforehand.
struct Composition: Sendable {
  struct Setting<T: Sendable & Equatable>: Sendable {
    private(set) var value: Treatment.Value<T>
    private var number = -1

    init(_ value: T) { self.value = Treatment.Value(value, rule: builtIn) }

    /// Gives it a rule's value, unless a later rule has given one.
    mutating func give(_ value: T?, _ rule: String, _ number: Int) {
      guard let value, number > self.number else { return }
      self.value = Treatment.Value(value, rule: rule)
      self.number = number
    }

    func isGiven(by number: Int) -> Bool { self.number == number }
  }

  private(set) var rule = builtIn
  private var number = -1
  private(set) var key = Setting([KeyParts]())
  private(set) var leading = Setting(true)
  private(set) var debounce = Setting(TimeSpan.zero)
  private(set) var maxWait = Setting(TimeSpan.zero)
  private(set) var rate = Setting(Rate?.none)
  private(set) var burst = Setting(Int64(1))
  private(set) var over = Setting(Excess.defer)
  private(set) var dedupe = Setting(Treatment.Dedupe?.none)
  private(set) var ttl = Setting(TimeSpan?.none)
  private(set) var isTTLShipped = true
  private(set) var mode = Setting(Mode.all)
  private(set) var priority = Setting(Priority?.none)
  private(set) var present = Setting(Presentation.speech)
  private(set) var onlyIfUser = Setting(false)
  private(set) var hold = Setting(TimeSpan.zero)
  /// A longer text is truncated and flagged; the rules that are shipped leave this alone.
  private(set) var maxChars = Setting(Int64(4_000))

  /// The source of values that no rule gives.
  static let builtIn = "built in"

  /// Lays the rule that is `number` in the order of all.
  mutating func lay(_ rule: borrowing Rule, _ number: Int) {
    let name = rule.name
    if number > self.number { (self.rule, self.number) = (name, number) }
    key.give(rule.settings.key, name, number)
    leading.give(rule.settings.leading, name, number)
    debounce.give(rule.settings.debounce, name, number)
    maxWait.give(rule.settings.maxWait, name, number)
    rate.give(rule.settings.rate, name, number)
    burst.give(rule.settings.burst, name, number)
    over.give(rule.settings.over, name, number)
    dedupe.give(rule.settings.dedupe, name, number)
    ttl.give(rule.settings.ttl, name, number)
    if ttl.isGiven(by: number) { isTTLShipped = rule.place == nil }
    mode.give(rule.settings.mode, name, number)
    // Wrapped once more: a rule that gives no priority must not take one away.
    priority.give(rule.settings.priority.map(Optional.some), name, number)
    present.give(rule.settings.present, name, number)
    onlyIfUser.give(rule.settings.onlyIfUser, name, number)
    hold.give(rule.settings.hold, name, number)
    maxChars.give(rule.settings.maxChars, name, number)
  }

  var treatment: Treatment { Treatment(self) }
}

/// The open rules that match an event, on top of the rules of its plan.
struct LaidRules {
  let plan: Int
  /// The rules as one number; nil for more of them than it can name.
  private var packed: Int64? = 0
  private var numbers: [5 of Int]
  private var count = 0
  /// The rules behind the first five.
  private var others: [Int] = []

  init(on plan: Int) {
    self.plan = plan
    numbers = [5 of Int](repeating: 0)
  }

  var isEmpty: Bool { count == 0 }

  mutating func lay(_ number: Int) {
    if count < numbers.count {
      numbers[count] = number
      packed = packed.map { $0 << 10 | Int64(number + 1) }
    } else {
      others.append(number)
      packed = nil
    }
    count += 1
  }

  /// Plan and rules as one number: five rules of 512 leave room for that of a plan, of which there
  /// are some thousand.
  fileprivate var mark: Int64? { packed.map { Int64(plan) << 50 | $0 } }

  func forEach(_ body: (Int) -> Void) {
    for index in 0..<min(count, numbers.count) { body(numbers[index]) }
    for number in others { body(number) }
  }
}

/// The treatments that open rules have led to, so that the next event like it finds its own.
///
/// To put one together costs as much as a fifth of all work for an event. A treatment follows from
/// the rules alone, so that forgetting one changes nothing.
struct LaidTreatments: Sendable {
  private struct Mark: TableKey {
    let tableNumber: Int64
  }

  private var known: [Mark: Treatment] = [:]

  /// Treatments that are kept; at the bound all of them go.
  private static let room = 1_024

  mutating func recall(_ rules: borrowing LaidRules, in table: RuleTable) -> Treatment {
    guard !rules.isEmpty, let mark = rules.mark.map(Mark.init(tableNumber:)) else {
      return table.treatment(by: rules)
    }
    if let treatment = known[mark] { return treatment }
    if known.count == Self.room { known.removeAll() }
    let treatment = table.treatment(by: rules)
    known[mark] = treatment
    return treatment
  }
}
