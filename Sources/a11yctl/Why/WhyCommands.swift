// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPresenter
import A11yWire

/// Explains the last events that wait to be heard, or were not heard.
struct WhyCommand: Command {
  static let name = "why"
  static let summary = "say why the last event was not heard"
  static let usage = "[OPTION]... [LOG]   or   a11yctl why --from ADDRESS [OPTION]... MACHINE [SEQ]"
  static let notes = """
    Looks for the last event that still waits to be heard, then for the last one that was not heard,
    or not to its end, and says why, as a11yctl explain does. Changes without words, and focus moves
    that the user has left behind, are passed over. With --from, an engine is asked about a machine
    of a fleet, as by a11yctl fleet why.
    \(ExplainCommand.sourceNotes)
    """

  @Operands private var words: [String]
  private let question = WhyQuestion()
  @Option(
    "from",
    "ADDRESS",
    "the engine that has the machine: nats://HOST:PORT or redis://HOST:PORT",
    as: .engine
  )
  private var engine: String?
  @Flag("json", "print the answer as JSON, on one line") private var isJSON: Bool
  private let place = BusOrLog()

  func run(_ output: Output) throws(Failure) {
    if let engine {
      try words.refuse(behind: 2)
      let engine = FleetEngine(address: engine)
      return try FleetWhyCommand.explain(words, question, in: engine, isJSON: isJSON, output)
    }
    if let word = words.first, Int64(word) != nil {
      throw Failure(.usage, "\(word) is no log. Try: a11yctl explain \(word)")
    }
    let source = try place.source(for: .explain, output, in: words)
    let isAnswered = try question.explainUnheard(from: source, isJSON: isJSON, output)
    guard !isAnswered, let app = question.app else { return }
    output.lines(place.bus.strangers([app]))
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

/// The choice of the events to be explained.
struct WhyQuestion: OptionGroup {
  @Option("app", "NAME", "only what this app has said") var app: String?
  @Option("rule", "RULE", "only what this rule has ended, with nothing passed over")
  private var rule: String?
  @Option(
    "count",
    "N",
    "the last so many; 1 if not given, 100 at most",
    as: .number(in: 1...Self.most)
  )
  private var count: Int64?
  @Flag("all", "pass nothing over") private var showsAll: Bool

  /// More than anybody reads at once.
  private static let most: Int64 = 100
  /// The ended events to look at for one that is worth telling.
  private static let looks = 50

  /// Explains events; false where there are none, which is told but in JSON.
  @discardableResult
  func explainUnheard(
    from source: any EntrySource,
    isJSON: Bool,
    _ output: Output
  ) throws(Failure) -> Bool {
    try source.needEntries()
    let count = Int(count ?? 1)
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
      ExplainCommand.show(answer, isJSON: isJSON, output)
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
    _ source: any EntrySource
  ) throws(Failure) -> String? {
    guard let named = try source.namesOfRules() else { return nil }
    let known = named + OwnRule.allCases.map(\.rawValue) + [Mute.rule]
    guard !known.contains(rule) else { return nil }
    let question = NearbyNames.question(NearbyNames.to(rule, among: known))
    return "There is no rule of the name \(rule)\(question)".visible
  }
}

/// Explains an entry: its result, and the reason.
struct ExplainCommand: Command {
  static let name = "explain"
  static let summary = "say what became of an entry, and why"
  static let usage = "[OPTION]... SEQ [LOG]"
  static let notes = """
    Says in plain words whether an event was heard, and if not, why: then, line by line, the entry,
    the rule and its numbers, and the related entries. The last event that was not heard is found by
    a11yctl why.
    \(sourceNotes)
    """

  static let sourceNotes = """
    Where the bus cannot be reached, its log is read instead. Whether an event is still waiting is
    known to the bus alone.
    """

  @Operands private var words: [String]
  @Flag("json", "print the answer as JSON, on one line") private var isJSON: Bool
  private let place = BusOrLog()

  func run(_ output: Output) throws(Failure) {
    guard let word = words.first else {
      throw Failure(.usage, "One seq is expected. Try: a11yctl explain 42")
    }
    let seq = try Self.seq(word)
    let source = try place.source(for: .explain, output, in: words, behind: 1)
    Self.show(try source.explain(seq), isJSON: isJSON, output)
  }

  /// A seq on the command line.
  static func seq(_ word: String) throws(Failure) -> Seq {
    guard let number = Int64(word), number > 0 else {
      throw Failure(.usage, "A seq is expected, which is a number from 1; got \(word).")
    }
    return Seq(number)
  }

  static func show(_ answer: JSONValue, isJSON: Bool, _ output: Output) {
    output.lines(
      isJSON ? [answer.description] : ExplainWords.lines(answer, clock: ClockTime.dayAndTime)
    )
  }
}
