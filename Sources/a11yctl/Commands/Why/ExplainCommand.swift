// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// Explains an entry: its result, and the reason.
struct ExplainCommand: Command {
  static let name = "explain"
  static let summary = "say what became of an entry, and why"
  static let usage = "[OPTION]... SEQ [LOG]"
  static let notes = """
    Says in plain words whether an event was heard, and if not, why: then, line by line, the entry,
    the rule and its numbers, and the related entries. The last event that was not heard is found by
    a11yctl why.
    \(Explanations.notes)
    """
  static let options = Explanations.options

  private let source: Explanations.Place
  private let seq: Seq
  private let isJSON: Bool

  init(_ words: CommandWords) throws(Failure) {
    guard let word = words.operands.first else {
      throw Failure(.usage, "One seq is expected. Try: a11yctl explain 42")
    }
    guard let number = Int64(word), number > 0 else {
      throw Failure(.usage, "A seq is expected, which is a number from 1; got \(word).")
    }
    seq = Seq(number)
    source = try Explanations.Place(words, behind: 1)
    isJSON = words.has("json")
  }

  func run(_ output: Output) throws(Failure) {
    let source = try source.source(output)
    Explanations.show(try source.explain(seq), isJSON: isJSON, output)
  }
}
