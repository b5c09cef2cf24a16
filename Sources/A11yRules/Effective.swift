// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
