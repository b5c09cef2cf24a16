// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yWire

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
