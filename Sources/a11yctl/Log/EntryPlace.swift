// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire
import Glibc

/// A place in the log, as a person types it.
enum EntryPlace: Equatable {
  /// Before the oldest entry there is.
  case start
  /// Behind the newest, at this moment.
  case now(Int64)
  /// Right behind an entry.
  case cursor(LogCursor)
  case seq(Seq)
  /// Microseconds since 1970.
  case time(Int64)

  /// The accepted forms, for a complaint.
  static let accepted = "a seq, a cursor epoch:seq, start, now, or a time as \(Moment.accepted)"

  init?(_ word: String, now: Int64) {
    switch word {
    case "start": self = .start
    case "now": self = .now(now)
    case _ where Int64(word) != nil:
      guard let number = Int64(word), number > 0 else { return nil }
      self = .seq(Seq(number))
    default:
      if let cursor = LogCursor(word) {
        self = .cursor(cursor)
      } else if let time = Moment.parse(word, now: now) {
        self = .time(time)
      } else {
        return nil
      }
    }
  }
}

/// The place with which a command begins to read; of an entry and a time the later one counts.
struct Beginning {
  static let notes = """
    WHERE is a seq, a cursor epoch:seq, which is the place behind that entry, start, now or a TIME.
    \(Moment.notes)
    """

  let from: EntryPlace?
  let since: Int64?

  /// The oldest entry there is.
  static let start = Beginning(from: nil, since: nil)

  var isStated: Bool { from != nil || since != nil }

  /// The first entry, where an entry is named.
  var first: Seq? {
    switch from {
    case .seq(let seq): seq
    case .cursor(let cursor): Seq(cursor.seq).next
    case .start, .now, .time, nil: nil
    }
  }

  /// The earliest time, where one is named.
  var time: Int64? {
    switch from {
    case .now(let now): max(now, since ?? now)
    case .time(let time): max(time, since ?? time)
    case .start, .seq, .cursor, nil: since
    }
  }

  /// Whether an entry is not before it.
  func admits(_ entry: JSONDocument) -> Bool {
    let envelope = EntryView(of: entry)
    if let time, let its = envelope.time, its < time { return false }
    if let first, let its = envelope.seq, its < first { return false }
    return true
  }

  /// The earliest time, for commands that go by time alone; `lookUp` finds that of an entry.
  func time(
    _ lookUp: (Seq) throws(Failure) -> Int64?
  ) throws(Failure) -> Int64? {
    guard isStated else { return nil }
    guard let first else { return time ?? 0 }
    // Behind the last entry there is nothing yet.
    let found = try lookUp(first) ?? SystemClock.wallMicroseconds()
    return max(found, time ?? found)
  }
}

/// Finds places on the bus.
struct MomentSearch {
  /// The path of the bus's socket.
  let path: String

  /// The cursor behind the last entry before a moment; nil where all entries came later.
  func cursor(before moment: Int64) throws(ClientError) -> LogCursor? {
    let now = try BusConnection(path: path).subscribe()
    var (low, high) = (Int64(0), now.seq)
    while low < high {
      let middle = low + (high - low) / 2
      if let entry = try firstEntry(behind: "\(now.epoch):\(middle)"), entry.time < moment {
        low = entry.seq
      } else {
        high = middle
      }
    }
    return low == 0 ? nil : LogCursor("\(now.epoch):\(low)")
  }

  /// The place from which a subscription has all that a beginning asks for.
  func startingPoint(of beginning: Beginning) throws(ClientError) -> StartingPoint {
    guard beginning.isStated else { return .now }
    var places: [LogCursor] = []
    switch beginning.from {
    case .now: return .now
    case .cursor(let cursor) where beginning.since == nil: return .cursor(cursor)
    case .cursor(let cursor): places.append(cursor)
    case .seq(let seq):
      let now = try BusConnection(path: path).subscribe()
      // A seq that has not come yet would be a place that there is not.
      let before = min(seq.number - 1, now.seq)
      if let cursor = LogCursor("\(now.epoch):\(before)") { places.append(cursor) }
    case .start, .time, nil: break
    }
    if let time = beginning.time, let cursor = try cursor(before: time) { places.append(cursor) }
    guard let last = places.max(by: { $0.seq < $1.seq }), last.seq > 0 else { return .start }
    return .cursor(last)
  }

  /// The time of an entry, or else of the next one there is.
  func time(of first: Seq) throws(Failure) -> Int64? {
    try asking { () throws(ClientError) in
      let now = try BusConnection(path: path).subscribe()
      guard first.number <= now.seq else { return nil }
      let isOldest = first.number <= 1
      return try firstEntry(behind: isOldest ? "" : "\(now.epoch):\(first.number - 1)")?.time
    }
  }

  private func firstEntry(behind cursor: String) throws(ClientError) -> Entry? {
    let bus = try BusConnection(path: path)
    let start = LogCursor(cursor).map { StartingPoint.cursor($0) }
    try bus.subscribe(SubscriptionRequest(from: start ?? .start))
    while let item = try bus.next(timeout: BusConnection.patience) {
      switch item {
      case .entry(let entry): return entry
      case .mark(.caughtUp): return nil
      case .mark: continue
      }
    }
    throw .timedOut(after: BusConnection.patience)
  }
}

/// The directory in which a daemon with this environment keeps its log.
enum LogPlace {
  /// The directory of the system service; systemd makes it and tells only the service.
  static let system = "/var/lib/a11yd"

  /// The directory by an option, else systemd's choice, else the user's; nil without a home.
  static func find(
    _ option: String?,
    in environment: (String) -> String?,
    system: String = system
  ) -> String? {
    if let option { return option }
    // Relative paths are ignored, as in the daemon.
    func absolute(_ name: String) -> String? {
      environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let directories = absolute("STATE_DIRECTORY"),
      let first = directories.split(separator: ":").first
    {
      return String(first)
    }
    let home = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
    // A user without a log, who may read the system's, means the system's.
    guard let own = home.map({ $0 + "/a11yd" }), access(own, F_OK) == 0 else {
      return access(system, R_OK) == 0 ? system : home.map { $0 + "/a11yd" }
    }
    return own
  }

  /// The forms of a log that can be read.
  static let forms = "a directory, a file or -"

  /// The paragraph on the log's place in the help of commands.
  static let notes = """
    The log is looked for in $STATE_DIRECTORY, else in $XDG_STATE_HOME/a11yd, else in
    ~/.local/state/a11yd; where there is none, that of the system service in \(system).
    """
}

extension LogPlace {
  /// The name of a log in a sentence.
  static func title(_ path: String) -> String {
    path == "-" ? "standard input" : VisibleText.of(path)
  }
}
