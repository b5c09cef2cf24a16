// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire
import Glibc

/// The pace at which a reader without a voice ends what is spoken.
struct PaceOption: OptionGroup {
  @Option(
    "pace",
    "PACE",
    "virtual: each text takes no time, which is usual; real: 50 ms a character",
    as: .word
  )
  private var pace: ProgramRun.Pace?

  var chosen: ProgramRun.Pace { pace ?? .virtual }
}

/// A program on a private bus, with a reader that listens to it.
final class ProgramRun {
  /// The pace of the reader.
  enum Pace: String, CaseIterable {
    /// Each text takes no time.
    case virtual
    /// Each text takes the time of speech: 50 ms a character, as the bus estimates it.
    case real

    /// The time of a character, in microseconds.
    var perCharacter: Int64 {
      switch self {
      case .virtual: 0
      case .real: 50_000
      }
    }
  }

  /// The end of a run.
  struct End {
    /// The program's exit code, or 128 and the number of the signal that has ended it.
    let code: Int32
    /// The signal that has ended the program, if one has.
    let fatalSignal: Int32?
    /// Whether the program had more time than it was given.
    let isOverdue: Bool
    /// The signal that has ended the run before its time.
    let signal: AwaitedSignals.Signal?
    /// The last entry that counts; what follows is the end of the bus.
    let last: Seq
    /// The requests that the bus has refused, by the code.
    let refused: [(code: String, count: Int64)]
  }

  private enum Token {
    static let bus: UInt64 = 1
    static let signals: UInt64 = 2
    static let words: UInt64 = 3
  }

  /// The quiet time after which nothing is under way, if the bus says so, too.
  private static let breath: UInt64 = 100_000
  /// The longest wait for connections of a program that has ended.
  private static let leaving: UInt64 = 1_000_000
  /// The longest wait for the next text of a program that has ended, at the real pace: more than
  /// twice the longest time for which a shipped rule holds anything back by itself.
  private static let patience: UInt64 = 30_000_000
  /// The longest wait for all of them.
  private static let mostPatience: UInt64 = 600_000_000
  /// The wait between asking a program to end and ending it.
  private static let grace: UInt64 = 2_000_000
  private let bus: PrivateBus
  private let pace: Pace
  private let connection: BusConnection
  private let program: ChildProcess
  private let signals: AwaitedSignals
  private let poll: Poll
  private var events = Poll.Events(capacity: 3)
  private var voice: SilentVoice
  /// The connections of others that are there.
  private var guests: Set<Int64> = []
  private let conn: Int64
  private var lastNews: UInt64

  /// When the program is to end; `.max` for no limit.
  private let limit: UInt64
  private var isOverdue = false
  private var signal: AwaitedSignals.Signal?
  /// When the program is ended, after it was asked to; nil until then.
  private var killing: UInt64?

  /// Joins the bus as its reader, and starts the program.
  init(
    _ words: [String],
    on bus: PrivateBus,
    pace: Pace,
    timeout: Duration?
  ) throws(Failure) {
    self.bus = bus
    self.pace = pace
    (connection, conn) = try asking { () throws(ClientError) in
      let connection = try BusConnection(path: bus.socket)
      let voice = ReaderVoice(rank: 50, reports: true)
      let conn = try connection.hello(app: Self.name, role: .reader, voice: voice).conn
      let types = [EventType.Own.deliver, .silence, .outcome, .client].map(\.rawValue)
      try connection.subscribe(SubscriptionRequest(filter: EntryFilter(types: types)))
      return (connection, conn)
    }
    voice = SilentVoice(conn: conn, perCharacter: pace.perCharacter, showsSecrets: false)
    do throws(Errno) {
      signals = try AwaitedSignals([.child, .interrupt, .terminate, .hangUp])
      poll = try Poll()
      try poll.add(signals.descriptor, token: Token.signals, interest: .readable)
      try bus.watch(by: poll, token: Token.words)
    } catch {
      throw Failure(.inputOutput, "The test cannot be set up: \(error).")
    }
    let (connection, poll) = (connection, poll)
    try asking { () throws(ClientError) in try connection.watch(by: poll, token: Token.bus) }
    program = try Self.launch(words, socket: bus.socket)
    lastNews = SystemClock.monotonicMicroseconds()
    limit =
      timeout.map { SystemClock.monotonicMicroseconds() + UInt64($0.milliseconds) * 1_000 }
      ?? .max
  }

  /// The name of the reader on the bus.
  private static let name = "a11yctl"

  private static func launch(_ words: [String], socket: String) throws(Failure) -> ChildProcess {
    let ours = ["A11YD_SOCKET", "A11YD_ADVICE"]
    let environment =
      Environment.all.filter { variable in !ours.contains { variable.hasPrefix("\($0)=") } }
      + ["A11YD_SOCKET=\(socket)", "A11YD_ADVICE=1"]
    do throws(Errno) {
      return try ChildProcess(
        words,
        environment: environment,
        // Standard output is the verdict's alone.
        ChildProcess.Streams(input: 0, output: 2, errors: 2),
        // A program in another group than the terminal's could not read from the terminal.
        hasGroup: isatty(0) == 0
      )
    } catch {
      throw Failure(.unreachable, "\(words[0]) cannot be started: \(error).")
    }
  }

