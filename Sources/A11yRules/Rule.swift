// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One rule: what it is for, what it sets, and where it stands.
package struct Rule: Equatable, Sendable {
  /// Told with each decision that comes from the rule; several may share one.
  package var name: String
  package var matchers = Matchers()
  package var settings = RuleSettings()
  /// Nil for those that are built in.
  package var place: Place?

  /// Where a rule stands, lines and columns from 1.
  package struct Place: Equatable, Sendable {
    package let file: String
    package let line: Int64
    package let column: Int64

    package init(file: String, line: Int64, column: Int64) {
      self.file = file
      self.line = line
      self.column = column
    }
  }

  package init(_ name: String) { self.name = name }

  init(_ name: String, _ body: (inout Rule) -> Void) {
    self.name = name
    body(&self)
  }
}
