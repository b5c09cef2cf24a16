// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Changes one key in a text of tables and keys that a person has written; every other line stays.
package struct TomlEdit {
  private var lines: [String]

  package init(_ text: String) {
    // By scalars: a carriage return and a newline are one character.
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(String.UnicodeScalarView($0)) }
    // A last newline ends a line and begins none.
    if lines.last == "" { lines.removeLast() }
  }

  package var text: String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }

  /// Sets a key to a value as TOML writes it, or takes the key out.
  package mutating func set(_ key: String, to value: String?, in table: String) {
    let head = lines.firstIndex { Self.content(of: $0) == "[\(table)]" }
    guard let head else {
      guard let value else { return }
      if !lines.isEmpty { lines.append("") }
      lines += ["[\(table)]", "\(key) = \(value)"]
      return
    }
    let rest = head + 1
    let end = lines[rest...].firstIndex { Self.content(of: $0).hasPrefix("[") } ?? lines.count
    let place = lines[rest..<end].firstIndex { Self.name(in: $0) == key }
    switch (place, value) {
    case (let place?, let value?):
      lines[place] = "\(key) = \(value)" + Self.comment(behind: lines[place])
    case (let place?, nil): lines.remove(at: place)
    case (nil, let value?):
      // Behind the last key of the table, before blank lines and the comment of the next one.
      let last = lines[head..<end].lastIndex { !Self.content(of: $0).isEmpty } ?? head
      lines.insert("\(key) = \(value)", at: last + 1)
    case (nil, nil): break
    }
  }

  /// The line without blanks around it and without a comment that fills it.
  private static func content(of line: String) -> Substring {
    let words = line.drop { $0 == " " || $0 == "\t" }
    guard words.first != "#" else { return "" }
    guard words.first == "[", let end = words.lastIndex(of: "]") else { return words }
    return words[...end]
  }

  /// The comment behind a value, with the blanks before it; none where quotation marks leave doubt.
  private static func comment(behind line: String) -> String {
    guard !line.contains("\"") && !line.contains("'"), let sign = line.firstIndex(of: "#") else {
      return ""
    }
    let blanks = line[..<sign].reversed().prefix { $0 == " " || $0 == "\t" }.count
    return String(repeating: " ", count: blanks) + line[sign...]
  }

  private static func name(in line: String) -> String? {
    let words = content(of: line)
    guard let sign = words.firstIndex(of: "=") else { return nil }
    var name = words[..<sign]
    while name.last == " " || name.last == "\t" { name.removeLast() }
    return String(name)
  }

  /// A text as TOML writes it.
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
