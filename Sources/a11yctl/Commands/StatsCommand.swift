// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Tells the counters of the bus.
struct StatsCommand: Command {
  static let name = "stats"
  static let summary = "tell the counters of the bus"
  static let usage = "[OPTION]..."
  static let notes = """
    Says what was heard, and what the bus has done and keeps since it was started, in a sentence a
    line. With --from or --since it counts the entries of that time in the log: the events of each
    app, and how many of them were heard.
    \(Beginning.notes)
    """
  static let options =
    Beginning.flags(usually: "the start of the bus") + [
      Flag("json", nil, "print the answer as JSON, on one line")
    ]

  private let path: String
  private let isJSON: Bool
  private let beginning: Beginning

  /// The counts of a time.
  private struct Recent {
    let since: Int64
    var tally = AppTally()
    var reachesBack = false

    mutating func include(_ entry: Entry) {
      if entry.time < since { reachesBack = true } else { tally.include(entry) }
    }
  }

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .operation(.stats)).path
    isJSON = words.has("json")
    beginning = try Beginning(words, now: SystemClock.wallMicroseconds())
  }

  func run(_ output: Output) throws(Failure) {
    let entries = RecentEntries(path: path)
    if let since = try beginning.time(entries.time) { return try sumUp(entries, since, output) }
    let stats = try asking { () throws(ClientError) in
      try BusConnection(path: path).request("stats")
    }
    guard !isJSON else {
      output.line(stats.description)
      return
    }
    for line in StatsWords.lines(stats) { output.line(line) }
  }

  private func sumUp(
    _ entries: RecentEntries,
    _ since: Int64,
    _ output: Output
  ) throws(Failure) {
    let recent = try entries.sum(of: nil, into: Recent(since: since), isEnough: \.reachesBack) {
      $0.include($1)
    }
    guard !isJSON else {
      let members: [JSONValue.Member] = [
        .init("since", .integer(since)), .init("apps", recent.tally.json),
      ]
      output.line(JSONValue.object(members).description)
      return
    }
    let lines = recent.tally.sentences("Since \(ClockTime.dayAndTime(max(0, since)))")
    for line in lines { output.line(line) }
    if lines.isEmpty { output.line("No app has said anything since then.") }
  }
}
