// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
