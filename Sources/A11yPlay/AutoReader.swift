// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yBroker
package import A11yWire

/// The reader that is there where nobody else reads: it speaks, at a steady pace, what is delivered
/// to it.
///
/// Its reports are taken from it by the caller, who also tells it the time as a number.
package struct AutoReader: Sendable {
  /// How long it speaks a character, in microseconds.
  package static let perCharacter: Int64 = 50_000

  /// Its report of a delivery.
  package struct Report: Equatable, Sendable {
    package enum State: Equatable, Sendable {
      case started, finished
      case interrupted(heardMilliseconds: Int64)
    }

    /// The delivery that is meant.
    package let of: Seq
    package let state: State
    /// The connection of the reader that the delivery was for.
    package let conn: Int64
  }

  private struct Utterance: Sendable {
    let of: Seq
    let conn: Int64
    let since: Int64
    let length: Int64
  }

  private var utterance: Utterance?
  /// The reports that are due at once, the oldest first.
  private var reports: [Report] = []
  /// The connection that it speaks for; nil where it stands in for every reader that there is.
  private let conn: Int64?

  package init(conn: Int64?) { self.conn = conn }

  /// When it has come to the end of what it speaks.
  package var due: Int64? { utterance.map { $0.since + $0.length } }

  /// The next report that is not to wait.
  package mutating func next() -> Report? { reports.isEmpty ? nil : reports.removeFirst() }

  /// Comes to the end of what it speaks.
  package mutating func finish() -> Report? {
    guard let done = utterance else { return nil }
    utterance = nil
    return Report(of: done.of, state: .finished, conn: done.conn)
  }

  /// Takes what was decided: words for it, or that it is to stop.
  package mutating func take(_ order: Order) {
    switch order {
    case .speak(let seq, let to, let characters, let cut, let mono):
      if let cut { interrupt(cut, at: mono) }
      guard let to, conn == nil || conn == to, characters > 0 else { return }
      // One at a time: what is not over yet gives way.
      if let old = utterance { interrupt(old.of, at: mono) }
      utterance = Utterance(
        of: seq,
        conn: to,
        since: mono,
        length: characters * Self.perCharacter
      )
      reports.append(Report(of: seq, state: .started, conn: to))
    case .silence(let of, let mono): if let of { interrupt(of, at: mono) }
    }
  }

  /// Its connection has ended: what it was speaking is over, and it says nothing of it.
  package mutating func leave(_ conn: Int64) {
    if utterance?.conn == conn { utterance = nil }
    reports.removeAll { $0.conn == conn }
  }

  /// All connections have.
  package mutating func leave() {
    utterance = nil
    reports = []
  }

  private mutating func interrupt(_ of: Seq, at mono: Int64) {
    guard let cut = utterance, cut.of == of else { return }
    utterance = nil
    let heard = (mono - cut.since) / 1_000
    reports.append(
      Report(of: of, state: .interrupted(heardMilliseconds: heard), conn: cut.conn)
    )
  }
}

extension AutoReader.Report {
  /// Appends the event that says it.
  package func write(into out: inout ByteBuffer) {
    out.append("{")
    out.append(member: "type", EventType.speech.rawValue)
    out.append(member: "of", of.number)
    switch state {
    case .started: out.append(member: "state", "started")
    case .finished: out.append(member: "state", "finished")
    case .interrupted(let heard):
      out.append(member: "state", "interrupted")
      out.append(member: "heard_ms", heard)
    }
    out.append("}")
  }
}
