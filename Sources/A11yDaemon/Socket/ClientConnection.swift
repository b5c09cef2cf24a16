// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yBroker
import A11yLog
import A11yPosix
import A11yWire

/// One client's link, with the bytes that are on their way in and out.
///
/// An idle connection owns no buffers: input is worked on in the daemon's one input buffer, and
/// output is written from the turn. Only bytes that did not fit, in either direction, are kept.
package final class ClientConnection {
  let link: any Link
  package let session: Session
  var splitter = LineSplitter(limit: Limits.lineBytes)
  /// Input that is not worked on yet: the beginning of a line, or requests that wait until the
  /// client reads its replies.
  var unworked: [UInt8] = []
  /// Whether `unworked` holds whole lines.
  var mustGoOn = false
  /// Bytes that the link did not take yet; they go before everything else.
  private(set) var backlog = ByteBuffer(capacity: 0)
  /// At most so many bytes of the backlog are replies.
  private var unreadReplies = 0
  /// Replies behind one that waits for the disk.
  private(set) var held = HeldReplies()
  var feed: Feed?
  /// The place of the feed in the rotation.
  var standing = FeedRotation.Standing.away
  /// The client sends no more, though it may still listen.
  var hasEnded = false
  /// Nobody reads from this connection any more; its input is still worked on.
  private(set) var isDeaf = false
  /// Why it is to be closed; set once.
  var leaving: String?
  /// The readiness that the link was last told to watch for.
  var interest: Readiness = [.readable]

  init(_ link: any Link, session: Session) {
    self.link = link
    self.session = session
  }

  /// The name by which the link tells of this connection.
  var token: UInt64 { UInt64(session.conn) }

  /// Whether the client has so many replies to read that its requests wait.
  ///
  /// Event lines in the backlog do not count: a client that leaves those unread may still ask.
  func isFull(_ limit: Int) -> Bool { min(unreadReplies, backlog.count) + held.bytes >= limit }

  /// The link takes no more until it says so.
  private(set) var isStalled = false

  /// Everything was said, and nobody listens on.
  var isFinished: Bool {
    hasEnded && !mustGoOn && session.errand == nil
      && (isDeaf || feed == nil && backlog.isEmpty && held.isEmpty)
  }

  /// Whether the client has a subscription, or had one until this turn.
  var isListener: Bool { feed != nil || session.subscription != nil }

  /// Whether lines of the feed may be sent.
  var canBeFed: Bool {
    guard let feed, !isStalled, leaving == nil else { return false }
    return held.isEmpty || feed.hasBegun
  }

  /// The readiness that the link should watch for.
  func wanted(outBuffer: Int) -> Readiness {
    var wanted = Readiness(rawValue: 0)
    let isFull = isFull(outBuffer)
    if !hasEnded, !isFull, !mustGoOn { wanted.insert(.readable) }
    let hasMore = feed.map { !$0.isAtEnd } ?? false
    let canGoOn = mustGoOn && !isFull && session.errand == nil
    if isStalled || hasMore || canGoOn { wanted.insert(.writable) }
    return wanted
  }

  // MARK: Out

  /// Sends bytes behind all that was sent before.
  func send(_ bytes: Span<UInt8>) {
    let sent = offer(bytes)
    if sent < bytes.count, !isDeaf {
      backlog.append(bytes.extracting(sent..<bytes.count))
    }
  }

  func send(_ buffer: borrowing ByteBuffer) { send(buffer.bytes) }

  /// Sends replies, which a client has to read before it can ask without end.
  func send(replies: borrowing ByteBuffer) {
    let before = backlog.count
    send(replies.bytes)
    unreadReplies += backlog.count - before
  }

  /// Sends as much as the link takes and says how much that was.
  func offer(_ bytes: Span<UInt8>) -> Int {
    guard !isStalled, !isDeaf, bytes.count > 0 else { return 0 }
    var sent = 0
    switch link.send(bytes) {
    case .sent(let count): sent = count
    case .wouldBlock: break
    case .failed:
      deafen()
      return 0
    }
    isStalled = sent < bytes.count
    return sent
  }

  private func offer(_ buffer: borrowing ByteBuffer) -> Int { offer(buffer.bytes) }

  /// Sends as much of a file that has these bytes as the link takes, and says how much that was.
  func offer(_ file: any DiskFile, at offset: Int64, count: Int) throws(Errno) -> Int {
    // The backlog goes first: the rest of a mark may be waiting in it.
    guard !isStalled, !isDeaf else { return 0 }
    do throws(Errno) {
      let sent = try link.send(from: file, at: offset, count: count)
      guard sent > 0 else { throw .inputOutput }
      return sent
    } catch .wouldBlock {
      isStalled = true
    } catch .brokenPipe, .connectionReset {
      deafen()
    }
    return 0
  }

  /// Notes that the client cannot be reached any more.
  func deafen() {
    isDeaf = true
    isStalled = false
    feed = nil
    backlog = ByteBuffer(capacity: 0)
    held = HeldReplies()
  }

  /// Notes that the link takes more, and gives it the backlog.
  func resume() {
    isStalled = false
    guard !backlog.isEmpty else { return }
    // Out of the way while it is sent: a link without a reader throws the backlog away.
    var rest = ByteBuffer(capacity: 0)
    swap(&rest, &backlog)
    let sent = offer(rest)
    if isDeaf { return }
    rest.removeFirst(sent)
    if rest.isEmpty {
      unreadReplies = 0
      return
    }
    backlog = rest
  }

  /// The reason of most departures.
  static let disconnected = "disconnected"

  /// Keeps a reply back until the entry `seq` is safe, and all later ones behind it.
  func hold(_ reply: borrowing ByteBuffer, until seq: Seq, id: Span<UInt8>) {
    guard !isDeaf else { return }
    held.append(reply.bytes, until: seq, id: id)
  }

  /// Keeps replies back behind one that waits.
  func hold(_ replies: borrowing ByteBuffer) {
    guard !isDeaf else { return }
    held.append(replies.bytes)
  }

  /// Sends the replies that were held back for entries up to `synced`.
  func release(through synced: Seq) {
    // Out of the way while it is sent: a link without a reader throws `held` away.
    var waiting = held
    held = HeldReplies()
    waiting.release(through: synced) { sendReleased($0) }
    if !isDeaf { held = waiting }
  }

  /// Refuses all requests whose replies wait for the disk.
  func refuseHeld(_ refusal: (Seq) -> Refusal) {
    var waiting = held
    held = HeldReplies()
    waiting.refuse(refusal) { sendReleased($0) }
  }

  private func sendReleased(_ bytes: Span<UInt8>) {
    let before = backlog.count
    send(bytes)
    unreadReplies += backlog.count - before
  }
}

