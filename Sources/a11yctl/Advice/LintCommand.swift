// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import A11yModel
import A11yPosix
import A11yWire

/// Gives apps advice on the events that they have published.
struct LintCommand: Command {
  static let name = "lint"
  static let summary = "give apps advice, by the log"
  static let usage = "[OPTION]... [LOG]"
  static let notes = """
    Goes over the entries of a log and tells the advice for each app: the warnings of the bus's
    replies, and advice that only shows over time, with how often it applies and up to
    \(AdviceReport.examples) entries as examples. LOG is a directory, a file with entries in lines,
    or - for standard input, as from a11yctl simulate; without it the usual log is read. No daemon
    is needed. Texts that the log does not have are not examined. It ends with 0 when there is no
    advice, and with 1 otherwise.
    \(Beginning.notes)
    \(ReadingOptions.placeNotes)
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

  @Operands private var words: [String]
  @Repeated("app", "NAME", "only of this app; may be repeated") private var apps: [String]?
  @Flag("json", "print one JSON object for each kind of advice to an app, and one for the sum")
  private var isJSON: Bool
  private let form = CheckFormatOption()
  private let reading = ReadingOptions(usually: "the oldest")

  func run(_ output: Output) throws(Failure) {
    let beginning = reading.beginning
    if isJSON, form.format != .text {
      throw Failure(.usage, "--json and --format do not go together.")
    }
    var lint = LogLint(from: beginning.first, since: beginning.time, apps: apps.map(Set.init))
    let failure = try read(output, &lint)
    lint.conclude()
    guard lint.hasEntries || failure != nil else {
      let place = try reading.engine == nil ? reading.path(words) : words[0]
      throw Failure(.noInput, "There are no entries in \(LogPlace.title(place)).")
    }
    for line in lint.names?.strangers ?? [] { output.complain(line) }
    let report = lint.report
    if !form.format.present(report.checks(lint.places), of: "a11yctl lint", to: output) {
      report.show(asJSON: isJSON, to: output)
    }
    try output.flush()
    if let failure { throw failure }
    if !report.isEmpty { throw Failure(.found, nil) }
  }

  private static func isFolder(_ path: String) -> Bool {
    guard path != "-" else { return false }
    do throws(Errno) {
      return try !File.measure(path).isRegular
    } catch {
      // Opening the log tells what is wrong.
      return true
    }
  }

  /// Examines all entries, whatever is asked for: later ones rest on earlier ones.
  private func read(_ output: Output, _ lint: inout LogLint) throws(Failure) -> Failure? {
    let path = reading.engine == nil ? try reading.path(words) : nil
    if let path, !Self.isFolder(path) {
      try readLines(path, output, &lint)
      return nil
    }
    let log = try reading.log(words, isWhole: true, Progress("Read", output))
    let failure = try log.readEntries(SeqRange()) { _ in
    } onEntry: { line, _, segment in
      lint.examine(line, at: path.map { CheckFinding.Place(file: "\($0)/\(segment.name)") })
    }
    return failure
  }

  private func readLines(
    _ path: String,
    _ output: Output,
    _ lint: inout LogLint
  ) throws(Failure) {
    var input = try InputLines(path, limit: Limits.answerBytes, Progress("Read", output))
    var place = CheckFinding.Place(file: path, line: 0)
    while true {
      place.line? += 1
      switch try input.nextStep() {
      case .line: lint.examine(input.line, at: path == "-" ? nil : place)
      case .tooLong: break
      case .end: return
      }
    }
  }
}

/// From the lines of a log to advice for apps.
struct LogLint {
  private var linter = Linter()
  private let reader = JSONReader(limit: Limits.answerBytes)
  private let since: Int64?
  private let earliest: Seq
  private let apps: Set<String>?
  /// The apps that were found, where some are asked for.
  private(set) var names: AppNames?
  /// The first entry of the chosen time; nil until it is found.
  private var first: Seq?
  private(set) var report = AdviceReport()
  /// Whether there was any entry, of the chosen time or not.
  private(set) var hasEntries = false
  /// The places of the entries, as far as they are known.
  private(set) var places = EntryPlaces()

  /// Advice on what has come from an entry on and since a time, to some apps or to all.
  init(from seq: Seq? = nil, since: Int64? = nil, apps: Set<String>? = nil) {
    self.since = since
    earliest = seq ?? .none
    self.apps = apps
    names = AppNames(apps?.sorted())
    if since == nil { first = earliest }
  }

  /// Examines the next line, which stands at a place.
  mutating func examine(_ line: Span<UInt8>, at place: CheckFinding.Place?) {
    // Marks, headers and damaged lines are no entries.
    let reader = self.reader
    do throws(JSONFault) { try reader.read(line) } catch { return }
    examine(reader.document, at: place)
  }

  /// Examines a line that was read.
  mutating func examine(_ entry: JSONDocument, at place: CheckFinding.Place? = nil) {
    let envelope = EntryView(of: entry)
    guard let seq = envelope.seq, envelope.event != nil
    else { return }
    hasEntries = true
    names?.collect(entry)
    if first == nil, let since, envelope.time ?? 0 >= since {
      first = max(seq, earliest)
    }
    if let first, seq >= first { report.entries += 1 }
    if let place { places.keep(seq, at: place) }
    record(linter.lint(entry))
  }

  /// Ends the examination.
  mutating func conclude() { record(linter.lastFindings()) }

  private mutating func record(_ findings: [Linter.Finding]) {
    guard let first else { return }
    for finding in findings where finding.seq >= first {
      if let apps, !apps.contains(finding.app.app.text) { continue }
      report.record(finding)
    }
  }
}

/// The places of entries in files: a run of entries that stand one behind the other is one row.
struct EntryPlaces {
  private struct Run {
    let first: Seq
    let place: CheckFinding.Place
  }

  private var runs: [Run] = []
  private var last: (seq: Seq, line: Int?)?

  /// Notes the place of an entry.
  mutating func keep(_ seq: Seq, at place: CheckFinding.Place) {
    defer { last = (seq, place.line) }
    if let last, let run = runs.last, run.place.file == place.file, last.seq < seq {
      // Without lines the file is all that is known of its entries.
      guard let before = last.line, let line = place.line else { return }
      if seq == last.seq.next, line == before + 1 { return }
    }
    runs.append(Run(first: seq, place: place))
  }

  /// The place of an entry; nil where it is not known.
  subscript(seq: Seq) -> CheckFinding.Place? {
    guard let run = runs.last(where: { $0.first <= seq }) else { return nil }
    var place = run.place
    place.line? += Int(seq.number - run.first.number)
    return place
  }
}
