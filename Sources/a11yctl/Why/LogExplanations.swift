// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yClient
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
    try log.needEntries()
    guard let last = try log.last(), seq <= last else {
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
    try log.needEntries()
    guard let first = log.segments.first?.first, let last = try log.last() else { return [] }
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

  /// The names in all records of rules: an event may have ended by one that is no more.
  func namesOfRules() throws(Failure) -> [String]? {
    guard let first = log.segments.first?.first else { return [] }
    var names: Set<String> = []
    let mark = ",\"event\":{\"type\":\"\(EventType.Own.rules.rawValue)\""
    try log.entries(from: first, through: Seq(.max)) { line, _ in
      let text = line.string
      guard text.contains(mark) else { return true }
      let rules = JSONValue(json: text)?["event"]?["content"]?.list ?? []
      names.formUnion(rules.compactMap { $0["name"]?.string })
      return true
    }
    return names.sorted()
  }
}

extension LogReader {
  /// The last entry; nil where there is none.
  func last() throws(Failure) -> Seq? {
    for segment in segments.reversed() {
      var last: Seq?
      try entries(from: segment.first, through: Seq(.max)) { _, seq in
        last = seq
        return true
      }
      if let last { return last }
    }
    return nil
  }

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
