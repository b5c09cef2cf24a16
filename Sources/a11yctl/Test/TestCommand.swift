// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPlay
import A11yPosix
import Glibc

/// Runs a program on a private bus, and tells what is heard of it.
struct TestCommand: Command {
  static let name = "test"
  static let summary = "run a program on a bus of its own, and tell what is heard of it"
  static let usage = "[OPTION]... -- PROGRAM [ARGUMENT]..."
  static let notes = """
    Starts a bus with a reader, which nobody else uses and which knows nothing of this machine's
    settings, and runs PROGRAM with it: A11YD_SOCKET leads there, and A11YD_ADVICE is 1. When
    PROGRAM has ended and nothing of it is still to come, it tells what was heard, with the seconds
    since the beginning, what was not heard and why, and advice. Sounds are in brackets. Everything
    that PROGRAM prints goes to standard error, so that standard output has the verdict alone.

    The file of --expect has one spoken text on each line, in order, with single blanks and without
    sounds. In a line, … stands for any characters; a line that is … alone stands for any number of
    texts, and for none. Blank lines count for nothing, and there are no comments. Secret words are
    heard as …. With --update, lines that were right stay as they are, and the others are written
    anew, unless PROGRAM has failed.

    It ends with 0; with 1 when a text was missing or not expected; with 69 when PROGRAM or the bus
    cannot be started; and otherwise with PROGRAM's own code, which for a signal, as for that of
    --timeout, is 128 and its number. Ctrl-C ends PROGRAM and the bus. A text takes no time at the
    virtual pace, and what the bus still holds back when PROGRAM has ended comes at once, with the
    time at which it would have come.
    """

  @Operands private var words: [String]
  @Option("expect", "FILE", "compare what is heard with the texts in this file")
  private var expected: String?
  @Flag("update", "with --expect, write the file anew, so that it expects what was heard")
  private var isUpdate: Bool
  private let rules = RulesOption()
  private let pace = PaceOption()
  @Option(
    "timeout",
    "TIME",
    "end PROGRAM after this time, as in \"30 s\"; never, if not given",
    as: .length(in: .milliseconds(1) ... .seconds(86_400), "a time up to 24 h, as in \"30 s\"")
  )
  private var timeout: Duration?
  @Option("keep", "FILE", "write the log of the bus to this file, for lint, why and log script")
  private var kept: String?
  private let form = CheckFormatOption()

  func run(_ output: Output) throws(Failure) {
    guard let program = words.first else {
      throw Failure(.usage, "test expects a program. Try: a11yctl test -- ./my-app --its-option")
    }
    guard !program.isEmpty else { throw Failure(.usage, "The name of the program is empty.") }
    if isUpdate, expected == nil { throw Failure(.usage, "--update needs --expect.") }
    // Mistakes in files are told before anything is started.
    _ = try rules.ruleSet()
    let expectation = try expected.map { path throws(Failure) in
      try Expectation(path, isOptional: isUpdate)
    }
    try judge(verdict(), expectation, output)
  }

  /// Runs the program on a bus of its own.
  private func verdict() throws(Failure) -> Verdict {
    let pace = pace.chosen
    let bus = try PrivateBus(rules: rules.files ?? [])
    let verdict: Verdict
    do throws(Failure) {
      let run = try ProgramRun(words, on: bus, pace: pace, timeout: timeout)
      let end = try run.listenToEnd()
      bus.end()
      if let signal = end.signal {
        throw Failure(.init(rawValue: 128 + signal.number), nil)
      }
      let log = try kept.map { path throws(Failure) in try NewFile(path, replacing: true) }
      do throws(Failure) {
        let path = if let log { log.interim } else { try bus.newFile() }
        try Verdict.transfer(bus.log, through: end.last, pace: pace, to: path)
        verdict = try Verdict(path, after: end, of: words[0])
        try log?.giveName()
      } catch {
        log?.abandon()
        throw error
      }
    } catch {
      bus.end()
      bus.remove()
      throw error
    }
    bus.remove()
    return verdict
  }

  private func judge(
    _ verdict: Verdict,
    _ expectation: Expectation?,
    _ output: Output
  ) throws(Failure) {
    let texts = verdict.texts
    guard let expectation else {
      printVerdict(verdict, [], output)
      try output.flush()
      try end(verdict, isDifferent: false)
      return
    }
    guard texts.count <= Verdict.mostTexts else {
      throw Failure(.found, "More than \(Verdict.mostTexts) texts were heard; that is no test.")
    }
    let comparison = TextComparison(expectation.expected, texts)
    let times = verdict.hearing.utterances.filter { !$0.text.isEmpty }
      .map { Hearing.Utterance.seconds($0.mono - verdict.start) }
    let differences = expectation.findings(comparison, texts, times)
    printVerdict(verdict, isUpdate ? [] : differences, output)
    let sum = try sum(verdict, comparison, expectation, texts.count)
    if form.format == .text { output.line(sum) }
    try output.flush()
    if form.format != .text, isUpdate { output.complain(sum) }
    try end(verdict, isDifferent: !isUpdate && !comparison.isEqual)
  }

