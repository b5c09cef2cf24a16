// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
internal import A11yRules
package import A11yWire

/// Goes over a recorded log and decides anew: what comes of it has to be what is on record, byte
/// for byte.
///
/// An entry that is missing in a log, or was forgotten, may have decided something. From there on
/// the log is believed, up to a place at which the presenter's state is on record.
package struct Replay: ~Copyable {
  /// The place at which the record and the presenter part.
  package struct Divergence: Equatable, Sendable {
    /// The entry at which they do.
    package let seq: Seq
    /// The line of the log; nil where the log ends.
    package let recorded: [UInt8]?
    /// The line that the presenter has decided; nil where there is none.
    package let decided: [UInt8]?
  }

  /// The presenter as it is behind the last entry that was taken.
  package private(set) var presenter: Presenter
  /// Whether all is known that has led to what comes.
  private var isSure: Bool
  /// The last entry that was taken.
  private var last: Seq
  /// The origin that the last line of the bus has.
  private var origin: [UInt8] = []
  private var time: Int64 = 0
  /// Decisions that were compared.
  package private(set) var compared: Int64 = 0
  /// Decisions that had to be believed.
  package private(set) var believed: Int64 = 0
  private let reader = JSONReader(limit: Limits.answerBytes)
  private var line = Draft()

  /// Begins before the first entry of a log that is there from its beginning.
  package init() {
    presenter = Presenter(rules: .defaults)
    isSure = true
    last = .none
  }

  /// Whether it is not known what the presenter knew before an entry, so that the log has to be
  /// believed.
  package func isAtLoss(before seq: Seq) -> Bool { !isSure || seq > last.next }

  /// Goes on from what the presenter knew after an entry.
  package mutating func resume(_ presenter: Presenter, after seq: Seq) {
    self.presenter = presenter
    last = seq
    isSure = true
  }

  /// Takes the next entry, without its newline; one that is known already changes nothing.
  package mutating func take(_ line: Span<UInt8>) -> Divergence? {
    guard let peek = EnvelopePeek(line), peek.seq > last else { return nil }
    if peek.seq != last.next { isSure = false }
    last = peek.seq
    time = peek.time
    if line.extracting(peek.type).equals("forgotten") { isSure = false }
    guard peek.isOwn else { return replayInput(line, peek) }
    let isStart = line.extracting(peek.type).equals("opened")
    if origin.isEmpty || isStart { origin = line.extracting(peek.origin).array }
    if Decision.isDecision(line.extracting(peek.type)) {
      return compareDecision(line, peek)
    }
    if isStart { return replayStart(line) }
    return replayInput(line, peek)
  }

  /// Rings the alarms that are due by then, up to the first that leads to a decision.
  private mutating func ringAlarms(through mono: Int64) {
    while !presenter.hasDecided, let due = presenter.due?.microseconds, due <= mono {
      presenter.ring()
    }
  }

  /// Whether the presenter would have gone on at this instant.
  private mutating func replayInput(_ line: Span<UInt8>, _ peek: EnvelopePeek) -> Divergence? {
    guard isSure else { return follow(line) }
    ringAlarms(through: peek.mono)
    if presenter.hasDecided { return divergence(peek.seq, line) }
    let reader = self.reader
    do throws(JSONFault) { try reader.read(line) } catch { return unread() }
    presenter.take(reader.document)
    return nil
  }

  /// A start: what was decided before it and not written any more comes behind it.
  private mutating func replayStart(_ line: Span<UInt8>) -> Divergence? {
    guard isSure else { return follow(line) }
    let reader = self.reader
    do throws(JSONFault) { try reader.read(line) } catch { return unread() }
    presenter.take(reader.document)
    return nil
  }

  private mutating func compareDecision(
    _ line: Span<UInt8>,
    _ peek: EnvelopePeek
  ) -> Divergence? {
    guard isSure else {
      believed += 1
      return follow(line)
    }
    compared += 1
    ringAlarms(through: peek.mono)
    guard let decision = presenter.next(as: peek.seq) else { return divergence(peek.seq, line) }
    guard writes(decision, line, at: peek) else {
      return Divergence(seq: peek.seq, recorded: line.array, decided: self.line.text)
    }
    guard decision.isTaken else { return nil }
    let reader = self.reader
    do throws(JSONFault) { try reader.read(line) } catch { return unread() }
    presenter.take(reader.document)
    return nil
  }

  /// Writes down a decision as it would stand in the log, and says whether it does.
  private mutating func writes(
    _ decision: Decision,
    _ recorded: Span<UInt8>,
    at peek: EnvelopePeek
  ) -> Bool {
    line.write(
      decision,
      as: peek.seq,
      at: Stamp(time: peek.time, mono: presenter.now.microseconds),
      origin: recorded.extracting(peek.origin)
    )
    return line.isEqual(to: recorded)
  }

  /// The presenter has come to something that the log does not have.
  private mutating func divergence(_ seq: Seq, _ recorded: Span<UInt8>) -> Divergence {
    guard let decision = presenter.next(as: seq) else {
      return Divergence(seq: seq, recorded: recorded.array, decided: nil)
    }
    let origin = self.origin
    let stamp = Stamp(time: time, mono: presenter.now.microseconds)
    line.write(decision, as: seq, at: stamp, origin: origin.span)
    return Divergence(seq: seq, recorded: recorded.array, decided: line.text)
  }

  /// Goes on as the log has it.
  private mutating func follow(_ line: Span<UInt8>) -> Divergence? {
    let reader = self.reader
    do throws(JSONFault) { try reader.read(line) } catch { return unread() }
    presenter.follow(reader.document)
    return nil
  }

  /// A line that is no JSON decides nothing that could be told.
  private mutating func unread() -> Divergence? {
    isSure = false
    return nil
  }
}

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
