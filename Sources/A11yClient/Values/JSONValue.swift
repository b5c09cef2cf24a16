// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A value as the bus sends it, for fields that have no property of their own.
///
/// Numbers keep the text that they came with, so that no digit is lost on the way, and the members
/// of an object keep their order.
public enum JSONValue: Hashable, Sendable {
  /// The explicit absence of a value.
  case null
  /// True or false.
  case flag(Bool)
  /// A number, in the digits that came.
  case number(String)
  /// A text.
  case string(String)
  /// Values in their order.
  case list([JSONValue])
  /// Named values in their order.
  case object([Member])

  /// A named value of an object.
  public struct Member: Hashable, Sendable {
    /// The name, unique within its object.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Puts a name and its value together.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// An integer, in digits.
  public static func integer(_ number: Int64) -> JSONValue { .number(String(number)) }

  /// The value of a member; nil where there is none, or where this is no object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text, if this is one.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number, if this is an integer of 64 bits.
  public var integer: Int64? {
    guard case .number(let text) = self else { return nil }
    return Int64(text)
  }

  /// The nearest double, if this is a number.
  public var double: Double? {
    guard case .number(let text) = self else { return nil }
    return Double(text)
  }

  /// True or false, if this is one of them.
  public var flag: Bool? {
    guard case .flag(let flag) = self else { return nil }
    return flag
  }

  /// The values of a list, if this is one.
  public var list: [JSONValue]? {
    guard case .list(let values) = self else { return nil }
    return values
  }

  /// The members of an object, if this is one.
  public var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A text.
  public init(stringLiteral text: String) { self = .string(text) }

  /// An integer.
  public init(integerLiteral number: Int64) { self = .integer(number) }

  /// True or false.
  public init(booleanLiteral flag: Bool) { self = .flag(flag) }

  /// A list.
  public init(arrayLiteral values: JSONValue...) { self = .list(values) }

  /// An object, its members in the order in which they are written.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member($0.0, $0.1) })
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON on one line.
  public var description: String {
    var out = ByteBuffer(capacity: 256)
    out.appendValue(self)
    return out.bytes.string
  }
}

extension JSONValue {
  /// Reads a value from JSON; nil if the text is not one.
  public init?(json: String) {
    var line = ByteBuffer(capacity: json.utf8.count + 16)
    // The reader of lines reads objects alone.
    line.append("{\"value\":")
    line.append(text: json)
    line.append("}")
    let reader = JSONReader(limit: line.count)
    guard (try? reader.read(line.bytes)) != nil else { return nil }
    let document = reader.document
    guard document.count(document.root) == 1,
      let value = document.member("value", of: document.root)
    else { return nil }
    self.init(document, value)
  }

  /// Copies a value out of a parsed line.
  init(_ document: borrowing JSONDocument, _ value: JSONIndex) {
    switch document.kind(value) {
    case .null: self = .null
    case .yes: self = .flag(true)
    case .no: self = .flag(false)
    case .number: self = .number(document.raw(value).string)
    case .string: self = .string(document.string(value))
    case .list:
      var values: [JSONValue] = []
      var next = value + 1
      while next < document.end(value) {
        values.append(JSONValue(document, next))
        next = document.end(next)
      }
      self = .list(values)
    case .object:
      var members: [Member] = []
      var key = value + 1
      while key < document.end(value) {
        members.append(Member(document.string(key), JSONValue(document, key + 1)))
        key = document.end(key + 1)
      }
      self = .object(members)
    }
  }
}

extension ByteBuffer {
  /// Appends a value as JSON.
  mutating func appendValue(_ value: JSONValue) {
    switch value {
    case .null: append("null")
    case .flag(let flag): append(flag ? "true" : "false")
    case .number(let text): append(text: text)
    case .string(let text): append(json: text)
    case .list(let values):
      array(of: values) { out, value in out.appendValue(value) }
    case .object(let members): appendMembers(members)
    }
  }

  /// Appends members as a JSON object.
  mutating func appendMembers(_ members: [JSONValue.Member]) {
    object { out in
      for member in members {
        out.append(memberText: member.name)
        out.appendValue(member.value)
      }
    }
  }
}
