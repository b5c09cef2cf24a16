// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yRules
import A11yToml

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
