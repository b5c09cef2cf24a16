// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

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
