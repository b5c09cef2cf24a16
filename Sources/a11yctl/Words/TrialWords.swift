// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPresenter
import A11yPlay
import A11yPosix
import A11yWire

/// The effect that rules would have had, as lines, each of which reads well aloud by itself.
enum TrialWords {
  static func lines(
    _ rules: Int,
    _ tallies: [BackTest.Tally],
    _ changes: [BackTest.Change]
  ) -> [String] {
    let subject = rules == 1 ? "This rule" : "These \(rules) rules"
    var lines: [String] = []
    for tally in tallies where tally.removed > 0 {
      let of = "\(tally.removed) of \(noun(tally.type, Int64(tally.heard)))"
      lines.append("\(subject) would have removed \(of) from \(tally.app).")
    }
    for tally in tallies where tally.added > 0 {
      let count = noun(tally.type, Int64(tally.added))
      lines.append("\(subject) would have let \(count) more from \(tally.app) be heard.")
    }
    let others = tallies.reduce(0) { $0 + $1.other }
    if others > 0 {
      let count = SeqWords.count(Int64(others), "event", "events")
      lines.append("\(count) would have ended otherwise, and been heard or not as before.")
    }
    if lines.isEmpty {
      let heard = tallies.reduce(0) { $0 + $1.heard }
      let count = SeqWords.count(Int64(heard), "event", "events")
      return ["\(subject) would have changed nothing: \(count) would have been heard as before."]
    }
    lines += changes.filter(\.isRemoved).map { "Removed: \(told($0))" }
    lines += changes.filter(\.isAdded).map { "Added: \(told($0))" }
    return lines.map(VisibleText.of)
  }

  /// “340 announcements”.
  private static func noun(_ type: String, _ count: Int64) -> String {
    switch type {
    case "announcement": SeqWords.count(count, "announcement", "announcements")
    case "layout-changed": SeqWords.count(count, "change of layout", "changes of layout")
    case "screen-changed": SeqWords.count(count, "change of screen", "changes of screen")
    case "focus": SeqWords.count(count, "label at the focus", "labels at the focus")
    case "page-scrolled": SeqWords.count(count, "page", "pages")
    default: SeqWords.count(count, "event", "events") + " of type \(type)"
    }
  }

  /// An event, and the end that it would have had.
  private static func told(_ change: BackTest.Change) -> String {
    guard let entry = ReplayWords.entry(change.line) else {
      return "entry \(change.difference.seq.number)."
    }
    let line =
      "\(ClockTime.day(entry.time)) \(ClockTime.local(entry.time)), entry \(entry.seq):"
      + " \(EntryWords.sentence(entry))"
    guard let now = change.difference.now else { return "\(line); it would not have ended." }
    return "\(line); it would have ended as \(now.result.rawValue), by the rule \(now.rule)."
  }

  /// A line for each event that ends otherwise, and one with the counts.
  static func json(_ tallies: [BackTest.Tally], _ changes: [BackTest.Change]) -> [String] {
    var lines = changes.map { change in
      var line = ByteBuffer(capacity: 512)
      change.difference.write(into: &line)
      return line.bytes.string
    }
    var line = ByteBuffer(capacity: 512)
    line.object { line in
      line.array("tallies", of: tallies) { line, tally in
        line.object { line in
          line.append(member: "app", tally.app)
          line.append(member: "type", tally.type)
          line.append(member: "heard", Int64(tally.heard))
          line.append(member: "removed", Int64(tally.removed))
          line.append(member: "added", Int64(tally.added))
          line.append(member: "other", Int64(tally.other))
        }
      }
    }
    lines.append(line.bytes.string)
    return lines
  }
}
