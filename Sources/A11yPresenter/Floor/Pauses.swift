// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// Apps that ask readers to be quiet for a while.
extension Presenter {
  mutating func beginPause() {
    waiting.quiet.beginPause(head.conn, head.app)
    waiting.alarms.set(.pause(head.conn), at: now + Bounds.pause, by: cause)
    guard let speech = floor.speaking, isPausedByApp(speech.item) else { return }
    quieten()
  }

  func isPausedByApp(_ item: Item) -> Bool {
    waiting.quiet.isPausedByApp(item, activeApp: model.activeApp)
  }

  /// An app takes a pause back, which any of its connections may have asked for.
  mutating func resume() {
    if let conn = waiting.quiet.endOnePause(head.conn, head.app) { endPause(conn) }
  }

  mutating func endPause(_ conn: Int64) {
    waiting.quiet.endPauses(of: conn)
    waiting.alarms.cancel(.pause(conn))
  }
}
