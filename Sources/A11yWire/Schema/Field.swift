// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A field by its name on the wire, with what its value must be.
package struct Field: Sendable {
  package let name: StaticString
  package let shape: Shape
  package let isRequired: Bool
  /// Whether its text gives way to a length class where it is a secret.
  package let isSpoken: Bool
  /// Whether null is a value: it takes a field of an element away.
  package let isRemovable: Bool

  package init(
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

/// The fields of one kind of object, in the order in which they are stored.
package struct Fields: Sendable {
  package let all: [Field]
  /// At least one of these must be there.
  package let needsOneOf: [StaticString]
  /// No two of these may be there together.
  package let atMostOneOf: [StaticString]
  /// Where the fields stand that are looked at in every event.
  package let element: Int?
  package let cause: Int?
  package let basis: Int?
  package let of: Int?
  package let sensitive: Int?

  package init(
    _ all: [Field],
    needsOneOf: [StaticString] = [],
    atMostOneOf: [StaticString] = []
  ) {
    precondition(all.count <= Slots.room, "the slots hold the fields of any object")
    self.all = all
    self.needsOneOf = needsOneOf
    self.atMostOneOf = atMostOneOf
    element = Self.index(of: "element", in: all)
    cause = Self.index(of: "cause", in: all)
    basis = Self.index(of: "basis", in: all)
    of = Self.index(of: "of", in: all)
    sensitive = Self.index(of: "sensitive", in: all)
  }

  package func index(of name: StaticString) -> Int? { Self.index(of: name, in: all) }

  private static func index(of name: StaticString, in all: [Field]) -> Int? {
    all.firstIndex { $0.name.description == name.description }
  }
}

/// Where in a line the values of an object's known fields stand, by the fields' order.
package struct Slots {
  package static let room = 24
  private var places: [24 of Int32] = [24 of Int32](repeating: 0)

  package init() {}

  /// Zero is the line's own object and so never the place of a field's value.
  package subscript(field: Int) -> JSONIndex? {
    get { places[field] == 0 ? nil : JSONIndex(places[field]) }
    set { places[field] = Int32(newValue ?? 0) }
  }
}
