// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The treatment of an event: for each setting, the value of the last rule that matched and gave
/// it.
public final class Treatment: Sendable {
  /// A setting with the name of the rule that it comes from.
  public struct Value<T: Sendable & Equatable>: Sendable, Equatable {
    public let value: T
    public let rule: String

    public init(_ value: T, rule: String) {
      self.value = value
      self.rule = rule
    }
  }

  /// The time for which an event is a duplicate of another.
  public enum Dedupe: Sendable, Equatable {
    case time(TimeSpan)
    /// A duplicate for as long as nothing else comes in between.
    case whileEqual
  }

  /// The last rule that matched.
  public let rule: String
  /// Keys, of which the first counts whose parts the event has; empty for none.
  public let key: Value<[KeyParts]>
  public let leading: Value<Bool>
  public let debounce: Value<TimeSpan>
  /// Zero for no bound.
  public let maxWait: Value<TimeSpan>
  public let rate: Value<Rate?>
  /// The print of the rule of the rate, by which the buckets of an app are told apart.
  public let ratePrint: Fingerprint
  public let burst: Value<Int64>
  public let over: Value<Excess>
  public let dedupe: Value<Dedupe?>
  /// Nil for as long as the event is of use.
  public let ttl: Value<TimeSpan?>
  /// Whether that is a default, which an event with `queue` need not keep.
  public let isTTLShipped: Bool
  public let mode: Value<Mode>
  /// Nil for the priority of the event itself.
  public let priority: Value<Priority?>
  public let present: Value<Presentation>
  public let onlyIfUser: Value<Bool>
  /// The time for which an event waits for the feedback of its action; zero if it does not.
  public let hold: Value<TimeSpan>
  /// The most characters that are spoken.
  public let maxChars: Value<Int64>

  init(_ composition: Composition) {
    rule = composition.rule
    key = composition.key.value
    leading = composition.leading.value
    debounce = composition.debounce.value
    maxWait = composition.maxWait.value
    rate = composition.rate.value
    ratePrint = Fingerprint.ofWord(composition.rate.value.rule)
    burst = composition.burst.value
    over = composition.over.value
    dedupe = composition.dedupe.value
    ttl = composition.ttl.value
    isTTLShipped = composition.isTTLShipped
    mode = composition.mode.value
    priority = composition.priority.value
    present = composition.present.value
    onlyIfUser = composition.onlyIfUser.value
    hold = composition.hold.value
    maxChars = composition.maxChars.value
  }
}

/// Events that are treated alike, as far as their type, class, priority and circumstances tell.
struct EffectiveRow {
  let topic: Topic
  /// Nil for all classes; `SpeechClass.otherNumber` stands for those that only apps know.
  let classes: [Int]?
  let priorities: [Priority]?
  let cause: Causation?
  let isContinuous: Bool?
  let isFocused: Bool?
  let isForeground: Bool?
  let plan: RuleTable.Plan
}

/// The table of treatments for readers: no more rows than there are differences.
struct EffectiveRows {
  private let table: RuleTable
  private(set) var rows: [EffectiveRow] = []

  init(_ table: RuleTable) {
    self.table = table
    for topic in Topic.allCases { addRows(of: topic) }
  }

  private mutating func addRows(of topic: Topic) {
    let all = Array(0..<Cell.classes)
    for classes in Self.alike(all, { kinds(topic, $0) }) {
      let grid = kinds(topic, classes[0])
      let ranks = Array(grid.indices)
      for alike in Self.alike(ranks, { grid[$0] }) {
        let priorities = Priority.allCases.filter { alike.contains($0.rank) }
        addRows(
          topic,
          classes.count == all.count ? nil : classes,
          alike.count == ranks.count ? nil : priorities,
          grid[alike[0]]
        )
      }
    }
  }

  /// Adds a row for each of the circumstances that make a difference.
  private mutating func addRows(
    _ topic: Topic,
    _ classes: [Int]?,
    _ priorities: [Priority]?,
    _ plans: [Int]
  ) {
    let telling = (0..<4).map { 1 << $0 }.filter { bit in
      plans.indices.contains { plans[$0] != plans[$0 ^ bit] }
    }
    let mask = telling.reduce(0, |)
    for circumstances in plans.indices where circumstances & ~mask == 0 {
      let cell = Cell(circumstances)
      let cause = Causation.allCases.first { $0.number == cell.cause }
      rows.append(
        EffectiveRow(
          topic: topic,
          classes: classes,
          priorities: priorities,
          cause: mask & 8 != 0 ? cause : nil,
          isContinuous: mask & 4 != 0 ? cell.isContinuous : nil,
          isFocused: mask & 2 != 0 ? cell.isFocused : nil,
          isForeground: mask & 1 != 0 ? cell.isForeground : nil,
          plan: table.plan(plans[circumstances])
        )
      )
    }
  }

  /// The plans of a class: for each priority those of all circumstances.
  private func kinds(_ topic: Topic, _ speechClass: Int) -> [[Int]] {
    (0..<Cell.priorities).map { priority in
      (0..<Cell.circumstances).map { circumstances in
        let kind = (topic.number * Cell.classes + speechClass) * Cell.priorities + priority
        return table.planNumber(kind * Cell.circumstances + circumstances)
      }
    }
  }

  /// Groups those for which `said` is the same.
  private static func alike<Said: Equatable>(_ all: [Int], _ said: (Int) -> Said) -> [[Int]] {
    var groups: [(said: Said, members: [Int])] = []
    for one in all {
      let words = said(one)
      if let known = groups.firstIndex(where: { $0.said == words }) {
        groups[known].members.append(one)
      } else {
        groups.append((words, [one]))
      }
    }
    return groups.map(\.members)
  }
}

/// The assumed pace of a reader that does not report when it has spoken.
public struct ReaderPace: Sendable, Equatable {
  /// The time for a character.
  public var perCharacter = TimeSpan.milliseconds(50)
  /// The time that an utterance may take beyond its characters.
  public var grace = TimeSpan.seconds(2)

  /// The language of the bus's own words.
  public var language = WordLanguage.english
  /// Whether hints are spoken.
  public var speaksHints = true
  /// Whether states are spoken, such as selected and dimmed.
  public var speaksStates = true

  public init() {}

  public init(perCharacter: TimeSpan, grace: TimeSpan) {
    self.perCharacter = perCharacter
    self.grace = grace
  }
}
