// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yClient

/// An answer of any shape as lines that read well aloud, one for each value.
enum CounterWords {
  static func lines(_ value: JSONValue) -> [String] {
    lines(value, under: []).map(VisibleText.of)
  }

  private static func lines(_ value: JSONValue, under path: [String]) -> [String] {
    switch value {
    case .object(let members):
      if members.isEmpty { return [line(path, "none")] }
      return members.flatMap { lines($0.value, under: path + [words($0.name)]) }
    case .list(let values):
      if values.isEmpty { return [line(path, "none")] }
      return values.map { line(path, row($0)) }
    case .null, .flag, .number, .string: return [line(path, scalar(value))]
    }
  }

  /// A row of a table on one line: “app org.x, published 3”.
  private static func row(_ value: JSONValue) -> String {
    switch value {
    case .object(let members):
      members.map { "\(words($0.name)) \(row($0.value))" }.joined(separator: ", ")
    case .list(let values): values.map(row).joined(separator: " ")
    case .null, .flag, .number, .string: scalar(value)
    }
  }

  private static func scalar(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .number(let text): text
    case .flag(let flag): flag ? "yes" : "no"
    case .null: "none"
    case .list, .object: value.description
    }
  }

  private static func line(_ path: [String], _ words: String) -> String {
    "\(path.joined(separator: ", ")): \(words)"
  }

  private static func words(_ name: String) -> String {
    String(name.map { $0 == "_" ? " " : $0 })
  }
}