/// Replies in their order, of which some wait until an entry is on the medium.
struct HeldReplies {
  /// A reply that waits, and the bytes behind it up to the next one.
  private struct Gate {
    let seq: Seq
    /// The end of the reply, and the end of the bytes behind it.
    let reply: Int
    var end: Int
    /// The id of the request that the reply answers, should it have to be refused.
    let id: Range<Int>
  }

  private var text: [UInt8] = []
  private var ids: [UInt8] = []
  private var gates: [Gate] = []

  var isEmpty: Bool { text.isEmpty }
  var bytes: Int { text.count }

  /// Keeps a reply back until `seq` is safe.
  mutating func append(_ reply: Span<UInt8>, until seq: Seq, id: Span<UInt8>) {
    let start = ids.count
    reply.withUnsafeBufferPointer { text.append(contentsOf: $0) }
    id.withUnsafeBufferPointer { ids.append(contentsOf: $0) }
    gates.append(
      Gate(seq: seq, reply: text.count, end: text.count, id: start..<ids.count)
    )
  }

  /// Keeps back bytes that follow a reply that waits.
  mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { text.append(contentsOf: $0) }
    if !gates.isEmpty { gates[gates.count - 1].end = text.count }
  }

  mutating func release(through synced: Seq, _ send: (Span<UInt8>) -> Void) {
    let count = gates.firstIndex { $0.seq > synced } ?? gates.count
    guard count > 0 else { return }
    let end = gates[count - 1].end
    let named = gates[count - 1].id.upperBound
    send(text.span.extracting(0..<end))
    text.removeFirst(end)
    ids.removeFirst(named)
    gates = gates.dropFirst(count).map { gate in
      Gate(
        seq: gate.seq,
        reply: gate.reply - end,
        end: gate.end - end,
        id: gate.id.lowerBound - named..<gate.id.upperBound - named
      )
    }
  }

  /// Refuses all replies that wait, each with its own words, and releases the bytes behind them.
  mutating func refuse(
    _ refusal: (Seq) -> Refusal,
    _ send: (Span<UInt8>) -> Void
  ) {
    var out = ByteBuffer(capacity: text.count)
    for gate in gates {
      out.appendRefusalReply(refusal(gate.seq), id: ids.span.extracting(gate.id))
      out.append(text.span.extracting(gate.reply..<gate.end))
    }
    self = HeldReplies()
    send(out.bytes)
  }
}

extension ByteBuffer {
  /// Appends the line that refuses the request with this id; an empty one was not given.
  mutating func appendRefusalReply(_ refusal: Refusal, id: Span<UInt8>) {
    append("{\"id\":")
    if id.count == 0 {
      append("null")
    } else {
      append(id)
    }
    append(",\"err\":")
    appendRefusal(refusal)
    append("}\n")
  }
}
