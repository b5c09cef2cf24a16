// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yClient
import A11yExplain
import A11yLog
import A11yPosix
import A11yWire

/// A place that has entries: the bus, or a log that is read without it.
///
/// A log is a directory, a file or standard input, and so are the entries of a machine that an
/// engine has. Commands that look back ask any of them alike.
protocol EntrySource {
  /// Folds the newest entries, the oldest of them first, beginning anew with more of them for as
  /// long as the fold has not enough.
  func fold<Fold: EntryFold>(_ empty: Fold) throws(Failure) -> Fold
  /// The time of an entry, or else of the next one there is.
  func time(of first: Seq) throws(Failure) -> Int64?
  /// The members of the answer to `explain`.
  func explain(_ seq: Seq) throws(Failure) -> JSONValue
  /// The bus's own state; nil where there is no bus, which alone knows what waits.
  func state() throws(Failure) -> JSONValue?
  /// The names of the rules in files, without those of the bus itself; nil where there are more
  /// than can be asked for.
  func namesOfRules() throws(Failure) -> [String]?
  /// Refuses a source without entries.
  func needEntries() throws(Failure)
}

/// Something that follows from entries.
protocol EntryFold {
  /// The types of entries that it takes; nil for all.
  var types: [String]? { get }
  /// The only app whose entries, and ends, it takes.
  var app: String? { get }
  /// The time before which it wants nothing, in microseconds since 1970.
  var since: Int64? { get }
  /// Whether earlier entries would change nothing.
  var isEnough: Bool { get }
  mutating func take(_ entry: Entry)
}

extension EntryFold {
  var app: String? { nil }
  var since: Int64? { nil }
}

// MARK: The last events that were not heard

/// The events that were not heard, or not to their end.
private struct UnheardEvents: EntryFold {
  let app: String?
  let count: Int
  private(set) var found: [Seq] = []

  let types: [String]? = [EventType.Own.outcome.rawValue]
  // Many events may be passed over as unimportant, so a full count is wanted.
  var isEnough: Bool { found.count >= count }

  init(of app: String?, atMost count: Int) {
    self.app = app
    self.count = count
  }

  mutating func take(_ entry: Entry) {
    let result = entry.string("result")
    guard let of = entry.integer("of"), result != "heard", result != "handled" else { return }
    found.append(Seq(of))
    if found.count >= 2 * count { found.removeFirst(count) }
  }
}

extension EntrySource {
  /// The last events of an app, or of all, that were not heard or not to their end, the newest at
  /// the end.
  func unheard(app: String?, atMost count: Int) throws(Failure) -> [Seq] {
    try fold(UnheardEvents(of: app, atMost: count)).found.suffix(count)
  }

  /// The events of an app, or of all, that still wait to be heard, the newest at the end.
  func waiting(app: String?) throws(Failure) -> [Seq] {
    let pending = (try state()?["pending"]?.list ?? []).filter { event in
      event["state"]?.string != "speaking" && (app == nil || event["app"]?.string == app)
    }
    return pending.compactMap { $0["seq"]?.integer.map { Seq($0) } }
  }
}

// MARK: The bus

/// The entries of the bus, and its own answers about them.
struct BusEntries: EntrySource {
  /// Long enough for the longest log.
  private static let patience: Duration = .seconds(60)
  /// The numbers of entries to look through, each where the one before has brought too little.
  private static let strides: [Int64] = [2_000, 50_000, .max]

  private let path: String
  private let bus: BusConnection

  /// The entries of the bus at this path.
  init(_ path: String) throws(Failure) {
    self.path = path
    bus = try asking { () throws(ClientError) in try BusConnection(path: path) }
  }

  func fold<Fold: EntryFold>(_ empty: Fold) throws(Failure) -> Fold {
    try asking { () throws(ClientError) in
      var fold = empty
      for stride in Self.strides {
        fold = empty
        let isAll = try give(stride, to: &fold)
        if isAll || fold.isEnough { break }
      }
      return fold
    }
  }

