// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One rule: the events that it matches, the settings that it gives them, and its place.
public struct Rule: Equatable, Sendable {
  /// The name that decisions of the rule carry; several rules may share one.
  public var name: String
  public var matchers = Matchers()
  public var settings = RuleSettings()
  /// Nil for rules that are built in.
  public var place: Place?

  /// The place of a rule in a file, lines and columns counted from 1.
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
