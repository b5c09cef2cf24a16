// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix

/// The result of one check of the doctor.
struct Diagnosis: Equatable {
  enum Verdict: String {
    case good
    /// Worth knowing, and nothing wrong.
    case note
    /// Not there, and nothing that is switched on needs it; yet nobody could hear a voice.
    case absent
    case wrong
  }

  /// The subject, in the order of the checks.
  enum Check: String {
    case bus, unit, rights, reader, voice, synthesizer, sound, configuration, mutes, log, clock
  }

  let check: Check
  let verdict: Verdict
  /// A sentence, or several.
  let words: String
  /// The command that mends it.
  let remedy: String?

  init(_ check: Check, _ verdict: Verdict, _ words: String, try remedy: String? = nil) {
    self.check = check
    self.verdict = verdict
    self.words = VisibleText.of(words)
    self.remedy = remedy.map(VisibleText.of)
  }

  /// One line that reads well aloud; the command stands at the end, where it can be copied.
  var line: String {
    let lead = verdict == .wrong ? "Wrong: " : ""
    return lead + words + (remedy.map { " Try: \($0)" } ?? "")
  }

  var json: JSONValue {
    .object([
      .init("check", .string(check.rawValue)), .init("verdict", .string(verdict.rawValue)),
      .init("words", .string(words)), .init("try", remedy.map(JSONValue.string) ?? .null),
    ])
  }

  /// The last line about all checks.
  static func sum(_ diagnoses: [Diagnosis]) -> String {
    switch diagnoses.count(where: { $0.verdict == .wrong }) {
    case 0 where diagnoses.contains { $0.verdict == .absent }:
      "Nothing that is switched on is wrong, but no voice could be heard here."
    case 0: "All is well."
    case 1: "1 thing is wrong."
    case let count: "\(count) things are wrong."
    }
  }

  static func jsonSum(_ diagnoses: [Diagnosis]) -> JSONValue {
    let wrong = diagnoses.count { $0.verdict == .wrong }
    return .object([
      .init("well", .flag(wrong == 0)), .init("wrong", .integer(Int64(wrong))),
      .init("words", .string(sum(diagnoses))),
    ])
  }
}
