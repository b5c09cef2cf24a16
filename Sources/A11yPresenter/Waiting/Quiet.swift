// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The wishes that nothing, or less, be heard: of the user, and of apps.
struct Quiet: Sendable {
  /// Since when the user has paused all speech until further notice.
  var pausedAt: Instant?
  var disturbance = Disturbance()
  var pauses: [Pause] = []

  /// Whether do-not-disturb keeps an event back: announcements alone, and no answer to what the
  /// user has done.
  func isDisturbing(_ item: Item) -> Bool {
    item.isAnnouncement && item.kind != .digest && !item.isAnswer
      && !disturbance.lets(item.priority)
  }

  /// Whether the time to start of an event stands still.
  func stopsTime(of item: Item) -> Bool {
    item.isUrgent && (pausedAt != nil || isDisturbing(item))
  }

  /// Whether an app has asked that this event wait: its own app, or the active one if that is of
  /// the same user.
  func isPausedByApp(_ item: Item, activeApp: AppKey?) -> Bool {
    guard !pauses.isEmpty, !item.isUrgent, !item.isByUser else { return false }
    let app = item.app
    return pauses.contains { pause in
      pause.app == app || pause.app.uid == app.uid && (activeApp.map { $0 == pause.app } ?? true)
    }
  }

  /// Counts a pause of a connection.
  mutating func beginPause(_ conn: Int64, _ app: AppKey) {
    if let index = pauses.firstIndex(where: { $0.conn == conn }) {
      pauses[index].count += 1
    } else {
      pauses.append(Pause(conn: conn, app: app, count: 1))
    }
  }

  /// Takes one pause back, of the connection itself before others of its app; the connection that
  /// has none left.
  mutating func endOnePause(_ conn: Int64, _ app: AppKey) -> Int64? {
    let own = pauses.firstIndex { $0.conn == conn }
    guard let index = own ?? pauses.firstIndex(where: { $0.app == app }) else { return nil }
    pauses[index].count -= 1
    return pauses[index].count == 0 ? pauses[index].conn : nil
  }

  mutating func endPauses(of conn: Int64) { pauses.removeAll { $0.conn == conn } }
}

/// An app that asks readers to be quiet, which it may forget to take back.
///
/// Counted for the app as a whole; the connection is known because its end ends the pause.
struct Pause: Sendable, Equatable {
  var conn: Int64
  var app: AppKey
  var count: Int64
}

/// Do not disturb: below its level announcements wait, and a summary tells at its end how many have
/// expired meanwhile.
struct Disturbance: Sendable, Equatable {
  var level: Int64 = 0
  /// Since when even urgent events are kept back, whose time to start stands still.
  var since: Instant?
  var expired: Item.Summary?

  func lets(_ priority: Priority) -> Bool { priority.weight >= level }
}

extension Priority {
  /// The level of do-not-disturb up to which a priority is let through.
  var weight: Int64 {
    switch self {
    case .low: 20
    case .default: 50
    case .high: 80
    }
  }
}
