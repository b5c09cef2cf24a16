// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A treatment in the making: rules are laid over each other.
///
/// Each setting knows the number of the rule that gave it, so that rules may be laid in any order:
/// the rules that only an event can tell come on top of those that are known beforehand.
struct Composition: Sendable {
  private struct Setting<T: Sendable & Equatable>: Sendable {
    private(set) var value: Treatment.Value<T>
    private var number = -1

    init(_ value: T) { self.value = Treatment.Value(value, rule: builtIn) }

    /// Gives it a rule's value, unless a later rule has given one.
    mutating func give(_ value: T?, _ rule: String, _ number: Int) {
      guard let value, number > self.number else { return }
      self.value = Treatment.Value(value, rule: rule)
      self.number = number
    }

    func isGiven(by number: Int) -> Bool { self.number == number }
  }

  private var rule = builtIn
  private var number = -1
  private var key = Setting([KeyParts]())
  private var leading = Setting(true)
  private var debounce = Setting(TimeSpan.zero)
  private var maxWait = Setting(TimeSpan.zero)
  private var rate = Setting(Rate?.none)
  private var burst = Setting(Int64(1))
  private var over = Setting(Excess.defer)
  private var dedupe = Setting(Treatment.Dedupe?.none)
  private var ttl = Setting(TimeSpan?.none)
  private var isTTLShipped = true
  private var mode = Setting(Mode.all)
  private var priority = Setting(Priority?.none)
  private var present = Setting(Presentation.speech)
  private var onlyIfUser = Setting(false)
  private var hold = Setting(TimeSpan.zero)
  /// A longer text is truncated and flagged; the rules that are shipped leave this alone.
  private var maxChars = Setting(Int64(4_000))

  /// The source of values that no rule gives.
  static let builtIn = "built in"

  /// Lays the rule that is `number` in the order of all.
  mutating func lay(_ rule: borrowing Rule, _ number: Int) {
    let name = rule.name
    if number > self.number { (self.rule, self.number) = (name, number) }
    key.give(rule.settings.key, name, number)
    leading.give(rule.settings.leading, name, number)
    debounce.give(rule.settings.debounce, name, number)
    maxWait.give(rule.settings.maxWait, name, number)
    rate.give(rule.settings.rate, name, number)
    burst.give(rule.settings.burst, name, number)
    over.give(rule.settings.over, name, number)
    dedupe.give(rule.settings.dedupe, name, number)
    ttl.give(rule.settings.ttl, name, number)
    if ttl.isGiven(by: number) { isTTLShipped = rule.place == nil }
    mode.give(rule.settings.mode, name, number)
    // Wrapped once more: a rule that gives no priority must not take one away.
    priority.give(rule.settings.priority.map(Optional.some), name, number)
    present.give(rule.settings.present, name, number)
    onlyIfUser.give(rule.settings.onlyIfUser, name, number)
    hold.give(rule.settings.hold, name, number)
    maxChars.give(rule.settings.maxChars, name, number)
  }

  var treatment: Treatment {
    Treatment(
      rule: rule,
      key: key.value,
      leading: leading.value,
      debounce: debounce.value,
      maxWait: maxWait.value,
      rate: rate.value,
      burst: burst.value,
      over: over.value,
      dedupe: dedupe.value,
      ttl: ttl.value,
      isTTLShipped: isTTLShipped,
      mode: mode.value,
      priority: priority.value,
      present: present.value,
      onlyIfUser: onlyIfUser.value,
      hold: hold.value,
      maxChars: maxChars.value
    )
  }
}
