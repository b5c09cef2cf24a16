// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The events of each app on all machines.
struct FleetTally {
  struct Sum {
    var published: Int64 = 0
    var heard: Int64 = 0
    var unheard: Int64 = 0
    /// The machines that are known to have it, and the one with most events of it.
    var machines: Int64 = 0
    var busiest = ""
    var most: Int64 = 0
  }

  private struct Place: Hashable {
    let app: String
    let machine: String
  }

  /// Apps that are counted; the events of others are counted together.
  static let mostApps = 4_096
  /// Apps on machines that are counted apart.
  static let mostPlaces = 262_144

  private(set) var apps: [String: Sum] = [:]
  private var places: [Place: Int64] = [:]
  /// The events of apps beyond the bound.
  private(set) var others: Int64 = 0
  /// Whether there are more places than are counted.
  private(set) var isRough = false

  mutating func countEvent(of app: String, on machine: String) {
    guard apps[app] != nil || apps.count < Self.mostApps else {
      others += 1
      return
    }
    apps[app, default: Sum()].published += 1
    let place = Place(app: app, machine: machine)
    guard places[place] != nil || places.count < Self.mostPlaces else {
      isRough = true
      return
    }
    let count = places[place, default: 0] + 1
    places[place] = count
    if count == 1 { apps[app]?.machines += 1 }
    if count > apps[app]?.most ?? 0 {
      apps[app]?.most = count
      apps[app]?.busiest = machine
    }
  }

  mutating func countEnd(of app: String, isHeard: Bool) {
    guard apps[app] != nil else { return }
    if isHeard { apps[app]?.heard += 1 } else { apps[app]?.unheard += 1 }
  }

  /// The apps, the busiest first.
  var sorted: [(app: String, sum: Sum)] {
    apps.map { (app: $0.key, sum: $0.value) }.sorted { one, other in
      one.sum.published == other.sum.published
        ? one.app < other.app : one.sum.published > other.sum.published
    }
  }
}
