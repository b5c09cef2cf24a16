// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

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
