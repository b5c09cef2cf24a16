// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yPresenter

/// The texts that were missed, as sentences.
enum MissedWords {
  static func sentences(
    _ report: MissedReport,
    waiting: [(text: MissedReport.Text, obstacle: Obstacle?)],
    since: Int64,
    now: Int64
  ) -> [String] {
    func sum(isPart: Bool) -> Int64 {
      report.groups.reduce(0) { $0 + ($1.key.isPart == isPart ? $1.value.count : 0) }
    }
    let (missed, parts) = (sum(isPart: false), sum(isPart: true))
    let moment =
      ClockTime.day(since) == ClockTime.day(now)
      ? ClockTime.local(since) : ClockTime.dayAndTime(since)
    let heard =
      SeqWords.count(report.heard, "text was", "texts were") + " heard"
      + (parts == 0 ? "" : ", \(parts) of them in part")
    var lines = [
      missed == 0
        ? "Since \(moment), nothing was missed; \(heard)."
        : "Since \(moment), \(heard), and \(missed) \(missed == 1 ? "was" : "were") not."
    ]
    for (group, findings) in report.sorted {
      let texts = SeqWords.count(findings.count, "text was", "texts were")
      let extent = group.isPart ? "heard in part" : "not heard"
      lines.append("\(group.app): \(texts) \(extent), because \(group.reason.clause).")
      lines += findings.examples.map { "  " + example($0, now: now) }
    }
    lines += groups(waiting).flatMap { group in
      let texts = SeqWords.count(Int64(group.texts.count), "text waits", "texts wait")
      return ["\(group.app): \(texts) \(group.clause)."]
        + group.texts.suffix(3).map { "  " + example($0, now: now) }
    }
    return lines.map(VisibleText.of)
  }

  /// “Entry 41, 2 minutes ago: Saved”.
  private static func example(_ text: MissedReport.Text, now: Int64) -> String {
    "Entry \(text.seq), \(AgeWords.age(of: text.time, now: now)): \(text.words)"
  }

  private static func groups(
    _ waiting: [(text: MissedReport.Text, obstacle: Obstacle?)]
  ) -> [(app: String, clause: String, texts: [MissedReport.Text])] {
    var groups: [(app: String, clause: String, texts: [MissedReport.Text])] = []
    for (text, obstacle) in waiting {
      let clause = MissedReason.waiting(for: obstacle)
      if let place = groups.firstIndex(where: { $0.app == text.app && $0.clause == clause }) {
        groups[place].texts.append(text)
      } else {
        groups.append((text.app, clause, [text]))
      }
    }
    return groups
  }
}
