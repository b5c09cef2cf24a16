// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPosix
import A11yWire

/// The entries of the log that the command line asks for.
struct LogSelection {
  static let options = [
    Flag("from", "SEQ", "begin with this entry"),
    Flag("to", "SEQ", "end with this entry"),
    Flag("since", "TIME", "only what came since then"),
    Flag("type", "TYPE", "only events of this type"),
    Flag("app", "NAME", "only events of this app, and what the bus says of them"),
  ]

  static let notes = """
    \(Moment.notes)
    --type and --app may be repeated; an entry is chosen that fits all kinds of options.
    """

  let range: SeqRange
  /// The earliest time, in microseconds since 1970.
  let since: Int64?
  private let filter: Filter?

  init(_ words: CommandWords, now: Int64) throws(Failure) {
    let (from, to) = (try words.seq("from"), try words.seq("to"))
    if let from, let to, from > to {
      throw Failure(
        .usage,
        "--from expects a seq that is not behind that of --to; got \(from.number)"
          + " and \(to.number)."
      )
    }
    range = SeqRange(from: from, to: to)
    since = try words.moment("since", now: now)
    let types = words.values("type")
    for type in types ?? [] { try RefusalWords.checkType(type, among: RefusalWords.recorded) }
    let apps = words.values("app")
    filter = types == nil && apps == nil ? nil : Filter(types: types, apps: apps)
  }

  /// Whether the seq alone decides.
  var admitsAll: Bool { since == nil && filter == nil }

  func admits(_ entry: JSONDocument) -> Bool {
    if let since, Envelope(of: entry).time ?? 0 < since { return false }
    return filter?.admits(entry) ?? true
  }
}

extension CommandWords {
  /// The value of an option that is a seq.
  func seq(_ name: String) throws(Failure) -> Seq? {
    guard let word = value(name) else { return nil }
    guard let number = Int64(word), number > 0 else {
      throw Failure(.usage, "--\(name) expects a seq, which is a number from 1; got \(word).")
    }
    return Seq(number)
  }
}
