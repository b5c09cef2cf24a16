// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A command line of a document, with what the document says it prints.
struct Transcript: CustomStringConvertible {
  let document: String
  let command: String
  let expected: String

  var description: String { "\(document): \(command)" }

  /// The transcripts in the blocks that are marked as `console`, in their order.
  ///
  /// A line that begins with `$ ` is a command, one with `> ` goes on with it, and all others are
  /// what it prints.
  static func all(in document: String, _ text: String) -> [Transcript] {
    text.matches(of: /```console\n((?:.|\n)*?)```/).flatMap { block in
      var found: [(command: [Substring], output: [Substring])] = []
      for line in block.1.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        if line.hasPrefix("$ ") {
          found.append(([line.dropFirst(2)], []))
        } else if line.hasPrefix("> "), found.last?.output.isEmpty == true {
          found[found.count - 1].command.append(line.dropFirst(2))
        } else if !found.isEmpty {
          found[found.count - 1].output.append(line)
        }
      }
      return found.map { command, output in
        Transcript(
          document: document,
          command: command.joined(separator: "\n"),
          expected: output.joined(separator: "\n")
        )
      }
    }
  }

  /// Whether a text is what the document says, where numbers and lengths of time may be others, and
  /// “…” is anything.
  func matches(_ printed: String) -> Bool {
    let parts = Self.numberless(expected).split(separator: "…", omittingEmptySubsequences: false)
    let pattern =
      parts
      .map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: "(.|\\n)*")
    let text = Self.numberless(printed)
    return text.range(of: "^\(pattern)$", options: .regularExpression) == text
      .startIndex..<text.endIndex
  }

  private static func numberless(_ text: String) -> String {
    text.replacing(/[0-9]+(?:\.[0-9]+)?(?: (?:ms|s|min)\b)?/, with: "0")
  }
}
