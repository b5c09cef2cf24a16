// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

// The answer to `state`: now, or right after an earlier entry.
extension Broker {
  mutating func state(
    _ line: JSONDocument,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) {
    let fields = try checkedFields(of: .state, in: line)
    let asked = fields[StateField.at].flatMap { line.integer($0) }.map { Seq($0) }
    if let asked { try checkReach(asked) }
    warn(session, id, into: &turn)
    // Without an id no answer is wanted.
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
  /// The log begins with the state before its first entry, which is the state right after the entry
  /// before, itself gone. Earlier states are lost.
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
  /// Where the log does not reach back so far, missing entries are told as a gap, and the state is
  /// the one behind that.
  func beginWithState(
    _ session: Session,
    after seq: Seq,
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
