// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yExplain
internal import A11yModel
internal import A11yPresenter
package import A11yWire

/// A request that only the log or the files can answer, in more time than a turn has.
///
/// Until it is answered, later lines of its connection wait. It is large and rare, so that a
/// session has no more than a reference to it.
package indirect enum Errand {
  case inquiry(Inquiry)
  /// To explain what became of an entry, with the id as it was written.
  case explain(Investigation, id: [UInt8])
  /// To forget entries, with the id as it was written.
  case forget(Selection, id: [UInt8])
  /// To read configuration and rules again, with the id as it was written.
  case reload(id: [UInt8])

  /// Appends the answer to `explain`.
  package static func answer(
    _ investigation: Investigation,
    id: [UInt8],
    into out: inout ByteBuffer
  ) {
    out.object { out in
      out.append(member: "id")
      out.append(id.span)
      if let refusal = investigation.refusal {
        out.append(member: "err")
        out.appendRefusal(refusal)
      } else {
        out.object("ok") { investigation.writeAnswer(into: &$0) }
      }
    }
    out.append("\n")
  }

  /// Appends the answer to `forget`: the number of entries.
  package static func answer(count: Int64, id: [UInt8], into out: inout ByteBuffer) {
    guard !id.isEmpty else { return }
    out.object { out in
      out.append(member: "id")
      out.append(id.span)
      out.object("ok") { $0.append(member: "count", count) }
    }
    out.append("\n")
  }
}

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
    try checkReach(
      seq,
      from: log.first,
      field: "seq",
      gone: "entry \(seq.number) is not in the log any more, which begins with \(log.first.number)"
    )
    warn(session, id, into: &turn)
    // Without an id no answer is wanted.
    guard !id.isEmpty else { return }
    session.errand = .explain(
      Investigation(seq, through: log.last, within: confinement(of: session)),
      id: turn.words.bytes.extracting(id).array
    )
  }

  /// Refuses a question about an entry that the log does not have yet, or has no more.
  func checkReach(
    _ seq: Seq,
    from first: Seq,
    field: String,
    gone: @autoclosure () -> String
  ) throws(Refusal) {
    guard seq > log.last || seq < first else { return }
    var refusal = Refusal(
      .seqUnknown,
      field: field,
      seq > log.last
        ? "expected the seq of an entry, at most \(log.last.number); got \(seq.number)" : gone()
    )
    refusal.last = log.last
    throw refusal
  }

  /// Tells an investigation what the presenter knows of an event without an outcome.
  package func notePending(in investigation: inout Investigation) {
    guard let event = investigation.openEvent else { return }
    investigation.notePending(presenter.pending(of: event), now: presenter.now, last: log.last)
  }
}

// Forgetting what apps have said.
extension Broker {
  mutating func forget(
    _ line: JSONDocument,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) {
    let fields = try checkedFields(of: .forget, in: line)
    guard !isDegraded else {
      throw Refusal(
        .storageDegraded,
        "the disk cannot be written, so that nothing can be forgotten"
      )
    }
    warn(session, id, into: &turn)
    let selection = Selection(
      apps: fields[ForgetField.apps].map { Set(line.items(of: $0).map { line.string($0) }) },
      uids: fields[ForgetField.uids].map {
        Set(line.items(of: $0).compactMap { line.integer($0) })
      },
      before: fields[ForgetField.before].flatMap { line.integer($0) }
    )
    session.errand = .forget(selection, id: turn.words.bytes.extracting(id).array)
  }

  /// Runs of forgotten entries in one entry, which then fits into a line that others may copy.
  private static let mostRuns = 2_048

  /// Tells which entries were forgotten, and by whom, so that every copy of the log can follow.
  package mutating func tellForgotten(
    _ runs: [ClosedRange<Seq>],
    for uid: UInt32,
    into turn: inout Turn
  ) {
    for start in stride(from: 0, to: runs.count, by: Self.mostRuns) {
      let some = runs[start..<min(start + Self.mostRuns, runs.count)]
      appendOwn(Forgot(runs: Array(some), uid: uid), into: &turn)
    }
  }

  /// Forgets the selected apps in the state beside the log: they begin anew.
  ///
  /// Their speech is stopped by an entry of this turn. A state is written of what follows, and in a
  /// state no order to a reader waits to be written.
  package mutating func forget(_ selection: Selection, into turn: inout Turn) {
    duplicates.forget { selection.covers(app: $0.app, uid: Int64($0.uid)) }
    forgottenSecrets.formUnion(
      presenter.model.secrets { app, uid in selection.covers(app: app, uid: uid) }
    )
    presenter.forget { app, uid in selection.covers(app: app, uid: uid) }
    secrets.dropSpoken { presenter.pending(of: $0) != nil }
    decide(into: &turn)
  }
}

extension JSONDocument {
  /// The items of a list.
  fileprivate func items(of list: JSONIndex) -> [JSONIndex] {
    var items: [JSONIndex] = []
    var item = list + 1
    while item < end(list) {
      items.append(item)
      item = end(item)
    }
    return items
  }
}
