// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yClient
import A11yLog
import A11yModel
import A11yPosix
import A11yPresenter
import A11yRules
import A11yWire

/// The windows, elements and focus after each entry, which no answer of the bus holds.
///
/// The timeline is folded from the log's files, beginning with the newest state beside a segment,
/// if they can be read and belong to the bus; else from the bus's entries, from the start. Entries
/// after the files come from the bus.
final class ModelTimeline {
  private(set) var model = Model()
  private(set) var pace = ReaderPace()
  /// The last folded entry.
  private(set) var last = Seq.none
  /// The last move of the focus that was folded.
  private(set) var lastMove: Entry?

  /// The last outcomes in the files.
  var outcomes: [Entry] { kept.compactMap { Self.entry($0.line.span, $0.seq, reader) } }

  private let place: Place
  private let log: LogReader?
  /// Whether there is a bus to go on with.
  let isLive: Bool
  private var interrupt: FileDescriptor?
  private var follower: Follower?
  private let reader = JSONReader(limit: Limits.answerBytes)
  private var kept: [(seq: Seq, line: [UInt8])] = []
  private var mono: Int64 = 0
  private var time: Int64 = 0

  /// The place to look, by the command line.
  struct Place {
    let path: String
    let log: String?
    /// The entries of a machine in an engine, which are read as a log.
    let machine: MachineEntries?
    /// Whether only the log is read.
    let isLogAlone: Bool

    init(_ reading: ReadingOptions, _ words: [String]) throws(Failure) {
      machine = try reading.machine(words)
      let named = machine == nil ? try reading.named(words) : nil
      isLogAlone = machine != nil || named != nil
      do throws(Failure) {
        path = try reading.bus?(for: .operation(.state)) ?? SocketPath.system
      } catch {
        // A named log is read alone.
        guard isLogAlone else { throw error }
        path = SocketPath.system
      }
      log = LogPlace.find(named, in: Environment.value)
    }

    /// The bus alone, beside its usual log.
    init(_ bus: BusSocket, for need: Need) throws(Failure) {
      path = try bus(for: need)
      machine = nil
      isLogAlone = false
      log = LogPlace.find(nil, in: Environment.value)
    }
  }

  private static let outcomesKept = 64

  static let notes = """
    The log's files are read where they are those of the bus; else the bus tells everything.
    """

  /// Opens the log, and finds out whether there is a bus to go on with.
  ///
  /// `interrupt` ends a waiting step when it is readable.
  init(
    _ place: Place,
    interrupt: consuming FileDescriptor?,
    _ progress: Progress
  ) throws(Failure) {
    self.place = place
    self.interrupt = interrupt
    let found = Self.openLog(place, progress)
    if place.isLogAlone {
      log = try found.get()
      isLive = false
      return
    }
    let known = try? found.get()
    do throws(ClientError) {
      // The bus accepts a cursor at the end of the files only if the files are its own.
      let isOurs = try known?.end.map { end throws(ClientError) in
        try Self.isAccepted(.cursor(end), place.path)
      }
      if isOurs == nil { _ = try BusConnection(path: place.path) }
      log = isOurs == true ? known : nil
      isLive = true
    } catch {
      guard case .unreachable = error, known != nil else { throw Failure(error) }
      log = known
      isLive = false
    }
  }

  private static func openLog(
    _ place: Place,
    _ progress: Progress
  ) -> Swift.Result<LogReader, Failure> {
    do throws(Failure) {
      let log =
        if let machine = place.machine { try machine.log() } else {
          try LogReader(LogPlace.path(place.log), progress)
        }
      try log.needEntries()
      return .success(log)
    } catch {
      return .failure(error)
    }
  }

  private static func isAccepted(_ start: StartingPoint, _ path: String) throws(ClientError) -> Bool
  {
    do throws(ClientError) {
      try BusConnection(path: path).subscribe(SubscriptionRequest(from: start))
      return true
    } catch {
      guard case .refused(let refusal) = error, refusal.code.hasPrefix("cursor.") else {
        throw error
      }
      return false
    }
  }

