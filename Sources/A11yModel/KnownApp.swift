// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// An app as the log knows it: its windows, and how long they stay.
struct KnownApp: Equatable, Sendable {
  let arrival: Int64
  var connections = 0
  /// The instant at which the last of its connections ended.
  var left: Instant?
  var windows: [Name: KnownWindow] = [:]
  /// The bytes of the ids and texts of all windows.
  var bytes = 0

  init(arrival: Int64) { self.arrival = arrival }

  /// The window that arrived last among those that match.
  func newest(where isMeant: (KnownWindow) -> Bool) -> Name? {
    var newest: (name: Name, arrival: Int64)?
    for (name, window) in windows where window.arrival > newest?.arrival ?? -1 {
      if isMeant(window) { newest = (name, window.arrival) }
    }
    return newest?.name
  }

  var elementCount: Int { windows.values.reduce(0) { $0 + $1.tree.count } }
}
