// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

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

/// A delivery as something to read.
package struct BrailleMessage: Equatable, Sendable {
  /// The importance.
  package enum Rank: Int, Comparable, Sendable {
    case low
    case usual
    case high

    init(_ priority: String) {
      switch priority {
      case "low": self = .low
      case "high": self = .high
      default: self = .usual
      }
    }

    package static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
  }

  let seq: Int64
  /// The events that it tells of.
  let of: [Int64]
  let rank: Rank
  let text: BrailleText
  /// Whether its words are nowhere once they have left the display.
  let isSecret: Bool

  init(_ delivery: DeliveryEntry, _ text: String, isSecret: Bool) {
    seq = delivery.seq
    of = delivery.of
    rank = Rank(delivery.priority)
    self.text = BrailleText(text)
    self.isSecret = isSecret
  }
}

extension DeliveryEntry {
  private static let bullet = "•"

  /// The message with the words that the log does not hold: those of a secure element as bullets.
  func message(kind: String, _ words: SpeechText) -> BrailleMessage {
    guard kind == "value" else { return BrailleMessage(self, words.text, isSecret: true) }
    let hidden = hiddenPlaces(in: words)
    let texts = words.runs.enumerated().map { place, run in
      hidden.contains(place)
        ? String(repeating: Self.bullet, count: run.text.count) : run.text
    }
    return BrailleMessage(self, Self.separated(texts), isSecret: true)
  }

  /// The message without them.
  var openMessage: BrailleMessage {
    BrailleMessage(self, Self.separated(speech.runs.map(\.text)), isSecret: true)
  }

  /// Runs that the bus has taken apart at a hidden value, with a pause between them again.
  private static func separated(_ texts: [String]) -> String { texts.joined(separator: ", ") }
}

/// The measures of a braille display.
package struct DisplaySize: Equatable, Sendable {
  package let columns: Int
  package let rows: Int

  /// More cells than BRLTTY's protocol has room for in one packet.
  private static let mostCells = 512

  /// Takes the measures that BRLTTY tells; nil where there is no display.
  package init?(columns: Int, rows: Int) {
    guard columns > 0, rows > 0 else { return nil }
    self.columns = min(columns, Self.mostCells)
    self.rows = min(rows, Self.mostCells / self.columns)
  }

  package var cells: Int { columns * rows }
}

/// The condition of the display, in which it stays until the next one.
package enum BrailleCondition: Equatable, Sendable {
  case connecting
  case showing(DisplaySize)
  case noDisplay(reason: String)

  /// The measures, where there is a display.
  package var size: DisplaySize? {
    if case .showing(let size) = self { size } else { nil }
  }

  /// The sentence for people.
  package var sentence: String {
    switch self {
    case .connecting: "connecting to BRLTTY"
    case .showing(let size) where size.rows == 1:
      "showing on a display of \(size.columns) cells"
    case .showing(let size):
      "showing on a display of \(size.rows) lines of \(size.columns) cells"
    case .noDisplay(let reason): "no braille display: \(reason)"
    }
  }
}
