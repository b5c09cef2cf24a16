// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yAdvice
package import A11yPresenter
internal import A11yModel
package import A11yWire

/// The counts of one app of one user since the daemon started.
package final class AppTally {
  let uid: UInt32
  let app: String
  var connections = 0
  var published: Int64 = 0
  var refused: Int64 = 0
  /// The app's events that were heard, to their end or in part, and those that were not.
  private(set) var heard: Int64 = 0
  private(set) var unheard: Int64 = 0

  func count(_ outcome: Outcome) {
    guard let part = outcome.result.heardPart(after: outcome.heard) else { return }
    if part.isHeard { heard += 1 } else { unheard += 1 }
  }

  /// The app's habits, on which advice depends.
  var habits = Habits()

  init(uid: UInt32, app: String) {
    self.uid = uid
    self.app = app
  }
}

extension AppTally {
  static let form = ObjectForm<AppTally>([
    .always("app", .anyText, "The name of the app.", \.app),
    .always("uid", .count, "Its user.", \.uid),
    .always("connections", .count, "Its connections.", \.connections),
    .always("published", .count, "Its events.", \.published),
    .always("refused", .count, "Its requests that were refused.", \.refused),
    .always("heard", .count, "Its events that were heard, to their end or in part.", \.heard),
    .always("unheard", .count, "Its events of which nothing was heard.", \.unheard),
  ])

  fileprivate var key: AppKey { AppKey(uid: uid, app: Name(app)) }
}

/// The tallies of apps by uid and name.
///
/// Bounded, for a program could choose new names for ever. At the bound the tally of the app that
/// has been idle longest gives way.
struct AppTable {
  /// Enough for all apps of a large shared machine; some hundred bytes each.
  static let room = 1_024

  /// The tallies in the order of the last connection, the latest at the end.
  private(set) var tallies: [AppTally] = []
  /// The listed tallies by app.
  private var places: [AppKey: AppTally] = [:]

  /// The tally of an app that is listed.
  subscript(app: AppKey) -> AppTally? { places[app] }

  /// The tally of an app with one more connection.
  mutating func join(uid: UInt32, app: String) -> AppTally {
    if let index = tallies.firstIndex(where: { $0.uid == uid && $0.app == app }) {
      let tally = tallies.remove(at: index)
      tallies.append(tally)
      tally.connections += 1
      return tally
    }
    if tallies.count >= Self.room,
      let idle = tallies.firstIndex(where: { $0.connections == 0 })
    {
      places[tallies.remove(at: idle).key] = nil
    }
    let tally = AppTally(uid: uid, app: app)
    tally.connections = 1
    // With more connected apps than the bound the newest is counted but not listed.
    if tallies.count < Self.room {
      tallies.append(tally)
      places[tally.key] = tally
    }
    return tally
  }

  func leave(_ tally: AppTally) { tally.connections -= 1 }
}

/// The counts of the bus since the daemon started.
package struct Counters {
  package var duplicates: Int64 = 0
  package var requests: Int64 = 0
  package var refused: [RefusalCode: Int64] = [:]
  /// The numbers of published events, by type.
  private var published = [Int64](repeating: 0, count: EventType.allCases.count)
  /// The numbers of ended events, by result.
  private var ends = [Int64](repeating: 0, count: Result.allCases.count)
  /// The times that heard events have waited for their turn to be spoken.
  package private(set) var waits = WaitHistogram()

  mutating func notePublished(_ type: EventType) { published[type.number] += 1 }

  mutating func noteEnd(_ outcome: Outcome) {
    ends[outcome.result.number] += 1
    if outcome.result == .heard, let wait = outcome.waited { waits.observe(wait) }
  }

  package func published(_ type: EventType) -> Int64 { published[type.number] }

  /// Published events of all types.
  package var allPublished: Int64 { published.reduce(0, +) }

  package func ended(_ result: Result) -> Int64 { ends[result.number] }
}

/// Times of waiting, counted by their length.
package struct WaitHistogram {
  /// The upper ends of the buckets, in milliseconds: from a delay that nobody notices to one after
  /// which most announcements are stale.
  package static let bounds: [Int64] = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000]

  /// The waits of each bucket; the last bucket has no end.
  package private(set) var counts = [Int64](repeating: 0, count: Self.bounds.count + 1)
  /// The sum of all waits.
  package private(set) var sum = TimeSpan.zero

  mutating func observe(_ wait: TimeSpan) {
    let bucket = Self.bounds.firstIndex { wait <= .milliseconds($0) } ?? Self.bounds.count
    counts[bucket] += 1
    sum = sum + wait
  }
}
