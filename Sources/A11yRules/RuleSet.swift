// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// All rules that are in force, in their order.
package struct RuleSet: Sendable {
  package init() {}

  /// How an event is treated of which this is known.
  package func treatment(of facts: Facts) -> Treatment {
    func none<T>(_ value: T) -> Treatment.Value<T> { Treatment.Value(value, rule: "built in") }
    return Treatment(
      rule: "built in",
      key: none([]),
      leading: none(true),
      debounce: none(0),
      maxWait: none(0),
      rate: none(nil),
      burst: none(1),
      over: none(.defer),
      dedupe: none(nil),
      ttl: none(10_000_000),
      mode: none(.all),
      priority: none(nil),
      present: none(.speech),
      onlyIfUser: none(false),
      hold: none(150_000),
      maxChars: none(4_000)
    )
  }
}
