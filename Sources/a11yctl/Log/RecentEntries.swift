// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// The newest entries of some types, from the bus or from the log of a bus that does not run.
struct RecentEntries {
  private enum Source {
    case bus(path: String)
    case log(LogReader)
  }

  /// Long enough for the longest log.
  private static let patience: Duration = .seconds(60)
  /// The numbers of entries to look through, each where the one before has brought too little.
  private static let strides: [Int64] = [2_000, 50_000, .max]

  private let source: Source

  /// The entries of the bus at this path.
  init(path: String) { source = .bus(path: path) }

  init(_ log: LogReader) { source = .log(log) }

  /// Folds the newest entries of these types, or of all, the oldest of them first, into a sum.
  ///
  /// It begins anew with more of the log for as long as the sum has not enough.
  func sum<Sum>(
    of types: [String]?,
    into empty: Sum,
    isEnough: (Sum) -> Bool,
    _ add: (inout Sum, Entry) -> Void
  ) throws(Failure) -> Sum {
    switch source {
    case .log(let log): return try Self.sum(of: types, in: log, into: empty, add)
    case .bus(let path):
      return try asking { () throws(ClientError) in
        var sum = empty
        for stride in Self.strides {
          sum = empty
          let isAll = try Self.give(stride, of: types, from: path) { add(&sum, $0) }
          if isAll || isEnough(sum) { break }
        }
        return sum
      }
    }
  }

  /// The time of an entry, or else of the next one there is.
  func time(of first: Seq) throws(Failure) -> Int64? {
    switch source {
    case .bus(let path): try MomentSearch(path: path).time(of: first)
    case .log(let log): try log.time(of: first)
    }
  }

  /// Gives as many entries as a stride has; true where these are all.
  private static func give(
    _ stride: Int64,
    of types: [String]?,
    from path: String,
    _ onEntry: (Entry) -> Void
  ) throws(ClientError) -> Bool {
    let bus = try BusConnection(path: path)
    let now = try bus.subscribe()
    let from = max(0, now.seq - min(stride, now.seq))
    try bus.request("unsubscribe")
    while try bus.next(timeout: .zero) != nil {}
    let start = from == 0 ? nil : LogCursor("\(now.epoch):\(from)")
    try bus.subscribe(
      SubscriptionRequest(
        from: start.map { .cursor($0) } ?? .start,
        filter: EntryFilter(types: types)
      )
    )
    while let item = try bus.next(timeout: patience) {
      switch item {
      case .entry(let entry): onEntry(entry)
      case .mark(.caughtUp): return start == nil
      case .mark: continue
      }
    }
    throw .timedOut(after: patience)
  }

  private static func sum<Sum>(
    of types: [String]?,
    in log: LogReader,
    into empty: Sum,
    _ add: (inout Sum, Entry) -> Void
  ) throws(Failure) -> Sum {
    var sum = empty
    guard let first = log.segments.first?.first else { return sum }
    let reader = JSONReader(limit: A11yWire.Limits.answerBytes)
    try log.entries(from: first, through: Seq(.max)) { line, seq in
      guard (try? reader.read(line)) != nil,
        let entry = try? Entry(seq.number, reader.document), types?.contains(entry.type) ?? true
      else { return true }
      add(&sum, entry)
      return true
    }
    return sum
  }
}

/// The place of the entries of a command, by its command line.
struct RecentPlace {
  static let options = [
    LogPlace.flag(saying: "read this log, not the bus: \(LogPlace.forms)")
  ]

  static let notes = "Where the bus cannot be reached, its log is read instead."

  private let socket: String
  private let log: String?
  private let isAnySocket: Bool

  init(_ words: CommandWords) throws(Failure) {
    log = words.value(LogPlace.option)
    socket = log == nil ? try words.socket(for: .operation(.state)).path : ""
    isAnySocket = words.value("socket") == nil
  }

  /// The entries, and the state of the bus where it runs.
  func entries(_ output: Output) throws(Failure) -> (RecentEntries, state: JSONValue?) {
    if let log { return (RecentEntries(try LogReader(log, Progress("Read", output))), nil) }
    do throws(Failure) {
      let state = try asking { () throws(ClientError) in
        try BusConnection(path: socket).request("state")
      }
      return (RecentEntries(path: socket), state)
    } catch {
      // The usual log belongs to the usual socket alone.
      guard error.code == .unreachable, isAnySocket,
        let path = LogPlace.find(nil, in: Environment.value),
        let reader = try? LogReader(path, Progress("Read", output))
      else { throw error }
      output.complain("The bus cannot be reached. This is from its log, in \(path).")
      return (RecentEntries(reader), nil)
    }
  }
}
