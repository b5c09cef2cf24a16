// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yModel
package import A11yPresenter
package import A11yWire

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
    // The log begins with the state before its first entry, which is the state right after the
    // entry before, itself gone.
    let first = log.first.previous
    if let asked {
      try checkReach(
        asked,
        from: first,
        field: "at",
        gone: "the log does not reach back to \(asked.number) any more;"
          + " the first state that it knows is that at \(first.number)"
      )
    }
    warn(session, id, into: &turn)
    // Without an id no answer is wanted.
    guard !id.isEmpty else { return }
    guard let asked else {
      let confinement = confinement(of: session)
      let picture = confinement == nil ? nil : turn.pictures.count
      turn.replies.append(Reply(content: .state(picture: picture), words: id))
      if confinement != nil { turn.pictures.append(presentPicture(only: confinement)) }
      turn.statistics += 1
      return
    }
    if asked == log.last {
      turn.replies.append(Reply(content: .state(picture: turn.pictures.count), words: id))
      turn.pictures.append(picture(after: asked, for: session))
      turn.statistics += 1
    } else {
      session.errand = .inquiry(
        Inquiry(
          asked,
          only: confinement(of: session),
          .reply(id: turn.words.bytes.extracting(id).array)
        )
      )
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
      session.errand = .inquiry(Inquiry(known, only: confinement(of: session), .mark))
    }
  }
}

/// The state right after an entry, kept while the bus goes on.
package struct Picture {
  private let presenter: Presenter
  package let after: Seq
  /// The windows that are shown; nil for all.
  private let confinement: Confinement?

  package init(presenter: Presenter, after: Seq, only confinement: Confinement?) {
    self.presenter = presenter
    self.after = after
    self.confinement = confinement
  }

  func writeState(cursor: Cursor, into out: inout ByteBuffer) {
    presenter.writeState(cursor: cursor, only: confinement, into: &out)
  }
}

/// A question about the state at an earlier entry, which only the log can answer.
///
/// Until it is answered, later lines of its connection wait, and no entry of a subscription goes
/// out: replies keep the order of the requests, and the mark comes first.
package struct Inquiry {
  /// The use of the answer.
  enum Purpose {
    /// The reply to `state`, with the id as it was written.
    case reply(id: [UInt8])
    /// The first mark of a subscription.
    case mark
  }

  /// The entry right after which the state is asked for.
  package let seq: Seq
  /// The windows that are shown; nil for all.
  package let confinement: Confinement?
  private let purpose: Purpose

  init(_ seq: Seq, only confinement: Confinement?, _ purpose: Purpose) {
    self.seq = seq
    self.confinement = confinement
    self.purpose = purpose
  }

  /// Whether a subscription waits for the answer as its first mark.
  package var opensSubscription: Bool {
    switch purpose {
    case .reply: false
    case .mark: true
    }
  }

  /// Appends the line with the answer.
  package func answer(_ picture: Picture, cursor: Cursor, into out: inout ByteBuffer) {
    switch purpose {
    case .reply(let id):
      out.object { out in
        out.append(member: "id")
        out.append(id.span)
        out.append(member: "ok")
        picture.writeState(cursor: cursor, into: &out)
      }
      out.append("\n")
    case .mark: Mark.state(picture, cursor).write(into: &out)
    }
  }
}
