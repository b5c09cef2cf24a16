// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What has few answers about an event, as one number.
struct Cell {
  let topic: Int
  let speechClass: Int
  let priority: Int
  let cause: Int
  let isForeground: Bool
  let isFocused: Bool
  let isContinuous: Bool

  private static let classes = SpeechClass.otherNumber + 1
  static let count = Topic.allCases.count * classes * 3 * 2 * 8

  init(_ facts: Facts) {
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
    priority = rest % 3
    rest /= 3
    speechClass = rest % Self.classes
    topic = rest / Self.classes
  }

  var number: Int {
    let flags = (isForeground ? 1 : 0) | (isFocused ? 2 : 0) | (isContinuous ? 4 : 0)
    return ((topic * Self.classes + speechClass) * 3 + priority) << 4 | cause << 3 | flags
  }
}

/// The matchers that have few answers, as bits: which rules fit which cells is asked often.
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

  /// Whether the rule may match events of this cell.
  func admits(_ cell: Cell) -> Bool {
    topics & 1 << UInt32(cell.topic) != 0
      && classes & 1 << UInt32(cell.speechClass) != 0
      && priorities & 1 << UInt32(cell.priority) != 0
      && causes & 1 << UInt32(cell.cause) != 0
      && (isForeground ?? cell.isForeground) == cell.isForeground
      && (isFocused ?? cell.isFocused) == cell.isFocused
      && (isContinuous ?? cell.isContinuous) == cell.isContinuous
  }

  /// Whether it takes a look at the event to know; so it does at a class that only apps know.
  func isOpen(in cell: Cell) -> Bool {
    areOpen || namesClasses && cell.speechClass == SpeechClass.otherNumber
  }
}
