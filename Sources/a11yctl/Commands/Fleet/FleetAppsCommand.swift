// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yPresenter
import A11yWire

/// Counts the events of apps on all machines.
struct FleetAppsCommand: Command {
  static let name = "fleet apps"
  static let summary = "count the events of each app on all machines"
  static let usage = "[OPTION]..."
  static let notes = """
    Prints a line for each app, the busiest first: its events, how many were heard and how many not,
    on how many machines, and the machine with most of them.
    \(Moment.notes)
    \(FleetSource.readingNotes)
    \(FleetSource.notes)
    """
  static let options = FleetSource.reading(usually: "\"1 hour ago\"")
  static let common = Flag.explaining

  private static let hour: Int64 = 3_600_000_000

  private let source: FleetSource
  private let isJSON: Bool
  private let since: Int64

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    source = FleetSource(words)
    isJSON = words.has("json")
    let now = SystemClock.wallMicroseconds()
    since =
      try FleetSource.beginning(words, now: now).time { _ throws(Failure) in
        throw Failure(.usage, "--from expects a time here, since each machine has seqs of its own.")
      } ?? now - Self.hour
  }

  func run(_ output: Output) throws(Failure) {
    var tally = FleetTally()
    let reader = JSONReader(limit: Limits.answerBytes)
    try source.forEachEntry(["*", "--since", String(since)]) { machine, _, line throws(Failure) in
      guard (try? reader.read(line)) != nil else { return true }
      Self.tallyEntry(reader.document, machine, since: since, in: &tally)
      return true
    }
    for (app, sum) in tally.sorted {
      output.line(isJSON ? Self.json(app, sum) : Self.appLine(app, sum))
    }
    if tally.others > 0 {
      output.complain(
        "\(SeqWords.count(tally.others, "event", "events")) of other apps: "
          + "a list holds \(FleetTally.mostApps) apps."
      )
    }
    if tally.isRough { output.complain("The numbers of machines are too low: there are too many.") }
    if tally.apps.isEmpty, !isJSON { output.line("No app has said anything since then.") }
  }

  private static func tallyEntry(
    _ entry: JSONDocument,
    _ machine: String,
    since: Int64,
    in tally: inout FleetTally
  ) {
    let envelope = Envelope(of: entry)
    guard envelope.time ?? 0 >= since, let event = envelope.event else { return }
    if !envelope.isOwn {
      tally.countEvent(of: entry.string("app", of: entry.root) ?? "", on: machine)
    } else if entry.string("type", of: event) == EventType.Own.outcome.rawValue {
      guard let part = EventEnding(entry, .none)?.heardPart else { return }
      tally.countEnd(of: entry.string("app", of: event) ?? "", isHeard: part.isHeard)
    }
  }

  private static func appLine(_ app: String, _ sum: FleetTally.Sum) -> String {
    let events = SeqWords.count(sum.published, "event", "events")
    let place =
      sum.machines == 1
      ? "on \(sum.busiest)"
      : "on \(sum.machines) machines, most on \(sum.busiest): \(sum.most)"
    return "\(app): \(events), \(sum.heard) heard, \(sum.unheard) not heard; \(place).".visible
  }

  private static func json(_ app: String, _ sum: FleetTally.Sum) -> String {
    JSONValue.object([
      .init("app", .string(app)), .init("events", .integer(sum.published)),
      .init("heard", .integer(sum.heard)), .init("unheard", .integer(sum.unheard)),
      .init("machines", .integer(sum.machines)), .init("busiest", .string(sum.busiest)),
      .init("most", .integer(sum.most)),
    ]).description
  }
}
