// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// The options of all commands that read entries: where those are, and with which of them to begin.
///
/// An engine is named by --from, and its machine by the first word; a log by --log, or by the last
/// word where a command takes it. Where neither is named, entries come from the bus, for commands
/// that ask it, or from the usual log.
struct ReadingOptions: OptionGroup {
  private let from: Repeated<Whence>
  private let since: Option<Int64>?
  private let log: Option<String>
  /// The bus, for commands that may ask it.
  let bus: BusSocket?
  /// Whether a word may name the log.
  private let takesWord: Bool

  /// `usual` is the beginning without --from and --since; nil for commands that begin nowhere else.
  init(
    usually usual: String? = nil,
    orOf bus: BusSocket? = nil,
    takesWord: Bool = true
  ) {
    if let usual {
      let words = "begin here, or an engine's ADDRESS; \(usual) if not given"
      from = Repeated("from", "WHERE", words, as: .engineOrPlace)
      since = Self.since
    } else {
      let words = "the engine of a machine: nats://HOST:PORT or redis://HOST:PORT"
      from = Repeated("from", "ADDRESS", words, as: .engine)
      since = nil
    }
    let log = bus == nil ? "this log" : "read this log, not the bus"
    self.log = Option("log", "LOG", "\(log): \(LogPlace.forms)")
    self.bus = bus
    self.takesWord = takesWord
  }

  static var since: Option<Int64> {
    Option("since", "TIME", "only what came since then", as: .moment)
  }

  static let engineNotes = """
    With --from ADDRESS an engine is asked about a machine of a fleet, and the first word names the
    machine.
    """

  /// The same for commands whose --from names a place, too.
  static let placeNotes = """
    \(engineNotes) Another --from may stand beside it, and say where to begin.
    """

  static let busNotes = """
    Where the bus cannot be reached, its log is read instead.
    \(engineNotes)
    """

  var beginning: Beginning { Beginning(from: from.place, since: since?.wrappedValue) }

  /// The engine that is named; nil for entries of this machine.
  var engine: FleetEngine? { from.address.map { FleetEngine(address: $0) } }

  /// Whether --log names the log.
  var isOfLog: Bool { log.isGiven }

  /// Whether the bus is asked, with no log and no engine named.
  var isOfBus: Bool { from.address == nil && !log.isGiven }

  /// Whether anything says where the entries are.
  func isNamed(_ words: [String]) -> Bool { !isOfBus || !words.isEmpty }

  /// The words of a command without the machine, which stands first where an engine is named.
  func rest(of words: [String]) -> [String] {
    from.address == nil ? words : Array(words.dropFirst())
  }

  /// The entries of the machine that the first word names, with so many words behind it; nil where
  /// no engine is named.
  func machine(_ words: [String], behind count: Int = 0) throws(Failure) -> MachineEntries? {
    guard let engine, let machine = try nameOfMachine(words) else { return nil }
    try rest(of: words).refuse(behind: count)
    return try MachineEntries(of: machine, in: engine)
  }

  /// The name of the machine, which stands first where an engine is named; nil where none is.
  func nameOfMachine(_ words: [String]) throws(Failure) -> String? {
    guard from.address != nil else { return nil }
    for (name, isGiven) in [("log", log.isGiven), ("socket", bus?.path != nil)] where isGiven {
      throw Failure(.usage, "--\(name) does not go with an engine, which --from names.")
    }
    return try FleetOptions.machine(words)
  }

  /// The log that is named, by --log or by the word behind `count` others.
  func named(_ words: [String], behind count: Int = 0) throws(Failure) -> String? {
    try words.refuse(behind: takesWord ? count + 1 : count, takesWord ? "; one log is read" : "")
    guard let named = words.dropFirst(count).first else { return log.wrappedValue }
    guard log.wrappedValue == nil else {
      throw Failure(.usage, "\(named) is not expected here; --log names the log already.")
    }
    return named
  }

  /// The log that is named, else the usual one.
  func path(_ words: [String], behind count: Int = 0) throws(Failure) -> String {
    try LogPlace.path(named(words, behind: count))
  }

  /// The log, or the entries of a machine as one, from the beginning on or all of them.
  func log(
    _ words: [String],
    behind count: Int = 0,
    isWhole: Bool = false,
    _ progress: Progress
  ) throws(Failure) -> LogReader {
    if let machine = try machine(words, behind: count) {
      return try machine.log(from: isWhole ? .start : beginning)
    }
    return try LogReader(path(words, behind: count), progress)
  }

  /// The source for a command that needs this of the bus.
  func source(
    for need: Operation,
    _ words: [String] = [],
    behind count: Int = 0,
    _ output: Output
  ) throws(Failure) -> any EntrySource {
    if let machine = try machine(words, behind: count) { return machine }
    let named = try named(words, behind: count)
    guard let bus, named == nil else {
      return try LogReader(LogPlace.path(named), Progress("Read", output))
    }
    let path = try bus(for: .operation(need))
    do throws(Failure) {
      return try BusEntries(path)
    } catch {
      // The usual log belongs to the usual socket alone.
      guard error.code == .unreachable, bus.path == nil,
        let path = LogPlace.find(nil, in: Environment.value),
        let log = try? LogReader(path, Progress("Read", output))
      else { throw error }
      output.complain("The bus cannot be reached. This is from its log, in \(path).")
      return log
    }
  }

  /// A sentence for an app that the bus has not met; none where another source was asked.
  func strangers(_ app: String, _ words: [String]) -> [String] {
    isOfBus && words.isEmpty ? bus?.strangers([app]) ?? [] : []
  }
}

/// The value of --from: an engine, or the place with which reading begins.
enum Whence {
  case engine(String)
  case place(EntryPlace)

  var address: String? { if case .engine(let address) = self { address } else { nil } }
  var place: EntryPlace? { if case .place(let place) = self { place } else { nil } }
}

extension Repeated<Whence> {
  /// The last address that was given.
  var address: String? { wrappedValue?.compactMap(\.address).last }

  /// The last place that was given.
  var place: EntryPlace? { wrappedValue?.compactMap(\.place).last }
}

extension Form<Whence> {
  static var engine: Form {
    Form { given, _ throws(Failure) in
      if given.value.contains("://") { return .engine(given.value) }
      throw given.mistake("the engine's address, nats://HOST:PORT or redis://HOST:PORT")
    }
  }

  static var engineOrPlace: Form {
    Form(words: Form<EntryPlace>.place.words) { given, now throws(Failure) in
      given.value.contains("://")
        ? .engine(given.value) : .place(try Form<EntryPlace>.place.read(given, now))
    }
  }
}

/// The option of commands that look at the files of a log.
struct LogFolder: OptionGroup {
  @Option("log", "DIR", "the log's directory, where it is not the usual one")
  var named: String?

  func path() throws(Failure) -> String { try LogPlace.path(named) }
}

extension LogPlace {
  /// The log of a name, else the usual one.
  static func path(_ named: String?) throws(Failure) -> String {
    guard let path = find(named, in: Environment.value) else {
      throw Failure(.usage, "There is no home to look in; --log names the log.")
    }
    return path
  }
}
