// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import CBytes

/// A field by its name on the wire, with what its value must be.
public struct Field: Sendable {
  public let name: StaticString
  public let shape: Shape
  public let isRequired: Bool
  /// Whether its text gives way to a length class where it is a secret.
  public let isSpoken: Bool
  /// Whether null is a value: it takes a field of an element away.
  public let isRemovable: Bool

  public init(
    _ name: StaticString,
    _ shape: Shape,
    required: Bool = false,
    spoken: Bool = false,
    removable: Bool = false
  ) {
    self.name = name
    self.shape = shape
    isRequired = required
    isSpoken = spoken
    isRemovable = removable
  }
}

/// A set of an object's fields, by their order.
public struct FieldSet: OptionSet, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  init(field: Int) { rawValue = 1 << UInt32(field) }

  var count: Int { rawValue.nonzeroBitCount }

  /// The first field of the set, or nil where it is empty.
  var first: Int? { rawValue == 0 ? nil : rawValue.trailingZeroBitCount }

  /// The set without its first field.
  var rest: FieldSet { FieldSet(rawValue: rawValue & (rawValue &- 1)) }
}

/// The fields of one kind of object, in the order in which they are stored.
///
/// A reference type, because every event that comes hands it around.
public final class Fields: Sendable {
  public let all: [Field]
  private let names: NameTable
  let required: FieldSet
  /// At least one of these fields must be there; empty where none must.
  public let needsOneOf: FieldSet
  /// No two of these may be there together.
  public let atMostOneOf: FieldSet
  /// Indexes of the fields that every event is asked for; nil where the object has no such field.
  let element: Int?
  let cause: Int?
  let basis: Int?
  let of: Int?
  let sensitive: Int?
  let speechClass: Int?
  let action: Int?
  let actionName: Int?
  let point: Int?
  let text: Int?
  /// For each field the member of an event that it is.
  let members: [WireEvent.Member?]
  /// The fields with seqs of other entries.
  let references: FieldSet
  /// The field that says which event it is.
  let type: FieldSet

  public init(
    _ all: [Field],
    needsOneOf: [StaticString] = [],
    atMostOneOf: [StaticString] = []
  ) {
    precondition(all.count <= Slots.room, "the slots hold the fields of any object")
    self.all = all
    names = NameTable(all.map(\.name))
    required = all.indices.reduce(into: []) { set, index in
      if all[index].isRequired { set.insert(FieldSet(field: index)) }
    }
    self.needsOneOf = Self.set(of: needsOneOf, in: all)
    self.atMostOneOf = Self.set(of: atMostOneOf, in: all)
    element = Self.index(of: "element", in: all)
    cause = Self.index(of: "cause", in: all)
    basis = Self.index(of: "basis", in: all)
    of = Self.index(of: "of", in: all)
    sensitive = Self.index(of: "sensitive", in: all)
    speechClass = Self.index(of: "class", in: all)
    action = Self.index(of: "action", in: all)
    actionName = Self.index(of: "name", in: all)
    point = Self.index(of: "point", in: all)
    text = Self.index(of: "text", in: all)
    references = Self.set(of: ["cause", "basis", "of"], in: all)
    type = Self.set(of: ["type"], in: all)
    members = all.map { WireEvent.Member(field: $0.name) }
  }

  public func index(of name: StaticString) -> Int? { Self.index(of: name, in: all) }

  /// The index of the field that `name` spells.
  public func index(of name: Span<UInt8>) -> Int? { names.index(of: name) }

  /// The names of some fields, in their order.
  public func names(_ set: FieldSet) -> [String] {
    all.indices.filter { set.contains(FieldSet(field: $0)) }.map { all[$0].name.description }
  }

  private static func set(of names: [StaticString], in all: [Field]) -> FieldSet {
    names.reduce(into: []) { set, name in
      if let index = index(of: name, in: all) { set.insert(FieldSet(field: index)) }
    }
  }

  private static func index(of name: StaticString, in all: [Field]) -> Int? {
    all.firstIndex { $0.name.description == name.description }
  }
}

/// The values of an object's known fields in a line, by the fields' order.
public struct Slots {
  public static let room = 24
  private var places: [24 of Int32] = [24 of Int32](repeating: 0)
  /// The fields that are there.
  private(set) var present: FieldSet = []

  public init() {}

  @inline(__always)
  public subscript(field: Int) -> JSONIndex? {
    present.contains(FieldSet(field: field)) ? JSONIndex(places[field]) : nil
  }

  mutating func fill(_ field: Int, _ value: JSONIndex) {
    places[field] = Int32(value)
    present.insert(FieldSet(field: field))
  }
}

/// The shape that the value of a field must have.
///
/// The one place that says so: checking, storing, the words of a refusal and the JSON
/// Schemas of `describe` are all read off these cases.
public enum Shape: Sendable {
  case flag
  /// True, false, or a word.
  case flagOr(WordSet)
  case integer(ClosedRange<Int64>)
  case number
  /// A seq of the log, 1 or more.
  case seq
  /// `"auto"`, `"user"`, or the seq of an action.
  case cause
  /// A string of 1 to `bytes` bytes.
  case name(bytes: Int)
  /// A string, empty or not, of up to `bytes` bytes.
  case text(bytes: Int)
  /// A name without control characters, in which nothing can hide.
  case label(bytes: Int)
  /// A word of small letters and hyphens; apps may invent new ones.
  case word
  case oneOf(WordSet)
  /// Text to speak: a string, or runs with their attributes.
  case speakable
  /// A list of `count` integers: a point, a frame.
  case integers(count: Int)
  case list(Item)
  /// An object whose members are checked themselves.
  case object(Record)

