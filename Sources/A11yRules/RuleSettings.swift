// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What a rule sets; nil where it leaves a setting to others.
///
/// Times are in microseconds, and mean what they mean in a `Treatment`.
package struct RuleSettings: Equatable, Sendable {
  package var key: [KeyParts]?
  package var leading: Bool?
  package var debounce: Int64?
  package var maxWait: Int64?
  package var rate: Rate??
  package var burst: Int64?
  package var over: Excess?
  package var dedupe: Treatment.Window??
  package var ttl: Int64??
  package var mode: Mode?
  package var priority: Priority?
  package var present: Presentation?
  package var onlyIfUser: Bool?
  package var hold: Int64?
  package var maxChars: Int64?

  package init() {}
}
