// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yClient
import A11yPosix
import A11yWire

/// Shows the entries of the bus.
struct TailCommand: Command {
  static let name = "tail"
  static let summary = "show the entries of the bus, as they come"
  static let notes = """
    Prints each entry as a line that reads well aloud, with its seq in front, and goes on until it
    is ended. When an event has ended, a line with the event's seq says how: "42 was heard", or "42
    was not heard", and why; a11yctl explain 42 says more. When the bus is restarted, tail waits for
    it and goes on behind the last entry: none is missing, none comes twice. Options that choose
    entries may be repeated; an entry is shown that fits all kinds of them. Of a log, and of a
    machine in an engine, the last \(last) are shown where no place is named. A log has an end, at
    which tail ends, too.
    \(Beginning.notes)
    \(ReadingOptions.placeNotes)
    """

  /// The entries to begin with where there is no bus.
  private static let last = 10

  @Operands(atMost: 1) private var words: [String]
  @Flag("until-caught-up", "end when all that is in the log has been shown")
  private var endsWhenCaughtUp: Bool
  @Repeated("type", "TYPE", "show events of this type", as: .recordedType)
  private var types: [String]?
  @Repeated("app", "NAME", "show events of this app") private var apps: [String]?
  @Repeated("window", "ID", "show events about this window") private var windows: [String]?
  @Repeated("element", "ID", "show events about this element") private var elements: [String]?
  @Repeated(
    "priority",
    "PRIORITY",
    "show announcements of this priority: low, default or high",
    as: .word
  )
  private var priorities: [AnnouncementPriority]?
  @Flag("state", "begin with the state of windows, focus and reader")
  private var withState: Bool
  @Flag("no-seq", "leave out the seq in front of each line") private var withoutSeq: Bool
  @Flag("seq", "begin each line with the seq, which it does anyway") private var withSeq: Bool
  @Flag("json", "print the bus's own lines, entries and marks, untouched") private var isJSON: Bool
  private let reading = ReadingOptions(usually: "now", orOf: BusSocket(), takesWord: false)

  /// The form of the lines.
  enum Showing: Equatable {
    case words(withSeq: Bool)
    case json
  }

  var showing: Showing { isJSON ? .json : .words(withSeq: !withoutSeq) }

  /// The subscription; the bus has to be asked for some places first.
  func subscription(at path: String) throws(ClientError) -> SubscriptionRequest {
    SubscriptionRequest(
      from: try MomentSearch(path: path).startingPoint(of: reading.beginning),
      filter: EntryFilter(
        types: types,
        apps: apps,
        windows: windows,
        elements: elements,
        priorities: priorities
      ),
      state: withState
    )
  }

  func run(_ output: Output) throws(Failure) {
    guard reading.isOfBus else { return try showOthers(output) }
    try words.refuse(behind: 0)
    try follow(Backoff(), interrupt: StandardOutput.watchable(), output)
  }

  /// Shows entries of a log, or of a machine in an engine.
  private func showOthers(_ output: Output) throws(Failure) {
    if withState { throw Failure(.usage, "--state goes with the bus, which alone has one.") }
    let beginning = reading.beginning
    let filter = Filter(
      types: types,
      apps: apps,
      windows: windows,
      elements: elements,
      priorities: priorities?.map(\.rawValue)
    )
    func admits(_ entry: JSONDocument) -> Bool {
      let isMark = entry.member("mark", of: entry.root) != nil
      return isMark || beginning.admits(entry) && filter.admits(entry)
    }
    var listing = EntryListing(isJSON: isJSON, withSeq: !withoutSeq)
    listing.withDays = false
    if let engine = reading.engine, let machine = try reading.nameOfMachine(words) {
      let start =
        beginning.isStated ? FleetOptions.question(beginning) : ["--last", String(Self.last)]
      let follow = endsWhenCaughtUp ? [] : ["--follow"]
      try engine.show([machine] + follow + start, &listing, output, admits)
      return
    }
    let log = try reading.log(words, Progress("Read", output))
    try log.needEntries()
    var newest: [[UInt8]] = []
    let range = SeqRange(from: beginning.first)
    let failure = try log.eachDocument(range) { gap throws(Failure) in
      if beginning.isStated { listing.show(gap, output) }
    } _: { entry, _ throws(Failure) in
      guard admits(entry) else { return }
      if !beginning.isStated {
        if newest.count == Self.last { newest.removeFirst() }
        return newest.append(entry.text.array)
      }
      listing.show(entry.text, output)
      try output.check()
    }
    for line in newest { listing.show(line.span, output) }
    try output.flush()
    if let failure { throw failure }
  }

