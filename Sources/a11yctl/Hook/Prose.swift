// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What an assistant has written, for the ear: without the marks of Markdown, and in short.
enum Prose {
  /// The first sentence of a text; nil where it has no words.
  ///
  /// Code, tables and rules are passed over. A heading and an item of a list stand for themselves;
  /// the lines of a paragraph are one text.
  static func firstSentence(_ text: String, atMost most: Int) -> String? {
    var paragraph = ""
    var isCode = false
    // The beginning is enough, and a long answer costs no time.
    for raw in text.prefix(16_384).split(whereSeparator: \.isNewline) {
      let line = raw.drop { $0.isWhitespace }
      if line.hasPrefix("```") || line.hasPrefix("~~~") {
        isCode.toggle()
        continue
      }
      if isCode || line.hasPrefix("|") { continue }
      let (words, standsAlone) = unmarked(line)
      let isBlank = !words.contains { $0.isLetter || $0.isNumber }
      if isBlank, paragraph.isEmpty { continue }
      if isBlank || standsAlone, !paragraph.isEmpty { break }
      paragraph += paragraph.isEmpty ? words : " \(words)"
      if standsAlone || end(of: paragraph) != nil || paragraph.count > most { break }
    }
    let sentence = end(of: paragraph).map { String(paragraph[..<$0]) } ?? paragraph
    return line(sentence, atMost: most)
  }

  /// A text on one line with single blanks, cut behind a word; nil where it is blank.
  static func line(_ text: String, atMost most: Int) -> String? {
    let words = text.prefix(4 * most).split { $0.isWhitespace || isControl($0) }
    var line = ""
    for word in words {
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      guard longer.count <= most else {
        return line.isEmpty ? "\(word.prefix(most))…" : "\(line)…"
      }
      line = longer
    }
    return line.isEmpty ? nil : line
  }

  /// “github, create issue”, of `mcp__github__create_issue`.
  static func spoken(tool name: String) -> String {
    let parts = name.replacing("__", with: "\n").split(separator: "\n")
    let known = parts.first == "mcp" && parts.count > 1 ? parts.dropFirst() : parts[...]
    return known.map(spoken).joined(separator: ", ")
  }

  /// Words that are joined for machines.
  static func spoken(_ word: some StringProtocol) -> String {
    String(word.map { $0 == "_" ? " " : $0 })
  }

  private static func isControl(_ character: Character) -> Bool {
    character.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// The words of a line, and whether it is a heading or an item.
  private static func unmarked(_ line: Substring) -> (words: String, standsAlone: Bool) {
    var rest = line
    let marks = rest.prefix { "#>-*+•".contains($0) }
    let digits = rest.prefix { $0.isNumber }
    var standsAlone = false
    if !marks.isEmpty, rest.dropFirst(marks.count).first?.isWhitespace ?? true {
      rest = rest.dropFirst(marks.count)
      standsAlone = !marks.contains(">")
    } else if !digits.isEmpty, let mark = rest.dropFirst(digits.count).first, ".)".contains(mark),
      rest.dropFirst(digits.count + 1).first?.isWhitespace ?? false
    {
      rest = rest.dropFirst(digits.count + 1)
      standsAlone = true
    }
    var words = rest.replacing(/!?\[([^\]]*)\]\([^)]*\)/) { $0.1 }
    words.removeAll { "`*".contains($0) }
    return (words.split(whereSeparator: \.isWhitespace).joined(separator: " "), standsAlone)
  }

  /// The place behind the first sentence, if it ends.
  private static func end(of text: String) -> String.Index? {
    var index = text.startIndex
    while index < text.endIndex {
      let next = text.index(after: index)
      if "。！？".contains(text[index]) { return next }
      if ".!?…".contains(text[index]), !isAbbreviation(text[..<index]) {
        let behind = text[next...].drop { "\"”’»)".contains($0) }
        if behind.first?.isWhitespace ?? true { return behind.startIndex }
      }
      index = next
    }
    return nil
  }

  /// Whether a full stop behind these words belongs to the last of them, as in “e.g.”.
  private static func isAbbreviation(_ words: Substring) -> Bool {
    let last = words.split { $0.isWhitespace || "(.".contains($0) }.last
    return last?.count == 1 && last?.first?.isLetter == true
  }
}
