// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAdvice
import A11yModel
import A11yWire

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
    let envelope = Envelope(of: entry)
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
