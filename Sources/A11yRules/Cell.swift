// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The facts of an event that have few values, as one number.
struct Cell {
  let topic: Int
  let speechClass: Int
  let priority: Int
  let cause: Int
  let isForeground: Bool
  let isFocused: Bool
  let isContinuous: Bool

  static let topics = Topic.allCases.count
  static let classes = SpeechClass.otherNumber + 1
  static let priorities = Priority.allCases.count
  /// The combinations of cause, foreground, focused and continuous.
  static let circumstances = 16
  static let count = topics * classes * priorities * circumstances

  init(_ facts: borrowing Facts) {
    topic = facts.topic.number
    speechClass = facts.speechClass.number
    priority = facts.priority.rank
    cause = facts.cause.number
    isForeground = facts.isForeground
    isFocused = facts.isFocused
    isContinuous = facts.isContinuous
  }

  init(_ number: Int) {
    isForeground = number & 1 != 0
    isFocused = number & 2 != 0
    isContinuous = number & 4 != 0
    cause = number >> 3 & 1
    var rest = number >> 4
    priority = rest % Self.priorities
    rest /= Self.priorities
    speechClass = rest % Self.classes
    topic = rest / Self.classes
  }

  var number: Int {
    let flags = (isForeground ? 1 : 0) | (isFocused ? 2 : 0) | (isContinuous ? 4 : 0)
    let kind = (topic * Self.classes + speechClass) * Self.priorities + priority
    return kind * Self.circumstances + cause * 8 + flags
  }
}

/// A rule's matchers of facts that have few values, as bits: every rule is asked about every cell.
struct CellFilter {
  private var topics: UInt32 = .max
  private var classes: UInt32 = .max
  private var priorities: UInt32 = .max
  private var causes: UInt32 = .max
  private let isForeground: Bool?
  private let isFocused: Bool?
  private let isContinuous: Bool?
  private let areOpen: Bool
  private let namesClasses: Bool

  init(_ matchers: Matchers) {
    if let types = matchers.types { topics = Self.bits(types.map(\.number)) }
    if let names = matchers.classes {
      classes = Self.bits(names.map { SpeechClass($0).number })
    }
    if let words = matchers.priorities { priorities = Self.bits(words.map(\.rank)) }
    if let words = matchers.causes { causes = Self.bits(words.map(\.number)) }
    isForeground = matchers.isForeground
    isFocused = matchers.isFocused
    isContinuous = matchers.isContinuous
    areOpen = matchers.areOpen
    namesClasses = matchers.classes != nil
  }

  private static func bits(_ numbers: [Int]) -> UInt32 {
    numbers.reduce(0) { $0 | 1 << UInt32($1) }
  }

  func admits(topic: Int) -> Bool { topics & 1 << UInt32(topic) != 0 }

  func admits(speechClass: Int) -> Bool { classes & 1 << UInt32(speechClass) != 0 }

  func admits(priority: Int) -> Bool { priorities & 1 << UInt32(priority) != 0 }

  /// Whether the rule may match events of this cell, as far as its circumstances tell.
  func admits(circumstances cell: Cell) -> Bool {
    causes & 1 << UInt32(cell.cause) != 0
      && (isForeground ?? cell.isForeground) == cell.isForeground
      && (isFocused ?? cell.isFocused) == cell.isFocused
      && (isContinuous ?? cell.isContinuous) == cell.isContinuous
  }

  /// Whether the rule may match events of this cell, as far as that tells.
  func admits(_ cell: Cell) -> Bool {
    admits(topic: cell.topic) && admits(speechClass: cell.speechClass)
      && admits(priority: cell.priority) && admits(circumstances: cell)
  }

  /// Whether the rule asks for none of the circumstances.
  var admitsAllCircumstances: Bool {
    causes == .max && isForeground == nil && isFocused == nil && isContinuous == nil
  }

  /// Whether only the event itself can tell if the rule matches; so at classes that only apps know.
  func isOpen(at speechClass: Int) -> Bool {
    areOpen || namesClasses && speechClass == SpeechClass.otherNumber
  }
}
