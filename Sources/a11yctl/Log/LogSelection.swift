// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yClient
import A11yPosix
import A11yWire

/// The entries of the log that the command line asks for.
struct LogSelection {
  static let options =
    Beginning.flags(usually: "the oldest") + [
      Flag("to", "WHERE", "end with this entry, or before this time"),
      Flag("type", "TYPE", "only events of this type"),
      Flag("app", "NAME", "only events of this app, and what the bus says of them"),
    ]

  static let notes = """
    \(Beginning.notes)
    --type and --app may be repeated; an entry is chosen that fits all kinds of options.
    """

  let range: SeqRange
  /// The earliest time, in microseconds since 1970.
  let since: Int64?
  /// The time behind the last entry, likewise.
  private let until: Int64?
  /// The apps that are asked for.
  let apps: [String]?
  private let filter: Filter?

  init(_ words: CommandWords, now: Int64) throws(Failure) {
    var range = SeqRange()
    var until: Int64?
    let beginning = try Beginning(words, now: now)
    range.from = beginning.first
    switch try words.entryPlace("to", now: now) {
    case .seq(let seq): range.to = seq
    case .cursor(let cursor): range.to = Seq(cursor.seq)
    case .time(let moment): until = moment
    case .start: until = .min
    case .now, nil: break
    }
    if let from = range.from, let to = range.to, from > to {
      throw Failure(
        .usage,
        "--from expects a seq that is not behind that of --to; got \(from.number)"
          + " and \(to.number)."
      )
    }
    self.range = range
    self.until = until
    since = beginning.time
    let types = words.values("type")
    for type in types ?? [] { try RefusalWords.checkType(type, among: RefusalWords.recorded) }
    apps = words.values("app")
    filter = types == nil && apps == nil ? nil : Filter(types: types, apps: apps)
  }

  /// Whether the seq alone decides.
  var admitsAll: Bool { since == nil && until == nil && filter == nil }

  /// Whether the time to begin with has come by this entry.
  func hasBegun(at line: Span<UInt8>) -> Bool {
    since.map { line.number(behind: ",\"time\":") ?? 0 >= $0 } ?? true
  }

  /// Whether the entries begin behind the log's last one, of which the time has not come either.
  func isBehind(_ last: Seq) -> Bool {
    if let from = range.from { return from > last }
    return since != nil && range.to.map { $0 >= last } ?? true
  }

  func admits(_ entry: JSONDocument) -> Bool {
    let time = Envelope(of: entry).time ?? 0
    if let since, time < since { return false }
    if let until, time >= until { return false }
    return filter?.admits(entry) ?? true
  }
}
