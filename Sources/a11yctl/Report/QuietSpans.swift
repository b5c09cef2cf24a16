// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The times at which speech was held back for all, and by whose wish.
struct QuietSpans {
  enum Kind: Hashable {
    case doNotDisturb(level: Int64)
    case userPause
    case appPause(String)

    var isDoNotDisturb: Bool { if case .doNotDisturb = self { true } else { false } }

    var title: String {
      switch self {
      case .doNotDisturb(let level): "Quiet, level \(level)"
      case .userPause: "Paused by the user"
      case .appPause(let app): "Silence for \(app)"
      }
    }
  }

  struct Span {
    let kind: Kind
    let from: Int64
    /// The end; nil while it goes on.
    var to: Int64?
  }

  /// The most spans that are kept.
  static let most = 1_000
  /// The time after which an app's pause ends by itself, in microseconds.
  private static let longestAppPause: Int64 = 30_000_000

  private(set) var spans: [Span] = []
  private(set) var uncounted = 0
  private var pauses: [AppPause] = []

  /// The pauses that a connection has asked for and not taken back.
  private struct AppPause {
    let conn: Int64
    let app: String
    var count = 1
    /// The place of its span; nil for one beyond `most`.
    let place: Int?
  }

  mutating func trace(_ entry: JSONDocument, _ event: JSONIndex, _ type: String, _ time: Int64) {
    switch type {
    case "do-not-disturb":
      endSpans(time) { if case .doNotDisturb = $0 { true } else { false } }
      let level = entry.integer("level", of: event) ?? 0
      guard level > 0 else { return }
      let length = entry.integer("for_ms", of: event).map { length in
        (Instant(microseconds: time) + .milliseconds(length)).microseconds
      }
      begin(.doNotDisturb(level: level), time, until: length)
    case "action":
      // Any other step of the user ends the user's pause.
      endSpans(time) { $0 == .userPause }
      if entry.string("action", of: event) == "pause" { begin(.userPause, time, until: nil) }
    case "focus-changed":
      if entry.string("cause", of: event) == "user" { endSpans(time) { $0 == .userPause } }
    case "pause", "resume":
      let envelope = EntryView(of: entry)
      guard let conn = envelope.conn, let app = envelope.app else { return }
      if type == "pause" { beginPause(conn, app, time) } else { endOnePause(conn, app, time) }
    case "client":
      guard entry.string("state", of: event) == "left", let conn = entry.integer("conn", of: event)
      else { return }
      endPauses(time) { $0.conn == conn }
    case "opened":
      endSpans(time) { $0 == .userPause }
      endPauses(time) { _ in true }
    default: break
    }
  }

  private mutating func beginPause(_ conn: Int64, _ app: String, _ time: Int64) {
    let end = time + Self.longestAppPause
    // One that was never taken back is over by itself.
    let spans = self.spans
    endPauses(time) { pause in pause.place.flatMap { spans[$0].to }.map { $0 <= time } ?? false }
    guard let index = pauses.firstIndex(where: { $0.conn == conn }) else {
      let place = begin(.appPause(app), time, until: end)
      pauses.append(AppPause(conn: conn, app: app, place: place))
      return
    }
    pauses[index].count += 1
    if let place = pauses[index].place { self.spans[place].to = end }
  }

  /// Takes one pause back, of the connection itself before others of its app.
  private mutating func endOnePause(_ conn: Int64, _ app: String, _ time: Int64) {
    let own = pauses.firstIndex { $0.conn == conn }
    guard let index = own ?? pauses.firstIndex(where: { $0.app == app }) else { return }
    pauses[index].count -= 1
    guard pauses[index].count == 0 else { return }
    let done = pauses[index].conn
    endPauses(time) { $0.conn == done }
  }

  private mutating func endPauses(_ time: Int64, _ isMeant: (AppPause) -> Bool) {
    let meant = pauses.filter(isMeant)
    guard !meant.isEmpty else { return }
    for place in meant.compactMap(\.place) {
      spans[place].to = min(spans[place].to ?? time, time)
    }
    pauses.removeAll(where: isMeant)
  }

  /// Begins a span, and returns its place; nil where there is no room.
  @discardableResult
  private mutating func begin(_ kind: Kind, _ time: Int64, until end: Int64?) -> Int? {
    guard spans.count < Self.most else {
      uncounted += 1
      return nil
    }
    spans.append(Span(kind: kind, from: time, to: end))
    return spans.count - 1
  }

  /// Ends the span of a kind that lasts at a time.
  private mutating func endSpans(_ time: Int64, _ isMeant: (Kind) -> Bool) {
    guard let place = spans.lastIndex(where: { isMeant($0.kind) }),
      spans[place].to.map({ $0 > time }) ?? true
    else { return }
    spans[place].to = time
  }
}