  /// Shows entries until the end that was asked for, or until `interrupt` reports that nobody
  /// reads.
  func follow(
    _ backoff: Backoff,
    interrupt: consuming FileDescriptor?,
    _ output: Output
  ) throws(Failure) {
    guard let bus = reading.bus else { preconditionFailure("a tail may ask the bus") }
    let socket = try bus.choice(for: .operation(.subscribe))
    let follower = try follower(socket.path, backoff, interrupt: interrupt)
    if socket.role == .publish {
      output.complain(
        "On the publish socket only your own entries are shown; read.sock beside it shows all."
      )
    }
    // An app may come yet, so its name is no reason not to wait for it.
    for line in AppNames.strangers(apps ?? [], at: socket.path) { output.complain(line) }
    var hasSubscribed = false
    var isDone = false
    while !isDone {
      let step = try asking { () throws(ClientError) in
        try follower.step { line, document throws(ClientError) in
          guard !isDone else { return }
          try show(line, document, output)
          isDone = endsWhenCaughtUp && line == .mark && document.isCaughtUp
        }
      }
      // Lines that came together are written together, before the next wait.
      try output.flush()
      switch step {
      case .lines: break
      case .subscribed:
        if hasSubscribed { output.complain("The bus is back.") }
        hasSubscribed = true
      case .away(let reason):
        guard hasSubscribed else { throw Failure(.unreachable(path: socket.path, reason: reason)) }
        output.complain("The bus went away; waiting for it.")
      case .renumbered(let epoch):
        for line in MarkWords.lines(.newEpoch(epoch)) { output.complain(line) }
      case .misplaced(let refusal, _):
        // The cursor was typed; a later one was good when the subscription began.
        guard hasSubscribed else { throw Failure(.refused(refusal)) }
        for line in MarkWords.lines(.anotherLog(epoch: refusal.epoch ?? "")) {
          output.complain(line)
        }
      case .withdrawn(let from, let to):
        for line in MarkWords.lines(.withdrawn(from: from, to: to)) { output.complain(line) }
      case .ignored(let fields):
        output.complain(
          "The bus does not know, and has ignored: \(fields.joined(separator: ", "))."
        )
      case .interrupted: throw .readerHasEnough
      }
    }
  }

  /// A follower without a hello, which would be an entry of the log that is being read.
  private func follower(
    _ path: String,
    _ backoff: Backoff,
    interrupt: consuming FileDescriptor?
  ) throws(Failure) -> Follower {
    do throws(ClientError) {
      return try Follower(
        path: path,
        introduction: nil,
        subscription: try subscription(at: path),
        backoff: backoff,
        interrupt: interrupt,
        interest: []
      )
    } catch {
      throw Failure(error)
    }
  }

  private func show(
    _ line: Follower.Line,
    _ document: borrowing JSONDocument,
    _ output: Output
  ) throws(ClientError) {
    switch (showing, line) {
    case (.json, _): output.line(document.text)
    case (.words(let withSeq), .entry(let seq)):
      let entry = try Entry(seq, document)
      output.line(EntryWords.line(entry, withSeq: withSeq, clock: ClockTime.local))
    case (.words, .mark):
      for line in MarkWords.lines(try SubscriptionMark(document)) { output.line(line) }
    }
  }
}

extension JSONDocument {
  /// Whether the line is the mark after the last entry there is.
  var isCaughtUp: Bool {
    member("mark", of: root).map { isKey($0, "caught-up") } ?? false
  }
}

extension StandardOutput {
  /// The standard output, if poll can tell that its reader has gone: a pipe, a socket or a
  /// terminal.
  static func watchable() -> FileDescriptor? {
    let output = FileDescriptor(adopting: 1)
    do throws(Errno) {
      try Poll().add(output, token: 0, interest: [])
      return output
    } catch {
      _ = output.relinquish()
      return nil
    }
  }
}
