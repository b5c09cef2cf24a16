// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yRules
import A11yToml

/// Tells the mistakes in files of rules.
struct RulesCheckCommand: Command {
  static let name = "rules check"
  static let summary = "tell the mistakes in files of rules"
  static let usage = "FILE..."
  static let notes = """
    Reads each file as a11yd would, in the order given, and tells every mistake with its line and
    column. No daemon is needed. It ends with 78 if there is a mistake.
    """
  static let options: [Flag] = []
  static let common = Flag.explaining

  private let files: [String]

  init(_ words: CommandWords) throws(Failure) {
    files = words.operands
    guard !files.isEmpty else { throw Failure(.usage, "rules check expects files of rules.") }
  }

  func run(_ output: Output) throws(Failure) {
    let loaded = LoadedRules(files.map(RulesFile.init))
    for file in loaded.files {
      let count = loaded.rules.rules.count { $0.place?.file == file.path }
      output.line("\(VisibleText.of(file.path)): \(EntryWords.counted(count, "rule")), all good.")
    }
    guard !loaded.complaints.isEmpty else { return }
    try output.flush()
    for complaint in loaded.complaints { output.complain("\(complaint)") }
    throw Failure(
      .configuration,
      "\(EntryWords.counted(loaded.complaints.count, "mistake"))."
        + " A file with a mistake is not used at all."
    )
  }
}
