// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// An app that asks readers to be quiet, which it may forget to take back.
///
/// Counted for the app as a whole; the connection is known because its end ends what it has asked
/// for.
struct Pause: Sendable, Equatable {
  var conn: Int64
  var app: AppKey
  var count: Int64
}

extension Presenter {
  /// Whether an app has asked that this event wait: its own app, or the one in the foreground if it
  /// is of the same user.
  func isPausedByApp(_ item: Item) -> Bool {
    guard !pauses.isEmpty, !isUrgent(item), !item.isByUser else { return false }
    let app = item.app
    return pauses.contains { pause in
      pause.app == app
        || pause.app.uid == app.uid && (model.activeApp.map { $0 == pause.app } ?? true)
    }
  }

  mutating func beginPause() {
    let conn = head.conn
    if let place = pauses.firstIndex(where: { $0.conn == conn }) {
      pauses[place].count += 1
    } else {
      pauses.append(Pause(conn: conn, app: head.app, count: 1))
    }
    alarms.set(.pause(conn), at: now + Bounds.pause, by: cause)
    guard let speech = speaking, isPausedByApp(speech.item) else { return }
    quieten()
  }

  mutating func resume() {
    // Any connection of the app may take back what another has asked for; its own comes first.
    let own = pauses.firstIndex { $0.conn == head.conn }
    guard let place = own ?? pauses.firstIndex(where: { $0.app == head.app }) else { return }
    pauses[place].count -= 1
    if pauses[place].count == 0 { endPause(pauses[place].conn) }
  }

  mutating func endPause(_ conn: Int64) {
    pauses.removeAll { $0.conn == conn }
    alarms.cancel(.pause(conn))
  }
}
