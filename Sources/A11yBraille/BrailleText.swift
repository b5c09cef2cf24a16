// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A text as a display has room for it: a cell for each character, and nothing that has no cell.
///
/// BRLTTY makes one cell of each Unicode scalar by its text table. Spaces, tabs and ends of lines
/// in a row become one space, and characters without a shape of their own are left out.
package struct BrailleText: Equatable, Sendable {
  private let words: [[Unicode.Scalar]]

  package init(_ text: String) {
    words = text.unicodeScalars.split { $0.properties.isWhitespace || Self.isControl($0) }
      .map { $0.filter(Self.hasCell) }
      .filter { !$0.isEmpty }
  }

  package var isEmpty: Bool { words.isEmpty }

  /// The number of characters, with a space between words.
  package var count: Int { words.reduce(0) { $0 + $1.count + 1 } - (words.isEmpty ? 0 : 1) }

  /// The text in windows, each of exactly as many characters as the display has cells.
  ///
  /// A line ends between words; a word that is longer than a line is cut.
  package func windows(on size: DisplaySize) -> [String] {
    let lines = wrapped(to: size.columns)
    return stride(from: 0, to: lines.count, by: size.rows).map { first in
      var window = ""
      for line in lines[first..<min(first + size.rows, lines.count)] {
        window.unicodeScalars.append(contentsOf: line)
        window += String(repeating: " ", count: size.columns - line.count)
      }
      return window + String(repeating: " ", count: size.cells - window.unicodeScalars.count)
    }
  }

  private func wrapped(to columns: Int) -> [[Unicode.Scalar]] {
    var lines: [[Unicode.Scalar]] = []
    var line: [Unicode.Scalar] = []
    for word in words {
      if !line.isEmpty, line.count + 1 + word.count <= columns {
        line.append(" ")
        line += word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      var rest = word[...]
      while rest.count > columns {
        lines.append(Array(rest.prefix(columns)))
        rest = rest.dropFirst(columns)
      }
      line = Array(rest)
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  /// Joiners, marks of direction and variants of a shape have no cell.
  private static func hasCell(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .format && !scalar.properties.isVariationSelector
  }
}
