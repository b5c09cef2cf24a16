// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yExplain
import A11yPlay
import Glibc

/// A verdict on a program as lines, and as checks.
enum VerdictWords {
  /// The texts that were heard, those that were not, and advice.
  static func sentences(_ verdict: Verdict) -> [String] {
    var lines: [String] = []
    let heard = verdict.hearing.utterances
    let sounds = heard.count { $0.text.isEmpty }
    let counts = [(heard.count - sounds, "text"), (sounds, "sound")].filter { $0.0 > 0 }
      .map { EntryWords.counted($0, $1) }
    lines.append(
      heard.isEmpty ? "Nothing was heard." : "Heard, \(counts.joined(separator: " and ")):"
    )
    lines += heard.map { "  \($0.line(since: verdict.start))" }
    if !verdict.unheard.isEmpty {
      lines.append("Not heard, or not to the end:")
      lines += verdict.unheard.map { "  \($0)" }
    }
    if verdict.furtherUnheard > 0 {
      let count = EntryWords.counted(verdict.furtherUnheard, "further event")
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
    let codes = refused.map { "\($0.code) \(SeqWords.count($0.count, "time", "times"))" }
    return "The bus refused \(SeqWords.count(sum, "request", "requests")) of \(verdict.program):"
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
