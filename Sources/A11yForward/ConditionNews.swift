// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The condition of the sending, as it is told to the operator.
///
/// A wait is told even if it is over before the loop comes to look.
package struct ConditionNews: Sendable {
  private var current = ForwardCondition.connecting
  /// The newest wait that was over before it was taken.
  private var passed: ForwardCondition?
  private var isTaken = false

  package init() {}

  /// Takes a condition over; true where it is of another kind than the last one.
  package mutating func enter(_ condition: ForwardCondition) -> Bool {
    let last = current
    current = condition
    guard last.kind != condition.kind else { return false }
    if !isTaken, last.isWait { passed = last }
    isTaken = false
    return true
  }

  /// The conditions to tell, in their order; the last one is there each time.
  package mutating func collect() -> [ForwardCondition] {
    defer { (passed, isTaken) = (nil, true) }
    return [passed, current].compactMap { $0 }
  }
}
