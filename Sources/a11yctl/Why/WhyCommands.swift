// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yPresenter
import A11yWire

/// Explains the last events that wait to be heard, or were not heard.
struct WhyCommand: Command {
  static let name = "why"
  static let summary = "say why the last event was not heard"
  static let usage = "[OPTION]... [LOG]"
  static let usageOfMachine = "[SEQ]"
  static let notes = """
    Looks for the last event that still waits to be heard, then for the last one that was not heard,
    or not to its end, and says why, as a11yctl explain does. Changes without words, and focus moves
    that the user has left behind, are passed over. With --from, it is a11yctl fleet why.
    \(ExplainCommand.sourceNotes)
    """

  @Operands private var words: [String]
  private let question = WhyQuestion()
  @Flag("json", "print the answer as JSON, on one line") private var isJSON: Bool
  private let reading = ReadingOptions(orOf: BusSocket())

  func run(_ output: Output) throws(Failure) {
    if let entries = try reading.machine(words, behind: 1) {
      return try FleetWhyCommand.explain(words, question, in: entries, isJSON: isJSON, output)
    }
    if let word = words.first, Int64(word) != nil {
      throw Failure(.usage, "\(word) is no log. Try: a11yctl explain \(word)")
    }
    let source = try reading.source(for: .explain, words, output)
    let isAnswered = try question.explainUnheard(from: source, isJSON: isJSON, output)
    guard !isAnswered, let app = question.app else { return }
    output.lines(reading.strangers(app, words))
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
    \(ReadingOptions.busNotes)
    Whether an event is still waiting is known to the bus alone.
    """

  @Operands private var words: [String]
  @Flag("json", "print the answer as JSON, on one line") private var isJSON: Bool
  private let reading = ReadingOptions(orOf: BusSocket())

  func run(_ output: Output) throws(Failure) {
    guard let word = reading.rest(of: words).first else {
      throw Failure(.usage, "One seq is expected. Try: a11yctl explain 42")
    }
    let seq = try Self.seq(word)
    let source = try reading.source(for: .explain, words, behind: 1, output)
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

/// An explanation as lines: the sentence first, then the facts behind it.
enum ExplainWords {
  /// The lines; `clock` formats a day and a time of day.
  static func lines(_ answer: JSONValue, clock: (Int64) -> String) -> [String] {
    var lines = [answer["sentence"]?.string ?? "The bus has said nothing about it."]
    lines += entry(answer, clock: clock)
    let subject = subject(answer)
    let result = answer["result"]?.string
    if let result { lines.append("The result is \(result).") }
    if let pending = answer["pending"], let state = pending["state"]?.string {
      lines.append(state == "speaking" ? "It is being spoken." : "It waits.")
    }
    if let rule = answer["rule"]?.string { lines.append("The rule is \(rule).") }
    for member in answer["why"]?.members ?? [] { lines += why(member, of: subject, result) }
    lines += related(answer, to: subject)
    return lines.map(VisibleText.of)
  }

  /// The event whose end is told: “it” where it was asked for, else its number.
  private static func subject(_ answer: JSONValue) -> String {
    let abouts = (answer["related"]?.list ?? []).filter {
      $0["relation"]?.string == Relation.about.rawValue
    }
    // A report is about a delivery, and the delivery about the event.
    return abouts.compactMap { $0["seq"]?.integer }.min().map(String.init) ?? "it"
  }

  /// The explained entry, if the answer has it.
  static func entry(of answer: JSONValue) -> Entry? {
    guard let value = answer["entry"], let seq = value["seq"]?.integer else { return nil }
    let line = Array(value.description.utf8)
    let reader = JSONReader(limit: line.count)
    guard (try? reader.read(line.span)) != nil else { return nil }
    return try? Entry(seq, reader.document)
  }

  private static func entry(_ answer: JSONValue, clock: (Int64) -> String) -> [String] {
    guard let entry = entry(of: answer) else { return [] }
    let words = EntryWords.sentence(entry)
    // An announcement may end with its own full stop.
    let stop = words.last.map { ".!?…".contains($0) } == true ? "" : "."
    return ["Entry \(entry.seq), \(clock(entry.time)): \(words)\(stop)"]
  }

  /// A line for each relation, with its entries in the order of their seqs.
  private static func related(_ answer: JSONValue, to subject: String) -> [String] {
    let own = answer["entry"]?["seq"]?.integer
    var words: [String] = []
    var seqs: [String: [Seq]] = [:]
    for relative in answer["related"]?.list ?? [] {
      guard let seq = relative["seq"]?.integer, let word = relative["relation"]?.string,
        seq != own
      else { continue }
      if seqs[word] == nil { words.append(word) }
      seqs[word, default: []].append(Seq(seq))
    }
    return words.map { word in
      let all = seqs[word] ?? []
      return Relation(rawValue: word)?.sentence(all, subject)
        ?? "\(word): \(Sentences.names(all))."
    }
  }

  /// A number behind the decision, as a line.
  private static func why(
    _ member: JSONValue.Member,
    of subject: String,
    _ result: String?
  ) -> [String] {
    let it = subject.asSentence
    let value = member.value
    let time = value.integer.flatMap {
      (0...1 << 40).contains($0) ? TimeSpan.milliseconds($0) : nil
    }
    switch (member.name, time) {
    // An event that did not wait needs no line.
    case ("waited_ms", TimeSpan.zero?): return []
    case ("waited_ms", let time?): return ["\(it) waited \(Lengths.rough(time))."]
    case ("heard_ms", let time?): return ["\(it) was spoken for \(Lengths.rough(time))."]
    case ("window_ms", let time?): return ["The rule's time is \(Lengths.exact(time))."]
    case ("ttl_ms", let time?): return ["\(it) had \(Lengths.exact(time)) to begin."]
    case ("rate", _):
      let rate = value.string.flatMap(A11yPresenter.Why.Rate.init).map(Sentences.rate)
      return ["The rule's rate is \(rate ?? value.string ?? value.description)."]
    case ("reason", _): return ["The reason is \(value.string ?? value.description)."]
    case ("count", _):
      return result == Result.undeliverable.rawValue
        ? ["A reader was given \(subject) \(value.description) times."]
        : ["\(value.description) others were waiting."]
    case ("held_by", _): return ["\(it) was kept back by \(value.string ?? value.description)."]
    case ("from", _) where value.string == "event": return ["The event asked for that time itself."]
    case ("elsewhere", _): return ["Another program presents \(subject)."]
    case ("behind", _): return ["Another program was speaking before \(subject)."]
    case ("suggestion", _): return []
    case ("estimated", _): return ["How far \(subject) was spoken is an estimate."]
    case ("silent", _): return ["\(it) had no words."]
    case ("sensitive", _): return ["The text is secret."]
    case ("due", _): return []
    case ("focus", _): return focus(value)
    default: return CounterWords.lines(.object([member])).map { "\($0.asSentence)." }
    }
  }

  private static func focus(_ value: JSONValue) -> [String] {
    let place = value["seq"]?.integer.map { ", as \($0) says" } ?? ""
    switch value["result"]?.string {
    case "moved": return ["The focus moved there\(place)."]
    case "kept": return ["The focus stayed where it was\(place)."]
    case "denied":
      let reason = Sentences.refusedFocus((value["reason"]?.string).map(Reason.init))
      return ["The focus stayed where it was\(place), because \(reason)."]
    default: return ["It is not known what became of the focus."]
    }
  }
}

extension Relation {
  /// The relation of entries to the explained one.
  fileprivate func sentence(_ seqs: [Seq], _ it: String) -> String {
    let names = Sentences.names(seqs)
    let isOne = seqs.count == 1
    switch self {
    case .about:
      return isOne ? "The entry is about \(names)." : "The entries it is about are \(names)."
    case .deliver: return "\(names) gave \(it) to readers."
    case .silence: return "\(names) told readers to stop \(it)."
    case .speech:
      return isOne
        ? "\(names) is a reader's report on \(it)." : "\(names) are readers' reports on \(it)."
    case .outcome: return "\(names) says how \(it) ended."
    case .focus:
      return "\(names) \(seqs.count.verbed("says")) where the focus went because of \(it)."
    case .gesture: return "\(names) asked an app to do \(it)."
    case .handled: return "\(names) \(seqs.count.verbed("is")) the app's answer."
    case .cause: return "\(names) is the user's action that led to \(it)."
    case .feedback: return "\(names) \(seqs.count.verbed("tells")) what the action did."
    case .consequence:
      return "\(names) \(seqs.count.verbed("was")) said by an app after the action."
    case .duplicateOf: return "\(it.asSentence) repeats \(names)."
    case .coalescedInto, .supersededBy: return "\(names) is newer and came in place of \(it)."
    case .summarisedIn: return "The summary that counts \(it) came in place of \(names)."
    case .interruptedBy: return "\(names) cut \(it) off."
    case .cancelledBy: return "\(names) withdrew \(it)."
    case .endedBy: return "\(names) ended \(it)."
    case .standsFor:
      let most = seqs.count >= Investigation.mostStoodFor ? " or more" : ""
      let lead = "\(it.asSentence) stands for"
      if isOne { return "\(lead) 1 other, \(names)." }
      guard let first = seqs.first, let last = seqs.last, names.contains(", ") else {
        return "\(lead) \(seqs.count)\(most) others, \(names)."
      }
      return "\(lead) \(seqs.count)\(most) others between \(first.number) and \(last.number)."
    }
  }
}

extension EventEnding {
  /// Reads an outcome of the client library.
  init?(_ entry: Entry) {
    guard entry.type == EventType.Own.outcome.rawValue else { return nil }
    let line = Array(entry.line.utf8)
    let reader = JSONReader(limit: line.count)
    guard (try? reader.read(line.span)) != nil else { return nil }
    self.init(reader.document, Seq(entry.seq))
  }
}