  /// The shape of a list's values.
  public enum Item: Sendable {
    case name(bytes: Int)
    case oneOf(WordSet)
    case object(Record)
    case integer
  }

  /// Objects within requests and events.
  public enum Record: Sendable {
    case event, filter, element, place, run
  }
}

/// Words that a field chooses from.
public enum WordSet: Sendable {
  case acknowledgement, action, capitals, checked, gestureResponse, mode, priority, punctuation
  case role, speechState
  case subscriptionMode, trait, type, utterance, windowState

  public var words: [StaticString] {
    switch self {
    case .acknowledgement: ["received", "written", "synced"]
    case .action:
      [
        "next", "previous", "first", "last", "focus", "touch", "activate", "increment",
        "decrement", "scroll", "escape", "magic-tap", "custom", "stop", "repeat", "pause",
        "resume",
      ]
    case .capitals: ["none", "spell", "icon"]
    case .checked: ["mixed"]
    case .gestureResponse: ["escape", "magic-tap"]
    case .mode: ["all", "latest", "latest-interrupt", "current-then-latest"]
    case .priority: ["low", "default", "high"]
    case .punctuation: ["some", "most"]
    case .role: ["reader"]
    case .speechState:
      ["started", "finished", "interrupted", "lost", "elsewhere", "progress"]
    case .subscriptionMode: ["lossless", "latest"]
    case .trait:
      [
        "button", "link", "static-text", "search-field", "image", "keyboard-key", "header",
        "selected", "not-enabled", "adjustable", "allows-direct-interaction", "plays-sound",
        "updates-frequently", "starts-media-session", "summary-element", "causes-page-turn",
        "text-field", "secure",
      ]
    case .type:
      EventType.names
        + [
          "focus", "deliver", "silence", "outcome", "gesture", "seat", "opened", "closed", "rules",
          "client", "forgot", "forgotten",
        ]
    case .utterance: ["char", "key", "icon"]
    case .windowState: ["opened", "active", "inactive", "closed"]
    }
  }

  func contains(_ word: Span<UInt8>) -> Bool {
    for known in words where word.equals(known) { return true }
    return false
  }

  /// “low, default or high”.
  var spoken: String {
    let all = words.map(\.description)
    guard let last = all.last, all.count > 1 else { return all.first ?? "nothing" }
    return all.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension Shape {
  /// The words behind “expected …”.
  var expected: String {
    switch self {
    case .flag: "true or false"
    case .flagOr(let set):
      "true, false" + set.words.map { " or \"\($0)\"" }.joined()
    case .integer(let range):
      range.upperBound == .max
        ? "an integer from \(range.lowerBound) on"
        : "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .number: "a number"
    case .seq: "the seq of an entry (an integer from 1 on)"
    case .cause: "\"auto\", \"user\" or the seq of an action"
    case .name(let bytes): "a string of 1 to \(bytes) bytes"
    case .text(let bytes): "a string of up to \(bytes) bytes"
    case .label(let bytes): "a string of 1 to \(bytes) bytes without control characters"
    case .word: "1 to 32 of the characters a to z and -"
    case .oneOf(let set): set.spoken
    case .speakable:
      "a text of 1 to \(Limits.textBytes) bytes, or a list of runs [{\"text\":…}]"
    case .integers(let count): "a list of \(count) integers"
    case .list(.name(let bytes)): "a list of strings of 1 to \(bytes) bytes"
    case .list(.oneOf(let set)): "a list of \(set.spoken)"
    case .list(.object(.element)): "a list of elements"
    case .list(.object): "a list of objects"
    case .list(.integer): "a list of integers"
    case .object: "an object"
    }
  }
}

/// Finds the number of a name by its bytes, with about one comparison.
struct NameTable: Sendable {
  private struct Entry: Sendable {
    let name: StaticString
    let ends: UInt64
  }

  private let entries: [Entry]
  /// The number of each name, at the place that its ends hash to or the next that was vacant.
  private var places = [UInt8](repeating: Self.vacant, count: 1 << Self.bits)

  private static let bits = 7
  private static let vacant = UInt8.max

  init(_ names: [StaticString]) {
    precondition(2 * names.count < 1 << Self.bits, "a search soon meets a place that is vacant")
    entries = names.map { Entry(name: $0, ends: Array($0.description.utf8).span.ends) }
    for (number, entry) in entries.enumerated() {
      var place = Self.firstPlace(of: entry.ends)
      while places[place] != Self.vacant { place = Self.next(place) }
      places[place] = UInt8(number)
    }
  }

  func index(of name: Span<UInt8>) -> Int? {
    let ends = name.ends
    var place = Self.firstPlace(of: ends)
    while places[place] != Self.vacant {
      let number = Int(places[place])
      if entries[number].ends == ends, isSame(name, entries[number].name) { return number }
      place = Self.next(place)
    }
    return nil
  }

  /// Whether two names with the same ends are the same as a whole.
  private func isSame(_ name: Span<UInt8>, _ known: StaticString) -> Bool {
    // Up to eight letters are in the ends.
    name.count <= 8 ? name.count == known.utf8CodeUnitCount : name.equals(known)
  }

  private static func firstPlace(of ends: UInt64) -> Int {
    Int(truncatingIfNeeded: (ends &* 0x9e37_79b9_7f4a_7c15) >> UInt64(64 - bits))
  }

  private static func next(_ place: Int) -> Int { (place + 1) & (1 << bits - 1) }
}

extension Span<UInt8> {
  /// Length and letters at either end, in one number.
  fileprivate var ends: UInt64 {
    unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe a11y_ends(base, bytes.count)
    }
  }
}
