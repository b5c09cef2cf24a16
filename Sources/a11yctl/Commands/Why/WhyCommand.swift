// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPresenter
import A11yWire

/// Explains the last events that wait to be heard, or were not heard.
struct WhyCommand: Command {
  static let name = "why"
  static let summary = "say why the last event was not heard"
  static let usage = "[OPTION]... [LOG]"
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
    Flag("rule", "RULE", "only what this rule has ended, with nothing passed over"),
    Flag("count", "N", "the last so many; 1 if not given, 100 at most"),
    Flag("all", nil, "pass nothing over"),
  ]

  private let source: Explanations.Place
  private let question: Question
  /// The bus that knows the names of apps, if one does.
  private let socket: String?

  init(_ words: CommandWords) throws(Failure) {
    if let word = words.operands.first, Int64(word) != nil {
      throw Failure(.usage, "\(word) is no log. Try: a11yctl explain \(word)")
    }
    question = try Question(words)
    source = try Explanations.Place(words)
    socket = try? words.socket(for: .operation(.stats)).path
  }

  func run(_ output: Output) throws(Failure) {
    let isAnswered = try question.explainUnheard(from: try source.source(output), output)
    guard !isAnswered, let app = question.app, let socket else { return }
    for line in AppNames.strangers([app], at: socket) { output.line(line) }
  }
}

extension WhyCommand {
  /// The events to be explained, and the form of the answer.
  struct Question {
    let app: String?
    private let rule: String?
    private let count: Int
    private let showsAll: Bool
    let isJSON: Bool

    /// More than anybody reads at once.
    private static let most: Int64 = 100
    /// The ended events to look at for one that is worth telling.
    private static let looks = 50

    init(_ words: CommandWords) throws(Failure) {
      app = words.value("app")
      rule = words.value("rule")
      count = Int(try words.integer("count", in: 1...Self.most) ?? 1)
      showsAll = words.has("all")
      isJSON = words.has("json")
    }

    /// Explains events; false where there are none, which is told but in JSON.
    @discardableResult
    func explainUnheard(
      from source: any ExplanationSource,
      _ output: Output
    ) throws(Failure) -> Bool {
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
        if let rule, answer["rule"]?.string != rule { continue }
        guard showsAll || rule != nil || WhyCommand.isWorthTelling(answer) else { continue }
        if shown > 0, !isJSON { output.line("") }
        Explanations.show(answer, isJSON: isJSON, output)
        shown += 1
      }
      guard shown == 0, !isJSON else { return true }
      if let rule, let words = try Self.stranger(rule, source) {
        output.line(words)
        return true
      }
      let whose = app.map { " of \($0)" } ?? ""
      let end = rule.map { " by the rule \($0)" } ?? ""
      output.line("The log has nothing\(whose) that was not heard\(end).".visible)
      return false
    }

    /// A sentence about a rule that is not there; nil where it is.
    private static func stranger(
      _ rule: String,
      _ source: any ExplanationSource
    ) throws(Failure) -> String? {
      guard let named = try source.namesOfRules() else { return nil }
      let known = named + OwnRule.allCases.map(\.rawValue) + [Mute.rule]
      guard !known.contains(rule) else { return nil }
      let question = NearbyNames.question(NearbyNames.to(rule, among: known))
      return "There is no rule of the name \(rule)\(question)".visible
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
