// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yAdvice
internal import A11yPresenter
internal import A11yModel
package import A11yWire

/// What one app, of one user, has done since the daemon started.
package final class AppTally {
  let uid: UInt32
  let app: String
  var connections = 0
  var published: Int64 = 0
  var refused: Int64 = 0
  /// Events of it that were heard, and those that were not, or not to their end.
  private(set) var heard: Int64 = 0
  private(set) var unheard: Int64 = 0

  func count(_ result: Result) {
    if result == .heard || result == .handled { heard += 1 } else { unheard += 1 }
  }

  /// What advice to it depends on.
  var habits = Habits()

  init(uid: UInt32, app: String) {
    self.uid = uid
    self.app = app
  }
}

extension AppTally {
  fileprivate var key: AppKey { AppKey(uid: uid, app: Name(app)) }
}

/// The tallies of apps by uid and name.
///
/// Bounded: names are free to choose, so somebody could choose new ones for ever. At the bound the
/// tally of the app that has been idle longest gives way.
struct AppTable {
  /// Enough for every app of a large shared machine; some hundred bytes each.
  static let room = 1_024

  /// In order of their last coming, the latest at the end.
  private(set) var tallies: [AppTally] = []
  /// Those in the list, by whose they are.
  private var places: [AppKey: AppTally] = [:]

  /// The tally of an app that is listed.
  subscript(app: AppKey) -> AppTally? { places[app] }

  /// The tally of an app that one more connection belongs to.
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
    // More apps than the bound at once, each connected: the newest is counted but not listed.
    if tallies.count < Self.room {
      tallies.append(tally)
      places[tally.key] = tally
    }
    return tally
  }

  func leave(_ tally: AppTally) { tally.connections -= 1 }
}

/// What the bus has counted since the daemon started.
package struct Counters {
  package var published: Int64 = 0
  package var duplicates: Int64 = 0
  package var requests: Int64 = 0
  package var refused: [RefusalCode: Int64] = [:]
  /// Events that have ended, by the numbers of their results.
  private var ends = [Int64](repeating: 0, count: Result.allCases.count)

  mutating func count(_ result: Result) { ends[result.number] += 1 }

  func ended(_ result: Result) -> Int64 { ends[result.number] }
}
