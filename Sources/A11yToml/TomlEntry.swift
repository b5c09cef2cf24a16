// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// One key that a TOML text sets, or the head of one of its tables.
///
/// `path` is the table it stands in, dotted; the second `[[rule]]` of a text is "rule[1]". Lines
/// and columns count from 1, columns in characters, as editors show them.
package struct TomlEntry: Equatable, Sendable {
  package let path: String
  package let key: String
  package let line: Int
  package let column: Int
  package let value: TomlValue

  /// The key with the table it stands in.
  package var fullName: String { path.isEmpty ? key : "\(path).\(key)" }
}

/// The value of a key of a TOML text.
package enum TomlValue: Equatable, Sendable {
  case table
  case string(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  /// A date, a time, or both; nothing of ours takes one.
  case time
  case array([Item])

  /// A value within an array, with its own place.
  package struct Item: Equatable, Sendable {
    package let value: TomlValue
    package let line: Int
    package let column: Int
  }
}

extension TomlValue: CustomStringConvertible {
  /// The value for the second half of “expected …; got …”.
  package var description: String {
    switch self {
    case .table: "a table"
    case .string(let text): "\"\(Self.shown(text))\""
    case .integer(let integer): String(integer)
    case .number(let number): String(number)
    case .boolean(let boolean): String(boolean)
    case .time: "a date or time"
    case .array(let items):
      switch items.count {
      case 0: "an empty list"
      case 1: "a list of one value"
      default: "a list of \(items.count) values"
      }
    }
  }

  /// A text as a message can carry it: not endless, and without what would move the cursor.
  private static func shown(_ text: String) -> String {
    let longest = 60
    let plain = text.unicodeScalars.prefix(longest).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
      default: String(scalar)
      }
    }
    return plain.joined() + (text.unicodeScalars.count > longest ? "…" : "")
  }
}

/// The quantities that a value can stand for; nil where it stands for none.
extension TomlValue {
  package var asInteger: Int? {
    guard case .integer(let integer) = self else { return nil }
    return Int(exactly: integer)
  }

  /// A duration: an integer in the unit that the key stands for, or a text with its own.
  package func asDuration(integersIn unit: Duration) -> Duration? {
    switch self {
    // Beyond this no product with a day would fit.
    case .integer(let integer) where 0...1_000_000_000 ~= integer: unit * integer
    case .string(let text): Quantity.duration(text)
    case .table, .integer, .number, .boolean, .time, .array: nil
    }
  }
}
