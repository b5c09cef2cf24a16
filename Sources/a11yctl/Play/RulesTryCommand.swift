// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPlay
import A11yPosix
import A11yPresenter
import A11yRules
import A11yToml
import A11yWire

/// Tells the effect that rules would have had on a recorded log.
struct RulesTryCommand: Command {
  static let name = "rules try"
  static let summary = "tell the effect that rules would have had on a recorded log"
  static let usage = "[OPTION]... FILE [LOG]"
  static let notes = """
    Plays LOG twice, with the rules on record and with those of FILE over them, and tells which
    events would no longer have been heard, and which would have been heard in addition. Both times
    a reader that speaks 50 ms a character listens, whenever one was there. LOG is the directory of
    a log, a file with entries, or - for standard input; without it, it is the log of the daemon.
    \(Beginning.notes)
    \(ReadingOptions.placeNotes)
    \(LogPlace.notes)
    """

  @Operands private var words: [String]
  @Flag("json", "print each event that ends otherwise as JSON, and the counts at the end")
  private var isJSON: Bool
  private let reading = ReadingOptions(usually: "the oldest")

  func run(_ output: Output) throws(Failure) {
    guard let file = reading.rest(of: words).first else {
      throw Failure(.usage, "rules try expects a file of rules.")
    }
    if reading.engine == nil { _ = try reading.named(words, behind: 1) }
    let rules: [Rule]
    do throws(Complaints) {
      rules = try RulesFile(path: file).read()
    } catch {
      throw Failure(error.all)
    }
    let log = try reading.log(words, behind: 1, isWhole: true, Progress("Played", output))
    let since = try reading.beginning.time(log.time)
    let trial = Trial(.recordedAnd(rules), since: since ?? .min)
    try RecordedLog(log).feed(trial)
    trial.finish()
    if trial.test.hasTooManyRules {
      throw Failure(.configuration, "With the rules on record these are more than there can be.")
    }
    let (tallies, changes) = (trial.test.tallies, trial.test.changes)
    output.lines(
      isJSON
        ? TrialWords.json(tallies, changes) : TrialWords.lines(rules.count, tallies, changes)
    )
  }
}

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
      let count = others.counted("event")
      lines.append("\(count) would have ended otherwise, and been heard or not as before.")
    }
    if lines.isEmpty {
      let heard = tallies.reduce(0) { $0 + $1.heard }
      let count = heard.counted("event")
      return ["\(subject) would have changed nothing: \(count) would have been heard as before."]
    }
    lines += changes.filter(\.isRemoved).map { "Removed: \(told($0))" }
    lines += changes.filter(\.isAdded).map { "Added: \(told($0))" }
    return lines.map(VisibleText.of)
  }

  /// “340 announcements”.
  private static func noun(_ type: String, _ count: Int64) -> String {
    switch type {
    case "announcement": count.counted("announcement")
    case "layout-changed": count.counted("change of layout")
    case "screen-changed": count.counted("change of screen")
    case "focus": count.counted("label at the focus")
    case "page-scrolled": count.counted("page")
    default: count.counted("event") + " of type \(type)"
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
    var lines = changes.map(\.difference.json)
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
