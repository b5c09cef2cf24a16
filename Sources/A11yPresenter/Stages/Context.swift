// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yRules
internal import A11yWire

/// The surroundings of a step, as every stage may see them.
struct Context {
  /// The instant of the entry or the alarm.
  let now: Instant
  /// The seq of the entry, or of the entry that has set the alarm.
  let cause: Seq
  let rules: RuleTable
}
