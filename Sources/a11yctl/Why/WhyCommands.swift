// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
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

/// A source of explanations: the bus, or the log of a bus that does not run.
protocol ExplanationSource {
  /// The members of the answer to `explain`.
  func explain(_ seq: Seq) throws(Failure) -> JSONValue
  /// The events of an app, or of all, that still wait to be heard, the newest at the end.
  func waiting(app: String?) throws(Failure) -> [Seq]
  /// The last events of an app, or of all, that were not heard or not to their end, the newest at
  /// the end.
  func unheard(app: String?, atMost count: Int) throws(Failure) -> [Seq]
  /// The names of the rules in files, without those of the bus itself; nil where there are more
  /// than can be asked for.
  func namesOfRules() throws(Failure) -> [String]?
}

/// The common part of the commands that explain.
enum Explanations {
  static let options = [
    Flag("json", nil, "print the answer as JSON, on one line"),
    LogPlace.flag(saying: "read this log, not the bus: \(LogPlace.forms)"),
  ]

  static let notes = """
    Where the bus cannot be reached, its log is read instead. Whether an event is still waiting is
    known to the bus alone.
    """

  /// The place of the source, by the command line.
  struct Place {
    private let socket: String
    private let log: String?
    private let isAnySocket: Bool

    /// The bus, or the log that is named by the option or behind so many other words.
    init(_ words: CommandWords, behind count: Int = 0) throws(Failure) {
      log = try words.namedLog(behind: count)
      // A named log is read alone.
      socket = log == nil ? try words.socket(for: .operation(.explain)).path : ""
      isAnySocket = words.value("socket") == nil
    }

    func source(_ output: Output) throws(Failure) -> any ExplanationSource {
      if let log { return try Self.reader(of: log, output) }
      let unreachable: Failure
      do throws(Failure) {
        let bus = try asking { () throws(ClientError) in try BusConnection(path: socket) }
        return BusExplanations(bus, path: socket)
      } catch {
        unreachable = error
      }
      // The usual log belongs to the usual socket alone.
      guard isAnySocket, let path = LogPlace.find(nil, in: Environment.value),
        let source = try? Self.reader(of: path, output)
      else { throw unreachable }
      output.complain("The bus cannot be reached. This is from its log, in \(path).")
      return source
    }

    private static func reader(of path: String, _ output: Output) throws(Failure) -> LogExplanations
    {
      LogExplanations(try LogReader(path, Progress("Read", output)))
    }
  }

  static func show(_ answer: JSONValue, isJSON: Bool, _ output: Output) {
    if isJSON {
      output.line(answer.description)
      return
    }
    for line in ExplainWords.lines(answer, clock: ClockTime.dayAndTime) { output.line(line) }
  }
}

/// Explanations by the bus.
struct BusExplanations: ExplanationSource {
  private let bus: BusConnection
  private let path: String
  /// Long enough for the longest log.
  private static let patience: Duration = .seconds(60)
  /// The numbers of entries to look through, each where the one before has brought too little.
  private static let strides: [Int64] = [2_000, 50_000, .max]

  init(_ bus: BusConnection, path: String) {
    self.bus = bus
    self.path = path
  }

  func explain(_ seq: Seq) throws(Failure) -> JSONValue {
    try asking { () throws(ClientError) in
      try bus.request("explain", [.init("seq", .integer(seq.number))], timeout: Self.patience)
    }
  }

  func waiting(app: String?) throws(Failure) -> [Seq] {
    let state = try asking { () throws(ClientError) in try bus.request("state") }
    let pending = (state["pending"]?.list ?? []).filter { event in
      event["state"]?.string != "speaking" && (app == nil || event["app"]?.string == app)
    }
    return pending.compactMap { $0["seq"]?.integer.map { Seq($0) } }
  }

  func unheard(app: String?, atMost count: Int) throws(Failure) -> [Seq] {
    try asking { () throws(ClientError) in
      var found: [Seq] = []
      for stride in Self.strides {
        found = try unheard(within: stride, app: app)
        // Many events may be passed over as unimportant, so a full count is wanted.
        if found.count >= count { break }
      }
      return found.suffix(count)
    }
  }

  func namesOfRules() throws(Failure) -> [String]? {
    let answer = try asking { () throws(ClientError) in try bus.request("rules") }
    if answer["more_rules"] != nil { return nil }
    return (answer["rules"]?.list ?? []).compactMap { $0["name"]?.string }
  }

  private func unheard(within stride: Int64, app: String?) throws(ClientError) -> [Seq] {
    let reading = try BusConnection(path: path)
    let now = try reading.subscribe()
    let from = max(0, now.seq - min(stride, now.seq))
    try reading.request("unsubscribe")
    while try reading.next(timeout: .zero) != nil {}
    try reading.subscribe(
      SubscriptionRequest(
        from: LogCursor("\(now.epoch):\(from)").map { .cursor($0) } ?? .start,
        filter: EntryFilter(types: [EventType.Own.outcome.rawValue], apps: app.map { [$0] })
      )
    )
    var found: [Seq] = []
    while let item = try reading.next(timeout: Self.patience) {
      switch item {
      case .entry(let entry):
        guard let of = entry.integer("of"), Unheard.isOne(entry.string("result")) else { continue }
        found.append(Seq(of))
      case .mark(.caughtUp): return found
      case .mark: continue
      }
    }
    throw .timedOut(after: Self.patience)
  }
}

/// The results that mean that a person has missed something.
enum Unheard {
  static func isOne(_ result: String?) -> Bool { result != "heard" && result != "handled" }
}

extension String {
  /// The text with everything in it visible.
  var visible: String { VisibleText.of(self) }
}
