// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yExplain
internal import A11yPresenter
internal import A11yWire

// The answer to `explain`.
extension Broker {
  mutating func explain(
    _ line: JSONDocument,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) {
    let fields = try checkedFields(of: .explain, in: line)
    guard let value = fields[ExplainField.seq] else {
      preconditionFailure("the schema requires a seq")
    }
    let seq = Seq(line.integer(value) ?? 0)
    guard seq <= log.last else {
      var refusal = Refusal(
        .seqUnknown,
        field: "seq",
        "expected the seq of an entry, at most \(log.last.number); got \(seq.number)"
      )
      refusal.last = log.last
      throw refusal
    }
    guard seq >= log.first else {
      var refusal = Refusal(
        .seqUnknown,
        field: "seq",
        "entry \(seq.number) is not in the log any more, which begins with \(log.first.number)"
      )
      refusal.last = log.last
      throw refusal
    }
    warn(session, id, into: &turn)
    // Without an id no answer is wanted.
    guard !id.isEmpty else { return }
    session.errand = .explain(
      Investigation(seq, through: log.last, owner: session.confinement),
      id: turn.words.bytes.extracting(id).array
    )
  }

  /// Tells an investigation what the presenter knows of an event without an outcome.
  package func notePending(in investigation: inout Investigation) {
    guard let event = investigation.openEvent else { return }
    investigation.notePending(presenter.pending(of: event), now: presenter.now, last: log.last)
  }
}
