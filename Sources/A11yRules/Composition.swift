// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A treatment in the making: rules are laid over each other, in their order.
struct Composition {
  private var rule = builtIn
  private var key = Treatment.Value([KeyParts](), rule: builtIn)
  private var leading = Treatment.Value(true, rule: builtIn)
  private var debounce = Treatment.Value(TimeSpan.zero, rule: builtIn)
  private var maxWait = Treatment.Value(TimeSpan.zero, rule: builtIn)
  private var rate = Treatment.Value(Rate?.none, rule: builtIn)
  private var burst = Treatment.Value(Int64(1), rule: builtIn)
  private var over = Treatment.Value(Excess.defer, rule: builtIn)
  private var dedupe = Treatment.Value(Treatment.Dedupe?.none, rule: builtIn)
  private var ttl = Treatment.Value(TimeSpan?.none, rule: builtIn)
  private var mode = Treatment.Value(Mode.all, rule: builtIn)
  private var priority = Treatment.Value(Priority?.none, rule: builtIn)
  private var present = Treatment.Value(Presentation.speech, rule: builtIn)
  private var onlyIfUser = Treatment.Value(false, rule: builtIn)
  private var hold = Treatment.Value(TimeSpan.zero, rule: builtIn)
  /// A longer text is truncated and flagged; the rules that are shipped leave this alone.
  private var maxChars = Treatment.Value(Int64(4_000), rule: builtIn)

  /// The source of values that no rule gives.
  static let builtIn = "built in"

  mutating func lay(_ rule: Rule) {
    let (name, settings) = (rule.name, rule.settings)
    self.rule = name
    if let value = settings.key { key = .init(value, rule: name) }
    if let value = settings.leading { leading = .init(value, rule: name) }
    if let value = settings.debounce { debounce = .init(value, rule: name) }
    if let value = settings.maxWait { maxWait = .init(value, rule: name) }
    if let value = settings.rate { rate = .init(value, rule: name) }
    if let value = settings.burst { burst = .init(value, rule: name) }
    if let value = settings.over { over = .init(value, rule: name) }
    if let value = settings.dedupe { dedupe = .init(value, rule: name) }
    if let value = settings.ttl { ttl = .init(value, rule: name) }
    if let value = settings.mode { mode = .init(value, rule: name) }
    if let value = settings.priority { priority = .init(value, rule: name) }
    if let value = settings.present { present = .init(value, rule: name) }
    if let value = settings.onlyIfUser { onlyIfUser = .init(value, rule: name) }
    if let value = settings.hold { hold = .init(value, rule: name) }
    if let value = settings.maxChars { maxChars = .init(value, rule: name) }
  }

  var treatment: Treatment {
    Treatment(
      rule: rule,
      key: key,
      leading: leading,
      debounce: debounce,
      maxWait: maxWait,
      rate: rate,
      burst: burst,
      over: over,
      dedupe: dedupe,
      ttl: ttl,
      mode: mode,
      priority: priority,
      present: present,
      onlyIfUser: onlyIfUser,
      hold: hold,
      maxChars: maxChars
    )
  }
}
