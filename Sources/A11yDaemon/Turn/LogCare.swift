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

// Damage in the log, in words for the operator.
extension Bus {
  func reportDamage(_ finding: EventLog.Finding) {
    let words =
      if let fault = finding.fault {
        "cannot be read to its end: \(fault). What is not read is told as a gap"
      } else {
        "is damaged: \(Self.loss(finding.lost))"
      }
    report.say(
      .damageFound,
      "The segment \(finding.segment) \(words).",
      [.reason: "corruption"]
    )
  }

  /// The entries that damage has cost, in words for the operator.
  static func loss(_ lost: [ClosedRange<Seq>]) -> String {
    let runs = lost.map { run in
      run.lowerBound == run.upperBound
        ? "\(run.lowerBound.number)" : "\(run.lowerBound.number) to \(run.upperBound.number)"
    }
    guard !runs.isEmpty else { return "no entry is lost by it" }
    let isOne = lost.count == 1 && lost[0].lowerBound == lost[0].upperBound
    return (isOne ? "entry " : "entries ") + runs.prefix(shownRuns).joined(separator: ", ")
      + (runs.count > shownRuns ? " and more" : "")
      + (isOne ? " is lost" : " are lost") + ", everything else is intact"
  }

  /// More of them nobody listens to; `a11yctl log verify` tells all.
  private static let shownRuns = 5
}
