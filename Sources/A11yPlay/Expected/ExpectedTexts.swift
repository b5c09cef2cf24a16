// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The texts that a test expects to be heard, in their order, a line each.
///
/// In a line, `…` stands for any characters; a line that is `…` alone stands for any number of
/// texts, and for none. Blank lines count for nothing, since no text is blank. There are no
/// comments, since a text may begin with any character.
package struct ExpectedTexts: Equatable, Sendable {
  /// A line, with its number in the file.
  package struct Line: Equatable, Sendable {
    package let number: Int
    package let text: String
    private let pattern: TextPattern

    /// Whether the line stands for any number of texts.
    package var isAnyTexts: Bool { text == ExpectedTexts.anything }

    fileprivate init(number: Int, text: String) {
      self.number = number
      self.text = text
      pattern = TextPattern(text)
    }

    func fits(_ heard: String) -> Bool { pattern.fits(heard) }
  }

  package let lines: [Line]

  /// The mark for anything.
  static let anything = "…"

  /// Reads the text of a file.
  package init(_ file: String) {
    var lines: [Line] = []
    let rows = file.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, row) in rows.enumerated() {
      let text = Self.tidied(String(row))
      guard !text.isEmpty else { continue }
      lines.append(Line(number: index + 1, text: text))
    }
    self.lines = lines
  }

  /// A text as it is compared: on one line, with single blanks, and none at its ends.
  package static func tidied(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// A line of expected texts: pieces that come in this order, with anything between them.
struct TextPattern: Equatable, Sendable {
  private let pieces: [[UInt8]]

  init(_ text: String) {
    let parts = text.split(separator: ExpectedTexts.anything, omittingEmptySubsequences: false)
    pieces = parts.map { Array($0.utf8) }
  }

  func fits(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else {
      return pieces.first == bytes
    }
    guard bytes.count >= first.count + last.count, bytes.starts(with: first),
      bytes.suffix(last.count).elementsEqual(last)
    else { return false }
    // Each piece at its first place leaves most room for those behind it.
    var rest = bytes[first.count..<bytes.count - last.count]
    for piece in pieces.dropFirst().dropLast() {
      guard let end = Self.end(of: piece, in: rest) else { return false }
      rest = rest[end...]
    }
    return true
  }

  /// The place behind the first occurrence of a piece.
  private static func end(of piece: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    var start = bytes.startIndex
    while bytes.endIndex - start >= piece.count {
      if bytes[start...].starts(with: piece) { return start + piece.count }
      start += 1
    }
    return nil
  }
}
