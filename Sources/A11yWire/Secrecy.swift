// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The length of a hidden text, only roughly: all that the log may know of a secret.
public enum LengthClass: String, Sendable, CaseIterable {
  case short = "1-8"
  case medium = "9-32"
  case long = "33+"

  public init(characters: Int) {
    self = characters <= 8 ? .short : characters <= 32 ? .medium : .long
  }
}

/// The texts of an object that must not be written down.
public enum Secrecy: Sendable {
  case none
  /// The value of a password field.
  case value
  /// The values of these elements of the event.
  case values(of: Set<Name>)
  /// All texts that would be spoken.
  case all

  func hides(_ field: Field) -> Bool {
    switch self {
    case .none, .values: false
    case .value: field.name.description == "value"
    case .all: field.isSpoken
    }
  }

  /// Whether the value of an element must not be written down.
  public func coversValue(of element: Name) -> Bool {
    switch self {
    case .none: false
    case .value, .all: true
    case .values(let elements): elements.contains(element)
    }
  }

  /// The secrecy of one element of the object.
  func within(_ element: Name?) -> Secrecy {
    guard case .values(let elements) = self else { return self }
    guard let element, elements.contains(element) else { return .none }
    return .value
  }
}

extension JSONDocument {
  /// The secrecy of an event of type `elements`.
  ///
  /// The value of an element is a secret if the event says anywhere that the element is secure, or
  /// if it was known as secure before: a value that comes in the same event as the end of being
  /// secure was typed before that end.
  public func secrecy(ofElements event: JSONIndex, isSecure: (Name) -> Bool) -> Secrecy {
    var secure: Set<Name> = []
    var valued: [Name] = []
    for field in ["upsert", "replace"] as [StaticString] {
      guard let list = member(field, of: event), kind(list) == .list else { continue }
      var element = list + 1
      while element < end(list) {
        if let id = name("id", of: element) {
          if saysSecure(element) { secure.insert(id) }
          if member("value", of: element) != nil { valued.append(id) }
        }
        element = end(element)
      }
    }
    let secrets = valued.filter { secure.contains($0) || isSecure($0) }
    return secrets.isEmpty ? .none : .values(of: Set(secrets))
  }

  /// Whether an element says of itself that its value is a secret.
  private func saysSecure(_ element: JSONIndex) -> Bool {
    guard let traits = member("traits", of: element), kind(traits) == .list else { return false }
    var trait = traits + 1
    while trait < end(traits) {
      if kind(trait) == .string, isKey(trait, "secure") { return true }
      trait = end(trait)
    }
    return false
  }
}
