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

/// The texts that were heard beside those that were expected, with as few differences as there can
/// be.
package struct TextComparison: Equatable, Sendable {
  /// A line and the texts that it stands for, or a difference; the numbers count from 0.
  package enum Step: Equatable, Sendable {
    /// A text that is as expected.
    case expected(line: Int, text: Int)
    /// A line for any number of texts, with those that it stands for.
    case anything(line: Int, texts: Range<Int>)
    /// A line that no text fits.
    case missing(line: Int)
    /// A text that no line expects.
    case unexpected(text: Int)
  }

  package let steps: [Step]
  private let lines: [ExpectedTexts.Line]
  private let texts: [String]

  /// The most lines, and the most texts, between the first difference and the last one that are
  /// laid side by side; others in between count as different.
  private static let most = 2_000

  package init(_ expected: ExpectedTexts, _ heard: [String]) {
    lines = expected.lines
    texts = heard.map(ExpectedTexts.tidied)
    let (lines, texts) = (lines, texts)
    func fits(_ line: Int, _ text: Int) -> Bool {
      !lines[line].isAnyTexts && lines[line].fits(texts[text])
    }
    var start = 0
    while start < min(lines.count, texts.count), fits(start, start) { start += 1 }
    var (lastLine, lastText) = (lines.count, texts.count)
    while lastLine > start, lastText > start, fits(lastLine - 1, lastText - 1) {
      lastLine -= 1
      lastText -= 1
    }
    let middle = Alignment(
      lines: start..<min(lastLine, start + Self.most),
      texts: start..<min(lastText, start + Self.most),
      isAny: { lines[$0].isAnyTexts },
      fits: fits
    )
    var steps = (0..<start).map { Step.expected(line: $0, text: $0) } + middle.steps
    for line in min(lastLine, start + Self.most)..<lastLine { steps.append(.missing(line: line)) }
    for text in min(lastText, start + Self.most)..<lastText {
      steps.append(.unexpected(text: text))
    }
    for (line, text) in zip(lastLine..<lines.count, lastText..<texts.count) {
      steps.append(.expected(line: line, text: text))
    }
    self.steps = steps
  }

  /// Whether everything was heard as expected.
  package var isEqual: Bool {
    steps.allSatisfy {
      switch $0 {
      case .expected, .anything: true
      case .missing, .unexpected: false
      }
    }
  }

  /// The text of a file that expects what was heard; the lines that were right stay as they are.
  package var renewed: String {
    var rows: [String] = []
    for step in steps {
      switch step {
      case .expected(let line, _), .anything(let line, _): rows.append(lines[line].text)
      case .unexpected(let text):
        // A secret alone: two marks stand for one text, and one for any number of them.
        let isSecret = texts[text] == ExpectedTexts.anything
        rows.append(isSecret ? texts[text] + texts[text] : texts[text])
      case .missing: break
      }
    }
    return rows.map { $0 + "\n" }.joined()
  }
}

/// Lines and texts side by side, with the fewest lines and texts that stand alone; among such, with
/// the fewest texts that are left to lines for any number of texts.
private struct Alignment {
  /// The weight of a difference against a text that is left to such a line.
  private static let difference: Int32 = 10_000

  private(set) var steps: [TextComparison.Step] = []

  init(
    lines: Range<Int>,
    texts: Range<Int>,
    isAny: (Int) -> Bool,
    fits: (Int, Int) -> Bool
  ) {
    let width = texts.count + 1
    // The differences that remain from a line and a text on.
    var costs = [Int32](repeating: 0, count: (lines.count + 1) * width)
    func cost(_ line: Int, _ text: Int) -> Int32 {
      costs[(line - lines.lowerBound) * width + text - texts.lowerBound]
    }
    for line in (lines.lowerBound...lines.upperBound).reversed() {
      for text in (texts.lowerBound...texts.upperBound).reversed() {
        var best: Int32 = line == lines.upperBound && text == texts.upperBound ? 0 : .max
        if line < lines.upperBound {
          best = min(best, cost(line + 1, text) + (isAny(line) ? 0 : Self.difference))
        }
        if text < texts.upperBound {
          let passes = line < lines.upperBound && isAny(line)
          best = min(best, cost(line, text + 1) + (passes ? 1 : Self.difference))
          if line < lines.upperBound, fits(line, text) {
            best = min(best, cost(line + 1, text + 1))
          }
        }
        costs[(line - lines.lowerBound) * width + text - texts.lowerBound] = best
      }
    }
    var (line, text) = (lines.lowerBound, texts.lowerBound)
    while line < lines.upperBound || text < texts.upperBound {
      let now = cost(line, text)
      let (hasLine, hasText) = (line < lines.upperBound, text < texts.upperBound)
      if hasLine, isAny(line) {
        let first = text
        while cost(line + 1, text) != cost(line, text) { text += 1 }
        steps.append(.anything(line: line, texts: first..<text))
        line += 1
      } else if hasLine, hasText, fits(line, text), cost(line + 1, text + 1) == now {
        steps.append(.expected(line: line, text: text))
        line += 1
        text += 1
      } else if hasLine, cost(line + 1, text) + Self.difference == now {
        steps.append(.missing(line: line))
        line += 1
      } else {
        steps.append(.unexpected(text: text))
        text += 1
      }
    }
  }
}
