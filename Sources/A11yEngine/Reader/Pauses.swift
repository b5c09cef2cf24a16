// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// An app that asks readers to be quiet, which it may forget to take back.
struct Pause: Sendable, Equatable {
  var conn: Int64
  var count: Int64
}

extension Engine {
  var isPausedByApp: Bool { !pauses.isEmpty }

  mutating func beginPause() {
    let conn = head.conn
    if let place = pauses.firstIndex(where: { $0.conn == conn }) {
      pauses[place].count += 1
    } else {
      pauses.append(Pause(conn: conn, count: 1))
    }
    alarms.set(.pause(conn), at: now + Bounds.pause, by: cause)
    // What the user has asked for, and what is urgent, is not the app's to silence.
    guard let speech = speaking, !speech.item.isByUser, !isUrgent(speech.item) else { return }
    quieten()
  }

  mutating func resume() {
    let conn = head.conn
    guard let place = pauses.firstIndex(where: { $0.conn == conn }) else { return }
    pauses[place].count -= 1
    if pauses[place].count == 0 { endPause(conn) }
  }

  mutating func endPause(_ conn: Int64) {
    pauses.removeAll { $0.conn == conn }
    alarms.cancel(.pause(conn))
  }
}
