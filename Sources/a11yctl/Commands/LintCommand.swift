// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import A11yPosix
import A11yWire

/// Gives apps advice on the events that they have published.
struct LintCommand: Command {
  static let name = "lint"
  static let summary = "give apps advice, by the log"
  static let usage = "[OPTION]... [LOG]"
  static let options =
    Beginning.flags(usually: "the oldest") + [
      Flag("app", "NAME", "only of this app; may be repeated"),
      Flag(
        "json",
        nil,
        "print one JSON object for each kind of advice to an app, and one for the sum"
      ),
      CheckFormat.flag,
      LogPlace.flag,
    ]
  static let common = Flag.explaining

  static let notes = """
    Goes over the entries of a log and tells the advice for each app: the warnings of the bus's
    replies, and advice that only shows over time, with how often it applies and up to
    \(AdviceReport.examples) entries as examples. LOG is a directory, a file with entries in lines,
    or - for standard input, as from a11yctl simulate; without it the usual log is read. No daemon
    is needed. Texts that the log does not have are not examined. It ends with 0 when there is no
    advice, and with 1 otherwise.
    \(Beginning.notes)
    \(LogPlace.notes)

    The kinds of advice, with examples:
    \(codes)
    """

  private static var codes: String {
    AdviceCode.allCases.map { code in
      let name = code.rawValue.padded(to: 18)
      return "  \(name)  \(code.summary)\n\("".padded(to: 22))\(code.example)"
    }.joined(separator: "\n")
  }

  private let path: String
  private let beginning: Beginning
  private let apps: Set<String>?
  private let isJSON: Bool
  private let format: CheckFormat

  init(_ words: CommandWords) throws(Failure) {
    if let named = try words.namedLog() { path = named } else { path = try words.log() }
    beginning = try Beginning(words, now: SystemClock.wallMicroseconds())
    apps = words.values("app").map(Set.init)
    isJSON = words.has("json")
    format = try words.format()
    if isJSON, format != .text {
      throw Failure(.usage, "--json and --format do not go together.")
    }
  }

  func run(_ output: Output) throws(Failure) {
    var lint = LogLint(from: beginning.first, since: beginning.time, apps: apps)
    let failure = try isDirectory ? readLog(output, &lint) : readLines(output, &lint)
    lint.conclude()
    guard lint.hasEntries || failure != nil else {
      throw Failure(.noInput, "There are no entries in \(LogPlace.title(path)).")
    }
    for line in lint.names?.strangers ?? [] { output.complain(line) }
    let report = lint.report
    if !format.present(report.checks(lint.places), of: "a11yctl lint", to: output) {
      report.show(asJSON: isJSON, to: output)
    }
    try output.flush()
    if let failure { throw failure }
    if !report.isEmpty { throw Failure(.found, nil) }
  }

  private var isDirectory: Bool {
    guard path != "-" else { return false }
    do throws(Errno) {
      return try !File.measure(path).isRegular
    } catch {
      // Opening the log tells what is wrong.
      return true
    }
  }

  private func readLog(_ output: Output, _ lint: inout LogLint) throws(Failure) -> Failure? {
    let log = try LogReader(path, Progress("Read", output))
    // From its beginning, whatever is asked for: later entries rest on earlier ones.
    return try log.readEntries(SeqRange()) { _ in
    } onEntry: { line, _, segment in
      lint.examine(line, at: CheckFinding.Place(file: "\(path)/\(segment.name)"))
    }
  }

  private func readLines(_ output: Output, _ lint: inout LogLint) throws(Failure) -> Failure? {
    var input = try InputLines(path, limit: Limits.answerBytes, Progress("Read", output))
    var place = CheckFinding.Place(file: path, line: 0)
    while true {
      place.line? += 1
      switch try input.nextStep() {
      case .line: lint.examine(input.line, at: path == "-" ? nil : place)
      case .tooLong: break
      case .end: return nil
      }
    }
  }
}
