// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yRules
import A11yToml
import A11yWire

/// Tells the treatment of events, and the rules behind it.
struct RulesShowCommand: Command {
  static let name = "rules show"
  static let summary = "tell the rules in force and their effect"
  static let notes = """
    Says in a sentence how each kind of event is treated; kinds that are treated alike share one.
    With --all it prints one setting on a line, with the rule that it comes from and where that rule
    stands. Last come the rules that ask for an app, a window, an element, a trait or a text: they
    change this for some events.
    """

  @Option(
    "type",
    "TYPE",
    "only events of this type: announcement, focus, busy, ...",
    as: .word
  )
  private var topic: Topic?
  @Option(
    "class",
    "CLASS",
    "only announcements of this class: message, status, progress, ...",
    as: .speechClass
  )
  private var speechClass: String?
  @Flag("all", "name each setting, and the rule that it comes from") private var namesAll: Bool
  @Flag("json", "print the answer as JSON, on one line") private var isJSON: Bool
  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    let answer = try bus.ask("rules", for: .rules)
    if isJSON { return output.line(answer.description) }
    let topic = topic?.rawValue
    output.lines(
      namesAll
        ? RuleWords.lines(answer, topic: topic, speechClass: speechClass)
        : RuleSentences(answer, topic: topic, speechClass: speechClass).lines
    )
  }
}

/// Tells the mistakes in files of rules.
struct RulesCheckCommand: Command {
  static let name = "rules check"
  static let summary = "tell the mistakes in files of rules"
  static let usage = "[OPTION]... FILE..."
  static let notes = """
    Reads each file as a11yd would, in the order given, and tells every mistake with its line and
    column. No daemon is needed. It ends with 78 if there is a mistake.
    """

  @Operands private var files: [String]
  private let form = CheckFormatOption()

  func run(_ output: Output) throws(Failure) {
    guard !files.isEmpty else { throw Failure(.usage, "rules check expects files of rules.") }
    let loaded = LoadedRules(files.map(RulesFile.init))
    if form.format.present(checks(loaded), of: "a11yctl rules check", to: output) {
      try output.flush()
      if loaded.complaints.isEmpty { return }
      throw Failure(.configuration, nil)
    }
    for file in loaded.files { output.line("\(VisibleText.of(file.path)): \(fine(file, loaded))") }
    for warning in loaded.warnings { output.complain("\(warning)") }
    guard !loaded.complaints.isEmpty else { return }
    try output.flush()
    for complaint in loaded.complaints { output.complain("\(complaint)") }
    throw Failure(
      .configuration,
      "\(loaded.complaints.count.counted("mistake"))."
        + " A file with a mistake is not used at all."
    )
  }

  private func fine(_ file: RulesFile, _ loaded: LoadedRules) -> String {
    let count = loaded.rules.rules.count { $0.place?.file == file.path }
    return "\(count.counted("rule")), all good."
  }

  /// A check for each file, and for rules that are too many in all.
  private func checks(_ loaded: LoadedRules) -> [Check] {
    let aged = Dictionary(grouping: loaded.warnings, by: \.fileName)
    let good = loaded.files.map { file in
      let findings = (aged[file.path] ?? []).map { finding(.warning, "rules.renamed", $0) }
      return Check(file.path, fine(file, loaded), isPassed: true, findings)
    }
    let bad = Dictionary(grouping: loaded.complaints, by: \.fileName)
    return good
      + bad.sorted { $0.key < $1.key }.map { name, complaints in
        let findings = complaints.map { finding(.error, "rules.mistake", $0) }
        let count = findings.count.counted("mistake")
        return Check(name, "\(count).", isPassed: false, findings)
      }
  }

  private func finding(
    _ level: CheckFinding.Level,
    _ code: String,
    _ complaint: Complaint
  ) -> CheckFinding {
    let place = CheckFinding.Place(
      file: complaint.fileName,
      line: complaint.line,
      column: complaint.column
    )
    return CheckFinding(level, code, at: place, complaint.words)
  }
}
