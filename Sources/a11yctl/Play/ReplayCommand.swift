// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yClient
import A11yPlay
import A11yPosix
import A11yRules
import A11yWire

/// Decides a recorded log anew, and compares the decisions with those on record.
struct ReplayCommand: Command {
  static let name = "replay"
  static let summary = "decide a recorded log anew, with its rules or with others"
  static let usage = "[OPTION]... LOG"
  static let notes = """
    LOG is the directory of a log, a file with entries, or - for standard input. Without --rules all
    decisions on record are compared with those that the log's own rules make. At the first
    difference it prints both, and ends with 1. With --rules the log is played twice: with its own
    rules, and with the shipped rules and these. Reports of readers are left out: both times a
    reader listens that speaks 50 ms a character. Each event that ends with another result, or by
    another event, is printed as {"seq":N,"was":{...},"now":{...}}; if there are any, it ends with
    1.
    \(ReadingOptions.engineNotes)
    """

  @Operands private var words: [String]
  private let rules = RulesOption()
  @Flag("json", "print JSON where sentences are printed otherwise") private var isJSON: Bool
  private let reading = ReadingOptions()

  func run(_ output: Output) throws(Failure) {
    guard reading.isNamed(words) else {
      throw Failure(.usage, "replay expects a log: a directory, a file, or - for standard input.")
    }
    let others = rules.files == nil ? nil : try rules.ruleSet()
    let log = RecordedLog(try reading.log(words, Progress("Played", output)))
    if let others { try play(log, others, output) } else { try compare(log, output) }
  }

  // MARK: With the rules on record

  /// Lets the presenter decide anew, up to the first difference.
  private final class Checker: LogPlayer {
    var replay = Replay()
    var divergence: Replay.Divergence?
    /// The program that has decided last, as the log names it; nil where it names none.
    var decider: String?

    func isAtLoss(before seq: Seq) -> Bool { replay.isAtLoss(before: seq) }

    func resume(from known: RecordedLog.Known) {
      guard known.isComplete else { return }
      replay.resume(known.presenter, after: known.after)
    }

    func play(_ line: Span<UInt8>, _ seq: Seq) -> Bool {
      if let peek = EnvelopePeek(line), peek.isOwn, line.extracting(peek.type).equals("opened") {
        decider = ReplayWords.entry(line.array)?.event["server"]?.string ?? decider
      }
      divergence = replay.take(line)
      return divergence == nil
    }
  }

  private func compare(_ log: RecordedLog, _ output: Output) throws(Failure) {
    let checker = Checker()
    try log.feed(checker)
    if let divergence = checker.divergence {
      show(divergence, by: checker.decider, output)
      try output.flush()
      throw Failure(.found, nil)
    }
    let (compared, believed) = (checker.replay.compared, checker.replay.believed)
    if isJSON {
      output.line("{\"compared\":\(compared),\"believed\":\(believed)}")
    } else {
      output.lines(ReplayWords.lines(compared: compared, believed: believed))
    }
    try output.flush()
  }

  private func show(_ divergence: Replay.Divergence, by decider: String?, _ output: Output) {
    guard isJSON else { return output.lines(ReplayWords.lines(divergence, by: decider)) }
    var line = ByteBuffer(capacity: 1_024)
    line.object { line in
      line.append(member: "seq", divergence.seq.number)
      line.append(member: "was")
      if let was = divergence.recorded { line.append(was.span) } else { line.append("null") }
      line.append(member: "now")
      if let now = divergence.decided { line.append(now.span) } else { line.append("null") }
      if let decider { line.append(member: "was_by", decider) }
      line.append(member: "now_by", Protocol.server)
    }
    output.line(line.bytes)
  }

  // MARK: With other rules

  private func play(_ log: RecordedLog, _ rules: RuleSet, _ output: Output) throws(Failure) {
    let trial = Trial(.only(rules), since: .min)
    try log.feed(trial)
    trial.finish()
    let found = trial.test.differences
    output.lines(found.map(\.json))
    try output.flush()
    if !found.isEmpty { throw Failure(.found, nil) }
  }
}

extension Difference {
  /// The line for programs.
  var json: String {
    var line = ByteBuffer(capacity: 1_024)
    write(into: &line)
    return line.bytes.string
  }
}

/// The result of deciding a log anew, as lines that read well aloud.
enum ReplayWords {
  /// The lines for a log without a difference.
  static func lines(compared: Int64, believed: Int64) -> [String] {
    var lines = [
      compared == 0
        ? "The log has no decisions."
        : "\(compared.counted("decision", "was")) made anew,"
          + " and came out as on record."
    ]
    if believed > 0 {
      lines.append(
        "\(believed.counted("decision")) could not be checked, because an"
          + " entry that led to them is missing or was forgotten."
      )
    }
    return lines
  }

  /// The lines for a difference; `decider` is the program whose decisions are on record.
  static func lines(_ divergence: Replay.Divergence, by decider: String?) -> [String] {
    var lines = ["At entry \(divergence.seq.number) the log differs from what its rules decide."]
    if let recorded = divergence.recorded {
      lines.append("The log says: \(sentence(recorded)).")
      lines.append(recorded.span.string)
    } else {
      lines.append("The log says nothing more.")
    }
    if let decided = divergence.decided {
      lines.append("The rules decide: \(sentence(decided)).")
      lines.append(decided.span.string)
    } else {
      lines.append("The rules decide nothing here.")
    }
    if let decider, decider != Protocol.server {
      lines.append(
        "The log was decided by \(decider), and anew by \(Protocol.server): the difference may be"
          + " between these versions."
      )
    }
    return lines.map(VisibleText.of)
  }

  /// A stored line as a sentence, without its seq and time.
  static func sentence(_ line: [UInt8]) -> String {
    guard let entry = entry(line) else { return "a line that cannot be understood" }
    return EntryWords.sentence(entry)
  }

  static func entry(_ line: [UInt8]) -> Entry? {
    let reader = JSONReader(limit: Limits.answerBytes)
    guard let seq = Seq(of: line.span) else { return nil }
    do throws(JSONFault) { try reader.read(line.span) } catch { return nil }
    do throws(ClientError) {
      return try Entry(seq.number, reader.document)
    } catch {
      return nil
    }
  }
}
