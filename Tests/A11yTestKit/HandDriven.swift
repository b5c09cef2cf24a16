// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yBroker
package import A11yPresenter
package import A11yRules
package import A11yWire

/// A broker driven by hand, and the log that a perfect disk would have kept for it.
package final class HandDriven {
  package static let epoch = String(repeating: "0123456789abcdef", count: 2)
  package static let wall: Int64 = 1_795_242_000_000_000

  package private(set) var broker: Broker
  private var turn = Turn()
  package private(set) var mono: Int64
  /// The entries of all turns that have ended, in their order, each with its newline.
  package var log: [String] { kept.lines }
  private let kept = KeptLog()

  package init(
    _ head: LogHead = HandDriven.empty,
    presenter: Presenter = Presenter(rules: RuleSet()),
    mono: Int64 = 0,
    quotas: Quotas = Quotas()
  ) {
    self.mono = mono
    broker = Broker(
      log: head,
      presenter: presenter,
      uid: 0,
      quotas: quotas,
      recall: { [kept] seq in kept.recall(seq) }
    )
    broker.begin(&turn, at: stamp)
  }

  package static var empty: LogHead {
    LogHead(epochs: [start(epoch, 1)], first: Seq(1), last: .none)
  }

  package static func start(_ hex: String, _ first: Int64) -> EpochStart {
    guard let epoch = Epoch(hex: hex) else { fatalError("an epoch in a test is one") }
    return EpochStart(epoch: epoch, first: Seq(first))
  }

  private var stamp: Stamp { Stamp(time: Self.wall + mono, mono: mono) }

  package var last: Int64 { broker.head.last.number }

  // MARK: Turns

  /// Ends the turn, whose entries are in the log now, and begins the next one.
  package func commit(after microseconds: Int64 = 0) {
    kept.lines += entries
    mono += microseconds
    broker.begin(&turn, at: stamp)
  }

  /// The disk has failed, or is back.
  package func degrade(_ isSo: Bool) { broker.isDegraded = isSo }

  /// The entries that the turn at hand wants to have written.
  package var entries: [String] {
    text(of: turn.entries).split(separator: "\n").map { $0 + "\n" }
  }

  private func text(of buffer: borrowing ByteBuffer) -> String { buffer.bytes.string }

  package var checksums: [UInt32] { turn.checksums }

  /// The same entries, byte for byte.
  package var entryBytes: [UInt8] { bytes(of: turn.entries) }

  private func bytes(of buffer: borrowing ByteBuffer) -> [UInt8] { buffer.bytes.array }

  /// The last seq before the turn.
  package var before: Int64 { turn.before.number }

  /// Writes down that the bus has started, from where on things happen by themselves.
  package func open(isSameBoot: Bool = false) {
    var opening = LogOpening()
    opening.isSameBoot = isSameBoot
    broker.opened(opening, clock: BusClock(offset: 0), into: &turn)
  }

  /// Other rules are in force from the next entry on.
  package func load(_ rules: RuleSet) { broker.load(rules, ReaderPace(), into: &turn) }

  /// When something happens by itself.
  package var due: Int64? { broker.due }

  // MARK: Connections

  package func connect(uid: UInt32 = 1_000, role: Role = .bus) -> Session {
    broker.connect(uid: uid, role: role)
  }

  /// A connection that has said who it is.
  package func connect(
    uid: UInt32 = 1_000,
    role: Role = .bus,
    app: String,
    more: String = ""
  ) -> Session {
    let session = connect(uid: uid, role: role)
    _ = say(session, #"{"op":"hello","app":"\#(app)"\#(more)}"#)
    commit()
    return session
  }

  package func leave(_ session: Session, reason: String = "disconnected") {
    broker.disconnect(session, reason: reason, into: &turn)
  }

  /// Sends a line and gives what is answered, line by line, as if everything had been written.
  package func say(_ session: Session, _ line: String) -> [String] {
    say(session, bytes: Array(line.utf8))
  }

  package func say(_ session: Session, bytes: [UInt8]) -> [String] {
    let before = turn.replies.count
    broker.receive(bytes.span, from: session, into: &turn)
    return replies(from: before)
  }

  package func sayTooMuch(_ session: Session) -> [String] {
    let before = turn.replies.count
    broker.refuseTooLong(from: session, into: &turn)
    return replies(from: before)
  }

  /// How many replies the turn has so far.
  package var replyCount: Int { turn.replies.count }

  /// The replies of the turn from there on, as if everything had been written.
  package func replies(from first: Int) -> [String] {
    var lines: [String] = []
    for index in first..<turn.replies.count {
      var out = ByteBuffer(capacity: 0)
      switch turn.replies[index].content {
      case .stats:
        lines.append("stats")
        continue
      case .ping, .greeting, .subscribed, .state, .stateMark:
        broker.render(turn.replies[index], of: turn, into: &out)
      case .lines, .accepted:
        turn.render(turn.replies[index], durability: .written, into: &out)
      }
      let text = out.bytes.string
      if !text.isEmpty { lines.append(text) }
    }
    return lines
  }

  package var waits: [Seq?] {
    turn.replies.map { reply in
      if case .accepted(let seq, .synced, _) = reply.content { seq } else { nil }
    }
  }

  package func writeCounters(into out: inout ByteBuffer) { broker.writeCounters(into: &out) }

  package func forget(_ selection: Selection) { broker.forget(selection, into: &turn) }

  package func retain(from first: Seq) { broker.retain(from: first) }

  // MARK: In few words

  /// The one answer to a line.
  package func ask(_ session: Session, _ line: String) throws -> JSON {
    let answers = say(session, line)
    guard answers.count == 1 else { throw Surprise(answers) }
    return try JSON(answers[0])
  }

  /// The seq that an event is given.
  package func publish(
    _ session: Session,
    _ event: String = announcement,
    more: String = ""
  ) throws -> Int64 {
    let answer = try ask(session, #"{"id":1,"op":"publish","event":\#(event)\#(more)}"#)
    guard let seq = answer["ok"]["seq"].integer else { throw Surprise(["\(answer)"]) }
    return seq
  }

  package static let announcement = #"{"type":"announcement","text":"Item was added"}"#

  package struct Surprise: Error, CustomStringConvertible {
    package let description: String
    package init(_ lines: [String]) { description = "the answer was \(lines)" }
  }
}

/// The lines that were kept, where the broker looks for earlier entries.
private final class KeptLog {
  var lines: [String] = []
  private lazy var reader = JSONReader(limit: Limits.answerBytes)

  func recall(_ seq: Seq) -> Recollection {
    for line in lines {
      let bytes = Array(line.utf8.dropLast())
      if Seq(of: bytes.span) == seq {
        return PastEntry(bytes.span, with: reader).map { .entry($0) } ?? .gone
      }
    }
    return .gone
  }
}
