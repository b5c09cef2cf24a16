// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The settings of a rule; nil where it leaves one to other rules.
///
/// Times are in microseconds, and mean what they mean in a `Treatment`.
public struct RuleSettings: Equatable, Sendable {
  public var key: [KeyParts]?
  public var leading: Bool?
  public var debounce: Int64?
  public var maxWait: Int64?
  public var rate: Rate??
  public var burst: Int64?
  public var over: Excess?
  public var dedupe: Treatment.Dedupe??
  public var ttl: Int64??
  public var mode: Mode?
  public var priority: Priority?
  public var present: Presentation?
  public var onlyIfUser: Bool?
  public var hold: Int64?
  public var maxChars: Int64?

  public init() {}
}
