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
  /// The keys for a menu item, such as “Ctrl+N”.
  package var keys = ""
  /// The combo box whose button it is.
  package var box: SourceObject?
  /// The row of a table that it is a cell of.
  package var row: Row?
  /// Whether the words of the whole row are told with it.
  var tellsRow = false

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

extension ControlFacts {
  /// The same cell with the words of its row, if it is the first of that row to be told.
  ///
  /// Whoever goes along a row hears each cell by itself.
  func inRow(isNew: Bool) -> ControlFacts {
    guard let row, isNew || facts.name.isEmpty else { return self }
    var found = self
    found.tellsRow = isNew
    if isNew { found.facts.name = row.texts.joined(separator: ", ") }
    if let isChecked = row.isChecked {
      found.states = found.states ?? AtspiStates([.enabled, .sensitive])
      found.states?[.checkable] = true
      found.states?[.checked] = isChecked
    }
    return found
  }

  /// A row of a table, with the words in its cells.
  package struct Row: Equatable, Sendable {
    package let table: SourceObject
    package let index: Int64
    package let texts: [String]
    /// Whether the one cell of the row that can be checked is so; nil where there is none.
    package let isChecked: Bool?

    func isSame(_ other: Row?) -> Bool { other?.table == table && other?.index == index }

    package init(
      _ table: SourceObject,
      _ index: Int64,
      _ texts: [String],
      isChecked: Bool? = nil
    ) {
      self.table = table
      self.index = index
      self.texts = texts
      self.isChecked = isChecked
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
