// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPlay
import A11yPosix
import A11yRules
import A11yWire

/// Goes over a recorded log: whether its decisions follow from it, or what others would have.
struct ReplayCommand: Command {
  static let name = "replay"
  static let summary = "decide a recorded log anew, with its rules or with others"
  static let usage = "[OPTION]... LOG"
  static let notes = """
    LOG is the directory of a log, a file with entries, or - for standard input.
    Without --rules all decisions on record are compared with what the log's own rules come to. At
    the first that differs it prints both, and ends with 1.
    With --rules the log is played with its own rules, and with the shipped ones and these. What
    readers have reported is left out: one that speaks 50 ms a character reads both times. Each event
    that ends with another result, or by another event, is printed as
    {"seq":N,"was":{...},"now":{...}}; if there are any, it ends with 1.
    """
  static let options = [
    RulesOption.flag,
    Flag("json", nil, "print JSON where sentences are printed otherwise"),
  ]
  static let common = Flag.explaining

  private let path: String
  private let rules: RuleSet?
  private let isJSON: Bool

  init(_ words: CommandWords) throws(Failure) {
    guard let path = words.operands.first else {
      throw Failure(.usage, "replay expects a log: a directory, a file, or - for standard input.")
    }
    if words.operands.count > 1 {
      throw Failure(.usage, "\(words.operands[1]) is not expected here; one log is played.")
    }
    self.path = path
    rules = words.has("rules") ? try RulesOption.rules(words) : nil
    isJSON = words.has("json")
  }

  func run(_ output: Output) throws(Failure) {
    let log = try RecordedLog(path, Progress("Played", output))
    if let rules { try play(log, rules, output) } else { try check(log, output) }
  }

  // MARK: With the rules on record

  /// Has the presenter decide anew what is on record.
  private final class Checker: LogPlayer {
    var replay = Replay()
    var divergence: Replay.Divergence?

    func isAtLoss(before seq: Seq) -> Bool { replay.isAtLoss(before: seq) }

    func begin(_ known: RecordedLog.Known) { replay.resume(known.presenter, after: known.after) }

    func take(_ line: Span<UInt8>, _ seq: Seq) -> Bool {
      divergence = replay.take(line)
      return divergence == nil
    }
  }

  private func check(_ log: RecordedLog, _ output: Output) throws(Failure) {
    let checker = Checker()
    try log.read(by: checker)
    if let divergence = checker.divergence {
      tell(divergence, output)
      try output.flush()
      throw Failure(.found, nil)
    }
    let (compared, believed) = (checker.replay.compared, checker.replay.believed)
    if isJSON {
      output.line("{\"compared\":\(compared),\"believed\":\(believed)}")
    } else {
      for line in ReplayWords.lines(compared: compared, believed: believed) { output.line(line) }
    }
    try output.flush()
  }

  private func tell(_ divergence: Replay.Divergence, _ output: Output) {
    guard isJSON else {
      for line in ReplayWords.lines(divergence) { output.line(line) }
      return
    }
    var line = ByteBuffer(capacity: 1_024)
    line.append("{")
    line.append(member: "seq", divergence.seq.number)
    line.append(member: "was")
    if let was = divergence.recorded { line.append(was.span) } else { line.append("null") }
    line.append(member: "now")
    if let now = divergence.decided { line.append(now.span) } else { line.append("null") }
    line.append("}")
    output.line(line.bytes)
  }

  // MARK: With other rules

  /// Plays the log with the rules on record and with others.
  private final class Stage: LogPlayer {
    private let rules: WhatIf.Rules
    private var test: BackTest
    private var hasBegun = false

    init(_ rules: RuleSet) {
      self.rules = .only(rules)
      test = BackTest(self.rules, presenter: nil, after: .none, since: .min)
    }

    func isAtLoss(before seq: Seq) -> Bool { !hasBegun && seq > Seq(1) }

    func begin(_ known: RecordedLog.Known) {
      test = BackTest(rules, presenter: known.presenter, after: known.after, since: .min)
      hasBegun = true
    }

    func take(_ line: Span<UInt8>, _ seq: Seq) -> Bool {
      if !hasBegun { test = BackTest(rules, presenter: nil, after: seq.previous, since: .min) }
      hasBegun = true
      test.take(line)
      return true
    }

    func finish() -> [Difference] {
      test.finish()
      return test.differences
    }
  }

  private func play(_ log: RecordedLog, _ rules: RuleSet, _ output: Output) throws(Failure) {
    let stage = Stage(rules)
    try log.read(by: stage)
    let found = stage.finish()
    var line = ByteBuffer(capacity: 1_024)
    for difference in found {
      line.clear()
      difference.write(into: &line)
      output.line(line.bytes)
    }
    try output.flush()
    if !found.isEmpty { throw Failure(.found, nil) }
  }
}
