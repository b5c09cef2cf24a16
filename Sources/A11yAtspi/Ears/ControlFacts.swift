// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// A control that has the focus, as it is spoken.
package struct ControlFacts: Equatable, Sendable {
  package var facts: SourceFacts
  /// The states; nil where the program has not told them.
  package var states: AtspiStates?
  package var description: String
  /// The text in a field that is no secret, the value of a slider or the choice of a combo box.
  package var text: String?
  /// The message about a value that is not accepted.
  package var error: String?
  /// The place among those that it belongs to.
  package var place: SetPlace?
  /// The dialog around it, and its kind.
  package var dialog: Dialog?

  package init(
    _ facts: SourceFacts,
    states: AtspiStates? = nil,
    description: String = "",
    text: String? = nil,
    error: String? = nil,
    place: SetPlace? = nil,
    dialog: Dialog? = nil
  ) {
    self.facts = facts
    self.states = states
    self.description = description
    self.text = text
    self.error = error
    // Chromium tells the place of the choice as that of its box.
    self.place = place ?? (facts.role == .comboBox ? nil : facts.place)
    self.dialog = dialog
  }

  /// A dialog, with its title as its program names it.
  package struct Dialog: Equatable, Sendable {
    package let source: SourceObject
    package let facts: SourceFacts

    package init(_ source: SourceObject, _ facts: SourceFacts) {
      (self.source, self.facts) = (source, facts)
    }
  }
}

/// A place among several that belong together, from 1.
package struct SetPlace: Equatable, Sendable {
  package let index: Int64
  package let count: Int64

  /// Nil where it is none.
  package init?(_ index: Int64, of count: Int64) {
    guard index >= 1, index <= count else { return nil }
    (self.index, self.count) = (index, count)
  }

  var json: JSONValue {
    .object([.init("index", .integer(index)), .init("count", .integer(count))])
  }
}
