// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// The role of an object by AT-SPI's numbers, as far as it matters here.
package struct AtspiRole: Hashable, Sendable {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  package static let unknown = AtspiRole(0)
  package static let alert = AtspiRole(2)
  package static let checkBox = AtspiRole(7)
  package static let checkMenuItem = AtspiRole(8)
  package static let comboBox = AtspiRole(11)
  package static let pageTab = AtspiRole(37)
  package static let radioButton = AtspiRole(44)
  package static let radioMenuItem = AtspiRole(45)
  package static let rootPane = AtspiRole(46)
  package static let passwordText = AtspiRole(40)
  package static let terminal = AtspiRole(60)
  package static let tableCell = AtspiRole(56)
  package static let toggleButton = AtspiRole(62)
  package static let progressBar = AtspiRole(42)
  package static let notification = AtspiRole(101)
  /// Newer programs alone have it.
  package static let `switch` = AtspiRole(130)

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

  /// Whether it is pressed: a push button or a toggle button.
  package var isButton: Bool { [43, 62].contains(number) }

  /// Whether its text is typed by the user, and is no secret.
  package var isField: Bool { [61, 79, 76, 77].contains(number) }

  /// Whether its text is what is there to be heard: the paragraph of a document, or a cell.
  package var isPassage: Bool { [73, 56, 83].contains(number) }

  /// Whether it is one of several of which mostly one is chosen: an item of a list, of a menu or of
  /// a tree, a cell or a page tab.
  var isItem: Bool { [32, 35, 91, 56, 37].contains(number) }

  /// Whether it is an item of a menu, which may have keys of its own.
  package var isMenuItem: Bool { [8, 35, 45].contains(number) }

  /// Whether it is told that it is chosen: in a menu the one with the focus always is.
  var isChosen: Bool { ![11, 33, 35, 8, 45].contains(number) }

  /// Whether it is a whole page or document.
  var isPage: Bool { [82, 95].contains(number) }

  /// Whether its appearance is news.
  var isNews: Bool { self == .alert || self == .notification }

  /// Whether it is text that stands in a dialog: a label, a heading, a paragraph or static text.
  package var isLabel: Bool { [29, 73, 83, 116].contains(number) }

  /// Whether it is a window or a container that asks or tells something.
  package var isDialog: Bool { [2, 9, 16, 19, 22].contains(number) }

  /// Whether it is a window of a program: a frame, a dialog, an alert or a plain window.
  var isWindow: Bool { [2, 16, 23, 69].contains(number) }

  /// Whether it is for the choice of a colour, a file or a font.
  package var isChooser: Bool { [9, 19, 22].contains(number) }

  /// Whether it is one of several whose place among its neighbours is told.
  package var hasPlace: Bool { [32, 37, 91, 90].contains(number) }

  /// Whether it is used, so that its words are its own: a control or what holds many of them.
  package var isControl: Bool {
    [7, 8, 11, 31, 33, 34, 35, 37, 38, 40, 43, 44, 45, 48, 51, 52, 55, 60, 61, 62, 65, 66, 76, 79]
      .contains(number) || [88, 98, 129, 130].contains(number)
  }

  /// Whether it is used as one thing, whatever it is made of, such as a button, a link or a field.
  var isWhole: Bool { [7, 40, 43, 44, 51, 52, 61, 62, 79, 88].contains(number) }

  /// Whether its name is all that it says, whatever stands in it: a control without a value, an
  /// item or an image.
  package var isNamed: Bool { [7, 26, 27, 35, 37, 43, 44, 62, 88, 129, 130].contains(number) }

  /// The kind that is spoken; a web page's own word for it is more exact.
  func kind(_ words: String?) -> AppElement.Role? {
    for word in words?.split(separator: " ") ?? [] {
      switch word {
      case "switch": return .switch
      case "option": return .option
      case "alertdialog": return .alertDialog
      case "dialog": return .dialog
      case "gridcell", "cell": return .gridCell
      case "alert": return nil
      default: break
      }
    }
    return Self.kinds[number]
  }

  private static let kinds: [Int64: AppElement.Role] = [
    2: .alertDialog, 7: .checkbox, 8: .menuItem, 9: .dialog, 10: .columnHeader, 11: .comboBox,
    15: .slider, 16: .dialog, 19: .dialog, 22: .dialog, 26: .image, 27: .image, 32: .listItem,
    33: .menuItem, 35: .menuItem, 37: .tab, 40: .textField, 42: .progressBar, 43: .button,
    44: .radio, 45: .menuItem, 47: .rowHeader, 51: .slider, 52: .spinButton, 56: .gridCell,
    57: .columnHeader, 58: .rowHeader, 61: .textField, 62: .toggleButton, 76: .textField,
    77: .textField, 79: .textField, 83: .heading, 88: .link, 90: .row, 91: .treeItem,
    129: .button, 130: .switch,
  ]

  /// The traits that a reader knows it by.
  package var traits: [AppElement.Trait] {
    switch number {
    // Push buttons, toggle buttons, check boxes, radio buttons, combo boxes and page tabs.
    case 43, 62, 7, 44, 11, 37, 129, 130: [.button]
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

/// A state of an object by AT-SPI's numbers, as far as it matters here.
package enum AtspiState: UInt64, Sendable, CaseIterable {
  case active = 1
  case checked = 4
  case defunct = 6
  case editable = 7
  case enabled = 8
  case expandable = 9
  case expanded = 10
  case focused = 12
  case modal = 16
  case multiLine = 17
  case pressed = 20
  case selected = 23
  case sensitive = 24
  case showing = 25
  case visible = 30
  case indeterminate = 32
  case required = 33
  case invalid = 36
  case checkable = 41

  /// The state by the word of a signal.
  init?(word: String) {
    switch word {
    case "active": self = .active
    case "checked": self = .checked
    case "indeterminate": self = .indeterminate
    case "invalid-entry": self = .invalid
    case "required": self = .required
    case "expanded": self = .expanded
    case "pressed": self = .pressed
    case "selected": self = .selected
    case "sensitive": self = .sensitive
    default: return nil
    }
  }
}

/// The states of an object.
package struct AtspiStates: Equatable, Sendable {
  private var bits: UInt64 = 0

  package init(_ states: [AtspiState] = []) {
    for state in states { self[state] = true }
  }

  /// The states as a program tells them: two numbers of 32 bits, the lower ones first.
  package init(words: [Int64]) {
    for (index, word) in words.prefix(2).enumerated() {
      bits |= UInt64(UInt32(truncatingIfNeeded: word)) << (32 * UInt64(index))
    }
  }

  package subscript(state: AtspiState) -> Bool {
    get { bits & 1 << state.rawValue != 0 }
    set {
      if newValue { bits |= 1 << state.rawValue } else { bits &= ~(1 << state.rawValue) }
    }
  }

  /// Whether it can be used; toolkits drop both states where it cannot.
  var isUsable: Bool { self[.enabled] || self[.sensitive] }
}
