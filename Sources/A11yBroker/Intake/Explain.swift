// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
internal import A11yWire

// Why something was heard, or was not.
extension Broker {
  mutating func explain(
    _ line: JSONDocument,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) {
    let fields = Schema.request(.explain)
    let slots = line.slots(of: line.root, fields, unknown: &unknown)
    try line.checkPresence(fields, slots)
    guard let value = slots[0] else { preconditionFailure("a seq was asked for") }
    try line.check(value, fields.all[0], unknown: &unknown)
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
    // Nobody wants to hear of it.
    guard !id.isEmpty else { return }
    session.errand = .explain(
      Explanation(seq, through: log.last, owner: session.confinement.map(Filter.init(owner:))),
      id: turn.words.bytes.extracting(id).array
    )
  }

  /// What the presenter knows of an event of which the log has no outcome yet.
  package func note(in explanation: inout Explanation) {
    guard let event = explanation.openEvent else { return }
    explanation.note(presenter.pending(of: event), now: presenter.now, last: log.last)
  }
}
