// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import Systemd

/// The journal entries of the daemon that have an explanation in `systemd/a11yd.catalog`.
///
/// An identifier never changes its meaning: people filter by it
/// (`journalctl MESSAGE_ID=…`) and alarms are set on it.
package enum MessageCatalog: String, CaseIterable, Sendable {
  case started = "44a87ab5f7624aa0b751f74a3807b695"
  case stopped = "d3039fc4573b4c9295eded73c5488286"
  case storageDegraded = "518d385a99c94659b08358d567befa84"
  case storageRestored = "370ae10499504796b49bdfc3845d9a25"
  case storageRescued = "c3cbbc6875604e3499e398a18ae62b2d"
  case damageFound = "efc533e5246f4717ba891f93d4b0ef76"
  case evidenceDropped = "5e3b2f6f5e35436fa59dc2b61b1605c0"
  case stateLost = "42399eb37520486bb404135b06c614d9"
  case configurationMistaken = "251a4564abb04d6ba8b86a913276991b"
  case configurationRefused = "9999c35c53ff4b6cbc5b1a2e082b9a7e"
  case rulesLeftOut = "3241a7d90857490c8316c150f0a22375"
  case configurationTakenOver = "f4c8920ed74046e28f6ea1b4172ffeed"
  case socketTaken = "a2da10a42edf4d8183992d9d20b75759"
  case stateHeld = "f8acded1eaf94254a0f7fba873344f06"
  case notPrivate = "05a896f4c6074716bf1a67b298d1712d"
  case newEpoch = "eb6991c2391346ef826e464d5e6ece09"
  case quotaExceeded = "57ec594299af44baab642e727f2f0309"
  case descriptorsExhausted = "2fff5fc857304e23bc3ad3829c37d984"
  case impaired = "c54d569b8e5a462ea228472fa41aa956"
  case failed = "a3679c1ecac24c9e881760cfd600e38f"

  package var id: MessageID { MessageID(rawValue) }

  /// The fields that an entry of this kind always has; its explanation may name these and no
  /// others.
  package var fields: Set<JournalField> {
    switch self {
    case .started, .stopped, .stateLost: [.seq]
    case .storageDegraded, .storageRescued, .damageFound, .configurationMistaken,
      .configurationRefused, .rulesLeftOut, .quotaExceeded, .descriptorsExhausted, .impaired,
      .failed:
      [.reason]
    case .socketTaken, .stateHeld, .notPrivate: [.path]
    case .storageRestored, .configurationTakenOver, .newEpoch, .evidenceDropped: []
    }
  }
}
