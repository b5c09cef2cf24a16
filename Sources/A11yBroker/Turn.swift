// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// What a turn of the loop leads to, as data: nothing here has happened yet.
///
/// The broker fills it while lines come in. The shell then writes `entries` to the log, and only
/// after that renders the replies and sends the entries on: what a reply says about durability is
/// what the log has answered.
package struct Turn: ~Copyable {
  /// The lines that the log gets, whole and in order.
  package var entries = ByteBuffer(capacity: 262_144)
  /// Those lines' checksums, which the segment's hash runs over.
  package var checksums: [UInt32] = []
  /// The last seq before this turn.
  package var before = Seq.none
  /// In the order of the requests; those of one connection stand together.
  package var replies: [Reply] = []
  /// What replies quote: ids as they came, and answers that are already whole lines.
  package var words = ByteBuffer(capacity: 65_536)
  /// Those whose reply depends on what becomes of the turn.
  package var parties: [Session] = []
  /// What readers were told, in its order, for those who play one.
  package var orders: [Order] = []
  /// Words for readers that the log does not have.
  package var secrets: [Secret] = []
  /// What was the case at some point of the turn, for whoever asked just then.
  package var pictures: [Picture] = []
  /// Who has to make room for others; its farewell says so.
  package var givenUp: [Session] = []
  /// Earlier entries that had to be looked up, which costs far more than a line.
  package var lookups = 0
  /// How many of the replies are answers to `stats` or `state`, and long.
  package var statistics = 0

  /// Enough for a busy turn.
  private static let room = 2_097_152

  package init() {}

  package mutating func begin(after last: Seq) {
    entries.clear()
    checksums.removeAll(keepingCapacity: true)
    words.clear()
    // What a flood has needed once is not kept for ever.
    entries.shrink(to: Self.room)
    words.shrink(to: Self.room)
    // To empty an array costs something though it is empty, as these nearly always are.
    if !parties.isEmpty { parties.removeAll(keepingCapacity: true) }
    if !pictures.isEmpty { pictures.removeAll(keepingCapacity: true) }
    if !orders.isEmpty { orders.removeAll(keepingCapacity: true) }
    if !givenUp.isEmpty { givenUp.removeAll() }
    if !secrets.isEmpty { secrets.removeAll(keepingCapacity: true) }
    lookups = 0
    statistics = 0
    replies.removeAll(keepingCapacity: true)
    before = last
  }
}

/// What is to be spoken at a deliver entry that does not say it.
package struct Secret: Sendable {
  package enum Kind: String, Sendable {
    /// The value of a secure element.
    case value
    /// Text of a sensitive event.
    case text
  }

  package let of: Seq
  package let kind: Kind
  /// What stands between the brackets of a list of runs.
  package let speak: [UInt8]
}

/// The answer to one request, to be rendered once the log has spoken.
package struct Reply {
  package enum Content {
    /// Lines that are whole already.
    case lines
    /// A publish that was taken; `notes` follow its durability.
    case accepted(Seq, Acknowledgement, notes: Range<Int>)
    /// What only the end of the turn can answer: the last seq that the log has by then.
    case ping
    /// The greeting of one of the turn's parties.
    case greeting(party: Int)
    /// Where the subscription of one of the turn's parties begins.
    case subscribed(party: Int)
    /// The state in one of the turn's pictures, or at the end of the turn.
    case state(picture: Int?)
    /// The same as the first line of a subscription, whether its request bore an id or not.
    case stateMark(picture: Int)
    /// What the broker cannot know alone.
    case stats
  }

  /// About what the frame of a reply adds to the words that it quotes.
  package static let frameBytes = 64

  package let content: Content
  /// The id as it was written, or the lines, within the turn's words; empty where nobody asked.
  package let words: Range<Int>

  /// Until this seq is on disk for good, this reply and all behind it wait.
  package var waitsForSync: Seq? {
    if case .accepted(let seq, .synced, _) = content { seq } else { nil }
  }
}

/// How far an event must have come before its publisher is told.
package enum Acknowledgement: String, Sendable {
  case received, written, synced
}

extension Turn {
  /// Takes entries off again, back to what there was.
  mutating func takeBack(toBytes bytes: Int, entries count: Int) {
    entries.truncate(to: bytes)
    checksums.removeLast(checksums.count - count)
  }

  /// Appends a publisher's answer once the log has the entry as `durability` says.
  package borrowing func render(
    _ reply: Reply,
    durability: Acknowledgement,
    into out: inout ByteBuffer
  ) {
    switch reply.content {
    case .lines:
      out.append(words.bytes.extracting(reply.words))
    case .accepted(let seq, _, let notes):
      guard !reply.words.isEmpty else { return }
      out.append("{\"id\":")
      out.append(words.bytes.extracting(reply.words))
      out.append(",\"ok\":{\"seq\":")
      out.append(decimal: seq.number)
      out.append(",\"durability\":\"")
      out.append(text: durability.rawValue)
      out.append("\"")
      out.append(words.bytes.extracting(notes))
      out.append("}}\n")
    case .ping, .greeting, .subscribed, .state, .stateMark, .stats:
      preconditionFailure("what depends on more than the turn is rendered by who knows it")
    }
  }
}

extension Turn {
  /// The entry as it stands among this turn's lines.
  borrowing func recall(_ seq: Seq, with reader: JSONReader) -> Recollection {
    let lines = entries.bytes
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      let line = lines.extracting(start..<newline)
      if LineSeq.of(line) == seq {
        return PastEntry(line, with: reader).map { .entry($0) } ?? .gone
      }
      start = newline + 1
    }
    return .gone
  }
}
