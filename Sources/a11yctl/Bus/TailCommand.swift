// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Shows the entries of the bus.
struct TailCommand: Command {
  static let name = "tail"
  static let summary = "show the entries of the bus, as they come"
  static let usage = "[OPTION]..."
  static let notes = """
    Prints each entry as a line that reads well aloud, with its seq in front, and goes on until it
    is ended. When an event has ended, a line with the event's seq says how: "42 was heard", or "42
    was not heard", and why; a11yctl explain 42 says more. When the bus is restarted, tail waits for
    it and goes on behind the last entry: none is missing, none comes twice. Options that choose
    entries may be repeated; an entry is shown that fits all kinds of them.
    \(Beginning.notes)
    """
  static let options =
    Beginning.flags(usually: "now") + [
      Flag("until-caught-up", nil, "end when all that is in the log has been shown"),
      Flag("type", "TYPE", "show events of this type"),
      Flag("app", "NAME", "show events of this app"),
      Flag("window", "ID", "show events about this window"),
      Flag("element", "ID", "show events about this element"),
      Flag("priority", "PRIORITY", "show announcements of this priority: low, default or high"),
      Flag("state", nil, "begin with the state of windows, focus and reader"),
      Flag("no-seq", nil, "leave out the seq in front of each line"),
      Flag("seq", nil, "begin each line with the seq, which it does anyway"),
      Flag("json", nil, "print the bus's own lines, entries and marks, untouched"),
    ]

  let subscription: SubscriptionRequest
  /// The beginning, where the bus has to be asked for its place first.
  private let beginning: Beginning?
  let path: String
  let showing: Showing
  let endsWhenCaughtUp: Bool
  /// Whether the socket shows an app its own entries alone.
  let showsOwnAlone: Bool

  /// The form of the lines.
  enum Showing: Equatable {
    case words(withSeq: Bool)
    case json
  }

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    let socket = try words.socket(for: .operation(.subscribe))
    path = socket.path
    showsOwnAlone = socket.role == .publish
    showing = words.has("json") ? .json : .words(withSeq: !words.has("no-seq"))
    endsWhenCaughtUp = words.has("until-caught-up")
    for type in words.values("type") ?? [] {
      try RefusalWords.checkType(type, among: RefusalWords.recorded)
    }
    let wanted = try Beginning(words, now: SystemClock.wallMicroseconds())
    let start = Self.start(wanted)
    beginning = start == nil ? wanted : nil
    subscription = SubscriptionRequest(
      from: start ?? .start,
      filter: EntryFilter(
        types: words.values("type"),
        apps: words.values("app"),
        windows: words.values("window"),
        elements: words.values("element"),
        priorities: try words.choices("priority", AnnouncementPriority.self)
      ),
      state: words.has("state")
    )
  }

  /// The place, where no question is needed for it.
  private static func start(_ wanted: Beginning) -> StartingPoint? {
    guard wanted.time == nil else { return nil }
    switch wanted.from {
    case .start: return .start
    case .cursor(let cursor): return .cursor(cursor)
    case nil: return .now
    case .now, .seq, .time: return nil
    }
  }

  func run(_ output: Output) throws(Failure) {
    try follow(Backoff(), interrupt: StandardOutput.watchable(), output)
  }

  /// Shows entries until the end that was asked for, or until `interrupt` reports that nobody
  /// reads.
  func follow(
    _ backoff: Backoff,
    interrupt: consuming FileDescriptor?,
    _ output: Output
  ) throws(Failure) {
    let follower = try follower(backoff, interrupt: interrupt)
    if showsOwnAlone {
      output.complain(
        "On the publish socket only your own entries are shown; read.sock beside it shows all."
      )
    }
    // An app may come yet, so its name is no reason not to wait for it.
    for line in AppNames.strangers(subscription.filter.apps ?? [], at: path) {
      output.complain(line)
    }
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
        guard hasSubscribed else { throw Failure(.unreachable(path: path, reason: reason)) }
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
    _ backoff: Backoff,
    interrupt: consuming FileDescriptor?
  ) throws(Failure) -> Follower {
    do throws(ClientError) {
      var subscription = subscription
      if let beginning {
        subscription.from = try MomentSearch(path: path).startingPoint(of: beginning)
      }
      return try Follower(
        path: path,
        introduction: nil,
        subscription: subscription,
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
