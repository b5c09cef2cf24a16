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
    /// It may be good or wrong: there was no way to find out.
    case unchecked
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

  /// The last line about all checks: all is well only where all was looked at.
  static func sum(_ diagnoses: [Diagnosis]) -> String {
    func tally(_ verdict: Verdict) -> Int { diagnoses.count { $0.verdict == verdict } }
    let unchecked = SeqWords.count(Int64(tally(.unchecked)), "thing", "things")
    let rest = tally(.unchecked) == 0 ? "" : " \(unchecked) could not be checked."
    switch tally(.wrong) {
    case 0 where tally(.absent) > 0:
      return "Nothing that is switched on is wrong, but no voice could be heard here.\(rest)"
    case 0 where !rest.isEmpty: return "Nothing was found to be wrong.\(rest)"
    case 0: return allWell
    case 1: return "1 thing is wrong.\(rest)"
    case let count: return "\(count) things are wrong.\(rest)"
    }
  }

  private static let allWell = "All is well."

  static func jsonSum(_ diagnoses: [Diagnosis]) -> JSONValue {
    let words = sum(diagnoses)
    func tally(_ verdict: Verdict) -> JSONValue {
      .integer(Int64(diagnoses.count { $0.verdict == verdict }))
    }
    return .object([
      .init("well", .flag(words == allWell)), .init("wrong", tally(.wrong)),
      .init("unchecked", tally(.unchecked)), .init("words", .string(words)),
    ])
  }
}
