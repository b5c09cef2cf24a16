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
  static let usage = "[OPTION]..."
  static let notes = """
    Says in a sentence how each kind of event is treated; kinds that are treated alike share one.
    With --all it prints one setting on a line, with the rule that it comes from and where that rule
    stands. Last come the rules that ask for an app, a window, an element, a trait or a text: they
    change this for some events.
    """
  static let options = [
    Flag("type", "TYPE", "only events of this type: announcement, focus, busy, ..."),
    Flag("class", "CLASS", "only announcements of this class: message, status, progress, ..."),
    Flag("all", nil, "name each setting, and the rule that it comes from"),
    Flag("json", nil, "print the answer as JSON, on one line"),
  ]

  private let path: String
  private let isJSON: Bool
  private let namesAll: Bool
  private let topic: Topic?
  private let speechClass: String?

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .operation(.rules)).path
    isJSON = words.has("json")
    namesAll = words.has("all")
    topic = try words.choice("type", Topic.self)
    speechClass = words.value("class")
    if let speechClass { try RefusalWords.checkClass(speechClass) }
  }

  func run(_ output: Output) throws(Failure) {
    let answer = try asking { () throws(ClientError) in
      try BusConnection(path: path).request("rules")
    }
    guard !isJSON else {
      output.line(answer.description)
      return
    }
    let topic = topic?.rawValue
    let lines =
      namesAll
      ? RuleWords.lines(answer, topic: topic, speechClass: speechClass)
      : RuleSentences(answer, topic: topic, speechClass: speechClass).lines
    for line in lines { output.line(line) }
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
  static let options = [CheckFormat.flag]
  static let common = Flag.explaining

  private let files: [String]
  private let format: CheckFormat

  init(_ words: CommandWords) throws(Failure) {
    files = words.operands
    format = try words.format()
    guard !files.isEmpty else { throw Failure(.usage, "rules check expects files of rules.") }
  }

  func run(_ output: Output) throws(Failure) {
    let loaded = LoadedRules(files.map(RulesFile.init))
    if format.present(checks(loaded), of: "a11yctl rules check", to: output) {
      try output.flush()
      if loaded.complaints.isEmpty { return }
      throw Failure(.configuration, nil)
    }
    for file in loaded.files { output.line("\(VisibleText.of(file.path)): \(fine(file, loaded))") }
    guard !loaded.complaints.isEmpty else { return }
    try output.flush()
    for complaint in loaded.complaints { output.complain("\(complaint)") }
    throw Failure(
      .configuration,
      "\(EntryWords.counted(loaded.complaints.count, "mistake"))."
        + " A file with a mistake is not used at all."
    )
  }

  private func fine(_ file: RulesFile, _ loaded: LoadedRules) -> String {
    let count = loaded.rules.rules.count { $0.place?.file == file.path }
    return "\(EntryWords.counted(count, "rule")), all good."
  }

  /// A check for each file, and for rules that are too many in all.
  private func checks(_ loaded: LoadedRules) -> [Check] {
    let good = loaded.files.map { Check($0.path, fine($0, loaded), isPassed: true) }
    let bad = Dictionary(grouping: loaded.complaints, by: \.fileName)
    return good
      + bad.sorted { $0.key < $1.key }.map { name, complaints in
        let findings = complaints.map { complaint in
          let place = CheckFinding.Place(
            file: complaint.fileName,
            line: complaint.line,
            column: complaint.column
          )
          return CheckFinding(.error, "rules.mistake", at: place, complaint.words)
        }
        let count = EntryWords.counted(findings.count, "mistake")
        return Check(name, "\(count).", isPassed: false, findings)
      }
  }
}
