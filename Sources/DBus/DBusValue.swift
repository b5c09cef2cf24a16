// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A value in a message, in either direction.
package indirect enum DBusValue: Equatable, Sendable {
  case string(String)
  case path(String)
  case boolean(Bool)
  case byte(UInt8)
  case int32(Int32)
  case uint32(UInt32)
  /// Every other integer, which nobody here sends.
  case integer(Int64)
  case double(Double)
  /// An array of bytes, such as a picture, of which the length alone is kept.
  case bytes(Int)
  case structure([DBusValue])
  /// Values of one type, with their signature.
  case list(String, [DBusValue])
  /// Names with values of any type, `a{sv}` or `a{ss}`.
  case dictionary([Entry])
  case variant(DBusValue)
  /// A descriptor, which is left in the message.
  case descriptor

  /// A name and its value.
  package struct Entry: Equatable, Sendable {
    package let name: String
    package let value: DBusValue

    package init(_ name: String, _ value: DBusValue) {
      self.name = name
      self.value = value
    }
  }
}

extension DBusValue {
  /// The value without variants around it.
  package var bare: DBusValue {
    if case .variant(let value) = self { value.bare } else { self }
  }

  /// The text of a string or path.
  package var text: String? {
    switch bare {
    case .string(let text), .path(let text): text
    default: nil
    }
  }

  /// The number of an integer; nil where it has more than the 32 bits that every number heard here
  /// has, so that sums with it are safe.
  package var number: Int64? {
    switch bare {
    case .byte(let number): Int64(number)
    case .int32(let number): Int64(number)
    case .uint32(let number): Int64(number)
    case .integer(let number):
      Int64(Int32.min)...Int64(UInt32.max) ~= number ? number : nil
    default: nil
    }
  }

  /// The number of an integer or a double.
  package var real: Double? {
    if case .double(let number) = bare { number } else { number.map(Double.init) }
  }

  package var flag: Bool? {
    if case .boolean(let flag) = bare { flag } else { nil }
  }

  /// The members of a structure or array.
  package var members: [DBusValue] {
    switch bare {
    case .structure(let members), .list(_, let members): members
    default: []
    }
  }

  /// The value of a name in a dictionary, the last one where a name comes twice.
  package subscript(name: String) -> DBusValue? { entries.last { $0.name == name }?.value }

  /// The entries of a dictionary.
  package var entries: [Entry] {
    if case .dictionary(let entries) = bare { entries } else { [] }
  }

  /// The type as D-Bus writes it.
  var signature: String {
    switch self {
    case .string: "s"
    case .path: "o"
    case .boolean: "b"
    case .byte: "y"
    case .int32: "i"
    case .uint32: "u"
    case .integer: "x"
    case .double: "d"
    case .bytes: "ay"
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .list(let signature, _): "a" + signature
    case .dictionary(let entries): "a{s\(entries.first?.value.signature ?? "v")}"
    case .variant: "v"
    case .descriptor: "h"
    }
  }
}
