// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// How an event ends, and why.
///
/// Handed from the stage that decides it to the outcome, and large: an object is not copied on the
/// way.
final class Ending: Sendable {
  let result: Result
  /// The entry that brings the end about.
  let by: Seq?
  /// The name of the rule that decides.
  let rule: String
  let why: Why

  init(_ result: Result, by: Seq?, rule: String, _ why: consuming Why = Why()) {
    self.result = result
    self.by = by
    self.rule = rule
    self.why = why
  }

  convenience init(_ result: Result, by: Seq?, rule: OwnRule, _ why: consuming Why = Why()) {
    self.init(result, by: by, rule: rule.name, why)
  }
}
