// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One rule: what it is for, what it sets, and where it stands.
public struct Rule: Equatable, Sendable {
  /// Told with each decision that comes from the rule; several may share one.
  public var name: String
  public var matchers = Matchers()
  public var settings = RuleSettings()
  /// Nil for those that are built in.
  public var place: Place?

  /// Where a rule stands, lines and columns from 1.
  public struct Place: Equatable, Sendable {
    public let file: String
    public let line: Int64
    public let column: Int64

    public init(file: String, line: Int64, column: Int64) {
      self.file = file
      self.line = line
      self.column = column
    }
  }

  public init(_ name: String) { self.name = name }

  init(_ name: String, _ body: (inout Rule) -> Void) {
    self.name = name
    body(&self)
  }
}
