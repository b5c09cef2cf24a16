// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The entities of XML, and the space of HTML, in texts of programs.
///
/// Many programs send plain text all the same, so what is none stays as it is.
package enum XMLEntity {
  private static let named: [Substring: Character] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
  ]
  /// The longest name.
  private static let longest = 10

  /// Takes an entity off a text that begins with an ampersand; nil, and nothing taken, where it
  /// begins with none.
  package static func take(_ text: inout Substring) -> Character? {
    let name = text.dropFirst().prefix(longest).prefix { $0 != ";" }
    let behind = text[name.endIndex...]
    guard behind.first == ";", let character = named[name] ?? numbered(name) else { return nil }
    text = behind.dropFirst()
    return character
  }

  private static func numbered(_ name: Substring) -> Character? {
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let number =
      digits.first?.lowercased() == "x"
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { $0 > 0 ? Unicode.Scalar($0).map(Character.init) : nil }
  }
}
