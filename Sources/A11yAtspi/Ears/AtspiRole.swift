// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// The role of an object by AT-SPI's numbers, as far as it matters here.
package struct AtspiRole: Hashable, Sendable {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  package static let unknown = AtspiRole(0)
  package static let alert = AtspiRole(2)
  package static let comboBox = AtspiRole(11)
  package static let passwordText = AtspiRole(40)
  package static let toggleButton = AtspiRole(62)
  package static let progressBar = AtspiRole(42)
  package static let notification = AtspiRole(101)

  /// The kind of news of a region of this role.
  var regionKind: AnnouncementClass? {
    switch number {
    case 54: .status
    case 111: .chat
    case 115: .timer
    default: nil
    }
  }

  /// Whether it has a value between two bounds: a slider, a spin button, a scroll bar or a dial.
  package var hasValue: Bool { [51, 52, 48, 15].contains(number) }

  /// Whether its text is typed by the user, and is no secret.
  package var isField: Bool { [61, 79, 76, 77].contains(number) }

  /// Whether it is one of several of which mostly one is chosen: an item of a list, of a menu or of
  /// a tree, a cell or a page tab.
  var isItem: Bool { [32, 35, 91, 56, 37].contains(number) }

  /// Whether it is a whole page or document.
  var isPage: Bool { [82, 95].contains(number) }

  /// Whether its appearance is news.
  var isNews: Bool { self == .alert || self == .notification }

  /// Whether it is text that stands in a dialog: a label, a heading, a paragraph or static text.
  package var isLabel: Bool { [29, 73, 83, 116].contains(number) }

  /// Whether it is used as one thing, whatever it is made of, such as a button, a link or a field.
  var isWhole: Bool { [7, 40, 43, 44, 51, 52, 61, 62, 79, 88].contains(number) }

  /// The traits that a reader knows it by.
  package var traits: [AppElement.Trait] {
    switch number {
    // Push buttons, toggle buttons, check boxes, radio buttons, combo boxes and page tabs.
    case 43, 62, 7, 44, 11, 37: [.button]
    // Menu items of three kinds.
    case 35, 8, 45: [.button]
    case 88: [.link]
    case 29, 116: [.staticText]
    case 26, 27: [.image]
    case 83: [.header]
    case 51, 52, 48, 15: [.adjustable]
    case 61, 79, 76, 77: [.textField]
    case 40: [.textField, .secure]
    case 42: [.updatesFrequently]
    default: []
    }
  }
}
