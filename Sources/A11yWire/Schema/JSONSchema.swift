// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A JSON Schema of one value, as far as the vocabulary of the bus needs them.
public indirect enum JSONSchema: Sendable {
  case null, flag, number, anything
  case integer(ClosedRange<Int64>)
  /// A string of so many characters.
  case text(ClosedRange<Int>)
  /// A string of so many characters, none of them a control character.
  case line(ClosedRange<Int>)
  case pattern(String)
  case words([String])
  case constant(String)
  /// A list of so many values; of any number without a count.
  case list(JSONSchema, ClosedRange<Int>? = nil)
  case object(ObjectSchema)
  /// An object whose names are values themselves.
  case map(of: JSONSchema)
  case anyOf([JSONSchema])

  public static let seq = integer(1...Int64.max)
  public static let count = integer(0...Int64.max)
  public static let anyInteger = integer(Int64.min...Int64.max)
  public static let anyText = text(0...Int.max)
  public static let name = text(1...Limits.nameBytes)
  public static let epoch = pattern("^[0-9a-f]{32}$")
  public static let cursor = pattern("^[0-9a-f]{32}:[0-9]+$")

  public static func orNull(_ schema: JSONSchema) -> JSONSchema { anyOf([.null, schema]) }
}

/// A schema of an object.
public struct ObjectSchema: Sendable {
  public struct Member: Sendable {
    let name: String
    let value: JSONSchema
    let meaning: String
    let isRequired: Bool

    public init(_ name: String, _ value: JSONSchema, _ meaning: String, required: Bool) {
      self.name = name
      self.value = value
      self.meaning = meaning
      isRequired = required
    }

    /// A member that is always there.
    public static func always(_ name: String, _ value: JSONSchema, _ meaning: String) -> Member {
      Member(name, value, meaning, required: true)
    }

    /// A member that may be absent.
    public static func maybe(_ name: String, _ value: JSONSchema, _ meaning: String) -> Member {
      Member(name, value, meaning, required: false)
    }
  }

  public var members: [Member]
  /// The object as a whole, in a sentence.
  public var meaning: String?
  /// Whether it may have members that are not named here.
  public var isOpen: Bool
  /// At least one of these members must be there.
  public var needsOneOf: [String] = []
  /// No two of these members may be there together.
  public var atMostOneOf: [String] = []
  /// Schemas of other lines that belong to this one, by their names.
  public var others: [(name: String, schema: ObjectSchema)] = []

  public init(_ members: [Member], meaning: String? = nil, isOpen: Bool = false) {
    self.members = members
    self.meaning = meaning
    self.isOpen = isOpen
  }

  /// The members behind `type`, for an event of the bus's own.
  public static func event(
    _ type: EventType.Own,
    _ meaning: String,
    _ members: [Member]
  ) -> (name: String, schema: ObjectSchema) {
    let kind = Member.always("type", .constant(type.rawValue), "The type of the event.")
    return (type.rawValue, ObjectSchema([kind] + members, meaning: meaning))
  }
}

extension ByteBuffer {
  /// Appends a member with a schema for each name.
  public mutating func appendSchemas(
    _ name: StaticString,
    _ schemas: [(name: String, schema: ObjectSchema)]
  ) {
    object(name) { out in
      for (name, schema) in schemas {
        out.append(memberText: name)
        out.object { out in
          out.append(member: "$schema", "https://json-schema.org/draft/2020-12/schema")
          out.appendKeywords(of: schema)
        }
      }
    }
  }

  private mutating func appendSchema(_ schema: JSONSchema, _ meaning: String? = nil) {
    object { out in
      if let meaning { out.append(member: "description", meaning) }
      out.appendKeywords(of: schema)
    }
  }

  private mutating func appendKeywords(of schema: JSONSchema) {
    switch schema {
    case .anything: break
    case .null: append(member: "type", "null")
    case .flag: append(member: "type", "boolean")
    case .number: append(member: "type", "number")
    case .integer(let range):
      append(member: "type", "integer")
      if range.lowerBound != .min { append(member: "minimum", range.lowerBound) }
      if range.upperBound != .max { append(member: "maximum", range.upperBound) }
    case .text(let range): appendText(of: range)
    case .line(let range):
      appendText(of: range)
      append(member: "pattern", #"^[^\u0000-\u001f\u007f-\u009f]*$"#)
    case .pattern(let pattern):
      append(member: "type", "string")
      append(member: "pattern", pattern)
    case .words(let words):
      append(member: "type", "string")
      append(member: "enum", words)
    case .constant(let word): append(member: "const", word)
    case .list(let item, let count):
      append(member: "type", "array")
      append(member: "items")
      appendSchema(item)
      guard let count else { return }
      append(member: "minItems", Int64(count.lowerBound))
      if count.upperBound != .max { append(member: "maxItems", Int64(count.upperBound)) }
    case .object(let object): appendKeywords(of: object)
    case .map(let value):
      append(member: "type", "object")
      append(member: "additionalProperties")
      appendSchema(value)
    case .anyOf(let schemas): array("anyOf", of: schemas) { $0.appendSchema($1) }
    }
  }

  private mutating func appendText(of range: ClosedRange<Int>) {
    append(member: "type", "string")
    if range.lowerBound > 0 { append(member: "minLength", Int64(range.lowerBound)) }
    if range.upperBound != .max { append(member: "maxLength", Int64(range.upperBound)) }
  }

  private mutating func appendKeywords(of schema: ObjectSchema) {
    if let meaning = schema.meaning { append(member: "description", meaning) }
    append(member: "type", "object")
    object("properties") { out in
      for member in schema.members {
        out.append(memberText: member.name)
        out.appendSchema(member.value, member.meaning)
      }
    }
    append(member: "required", schema.members.filter(\.isRequired).map(\.name))
    if !schema.isOpen { append(member: "additionalProperties", false) }
    if !schema.needsOneOf.isEmpty {
      array("anyOf", of: schema.needsOneOf) { out, name in
        out.object { $0.append(member: "required", [name]) }
      }
    }
    if !schema.atMostOneOf.isEmpty {
      object("not") { $0.append(member: "required", schema.atMostOneOf) }
    }
    guard !schema.others.isEmpty else { return }
    object("$defs") { out in
      for (name, schema) in schema.others {
        out.append(memberText: name)
        out.object { $0.appendKeywords(of: schema) }
      }
    }
  }
}
