// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPosix
import A11yWire

/// The input of a turn: the daemon's one buffer, and the work that the turn has taken on.
struct TurnInput: ~Copyable {
  private let room: UnsafeMutableRawBufferPointer
  /// Bytes of lines that were worked on in this turn.
  private var read = 0

  /// The most that one turn takes on, in bytes of lines.
  ///
  /// Two milliseconds of work or less, so that nobody waits longer for a turn; the calls that the
  /// lines of a turn share take a hundredth of that.
  static let turnWork = 65_536
  /// Bytes that are read of one connection in a turn where others are ready, too: their lines are
  /// then decided and delivered though one of them never stops sending.
  static let shareOfTurn = 16_384
  /// Other work, measured by the bytes of lines that take as long.
  private static let lookupWork = 8_192
  private static let answerWork = 8
  /// About the length of an answer to `stats` where there are many apps and subscribers.
  private static let statisticsBytes = 65_536

  /// Overwrites the requests that were read last.
  func wipe() { room.initializeMemory(as: UInt8.self, repeating: 0) }

  init(bytes: Int) { room = .allocate(byteCount: bytes, alignment: 64) }

  deinit { room.deallocate() }

  /// Begins another turn.
  mutating func begin() { read = 0 }

  /// The work that the turn has taken on so far.
  private func work(of turn: borrowing Turn) -> Int {
    read + turn.lookups * Self.lookupWork + turn.words.count * Self.answerWork
  }

  /// A connection that was served in this turn, its replies among the turn's, and whether it gets
  /// lines behind them.
  typealias Served = (connection: ClientConnection, replies: Range<Int>, isListener: Bool)

  /// Serves connections for as long as the turn takes work on, and says how many.
  ///
  /// The parts of the bus are handed in, so that each is borrowed once for all of them.
  mutating func serve(
    _ ready: [Ready],
    among connections: [UInt64: ClientConnection],
    limit: Int,
    _ broker: inout Broker,
    _ turn: inout Turn,
    _ rotation: inout FeedRotation,
    _ answered: inout [Served]
  ) -> Int {
    var served = 0
    let share = ready.count > 1 ? Self.shareOfTurn : Self.turnWork
    while served < ready.count, work(of: turn) < Self.turnWork {
      let (token, readiness) = (ready[served].token, ready[served].readiness)
      served += 1
      guard let connection = connections[token] else { continue }
      let replies = turn.replies.count
      // Closed in full: the input is worked on, but there is nobody to answer.
      if readiness.contains(.hangUp) { connection.deafen() }
      if readiness.contains(.writable) { connection.resume() }
      rotation.enqueue(connection)
      if connection.mustGoOn {
        if !connection.isFull(limit) {
          decide(connection, received: 0, &broker, &turn, limit: limit)
        }
      } else if !readiness.isDisjoint(with: .input) {
        receive(connection, atMost: share, &broker, &turn, limit: limit)
      }
      answered.append((connection, replies..<turn.replies.count, connection.isListener))
    }
    return served
  }

  /// Reads a connection's input, and has its lines decided.
  private mutating func receive(
    _ connection: ClientConnection,
    atMost share: Int,
    _ broker: inout Broker,
    _ turn: inout Turn,
    limit: Int
  ) {
    let kept = connection.unworked.count
    let free = UnsafeMutableRawBufferPointer(rebasing: room[kept...].prefix(share))
    switch connection.link.receive(into: free) {
    case .bytes(let count):
      decide(connection, received: count, &broker, &turn, limit: limit)
    case .wouldBlock: break
    case .ended:
      connection.hasEnded = true
      // Half a line is not a line.
      connection.unworked = []
    case .failed:
      connection.hasEnded = true
      connection.unworked = []
      connection.deafen()
    }
  }

  /// Goes through the lines that a connection has sent, as far as its replies have room.
  private mutating func decide(
    _ connection: ClientConnection,
    received: Int,
    _ broker: inout Broker,
    _ turn: inout Turn,
    limit: Int
  ) {
    let kept = connection.unworked.count
    if kept > 0 {
      connection.unworked.withUnsafeBytes { room.copyMemory(from: $0) }
    }
    let bytes = UnsafeRawBufferPointer(rebasing: room[..<(kept + received)])
    read += bytes.count
    let rest = Self.decideLines(
      bytes.assumingMemoryBound(to: UInt8.self).span,
      connection,
      &broker,
      &turn,
      limit: limit
    )
    connection.mustGoOn = rest.hasLines
    if rest.start == bytes.count {
      if kept > 0 { connection.unworked = [] }
    } else {
      connection.unworked = [UInt8](bytes[rest.start...])
    }
  }

