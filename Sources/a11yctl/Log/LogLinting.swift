// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import A11yModel
import A11yWire

/// From the lines of a log to advice, for the entries of a time and of some apps.
struct LogLinting {
  private var linter = Linter()
  private let reader = JSONReader(limit: Limits.answerBytes)
  private let since: Int64?
  private let apps: Set<String>?
  /// The first entry of the chosen time; nil until it is found.
  private var first: Seq?
  private(set) var report = AdviceReport()

  init(since: Int64?, apps: Set<String>?) {
    self.since = since
    self.apps = apps
    if since == nil { first = Seq.none }
  }

  mutating func examine(_ line: Span<UInt8>) {
    // Marks, headers and damaged lines are no entries.
    let reader = self.reader
    do throws(JSONFault) { try reader.read(line) } catch { return }
    examine(reader.document)
  }

  /// Examines a line that was read.
  mutating func examine(_ entry: JSONDocument) {
    let envelope = Envelope(of: entry)
    guard let seq = envelope.seq, envelope.event != nil else { return }
    if first == nil, let since, envelope.time ?? 0 >= since { first = seq }
    if first != nil { report.entries += 1 }
    record(linter.lint(entry))
  }

  mutating func finish() { record(linter.lastFindings()) }

  private mutating func record(_ findings: [Linter.Finding]) {
    guard let first else { return }
    for finding in findings where finding.seq >= first {
      if let apps, !apps.contains(finding.app.app.text) { continue }
      report.record(finding)
    }
  }
}
