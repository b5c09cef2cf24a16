// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yWire

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