  /// The inner loop; a function of its own so that broker and turn are borrowed once for all lines.
  private static func decideLines(
    _ bytes: Span<UInt8>,
    _ connection: ClientConnection,
    _ broker: inout Broker,
    _ turn: inout Turn,
    limit: Int
  ) -> (start: Int, hasLines: Bool) {
    let session = connection.session
    let words = turn.words.count
    let replies = turn.replies.count
    let lookups = turn.lookups
    var splitter = connection.splitter
    defer { connection.splitter = splitter }
    var at = 0
    while !session.isDismissed {
      // Lines behind an errand wait until the log has done it.
      if session.errand != nil { return (at, at < bytes.count) }
      switch splitter.step(bytes, from: at) {
      case .line(let range, let next):
        broker.receive(bytes.extracting(range), from: session, into: &turn)
        at = next
      case .tooLong(let next):
        broker.refuseTooLong(from: session, into: &turn)
        at = next
      case .incomplete(let from):
        return (from, false)
      }
      let frames = (turn.replies.count - replies) * Reply.frameBytes
      // A part of the turn's work, so that many who make much of it take short turns.
      let isMuch = (turn.lookups - lookups) * lookupWork >= turnWork / 2
      if turn.words.count - words + frames + turn.statistics * statisticsBytes >= limit || isMuch {
        return (at, at < bytes.count)
      }
    }
    return (bytes.count, false)
  }
}

/// Collects the replies to one connection, so that they are sent with one write.
struct ReplyBuffer: ~Copyable {
  var bytes = ByteBuffer(capacity: 65_536)

  /// How far the medium has come with the entries.
  struct Medium {
    let synced: Seq
    let isInTrouble: Bool
  }

  mutating func shrink(to size: Int) { bytes.shrink(to: size) }

  /// Renders replies and sends them, or returns those that are left from the first on that takes
  /// more than the turn to render.
  mutating func sendReplies(
    _ replies: Range<Int>,
    of turn: borrowing Turn,
    _ medium: Medium,
    to connection: ClientConnection
  ) -> Range<Int> {
    for index in replies {
      let reply = turn.replies[index]
      switch reply.content {
      case .accepted(let seq, let asked, _):
        acknowledge(reply, seq, asked, of: turn, medium, to: connection)
      case .lines: turn.render(reply, durability: .written, into: &bytes)
      case .ping, .greeting, .subscribed, .state, .stateMark, .stats:
        return index..<replies.upperBound
      }
    }
    deliver(to: connection)
    return replies.upperBound..<replies.upperBound
  }

  /// Says how far an event has come; a client that wants more waits for the disk.
  private mutating func acknowledge(
    _ reply: Reply,
    _ seq: Seq,
    _ asked: Acknowledgement,
    of turn: borrowing Turn,
    _ medium: Medium,
    to connection: ClientConnection
  ) {
    switch asked {
    case .received, .written:
      turn.render(reply, durability: medium.isInTrouble ? .received : asked, into: &bytes)
    case .synced where medium.isInTrouble:
      bytes.appendRefusalReply(Self.unsafe(seq), id: turn.words.bytes.extracting(reply.words))
    case .synced where seq <= medium.synced:
      turn.render(reply, durability: .synced, into: &bytes)
    case .synced:
      deliver(to: connection)
      turn.render(reply, durability: .synced, into: &bytes)
      connection.hold(bytes, until: seq, id: turn.words.bytes.extracting(reply.words))
      bytes.clear()
    }
  }

  /// The refusal of an event whose acknowledgement asks more than the disk can do.
  static func unsafe(_ seq: Seq) -> Refusal {
    Refusal(
      .storageDegraded,
      field: "ack",
      "the disk has failed; the event was taken as seq \(seq.number) and is delivered, but may not"
        + " survive"
    )
  }

  /// Refuses the request with this id.
  mutating func refuse(_ id: [UInt8], _ refusal: Refusal, to connection: ClientConnection) {
    bytes.appendRefusalReply(refusal, id: id.span)
    deliver(to: connection)
  }

  /// Sends the collected replies behind everything that this connection is still owed.
  mutating func deliver(to connection: ClientConnection) {
    if connection.held.isEmpty {
      connection.send(replies: bytes)
    } else {
      connection.hold(bytes)
    }
    bytes.clear()
  }

  /// Sends the last line that the connection gets.
  mutating func sendFarewell(_ refusal: Refusal, to connection: ClientConnection) {
    bytes.clear()
    bytes.appendFarewell(refusal)
    connection.send(bytes)
    bytes.clear()
  }
}
