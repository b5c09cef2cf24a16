// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Goes through a Swift file and blanks out all that is not code.
struct SourceScanner {
  private let text: [UInt8]
  private var code: [UInt8]
  private(set) var comments: [Range<Int>] = []
  private var at = 0

  init(_ text: [UInt8]) {
    self.text = text
    code = text
  }

  /// Reads code to the end, or to the parenthesis that ends an interpolation.
  mutating func scanCode(isInterpolation: Bool) {
    var depth = 0
    while at < text.count {
      switch text[at] {
      case Self.slash where follows(Self.slash): scanLineComment()
      case Self.slash where follows(Self.star): scanBlockComment()
      case Self.slash where isRegex: scanRegex()
      case Self.quote: scanString(hashes: 0)
      case Self.hash:
        if let hashes { scanString(hashes: hashes) } else { at += 1 }
      case Self.backtick: scanRawIdentifier()
      case Self.openParenthesis:
        depth += 1
        at += 1
      case Self.closeParenthesis:
        if isInterpolation, depth == 0 { return }
        depth -= 1
        at += 1
      default: at += 1
      }
    }
  }

  // In a debug build a constant is read much faster than a literal is turned into a byte.
  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")
  private static let quote = UInt8(ascii: "\"")
  private static let hash = UInt8(ascii: "#")
  private static let backtick = UInt8(ascii: "`")
  private static let backslash = UInt8(ascii: "\\")
  private static let openParenthesis = UInt8(ascii: "(")
  private static let closeParenthesis = UInt8(ascii: ")")
  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let underscore = UInt8(ascii: "_")

  private func follows(_ byte: UInt8) -> Bool { at + 1 < text.count && text[at + 1] == byte }

  // MARK: Parts

  private mutating func scanLineComment() {
    let start = at
    at = text[at...].firstIndex(of: Self.newline) ?? text.count
    comments.append(start..<at)
    blank(start..<at)
  }

  private mutating func scanBlockComment() {
    let start = at
    var depth = 0
    repeat {
      if text[at] == Self.slash, follows(Self.star) { depth += 1 }
      if text[at] == Self.star, follows(Self.slash) { depth -= 1 }
      at += depth == 0 ? 2 : 1
    } while depth > 0 && at < text.count
    blank(start..<min(at, text.count))
  }

  /// The number of hashes before the quote of a string that begins here; nil where none does.
  private var hashes: Int? {
    var end = at
    while end < text.count, text[end] == Self.hash { end += 1 }
    guard end < text.count, text[end] == Self.quote else { return nil }
    return end - at
  }

  private mutating func scanString(hashes: Int) {
    var start = at
    at += hashes
    let isLong = matches([Self.quote, Self.quote, Self.quote])
    let quote = String(repeating: "\"", count: isLong ? 3 : 1)
    let end = Array((quote + String(repeating: "#", count: hashes)).utf8)
    let escape = Array(("\\" + String(repeating: "#", count: hashes)).utf8)
    at += quote.utf8.count
    while at < text.count, text[at] != Self.quote || !matches(end) {
      guard text[at] == Self.backslash, matches(escape) else {
        at += 1
        continue
      }
      at += escape.count
      guard at < text.count, text[at] == Self.openParenthesis else {
        at += 1
        continue
      }
      blank(start..<at + 1)
      at += 1
      scanCode(isInterpolation: true)
      start = at
    }
    at = min(at + end.count, text.count)
    blank(start..<at)
  }

  /// Passes over the name of a function between backticks, which may be a whole sentence.
  private mutating func scanRawIdentifier() {
    let end = text[(at + 1)...].firstIndex { $0 == Self.backtick || $0 == Self.newline }
    // One word, whatever stands in it.
    for index in at + 1..<(end ?? text.count) { code[index] = Self.underscore }
    at = (end ?? text.count - 1) + 1
  }

  private var isRegex: Bool {
    guard !follows(Self.space), !follows(Self.closeParenthesis) else { return false }
    var before = at - 1
    while before >= 0, text[before] == Self.space || text[before] == Self.newline { before -= 1 }
    return before >= 0 && "(,=:[".utf8.contains(text[before])
  }

  private mutating func scanRegex() {
    let start = at
    at += 1
    while at < text.count, text[at] != Self.slash, text[at] != Self.newline {
      at += text[at] == Self.backslash ? 2 : 1
    }
    at = min(at + 1, text.count)
    blank(start..<at)
  }

  private func matches(_ bytes: [UInt8]) -> Bool {
    at + bytes.count <= text.count && text[at..<at + bytes.count].elementsEqual(bytes)
  }

  private mutating func blank(_ range: Range<Int>) {
    for index in range where text[index] != Self.newline { code[index] = Self.space }
  }

  // MARK: Tokens

  /// A word, or a sign that is no part of one.
  struct Token: Sendable {
    let text: String
    let line: Int
  }

  /// The words and signs of what is left as code.
  var tokens: [Token] {
    var found: [Token] = []
    var line = 1
    var start = 0
    for end in 0...code.count {
      let kind = end < code.count ? Self.kinds[Int(code[end])] : .blank
      if kind == .letter { continue }
      if start < end {
        found.append(Token(text: String(decoding: code[start..<end], as: UTF8.self), line: line))
      }
      start = end + 1
      guard end < code.count else { break }
      if kind == .sign {
        found.append(Token(text: String(UnicodeScalar(code[end])), line: line))
      } else if code[end] == Self.newline {
        line += 1
      }
    }
    return found
  }

  private enum Kind { case letter, sign, blank }

  private static let kinds: [Kind] = (0...255).map { byte in
    switch byte {
    case 0x80..., 0x30...0x39, 0x41...0x5a, 0x5f, 0x60, 0x61...0x7a: .letter
    case 0...0x20: .blank
    default: .sign
    }
  }
}
