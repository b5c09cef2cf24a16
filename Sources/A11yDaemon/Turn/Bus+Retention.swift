// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yWire

// How the log is kept within its bounds.
extension Bus {
  /// Drops what is older than it has to be kept.
  package func retain() {
    let mono = log.clock.mono(uptime: Int64(time.bootMicroseconds()))
    if spansTooMuch(at: mono) {
      log.roll(mono: mono)
      tend()
    }
    if log.retain(now: time.wallMicroseconds(), mono: mono) { relocate() }
    guard log.droppedEvidence > 0 else { return }
    let count = log.droppedEvidence
    log.droppedEvidence = 0
    report.say(
      .evidenceDropped,
      "\(count) \(count == 1 ? "piece" : "pieces") of damage went from \(Quarantine.folder), oldest"
        + " first: the directory of the log was larger than retain_bytes."
    )
  }

  /// Whether the segment that is appended to has entries of too long a time.
  ///
  /// Segments go as a whole, when the last entry in them is too old. On a quiet machine one that
  /// only its size ends would keep its first entries for months.
  private func spansTooMuch(at mono: Int64) -> Bool {
    guard let age = settings.log.policy.retainAge, let began = log.active.header?.began,
      log.last >= log.active.first, !log.isWritingState, !isInTrouble
    else { return false }
    return mono - began >= age / Self.segmentsOfAnAge
  }

  /// So nothing is kept for much longer than it is to be: for a day, where that is a week.
  private static var segmentsOfAnAge: Int64 { 7 }
}