  private func printVerdict(
    _ verdict: Verdict,
    _ differences: [(name: String, finding: CheckFinding?)],
    _ output: Output
  ) {
    let checks = VerdictWords.checks(verdict, differences)
    if form.format.present(checks, of: "a11yctl test", to: output) { return }
    output.lines(VerdictWords.sentences(verdict) + differences.compactMap(\.finding?.message))
  }

  /// The result of the comparison in a sentence; an update is made here.
  private func sum(
    _ verdict: Verdict,
    _ comparison: TextComparison,
    _ expectation: Expectation,
    _ texts: Int
  ) throws(Failure) -> String {
    let path = expectation.path.visible
    if isUpdate {
      guard VerdictWords.end(verdict) == nil else {
        return "\(path) stays as it is, because the program has failed."
      }
      return try expectation.renew(comparison)
        ? "\(path) was written: it expects \(texts.counted("text"))."
        : "\(path) is right, and stays as it is."
    }
    if comparison.isEqual { return "All texts were as expected by \(path)." }
    let count = comparison.steps.count {
      switch $0 {
      case .missing, .unexpected: true
      case .expected, .anything: false
      }
    }
    return "\(count.counted("difference")) from \(path)."
  }

  private func end(_ verdict: Verdict, isDifferent: Bool) throws(Failure) {
    let run = verdict.run
    if isDifferent || run.isOverdue && run.code == 0 { throw Failure(.found, nil) }
    if run.code != 0 { throw Failure(.init(rawValue: run.code), nil) }
  }
}

/// A verdict on a program as lines, and as checks.
enum VerdictWords {
  /// The texts that were heard, those that were not, and advice.
  static func sentences(_ verdict: Verdict) -> [String] {
    var lines: [String] = []
    let heard = verdict.hearing.utterances
    let sounds = heard.count { $0.text.isEmpty }
    let counts = [(heard.count - sounds, "text"), (sounds, "sound")].filter { $0.0 > 0 }
      .map { $0.counted($1) }
    lines.append(
      heard.isEmpty ? "Nothing was heard." : "Heard, \(counts.joined(separator: " and ")):"
    )
    lines += heard.map { "  \($0.line(since: verdict.start))" }
    if !verdict.unheard.isEmpty {
      lines.append("Not heard, or not to the end:")
      lines += verdict.unheard.map { "  \($0)" }
    }
    if verdict.furtherUnheard > 0 {
      let count = verdict.furtherUnheard.counted("further event")
      lines.append("  \(count) ended otherwise than heard.")
    }
    if !verdict.advice.isEmpty {
      lines.append("Advice:")
      lines += verdict.advice.sentences.map { "  \($0)" }
    }
    if let refusals = refusals(verdict) { lines.append(refusals) }
    if let end = end(verdict) { lines.append(end) }
    return lines
  }

  /// The refused requests, of which an app that posts without waiting may never learn.
  static func refusals(_ verdict: Verdict) -> String? {
    let refused = verdict.run.refused
    guard !refused.isEmpty else { return nil }
    let sum = refused.reduce(0) { $0 + $1.count }
    let codes = refused.map { "\($0.code) \($0.count.counted("time"))" }
    return "The bus refused \(sum.counted("request")) of \(verdict.program):"
      + " \(Sentences.listed(codes)). The answer to each says where the mistake is."
  }

  /// The end of the program, where it was not a good one.
  static func end(_ verdict: Verdict) -> String? {
    if verdict.run.isOverdue { return "\(verdict.program) did not end in time, and was ended." }
    if let signal = verdict.run.fatalSignal {
      let name = strsignal(signal).map { ", \(String(cString: $0))" } ?? ""
      return "\(verdict.program) was ended by signal \(signal)\(name)."
    }
    let code = verdict.run.code
    return code == 0 ? nil : "\(verdict.program) ended with \(code)."
  }
}

extension VerdictWords {
  /// A check for the end of the program, for each expected and each unexpected text, for the events
  /// that were not heard, and for advice.
  static func checks(
    _ verdict: Verdict,
    _ differences: [(name: String, finding: CheckFinding?)]
  ) -> [Check] {
    let end = end(verdict).map { CheckFinding(.error, "program.end", $0) }
    let unheard = verdict.unheard.map { CheckFinding(.notice, "not-heard", $0) }
    let refusals = refusals(verdict).map { CheckFinding(.warning, "refused", $0) }
    return [Check("", "the program ends well", isPassed: end == nil, end.map { [$0] } ?? [])]
      + (refusals.map { [Check("", "what was refused", isPassed: true, [$0])] } ?? [])
      + differences.map {
        Check("", $0.name, isPassed: $0.finding == nil, $0.finding.map { [$0] } ?? [])
      }
      + (unheard.isEmpty ? [] : [Check("", "what was not heard", isPassed: true, unheard)])
      + (verdict.advice.isEmpty ? [] : verdict.advice.checks(EntryPlaces(), isPassed: true))
  }
}