  /// The entry that a place means: of a time, the last one before it.
  func seq(at wanted: EntryPlace) throws(Failure) -> Seq {
    let moment: Int64
    switch wanted {
    case .seq(let seq): return seq
    case .cursor(let cursor): return Seq(cursor.seq)
    case .time(let time): moment = time
    case .start: moment = .min
    case .now: moment = .max
    }
    let found: Seq
    if let log {
      found = try Self.seq(before: moment, in: log)
    } else {
      found = try asking { () throws(ClientError) in
        try MomentSearch(path: place.path).cursor(before: moment).map { Seq($0.seq) } ?? .none
      }
    }
    guard found > .none else { throw Failure(.noInput, "No entry is as old as that.") }
    return found
  }

  private static func seq(before moment: Int64, in log: LogReader) throws(Failure) -> Seq {
    guard let first = log.segments.first?.first else { return .none }
    var found = Seq.none
    try log.entries(from: first, through: Seq(.max)) { line, seq in
      if EnvelopePeek(line)?.time ?? 0 < moment { found = seq }
      return true
    }
    return found
  }

  // MARK: Going on

  /// Folds all entries there are, or all up to one.
  func catchUp(through wanted: Seq?) throws(Failure) {
    try foldFiles(through: wanted)
    if isLive, wanted.map({ last < $0 }) ?? true {
      var isDone = false
      while !isDone {
        let step = try followOn(through: wanted, onEntry: nil) { isDone = true }
        if case .away(let reason) = step {
          throw Failure(.unreachable(path: place.path, reason: reason))
        }
        if let wanted, last >= wanted { isDone = true }
      }
    }
    guard let wanted else {
      // Time has passed since the last entry.
      model.expire(through: mono + max(0, SystemClock.wallMicroseconds() - time))
      return
    }
    guard last >= wanted else {
      throw Failure(.usage, "The last entry is \(last.number); got \(wanted.number).")
    }
    model.expire(through: mono)
  }

  /// Waits until the bus has something to tell; `onCaughtUp` is called when all its entries are
  /// folded.
  func followOn(
    through wanted: Seq?,
    onEntry: ((Entry) -> Void)?,
    onCaughtUp: () -> Void
  ) throws(Failure) -> Follower.Step {
    let follower = try startedFollower()
    return try asking { () throws(ClientError) in
      try follower.step { line, document throws(ClientError) in
        switch line {
        case .entry(let seq):
          if let wanted, Seq(seq) > wanted { return }
          fold(document, Seq(seq))
          if let onEntry { onEntry(try Entry(seq, document)) }
        case .mark:
          let mark = document.member("mark", of: document.root)
          if mark.map({ document.isKey($0, "caught-up") }) ?? false { onCaughtUp() }
        }
      }
    }
  }

  /// The subscription that goes on behind the last folded entry.
  private func startedFollower() throws(Failure) -> Follower {
    if let follower { return follower }
    let start = cursor(behind: last).map { StartingPoint.cursor($0) } ?? .start
    let interrupt = self.interrupt.take()
    do throws(ClientError) {
      let fresh = try Follower(
        path: place.path,
        introduction: nil,
        subscription: SubscriptionRequest(from: start),
        backoff: Backoff(),
        interrupt: interrupt,
        interest: .readable
      )
      follower = fresh
      return fresh
    } catch {
      throw Failure(error)
    }
  }

  /// Folds the log's files.
  private func foldFiles(through wanted: Seq?) throws(Failure) {
    guard let log else { return }
    restoreState(log, through: wanted)
    let limit = wanted ?? Seq(.max)
    try log.entries(from: last.next, through: limit) { line, seq in
      fold(line, seq)
      return true
    }
  }

  /// Begins with the newest state before an entry.
  private func restoreState(_ log: LogReader, through wanted: Seq?) {
    guard log.mayHaveStates else {
      last = (log.segments.first?.first ?? Seq(1)).previous
      return
    }
    for segment in log.segments.reversed() where segment.first.previous <= wanted ?? Seq(.max) {
      guard let known = log.state(segment, reader) else { continue }
      if let wanted, known.after > wanted { continue }
      model = known.state.presenter.model
      pace = known.state.presenter.pace
      mono = known.state.presenter.now.microseconds
      last = known.after
      return
    }
    last = (log.segments.first?.first ?? Seq(1)).previous
  }

  /// Folds a line.
  ///
  /// Most lines change nothing, and are recognised without being parsed.
  private func fold(_ line: Span<UInt8>, _ seq: Seq) {
    last = seq
    if let peek = EnvelopePeek(line) {
      (mono, time) = (peek.mono, peek.time)
      let type = line.extracting(peek.type)
      if type.equals("outcome") { keep(line, seq) }
      guard type.equals("rules") || Model.concerns(line, typeAt: peek.type) else { return }
    }
    let reader = self.reader
    do throws(JSONFault) { try reader.read(line) } catch { return }
    fold(reader.document, seq)
  }

