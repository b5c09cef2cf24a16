// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
