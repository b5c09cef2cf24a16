// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The times at which speech was held back for all, and by whose wish.
struct QuietSpans {
  enum Kind: Hashable {
    case doNotDisturb(level: Int64)
    case userPause
    case appPause(String)

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
  private let until: Int64
  private var pauses: [Kind: Int] = [:]

  init(until: Int64) { self.until = until }

  mutating func trace(_ entry: JSONDocument, _ event: JSONIndex, _ type: String, _ time: Int64) {
    switch type {
    case "do-not-disturb":
      endSpans(time) { if case .doNotDisturb = $0 { true } else { false } }
      let level = entry.integer("level", of: event) ?? 0
      guard level > 0 else { return }
      let length = entry.integer("for_ms", of: event).map { time + $0 * 1_000 }
      begin(.doNotDisturb(level: level), time, until: length)
    case "action":
      switch entry.string("action", of: event) {
      case "pause": begin(.userPause, time, until: nil)
      case "resume": endSpans(time) { $0 == .userPause }
      default: break
      }
    case "pause":
      guard let app = entry.string("app", of: entry.root) else { return }
      let kind = Kind.appPause(app)
      pauses[kind, default: 0] += 1
      if pauses[kind] == 1 { begin(kind, time, until: time + Self.longestAppPause) }
    case "resume":
      guard let app = entry.string("app", of: entry.root) else { return }
      let kind = Kind.appPause(app)
      pauses[kind, default: 1] -= 1
      guard pauses[kind, default: 0] <= 0 else { return }
      pauses[kind] = nil
      endSpans(time) { $0 == kind }
    default: break
    }
  }

  private mutating func begin(_ kind: Kind, _ time: Int64, until end: Int64?) {
    guard spans.count < Self.most else {
      uncounted += 1
      return
    }
    spans.append(Span(kind: kind, from: time, to: end))
  }

  /// Ends the spans that last at a time.
  private mutating func endSpans(_ time: Int64, _ isMeant: (Kind) -> Bool) {
    for place in spans.indices.reversed() where isMeant(spans[place].kind) {
      guard spans[place].to.map({ $0 > time }) ?? true else { break }
      spans[place].to = time
    }
  }
}
