// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Prints entries one after the other: as lines that read well aloud, or as they are stored.
struct EntryListing {
  /// The form of the lines.
  let isJSON: Bool
  let withSeq: Bool
  /// Whether the day stands before its first entry.
  var withDays = true
  private var day = ""
  private let reader = JSONReader(limit: A11yWire.Limits.answerBytes)

  init(isJSON: Bool, withSeq: Bool) {
    self.isJSON = isJSON
    self.withSeq = withSeq
  }

  /// Prints an entry that `admits` lets through.
  mutating func show(
    _ line: Span<UInt8>,
    _ output: Output,
    admits: (JSONDocument) -> Bool = { _ in true }
  ) {
    let reader = reader
    do throws(JSONFault) {
      try reader.read(line)
    } catch {
      let seq = LineSeq.of(line)?.number ?? 0
      output.complain("Entry \(seq) cannot be understood: \(error.words).")
      return
    }
    let entry = reader.document
    guard admits(entry) else { return }
    if isJSON {
      output.line(line)
      return
    }
    if entry.string("mark", of: entry.root) != nil {
      guard let mark = try? SubscriptionMark(entry) else { return }
      for line in MarkWords.lines(mark) { output.line(line) }
      return
    }
    do throws(ClientError) {
      let seq = entry.integer("seq", of: entry.root) ?? 0
      let entry = try Entry(seq, entry)
      let today = ClockTime.day(entry.time)
      if withDays, today != day { output.line("\(today):") }
      day = today
      output.line(EntryWords.line(entry, withSeq: withSeq, clock: ClockTime.local))
    } catch {
      output.complain("An entry cannot be understood: \(error).")
    }
  }
}
