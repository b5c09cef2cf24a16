// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A Swift file taken apart into code and comments, as far as the rules of the tree need it.
///
/// No parser: literals and comments are blanked out, and the rest is read brace by brace.
struct SwiftSource: Sendable {
  let path: String
  let room: String
  /// The words and signs of the code, without strings, regular expressions and comments.
  let tokens: [SourceScanner.Token]
  /// The comments in their order; consecutive lines of comment are one.
  let comments: [String]

  init(_ file: Tree.File) {
    path = file.path
    room = file.room
    var scanner = SourceScanner(Array(file.text.utf8))
    scanner.scanCode(isInterpolation: false)
    tokens = scanner.tokens
    comments = Self.joined(scanner.comments, in: Array(file.text.utf8))
  }

  /// All of Sources and Tests; read once, since several rules look at them.
  static let all: [SwiftSource] = {
    let files = try? Tree.files(below: "Sources", "Tests", named: [".swift"])
    return (files ?? []).map(SwiftSource.init)
  }()

  /// The last part of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Joins the comments that stand alone on consecutive lines.
  private static func joined(_ ranges: [Range<Int>], in text: [UInt8]) -> [String] {
    var blocks: [String] = []
    var end: Int?
    for range in ranges {
      let words = text[range].drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: " ") }
      let line = String(decoding: words, as: UTF8.self)
      let isNext = end.map { Self.isOneNewline(text[$0..<range.lowerBound]) } ?? false
      if isNext, let last = blocks.last {
        // An empty line of comment separates paragraphs.
        blocks[blocks.count - 1] = last + (line.isEmpty || last.hasSuffix("\n") ? "\n" : " ") + line
      } else {
        blocks.append(line)
      }
      end = range.upperBound
    }
    return blocks
  }

  private static func isOneNewline(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count { $0 == UInt8(ascii: "\n") } == 1
      && bytes.allSatisfy { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }
  }
}

extension SwiftSource {
  /// A function or initializer.
  struct Function {
    let name: String
    /// The name and the parameters as they are written.
    let signature: String
    /// From the line of its name to that of its last brace; nil where it has no body.
    let lines: Int?
    /// Whether it is a requirement of a protocol.
    let isRequirement: Bool
  }

  /// All functions and initializers, nested ones, too.
  var functions: [Function] {
    var found: [Function] = []
    /// Whether each of the open braces is a protocol's.
    var scopes: [Bool] = []
    var isProtocolNext = false
    for (index, token) in tokens.enumerated() {
      switch token.text {
      case "{":
        scopes.append(isProtocolNext)
        isProtocolNext = false
      case "}": _ = scopes.popLast()
      case "protocol": isProtocolNext = true
      case "func", "init":
        let isCall = index > 0 && [".", "\\"].contains(tokens[index - 1].text)
        guard !isCall, index + 1 < tokens.count else { continue }
        found.append(
          Function(
            name: token.text == "func" ? tokens[index + 1].text : "init",
            signature: signature(from: index),
            lines: bodyLines(from: index),
            isRequirement: scopes.last ?? false
          )
        )
      default: break
      }
    }
    return found
  }

  /// The words of the code that begin with one underscore and a small letter.
  var underscored: [String] {
    tokens.indices.filter { index in
      let text = tokens[index].text
      return text.hasPrefix("_") && text.count > 1 && !text.hasPrefix("__")
        && (index == 0 || tokens[index - 1].text != "@")
    }.map { tokens[$0].text }
  }

  /// The words and signs from the keyword of a function to the end of its parameters.
  private func signature(from keyword: Int) -> String {
    var depth = 0
    var end = keyword
    while end < tokens.count {
      if tokens[end].text == "(" { depth += 1 }
      if tokens[end].text == ")" { depth -= 1 }
      end += 1
      if depth == 0, tokens[end - 1].text == ")" { break }
    }
    // A comma behind the last parameter says nothing.
    return tokens[keyword..<end].filter { $0.text != "," }.map(\.text).joined(separator: " ")
  }

  /// The lines of a function whose keyword is this token; nil where no body follows.
  private func bodyLines(from keyword: Int) -> Int? {
    var depth = 0
    var braces = 0
    for index in keyword + 1..<tokens.count {
      let token = tokens[index]
      switch token.text {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "{" where depth == 0 || braces > 0: braces += 1
      case "}" where braces > 0:
        braces -= 1
        if braces == 0 { return token.line - tokens[keyword].line + 1 }
      case "}" where depth == 0: return nil
      case let word where depth == 0 && braces == 0 && index > keyword + 1:
        if Self.declarations.contains(word) { return nil }
      default: break
      }
    }
    return nil
  }

  private static let declarations: Set<String> = [
    "func", "init", "var", "let", "subscript", "associatedtype", "static", "mutating", "case",
    "private", "package", "public", "override",
  ]
}
