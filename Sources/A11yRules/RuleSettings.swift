// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The settings of a rule; nil where it leaves one to other rules.
///
/// Times mean what they mean in a `Treatment`.
public struct RuleSettings: Equatable, Sendable {
  public var key: [KeyParts]?
  public var leading: Bool?
  public var debounce: TimeSpan?
  public var maxWait: TimeSpan?
  public var rate: Rate??
  public var burst: Int64?
  public var over: Excess?
  public var dedupe: Treatment.Dedupe??
  public var ttl: TimeSpan??
  public var mode: Mode?
  public var priority: Priority?
  public var present: Presentation?
  public var onlyIfUser: Bool?
  public var hold: TimeSpan?
  public var maxChars: Int64?

  public init() {}
}
