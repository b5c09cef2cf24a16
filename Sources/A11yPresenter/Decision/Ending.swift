// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// How an event ends, and why.
struct Ending: Sendable {
  let result: Result
  /// The entry that brings the end about.
  let by: Seq?
  /// The name of the rule that decides.
  let rule: String
  var why: Why

  init(_ result: Result, by: Seq?, rule: String, _ why: consuming Why = Why()) {
    self.result = result
    self.by = by
    self.rule = rule
    self.why = why
  }

  init(_ result: Result, by: Seq?, rule: OwnRule, _ why: consuming Why = Why()) {
    self.init(result, by: by, rule: rule.name, why)
  }
}
