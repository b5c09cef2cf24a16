// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// All rules that are in force, in their order.
package struct RuleSet: Sendable {
  /// What is assumed of a reader that does not report the end of what it speaks.
  package struct Reader: Sendable, Equatable {
    /// How long a character takes, in microseconds.
    package var perCharacter: Int64 = 50_000
    /// How long it may take beyond that.
    package var grace: Int64 = 2_000_000

    package init() {}
  }

  package var reader = Reader()

  /// Whether any rule wants to know what is said.
  package var looksAtTexts: Bool { false }

  package init() {}

  /// The rules that an entry says were loaded.
  package init?(_ entry: JSONDocument, _ event: JSONIndex) { self.init() }

  /// Appends them as members of an object.
  package func write(into out: inout ByteBuffer) {}

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
