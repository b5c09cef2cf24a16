// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How many events wait for their turn of each sort, of all apps and of each.
///
/// Counted as they come and leave, because in a flood every event that comes asks for it.
struct Census: Sendable {
  typealias Counts = InlineArray<6, Int>

  private struct App {
    let mark: Int
    var waiting = 0
    var counts = Counts(repeating: 0)
  }

  private(set) var all = Counts(repeating: 0)
  /// The apps of which something waits that can be counted.
  private var apps: [App] = []

  /// Counts an event that comes or leaves; one that no summary may tell is of no sort.
  mutating func count(_ place: Line.Place, _ step: Int) {
    guard let sort = place.sort?.number else { return }
    all[sort] += step
    var index = 0
    while index < apps.count, apps[index].mark != place.appMark { index += 1 }
    if index == apps.count { apps.append(App(mark: place.appMark)) }
    apps[index].counts[sort] += step
    apps[index].waiting += step
    if apps[index].waiting == 0 { apps.remove(at: index) }
  }

  func count(_ sort: Line.Sort, of app: Int) -> Int {
    for index in apps.indices where apps[index].mark == app {
      return apps[index].counts[sort.number]
    }
    return 0
  }

  /// The most that wait of one app, and that app, if it is the only one with so many.
  func crowd(_ sort: Line.Sort) -> (most: Int, app: Int?) {
    var most = 0
    var app: Int?
    for index in apps.indices {
      let count = apps[index].counts[sort.number]
      if count == most { app = nil }
      if count > most { (most, app) = (count, apps[index].mark) }
    }
    return (most, app)
  }
}
