// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The treatment of an event: for each setting, the value of the last rule that matched and gave
/// it.
public final class Treatment: Sendable {
  /// A setting with the name of the rule that it comes from.
  public struct Value<T: Sendable & Equatable>: Sendable, Equatable {
    public let value: T
    public let rule: String

    public init(_ value: T, rule: String) {
      self.value = value
      self.rule = rule
    }
  }

  /// The time for which an event is a duplicate of another.
  public enum Dedupe: Sendable, Equatable {
    case time(TimeSpan)
    /// A duplicate for as long as nothing else comes in between.
    case whileEqual
  }

  /// The last rule that matched.
  public let rule: String
  /// Keys, of which the first counts whose parts the event has; empty for none.
  public let key: Value<[KeyParts]>
  public let leading: Value<Bool>
  public let debounce: Value<TimeSpan>
  /// Zero for no bound.
  public let maxWait: Value<TimeSpan>
  public let rate: Value<Rate?>
  public let burst: Value<Int64>
  public let over: Value<Excess>
  public let dedupe: Value<Dedupe?>
  /// Nil for as long as the event is of use.
  public let ttl: Value<TimeSpan?>
  /// Whether that is a default, which an event with `queue` need not keep.
  public let isTTLShipped: Bool
  public let mode: Value<Mode>
  /// Nil for the priority of the event itself.
  public let priority: Value<Priority?>
  public let present: Value<Presentation>
  public let onlyIfUser: Value<Bool>
  /// The time for which an event waits for the feedback of its action; zero if it does not.
  public let hold: Value<TimeSpan>
  /// The most characters that are spoken.
  public let maxChars: Value<Int64>

  public init(
    rule: String,
    key: Value<[KeyParts]>,
    leading: Value<Bool>,
    debounce: Value<TimeSpan>,
    maxWait: Value<TimeSpan>,
    rate: Value<Rate?>,
    burst: Value<Int64>,
    over: Value<Excess>,
    dedupe: Value<Dedupe?>,
    ttl: Value<TimeSpan?>,
    isTTLShipped: Bool,
    mode: Value<Mode>,
    priority: Value<Priority?>,
    present: Value<Presentation>,
    onlyIfUser: Value<Bool>,
    hold: Value<TimeSpan>,
    maxChars: Value<Int64>
  ) {
    self.rule = rule
    self.key = key
    self.leading = leading
    self.debounce = debounce
    self.maxWait = maxWait
    self.rate = rate
    self.burst = burst
    self.over = over
    self.dedupe = dedupe
    self.ttl = ttl
    self.isTTLShipped = isTTLShipped
    self.mode = mode
    self.priority = priority
    self.present = present
    self.onlyIfUser = onlyIfUser
    self.hold = hold
    self.maxChars = maxChars
  }
}
