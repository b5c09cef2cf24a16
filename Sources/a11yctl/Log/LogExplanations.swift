// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yBroker
import A11yExplain
import A11yLog
import A11yPosix
import A11yWire

/// Explanations from the log's files alone.
struct LogExplanations: ExplanationSource {
  private let log: LogReader
  private let reader = JSONReader(limit: Limits.answerBytes)

  init(_ log: LogReader) { self.log = log }

  func explain(_ seq: Seq) throws(Failure) -> JSONValue {
    guard let last = try last, seq <= last else {
      throw Failure(.refused, "Entry \(seq.number) is not in the log.")
    }
    var investigation = Investigation(seq, through: last, owner: nil)
    while investigation.refusal == nil {
      if investigation.openEvent != nil { investigation.noteNoPresenter() }
      guard let run = investigation.run else { break }
      try log.entries(from: run.from, through: run.through) { line, seq in
        do throws(JSONFault) { try reader.read(line) } catch { return true }
        return investigation.note(reader.document, seq)
      }
      investigation.endRun()
    }
    if investigation.refusal != nil {
      throw Failure(.refused, "Entry \(seq.number) is not in the log.")
    }
    var out = ByteBuffer(capacity: 1_024)
    out.append("{")
    investigation.writeAnswer(into: &out)
    out.append("}")
    guard let answer = JSONValue(json: out.bytes.string) else {
      throw Failure(.inputOutput, "Entry \(seq.number) cannot be understood.")
    }
    return answer
  }

  /// None: waiting events are known to the bus alone.
  func waiting(app: String?) -> [Seq] { [] }

  func unheard(app: String?, atMost count: Int) throws(Failure) -> [Seq] {
    guard let first = log.segments.first?.first, let last = try last else {
      throw Failure(.noInput, VisibleText.of("There are no entries in \(log.path)."))
    }
    let outcome = EventType.Own.outcome.rawValue
    let filter = Filter(types: [outcome], apps: app.map { [$0] })
    var found: [Seq] = []
    try log.entries(from: first, through: last) { line, _ in
      do throws(JSONFault) { try reader.read(line) } catch { return true }
      let entry = reader.document
      guard filter.admits(entry), let event = Envelope(of: entry).event,
        let of = entry.seq("of", of: event), Unheard.isOne(entry.string("result", of: event))
      else { return true }
      found.append(of)
      // Only the last outcomes are wanted.
      if found.count >= 2 * count { found.removeFirst(count) }
      return true
    }
    return found.suffix(count)
  }

  /// The last entry of the log; nil where there is none.
  private var last: Seq? {
    get throws(Failure) {
      for segment in log.segments.reversed() {
        var last: Seq?
        try log.entries(from: segment.first, through: Seq(.max)) { _, seq in
          last = seq
          return true
        }
        if let last { return last }
      }
      return nil
    }
  }
}

extension LogReader {
  /// Gives the intact entries of a range to `onEntry`, in order, until it returns false.
  func entries(
    from: Seq,
    through: Seq,
    _ onEntry: (Span<UInt8>, Seq) -> Bool
  ) throws(Failure) {
    var next = from
    var goesOn = true
    for (index, segment) in segments.enumerated() where goesOn {
      if index + 1 < segments.count, segments[index + 1].first <= next { continue }
      if segment.first > through { return }
      _ = try scan(index) { line, seq throws(Failure) in
        if seq < next { return true }
        guard seq <= through else {
          goesOn = false
          return false
        }
        next = seq.next
        goesOn = onEntry(line, seq)
        return goesOn
      }
    }
  }
}
