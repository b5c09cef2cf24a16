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