  private func keep(_ line: Span<UInt8>, _ seq: Seq) {
    kept.append((seq, line.array))
    if kept.count >= 2 * Self.outcomesKept { kept.removeFirst(Self.outcomesKept) }
  }

  private func fold(_ entry: JSONDocument, _ seq: Seq) {
    last = seq
    let envelope = EntryView(of: entry)
    mono = envelope.mono ?? mono
    time = envelope.time ?? time
    guard let event = envelope.event, let type = entry.string("type", of: event)
    else { return }
    model.apply(entry)
    switch EventType.Own(rawValue: type) {
    case .focus: lastMove = try? Entry(seq.number, entry)
    case .rules: pace.take(WireEvent(event, of: entry))
    default: break
    }
  }

  // MARK: Looking back

  /// One entry; nil where the log no longer has it.
  func entry(_ seq: Seq) throws(Failure) -> Entry? {
    var found: Entry?
    if let log {
      try log.entries(from: seq, through: seq) { line, seq in
        found = Self.entry(line, seq, reader)
        return true
      }
    }
    guard found == nil, !place.isLogAlone, isLive, let before = cursor(behind: seq.previous) else {
      return found
    }
    return try asking { () throws(ClientError) in
      let bus = try BusConnection(path: place.path)
      try bus.subscribe(SubscriptionRequest(from: .cursor(before)))
      while let item = try bus.next(timeout: BusConnection.patience) {
        switch item {
        case .entry(let entry): return entry.seq == seq.number ? entry : nil
        case .mark(.gap), .mark(.caughtUp): return nil
        case .mark: continue
        }
      }
      return nil
    }
  }

  private static func entry(_ line: Span<UInt8>, _ seq: Seq, _ reader: JSONReader) -> Entry? {
    do throws(JSONFault) { try reader.read(line) } catch { return nil }
    return try? Entry(seq.number, reader.document)
  }

  /// The move that brought the focus to its place; nil where it is no longer on record.
  func move() throws(Failure) -> Entry? {
    guard let seq = model.focusSeq else { return lastMove }
    if let lastMove, lastMove.seq == seq.number { return lastMove }
    return try entry(seq)
  }

  /// The last moves of the focus, of one app or of all, the newest at the end.
  func moves(atMost count: Int, app: String?) throws(Failure) -> [Entry] {
    var found: [Entry] = []
    func collect(_ entry: Entry?) {
      guard let entry, app == nil || entry.string("app") == app else { return }
      found.append(entry)
      if found.count >= 2 * count { found.removeFirst(found.count - count) }
    }
    var through: Seq?
    if let log, let first = log.segments.first?.first {
      try log.entries(from: first, through: Seq(.max)) { line, seq in
        through = seq
        if line.firstIndex(of: ",\"event\":{\"type\":\"focus\",") != nil {
          collect(Self.entry(line, seq, reader))
        }
        return true
      }
    }
    if isLive {
      let filter = EntryFilter(types: [EventType.Own.focus.rawValue])
      let start = through.flatMap { cursor(behind: $0) }.map { StartingPoint.cursor($0) } ?? .start
      try asking { () throws(ClientError) in
        let bus = try BusConnection(path: place.path)
        try bus.subscribe(SubscriptionRequest(from: start, filter: filter))
        while let item = try bus.next(timeout: .seconds(60)) {
          if case .mark(.caughtUp) = item { break }
          if case .entry(let entry) = item { collect(entry) }
        }
      }
    }
    return found.suffix(count)
  }

  /// The place behind an entry, in the present epoch.
  private func cursor(behind seq: Seq) -> LogCursor? {
    let epoch = follower?.cursor?.epoch ?? log?.end?.epoch
    return epoch.flatMap { LogCursor("\($0):\(seq.number)") }
  }
}

extension LogReader {
  /// The place where the last segment begins, before which everything is certain.
  ///
  /// The last segment may grow meanwhile, or end in damage.
  fileprivate var end: LogCursor? {
    guard let segment = segments.last else { return nil }
    return LogCursor("\(epoch(of: segment.first, in: segment)):\(segment.first.previous.number)")
  }
}
