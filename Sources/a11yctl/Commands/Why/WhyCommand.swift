// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// Explains the last events that wait to be heard, or were not heard.
struct WhyCommand: Command {
  static let name = "why"
  static let summary = "say why the last event was not heard"
  static let usage = "[OPTION]..."
  static let notes = """
    Looks for the last event that still waits to be heard, then for the last one that was not heard,
    or not to its end, and says why, as a11yctl explain does. Changes without words, and focus moves
    that the user has left behind, are passed over.
    \(Explanations.notes)
    """
  static let options = choices + Explanations.options
  /// The options that choose among the events.
  static let choices = [
    Flag("app", "NAME", "only what this app has said"),
    Flag("count", "N", "the last so many; 1 if not given, 100 at most"),
    Flag("all", nil, "pass nothing over"),
  ]

  private let source: Explanations.Place
  private let question: Question

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    question = try Question(words)
    source = try Explanations.Place(words)
  }

  func run(_ output: Output) throws(Failure) {
    try question.explainUnheard(from: try source.source(output), output)
  }
}

extension WhyCommand {
  /// The events to be explained, and the form of the answer.
  struct Question {
    private let app: String?
    private let count: Int
    private let showsAll: Bool
    let isJSON: Bool

    /// More than anybody reads at once.
    private static let most: Int64 = 100
    /// The ended events to look at for one that is worth telling.
    private static let looks = 50

    init(_ words: CommandWords) throws(Failure) {
      app = words.value("app")
      count = Int(try words.integer("count", in: 1...Self.most) ?? 1)
      showsAll = words.has("all")
      isJSON = words.has("json")
    }

    func explainUnheard(
      from source: any ExplanationSource,
      _ output: Output
    ) throws(Failure) {
      let waiting = try source.waiting(app: app)
      let ends = try source.unheard(app: app, atMost: count * Self.looks)
      var shown = 0
      for seq in waiting.reversed() + ends.reversed() where shown < count {
        let answer: JSONValue
        do throws(Failure) {
          answer = try source.explain(seq)
        } catch  where error.code == .refused {
          // The entry was forgotten meanwhile, or retention has removed it.
          continue
        }
        guard showsAll || WhyCommand.isWorthTelling(answer) else { continue }
        if shown > 0, !isJSON { output.line("") }
        Explanations.show(answer, isJSON: isJSON, output)
        shown += 1
      }
      guard shown == 0, !isJSON else { return }
      let whose = app.map { " of \($0)" } ?? ""
      output.line("The log has nothing\(whose) that was not heard.".visible)
    }
  }

  /// Whether a person has missed something.
  static func isWorthTelling(_ answer: JSONValue) -> Bool {
    guard let event = answer["entry"]?["event"], let type = event["type"]?.string else {
      return false
    }
    if event["text"] != nil || event["redacted"] != nil { return true }
    switch type {
    case "action", "elements": return true
    case "focus":
      let result = answer["result"]?.string
      return result == "expired" || result == "undeliverable" || result == "denied"
    default: return event["element"] != nil && answer["result"]?.string == "denied"
    }
  }
}
