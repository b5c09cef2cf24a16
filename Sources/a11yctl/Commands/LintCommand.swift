// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import A11yBroker
import A11yModel
import A11yPosix
import A11yWire

/// Says what apps could do better, by what they have published.
struct LintCommand: Command {
  static let name = "lint"
  static let summary = "tell what apps could say better, by the log"
  static let usage = "[OPTION]... [LOG]"
  static let options = [
    Flag("since", "TIME", "only what came since then"),
    Flag("app", "NAME", "only of this app; may be repeated"),
    Flag(
      "json",
      nil,
      "print one JSON object for each kind of advice to an app, and one for the sum"
    ),
  ]
  static let common = Flag.explaining

  static let notes = """
    Goes over the entries of a log and tells, for each app, what the bus has warned of in its
    replies and what only shows over time: what, how often, and up to \(AdviceReport.examples) entries for
    example. LOG is a directory, a file with entries in lines, or - for standard input, as from
    a11yctl simulate; without it the usual log is read. No daemon is needed.
    Texts that the log does not have take no part.
    It ends with 0 when there was nothing to say, and with 1 otherwise.
    \(Moment.notes)
    \(LogPlace.notes)

    What is told, and examples:
    \(codes)
    """

  private static var codes: String {
    AdviceCode.allCases.map { code in
      let name = code.rawValue.padded(to: 18)
      return "  \(name)  \(code.summary)\n\("".padded(to: 22))\(code.example)"
    }.joined(separator: "\n")
  }

  private let path: String
  private let since: Int64?
  private let apps: Set<String>?
  private let isJSON: Bool

  init(_ words: CommandWords) throws(Failure) {
    if words.operands.count > 1 {
      throw Failure(.usage, "\(words.operands[1]) is not expected here; one log is read.")
    }
    if let named = words.operands.first { path = named } else { path = try words.log() }
    since = try words.moment("since", now: SystemClock.wallMicroseconds())
    apps = words.values("app").map(Set.init)
    isJSON = words.has("json")
  }

  func run(_ output: Output) throws(Failure) {
    var work = Work(since: since, apps: apps)
    let failure = try isDirectory ? readLog(output, &work) : readLines(&work)
    work.finish()
    work.report.tell(asJSON: isJSON, to: output)
    try output.flush()
    if let failure { throw failure }
    if !work.report.isEmpty { throw Failure(.found, nil) }
  }

  private var isDirectory: Bool {
    guard path != "-" else { return false }
    do throws(Errno) {
      return try !File.measure(path).isRegular
    } catch {
      // Whoever reads the log there says what is wrong.
      return true
    }
  }

  private func readLog(_ output: Output, _ work: inout Work) throws(Failure) -> Failure? {
    let log = try LogReader(path, Progress("Read", output))
    // From its beginning, whatever is asked for: what came before says what later entries mean.
    return try log.read(SeqRange()) { _ in
    } entry: { line, _, _ in
      work.take(line)
    }
  }

  private func readLines(_ work: inout Work) throws(Failure) -> Failure? {
    var input = try InputLines(path, limit: Limits.answerBytes)
    while true {
      switch try input.advance() {
      case .line: work.take(input.line)
      case .tooLong: break
      case .end: return nil
      }
    }
  }

  /// From lines to a report.
  private struct Work {
    private var linter = Linter()
    private let reader = JSONReader(limit: Limits.answerBytes)
    private let since: Int64?
    private let apps: Set<String>?
    /// The first entry that is asked for.
    private var first: Seq?
    private(set) var report = AdviceReport()

    init(since: Int64?, apps: Set<String>?) {
      self.since = since
      self.apps = apps
      if since == nil { first = Seq.none }
    }

    mutating func take(_ line: Span<UInt8>) {
      // Marks, headers and what a damaged file has between its lines are no entries.
      let reader = self.reader
      do throws(JSONFault) { try reader.read(line) } catch { return }
      let entry = reader.document
      guard let seq = entry.seq("seq", of: entry.root), entry.member("event", of: entry.root) != nil
      else { return }
      if first == nil, let since, entry.integer("time", of: entry.root) ?? 0 >= since {
        first = seq
      }
      if first != nil { report.entries += 1 }
      add(linter.lint(entry))
    }

    mutating func finish() { add(linter.lastFindings()) }

    private mutating func add(_ findings: [Linter.Finding]) {
      guard let first else { return }
      for finding in findings where finding.seq >= first {
        if let apps, !apps.contains(finding.app.app.text) { continue }
        report.add(finding)
      }
    }
  }
}
