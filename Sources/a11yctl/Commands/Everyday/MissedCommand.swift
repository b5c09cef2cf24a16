// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// Tells the texts that were published and not heard, and why.
struct MissedCommand: Command {
  static let name = "missed"
  static let summary = "tell the texts that were not heard, by reason and app"
  static let usage = "[OPTION]..."
  static let notes = """
    Tells how many texts of each app were not heard or not to their end, why, and the last of each
    kind; then the texts that still wait. Secret texts stay hidden. a11yctl explain SEQ says more
    of an entry.
    \(Beginning.notes)
    \(RecentPlace.notes)
    """
  static let options =
    Beginning.flags(usually: "\"1 day ago\"") + [
      Flag("app", "NAME", "only what this app has said")
    ] + RecentPlace.options

  private static let usual: Int64 = 86_400_000_000

  private let place: RecentPlace
  private let beginning: Beginning
  private let now: Int64
  private let app: String?
  /// The bus that knows the names of apps, if one does.
  private let socket: String?

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    now = SystemClock.wallMicroseconds()
    beginning = try Beginning(words, now: now)
    app = words.value("app")
    place = try RecentPlace(words)
    socket = try? words.socket(for: .operation(.stats)).path
  }

  func run(_ output: Output) throws(Failure) {
    let (entries, state) = try place.entries(output)
    let since = try beginning.time(entries.time) ?? now - Self.usual
    let report = try entries.sum(
      of: MissedReport.types,
      into: MissedReport(since: since, app: app),
      isEnough: \.isComplete
    ) { $0.note($1) }
    let waiting = report.waiting(in: state)
    for line in MissedWords.sentences(report, waiting: waiting, since: since, now: now) {
      output.line(line)
    }
    guard let app, let socket, report.hasNothing, waiting.isEmpty else { return }
    for line in AppNames.strangers([app], at: socket) { output.line(line) }
  }
}