  /// Gives as many entries as a stride has; true where these are all.
  private func give(_ stride: Int64, to fold: inout some EntryFold) throws(ClientError) -> Bool {
    let bus = try BusConnection(path: path)
    let now = try bus.subscribe()
    let from = max(0, now.seq - min(stride, now.seq))
    try bus.request("unsubscribe")
    while try bus.next(timeout: .zero) != nil {}
    let start = from == 0 ? nil : LogCursor("\(now.epoch):\(from)")
    try bus.subscribe(
      SubscriptionRequest(
        from: start.map { .cursor($0) } ?? .start,
        filter: EntryFilter(types: fold.types, apps: fold.app.map { [$0] })
      )
    )
    while let item = try bus.next(timeout: Self.patience) {
      switch item {
      case .entry(let entry): fold.take(entry)
      case .mark(.caughtUp): return start == nil
      case .mark: continue
      }
    }
    throw .timedOut(after: Self.patience)
  }

  func time(of first: Seq) throws(Failure) -> Int64? {
    try MomentSearch(path: path).time(of: first)
  }

  func explain(_ seq: Seq) throws(Failure) -> JSONValue {
    try asking { () throws(ClientError) in
      try bus.request("explain", [.init("seq", .integer(seq.number))], timeout: Self.patience)
    }
  }

  func state() throws(Failure) -> JSONValue? {
    try asking { () throws(ClientError) in try bus.request("state") }
  }

  func namesOfRules() throws(Failure) -> [String]? {
    let answer = try asking { () throws(ClientError) in try bus.request("rules") }
    if answer["more_rules"] != nil { return nil }
    return (answer["rules"]?.list ?? []).compactMap { $0["name"]?.string }
  }

  /// Nothing is refused: that the bus has started is an entry.
  func needEntries() {}
}

// MARK: A log

extension LogReader: EntrySource {
  func fold<Fold: EntryFold>(_ empty: Fold) throws(Failure) -> Fold {
    var fold = empty
    let filter = Filter(types: fold.types, apps: fold.app.map { [$0] })
    let reader = JSONReader(limit: Limits.answerBytes)
    try entries(from: Seq(1), through: Seq(.max)) { line, seq in
      if (try? reader.read(line)) != nil, filter.admits(reader.document),
        let entry = try? Entry(seq.number, reader.document)
      {
        fold.take(entry)
      }
      return true
    }
    return fold
  }

  func time(of first: Seq) throws(Failure) -> Int64? {
    var time: Int64?
    try entries(from: first, through: Seq(.max)) { line, _ in
      time = EnvelopePeek(line)?.time
      return false
    }
    return time
  }

  func explain(_ seq: Seq) throws(Failure) -> JSONValue {
    try needEntries()
    guard let last = try last(), seq <= last else {
      throw Failure(.refused, "Entry \(seq.number) is not in the log.")
    }
    let reader = JSONReader(limit: Limits.answerBytes)
    var investigation = Investigation(seq, through: last, within: nil)
    while investigation.refusal == nil {
      if investigation.openEvent != nil { investigation.noteNoPresenter() }
      guard let run = investigation.run else { break }
      try entries(from: run.from, through: run.through) { line, seq in
        do throws(JSONFault) { try reader.read(line) } catch { return true }
        return investigation.note(reader.document, seq)
      }
      investigation.endRun()
    }
    if investigation.refusal != nil {
      throw Failure(.refused, "Entry \(seq.number) is not in the log.")
    }
    var out = ByteBuffer(capacity: 1_024)
    out.append("{")
    investigation.writeAnswer(into: &out)
    out.append("}")
    guard let answer = JSONValue(json: out.bytes.string) else {
      throw Failure(.inputOutput, "Entry \(seq.number) cannot be understood.")
    }
    return answer
  }

  func state() -> JSONValue? { nil }

  /// The names in all records of rules: an event may have ended by one that is no more.
  func namesOfRules() throws(Failure) -> [String]? {
    var names: Set<String> = []
    try entries(from: Seq(1), through: Seq(.max)) { line, _ in
      guard let type = EnvelopePeek.type(in: line), line.extracting(type).equals("rules") else {
        return true
      }
      let rules = JSONValue(json: line.string)?["event"]?["content"]?.list ?? []
      names.formUnion(rules.compactMap { $0["name"]?.string })
      return true
    }
    return names.sorted()
  }

  /// The last entry; nil where there is none.
  func last() throws(Failure) -> Seq? {
    for segment in segments.reversed() {
      var last: Seq?
      try entries(from: segment.first, through: Seq(.max)) { _, seq in
        last = seq
        return true
      }
      if let last { return last }
    }
    return nil
  }
}
