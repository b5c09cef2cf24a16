// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON value as tests look at it: what is missing is a value too, so that looking never throws.
package enum JSON: Equatable, Sendable {
  /// A member that is not there, unlike one that is there and null.
  case absent
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case list([JSON])
  case object([String: JSON])

  package init(_ text: String) throws {
    let bytes = Data(text.utf8)
    self.init(try JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed))
  }

  package subscript(name: String) -> JSON {
    guard case .object(let members) = self else { return .absent }
    return members[name] ?? .absent
  }

  package subscript(index: Int) -> JSON {
    guard case .list(let values) = self, values.indices.contains(index) else { return .absent }
    return values[index]
  }
}

extension JSON {
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var list: [JSON]? { if case .list(let value) = self { value } else { nil } }
  package var members: [String: JSON]? { if case .object(let value) = self { value } else { nil } }
  package var isThere: Bool { self != .absent }
  package var strings: [String]? { list?.compactMap(\.string) }
  package var names: Set<String> { Set((members ?? [:]).keys) }
  package var count: Int? { list?.count ?? members?.count }
}

extension JSON {
  /// Asks for the type, and never whether one can be decoded: in a test each error that is thrown
  /// costs a backtrace, which was half the time of all tests.
  private init(_ value: Any) {
    self =
      switch value {
      case let members as [String: Any]: .object(members.mapValues(Self.init))
      case let values as [Any]: .list(values.map(Self.init))
      case let text as String: .string(text)
      case let number as NSNumber: Self(number)
      default: .null
      }
  }

  private init(_ number: NSNumber) {
    let isBool = number.objCType.pointee == Int8(UInt8(ascii: "c"))
    if isBool {
      self = .bool(number.boolValue)
    } else if let value = Int64(exactly: number) {
      self = .integer(value)
    } else {
      self = .number(number.doubleValue)
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSON...) { self = .list(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
}

extension JSON {
  /// The value as a text, with the members of every object in this order.
  package func text(descending: Bool) -> String {
    switch self {
    case .absent, .null: return "null"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .number(let value): return "\(value)"
    case .string(let value): return Self.quoted(value)
    case .list(let values):
      return "[" + values.map { $0.text(descending: descending) }.joined(separator: ",") + "]"
    case .object(let members):
      let sorted = members.sorted { ($0.key < $1.key) != descending }
      let texts = sorted.map { Self.quoted($0) + ":" + $1.text(descending: descending) }
      return "{" + texts.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case ..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: "\(scalar)"
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
