// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yModel
package import A11yWire

/// The results of a turn of the loop, as data: nothing of them has happened yet.
///
/// The broker fills a turn while lines come in. The daemon then writes `entries` to the log, and
/// only after that renders the replies and sends the entries on: a reply states the durability that
/// the log has answered.
package struct Turn: ~Copyable {
  /// The lines for the log, whole and in order.
  package var entries = ByteBuffer(capacity: 262_144)
  /// The checksums of these lines, for the segment's hash.
  package var checksums: [UInt32] = []
  /// The last seq before this turn.
  package var before = Seq.none
  /// The replies in the order of the requests; those of one connection stand together.
  package var replies: [Reply] = []
  /// The bytes that replies quote: ids as they came, and answers that are already whole lines.
  package var words = ByteBuffer(capacity: 65_536)
  /// The sessions whose replies depend on the end of the turn.
  package var parties: [Session] = []
  /// The orders to readers, for programs that play one.
  package var orders: [Order] = []
  /// Secret words for readers, which the log does not have.
  package var secrets: [Secret] = []
  /// The states at points of the turn, for requests of just then.
  package var pictures: [Picture] = []
  /// The sessions that have to make room for others.
  package var givenUp: [Session] = []
  /// The number of earlier entries that were looked up, which costs far more than a line.
  package var lookups = 0
  /// The number of answers to `stats` or `state`, which are long.
  package var statistics = 0

  /// Enough for a busy turn.
  private static let room = 2_097_152

  package init() {}

  /// Overwrites the lines and answers of the last turn.
  package mutating func wipe() {
    entries.wipe()
    words.wipe()
  }

  package mutating func begin(after last: Seq) {
    entries.clear()
    checksums.removeAll(keepingCapacity: true)
    words.clear()
    // Memory that one flood has needed is not kept for ever.
    entries.shrink(to: Self.room)
    words.shrink(to: Self.room)
    // Emptying an array costs something even when it is empty, as these nearly always are.
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

/// Words that are to be spoken at a deliver entry that withholds them.
package struct Secret: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The value of a secure element.
    case value
    /// Text of a sensitive event.
    case text
    /// The words of a screen reader, which displays pass over.
    case reading
    /// The name of an action, which only the app that is to do it may know.
    case action
  }

  package let of: Seq
  package let kind: Kind
  /// The runs, without the brackets of their list; of an action its name as JSON has it.
  package let speak: [UInt8]
  /// The words in the place of a value that is not said aloud.
  package var masked: String?
  /// The app that alone may know it; nil: all readers.
  package var app: AppKey?
}

/// The answer to one request, to be rendered once the log has answered.
package struct Reply {
  package enum Content {
    /// Whole lines.
    case lines
    /// An accepted publish; `notes` follow its durability.
    case accepted(Seq, Acknowledgement, notes: Range<Int>)
    /// The last seq that the log has at the end of the turn.
    case ping
    /// The greeting of one of the turn's parties.
    case greeting(party: Int)
    /// The cursor at which a subscription begins.
    case subscribed(after: Seq)
    /// The state in one of the turn's pictures, or at the end of the turn.
    case state(picture: Int?)
    /// The state as the first line of a subscription, be its request with or without an id.
    case stateMark(picture: Int)
    /// Statistics, which the broker has only in part.
    case stats
  }

  /// About the bytes that the frame of a reply adds to the words that it quotes.
  package static let frameBytes = 64

  package let content: Content
  /// The place in the turn's words of the id as it was written, or of the lines; empty without an
  /// id.
  package let words: Range<Int>
}

/// The way that an event must have gone before its publisher is answered.
package enum Acknowledgement: String, Sendable {
  case received, written, synced
}

extension Turn {
  /// Removes the last entries again.
  mutating func removeEntries(toBytes bytes: Int, entries count: Int) {
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
      switch durability {
      case .received: out.append(",\"durability\":\"received\"")
      case .written: out.append(",\"durability\":\"written\"")
      case .synced: out.append(",\"durability\":\"synced\"")
      }
      if !notes.isEmpty { out.append(words.bytes.extracting(notes)) }
      out.append("}}\n")
    case .ping, .greeting, .subscribed, .state, .stateMark, .stats:
      preconditionFailure("what depends on more than the turn is rendered by who knows it")
    }
  }
}

extension Turn {
  /// The entry as it stands among this turn's lines.
  borrowing func recall(_ seq: Seq, with json: JSONReader) -> Recollection {
    let lines = entries.bytes
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      let line = lines.extracting(start..<newline)
      if Seq(of: line) == seq {
        return PastEntry(line, with: json).map { .entry($0) } ?? .gone
      }
      start = newline + 1
    }
    return .gone
  }
}
