// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Names of foreign programs as the bus takes them.
package enum AppName {
  private static let mostBytes = 128

  /// The name without control characters and cut to its bound; nil where nothing is left.
  package static func of(_ name: String) -> String? {
    var cut = ""
    for character in PlainText.collapsed(name) {
      guard cut.utf8.count + character.utf8.count <= mostBytes else { break }
      cut.append(character)
    }
    return cut.isEmpty ? nil : cut
  }
}
