// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
internal import A11yRules
internal import A11yWire

/// Room for one entry, used again and again.
struct Draft: ~Copyable {
  private var writer = EntryWriter()
  private var origin = ByteBuffer(capacity: 128)
  private var out = ByteBuffer(capacity: 4_096)

  // MARK: As it would stand in the log

  mutating func write(_ decision: Decision, as seq: Seq, at stamp: Stamp, origin: Span<UInt8>) {
    begin(at: stamp, origin)
    writer.write(decision.type, as: seq, origin: self.origin, into: &out) {
      decision.write(into: &$0)
    }
    dropNewline()
  }

  /// Writes a reader's report.
  mutating func write(
    _ report: AutoReader.Report,
    as seq: Seq,
    at stamp: Stamp,
    origin: Span<UInt8>
  ) {
    begin(at: stamp, origin)
    writer.open(seq, origin: self.origin, into: &out)
    report.write(into: &out)
    _ = writer.close(into: &out)
    dropNewline()
  }

  private mutating func begin(at stamp: Stamp, _ origin: Span<UInt8>) {
    out.clear()
    writer.begin(at: stamp)
    self.origin.clear()
    self.origin.append(origin)
  }

  private mutating func dropNewline() { out.truncate(to: out.count - 1) }

  var text: [UInt8] { out.bytes.array }

  func isEqual(to line: Span<UInt8>) -> Bool { out.bytes.equals(line) }

  // MARK: As the presenter takes it: without a checksum, which only the disk needs

  /// Reads what was written last; false where it cannot be read.
  func readBack(with reader: JSONReader) -> Bool {
    do throws(JSONFault) {
      try reader.read(out.bytes)
      return true
    } catch {
      return false
    }
  }

  private mutating func open(_ seq: Seq, _ mono: Int64, conn: Int64) {
    out.clear()
    out.append("{")
    out.append(member: "seq", seq.number)
    out.append(member: "mono", mono)
    out.append(member: "conn", conn)
    out.append(member: "event")
  }

  mutating func writeDecision(_ decision: Decision, seq: Seq, mono: Int64) {
    open(seq, mono, conn: 0)
    out.append("{")
    out.append(member: "type", decision.type)
    decision.write(into: &out)
    out.append("}}")
  }

  mutating func writeReport(_ report: AutoReader.Report, seq: Seq, mono: Int64) {
    open(seq, mono, conn: report.conn)
    report.write(into: &out)
    out.append("}")
  }

  mutating func writeRules(_ rules: RuleSet, _ pace: ReaderPace, seq: Seq, mono: Int64) {
    open(seq, mono, conn: 0)
    out.append("{")
    out.append(member: "type", EventType.Own.rules.rawValue)
    rules.writeEntry(into: &out)
    pace.write(into: &out)
    out.append("}}")
  }

  /// Writes an entry of the record as it is now: with its new number and those that it refers to.
  mutating func rewrite(
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ line: Span<UInt8>,
    seq: Seq,
    _ numbers: Renumbering
  ) {
    out.clear()
    out.append("{")
    out.append(member: "seq", seq.number)
    guard entry.refers(event) else {
      // Behind the old number.
      var at = 0
      while at < line.count, line[at] != UInt8(ascii: ",") { at += 1 }
      out.append(line.extracting(at..<line.count))
      return
    }
    for name in Self.envelope {
      guard let value = entry.member(name, of: entry.root) else { continue }
      out.append(member: name)
      entry.copy(value, into: &out)
    }
    out.append(member: "event")
    out.append("{")
    var key = event + 1
    while key < entry.end(event) {
      copy(key, of: entry, numbers)
      key = entry.end(key + 1)
    }
    out.append("}}")
  }

  private static let envelope: [StaticString] = ["time", "mono", "app", "uid", "conn"]

  /// Copies a member; one that refers to an entry which is not there any more counts as not given.
  private mutating func copy(_ key: JSONIndex, of entry: JSONDocument, _ numbers: Renumbering) {
    let value = key + 1
    guard entry.isReference(key), let recorded = entry.integer(value) else {
      out.append(memberText: entry.string(key))
      entry.copyAll(value, into: &out)
      return
    }
    guard let number = numbers.number(of: Seq(recorded)) else { return }
    out.append(memberText: entry.string(key))
    out.append(decimal: number.number)
  }

  /// An outcome as an object, without whose it is.
  mutating func ending(_ outcome: Outcome, by: Seq?) -> [UInt8] {
    out.clear()
    out.append("{")
    out.append(member: "result", outcome.result.rawValue)
    if let by { out.append(member: "by", by.number) }
    out.append(member: "rule", outcome.rule)
    out.append(member: "why")
    var why = outcome.why
    // Its number is of the new log, in which nobody looks it up.
    why.focus = why.focus.map { FocusAnswer($0.result, reason: $0.reason, seq: nil) }
    why.write(into: &out)
    out.append("}")
    return out.bytes.array
  }
}

extension JSONDocument {
  /// Whether an event refers to an entry by its number.
  fileprivate func refers(_ event: JSONIndex) -> Bool {
    guard kind(event) == .object else { return false }
    var key = event + 1
    while key < end(event) {
      if isReference(key), kind(key + 1) == .number { return true }
      key = end(key + 1)
    }
    return false
  }

  fileprivate func isReference(_ key: JSONIndex) -> Bool {
    isKey(key, "cause") || isKey(key, "basis") || isKey(key, "of")
  }
}
