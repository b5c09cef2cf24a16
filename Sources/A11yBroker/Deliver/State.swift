// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

// What the state is, now or right after an earlier entry.
extension Broker {
  mutating func state(
    _ line: JSONDocument,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) {
    let fields = Schema.request(.state)
    let slots = line.slots(of: line.root, fields, unknown: &unknown)
    if let at = slots[0] { try line.check(at, fields.all[0], unknown: &unknown) }
    let asked = slots[0].flatMap { line.integer($0) }.map { Seq($0) }
    if let asked { try checkReach(asked) }
    warn(session, id, into: &turn)
    // Nobody wants to hear of it.
    guard !id.isEmpty else { return }
    guard let asked else {
      turn.replies.append(Reply(content: .state(picture: nil), words: id))
      turn.statistics += 1
      return
    }
    if asked == log.last {
      turn.replies.append(Reply(content: .state(picture: turn.pictures.count), words: id))
      turn.pictures.append(picture(after: asked, for: session))
      turn.statistics += 1
    } else {
      session.errand = .inquiry(
        Inquiry(asked, only: session.confinement, .reply(id: turn.words.bytes.extracting(id).array))
      )
    }
  }

  /// Whether the log can know of the state right after an entry.
  ///
  /// It begins with a note of what was the case before its first entry: the state right after the
  /// one before that, which itself is gone. Of anything earlier nobody knows.
  private func checkReach(_ seq: Seq) throws(Refusal) {
    guard seq <= log.last else {
      var refusal = Refusal(
        .seqUnknown,
        field: "at",
        "expected the seq of an entry, at most \(log.last.number); got \(seq.number)"
      )
      refusal.last = log.last
      throw refusal
    }
    guard seq >= log.first.previous else {
      var refusal = Refusal(
        .seqUnknown,
        field: "at",
        "the log does not reach back to \(seq.number) any more;"
          + " the first state that it knows is that at \(log.first.previous.number)"
      )
      refusal.last = log.last
      throw refusal
    }
  }

  /// Lets a subscription that begins after `seq` begin with the state there.
  ///
  /// Where the log does not reach back so far, what is missing is told as a gap, and the state is
  /// the one behind it.
  func open(
    _ session: Session,
    withStateAfter seq: Seq,
    into turn: inout Turn
  ) {
    let known = max(seq, log.first.previous)
    if known == log.last {
      turn.replies.append(Reply(content: .stateMark(picture: turn.pictures.count), words: 0..<0))
      turn.pictures.append(picture(after: known, for: session))
    } else {
      session.errand = .inquiry(Inquiry(known, only: session.confinement, .mark))
    }
  }
}