  // MARK: The run

  /// Listens until the program has ended and nothing of it is to be heard any more.
  func listenToEnd() throws(Failure) -> End {
    defer { program.killGroup() }
    while program.isRunning {
      try listen()
      try step(until: killing ?? limit)
      endProgram(overdueAt: SystemClock.monotonicMicroseconds())
    }
    guard let code = program.code else {
      throw Failure(.inputOutput, "The end of the program is not known.")
    }
    let last = try awaitSilence()
    return End(
      code: code,
      fatalSignal: program.signal,
      isOverdue: isOverdue,
      signal: signal,
      last: last,
      refused: try refusals()
    )
  }

  /// The counts of refused requests, which are those of the program: ours are in order.
  private func refusals() throws(Failure) -> [(code: String, count: Int64)] {
    let stats = try asking { () throws(ClientError) in try connection.request("stats") }
    return (stats["refused"]?.members ?? []).compactMap { member in
      member.value.integer.map { (member.name, $0) }
    }
  }

  /// Listens until nothing comes any more, and returns the last entry.
  ///
  /// At the virtual pace, events that a rule holds back are not waited for: their time follows from
  /// the log.
  private func awaitSilence() throws(Failure) -> Seq {
    let ended = SystemClock.monotonicMicroseconds()
    lastNews = ended
    while signal == nil {
      try listen()
      let now = SystemClock.monotonicMicroseconds()
      guard now >= lastNews + Self.breath, guests.isEmpty || now >= ended + Self.leaving else {
        try step(until: max(now + 1_000, lastNews + Self.breath))
        continue
      }
      let state = try asking { () throws(ClientError) in try connection.request("state") }
      let pending = (state["pending"]?.list ?? []).filter {
        pace == .real || $0["state"]?.string == "speaking"
      }
      let isOver =
        pending.isEmpty || now >= lastNews + Self.patience || now >= ended + Self.mostPatience
      if isOver, let cursor = state["cursor"]?.string.flatMap({ LogCursor($0) }) {
        return Seq(cursor.seq)
      }
      try step(until: now + Self.breath)
    }
    return .none
  }

  /// Waits for something to do, but not beyond a moment.
  private func step(until moment: UInt64) throws(Failure) {
    let now = SystemClock.monotonicMicroseconds()
    let due = min(moment, voice.due.map { UInt64(clamping: $0) } ?? .max)
    let wait = due == .max ? -1 : Int32(clamping: (max(due, now) - now + 999) / 1_000)
    let count: Int
    do throws(Errno) {
      count = try poll.wait(into: &events, timeoutMilliseconds: wait)
    } catch {
      throw Failure(.inputOutput, "Waiting failed: \(error).")
    }
    for index in 0..<count {
      switch events[index].token {
      case Token.words: if bus.readWords() == .end { throw bus.failure }
      case Token.signals: obeySignals()
      default: break
      }
    }
  }

  // MARK: Listening

  private func listen() throws(Failure) {
    do throws(ClientError) {
      while let item = try connection.next(timeout: .zero) {
        lastNews = SystemClock.monotonicMicroseconds()
        try noteItem(item)
      }
      try report(voice.advance(to: Self.now))
    } catch {
      // The daemon's own last words say more than the end of a connection.
      while bus.readWords() == .words {}
      throw bus.failure
    }
  }

  private static var now: Int64 { Int64(clamping: SystemClock.monotonicMicroseconds()) }

  private func noteItem(_ item: SubscriptionItem) throws(ClientError) {
    switch item {
    case .entry(let entry):
      if let delivery = entry.delivery {
        try report(voice.receive(delivery, at: Self.now))
      } else if let silence = entry.silence {
        try report(voice.receive(silence, at: Self.now))
      } else if entry.type == EventType.Own.client.rawValue {
        noteGuest(entry)
      }
    case .mark(.secret(let of, _, let speech, _)):
      try report(voice.receiveSecret(of: of, speech, at: Self.now))
    case .mark: break
    }
  }

  private func noteGuest(_ entry: Entry) {
    guard let guest = entry.integer("conn"), guest != conn else { return }
    switch entry.string("state") {
    case "joined": guests.insert(guest)
    case "left": guests.remove(guest)
    default: break
    }
  }

  private func report(_ acts: [SilentVoice.Act]) throws(ClientError) {
    for case .report(let state, let of, let heard) in acts {
      try connection.report(state, of: of, heard: heard.map { .milliseconds($0) })
    }
  }

  // MARK: Ending

  private func obeySignals() {
    while let signal = signals.nextSignal() {
      guard signal != .child else { continue }
      self.signal = signal
      stopProgram(atOnce: killing != nil)
    }
  }

  private func endProgram(overdueAt now: UInt64) {
    if let killing {
      if now >= killing { program.killGroup() }
    } else if now >= limit, program.isRunning {
      isOverdue = true
      stopProgram(atOnce: false)
    }
  }

  private func stopProgram(atOnce: Bool) {
    if atOnce {
      program.killGroup()
    } else {
      killing = SystemClock.monotonicMicroseconds() + Self.grace
      program.terminateGroup()
    }
  }
}
