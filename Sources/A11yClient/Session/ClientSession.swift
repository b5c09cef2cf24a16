// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The client's side of the protocol: bytes and the time go in; bytes, news and the instant of the
/// next attempt come out.
///
/// A session has no socket, reads no clock and never waits. It introduces the client and subscribes
/// on each new connection, counts requests, cuts what comes into lines, and tells what they say.
/// It knows how far its subscription has come, so that after the loss of a connection it goes on
/// with the very next line: nothing is missing and nothing comes twice.
///
/// Three kinds of drivers move its bytes: `BusConnection` and `Follower` wait, `Client` has threads
/// of its own, and `BusLink` stands in somebody's loop.
package struct Session: ~Copyable {
  /// The news of a connection.
  package enum News: Equatable {
    /// The bus has introduced itself.
    case greeted(ServerInfo)
    /// A line of the subscription, copied out.
    case item(SubscriptionItem)
    /// A line of the subscription was handed out in its place.
    case line
    /// The subscription stands, for the first time or again.
    case subscribed
    /// The subscription goes on in a later epoch of the log.
    case renumbered(epoch: String)
    /// The bus has lost, in a crash, entries that were handed out, and uses their seqs again.
    case withdrawn(from: Int64, to: Int64)
    /// The bus does not know the place at which the subscription was to begin. The subscription
    /// begins with the oldest entry or, where the place was beyond the last entry, behind that.
    case misplaced(BusRefusal, LogCursor)
    /// The answer to a request; the id is nil where the request had none.
    case answer(to: Int64?, Result<JSONValue, ClientError>)
    /// The bus does not know these fields, and ignores them.
    case ignored(fields: [String])
  }

  /// A line that belongs to the subscription.
  package enum Line: Equatable {
    case entry(seq: Int64)
    case mark
  }

  /// The ids of the requests that a session makes by itself; those of others count from 1.
  package static let greeting: Int64 = 0
  private static let subscribing: Int64 = -1

  /// The most bytes of one receive.
  ///
  /// Larger than most batches of entries, and small enough for a program without traffic to pay.
  package static let room = 65_536
  /// The longest line that is accepted from the bus.
  ///
  /// Lines have at most 256 KiB; only the state, which grows with the windows of all apps, may be
  /// longer.
  private static let lineBytes = 16 * 1_024 * 1_024
  /// Most lines are short; the memory for reading them grows only when a long one comes, so that an
  /// app that only publishes does not pay for the longest one possible.
  private static let usualLine = 4_096

  private var incoming = ByteBuffer(capacity: Session.room)
  private var outgoing = ByteBuffer(capacity: 1_024)
  private var splitter = LineSplitter(limit: Session.lineBytes)
  private var json = JSONReader(limit: Session.usualLine)
  private var lineLimit = Session.usualLine
  /// The end of the lines that were given out.
  private var taken = 0
  /// The reason for the end of the connection, once it has ended.
  private var end: ClientError?
  private var line = ByteBuffer(capacity: 1_024)
  private var lastID: Int64 = 0
  /// The news that comes next, whatever the bus sends.
  private var pending: News?

  /// The hello of every connection; nil for none.
  package var introduction: Introduction?
  /// The subscription of every connection; nil for none.
  package var subscription: SubscriptionRequest?
  /// Whether a new connection goes on behind the last line, and begins elsewhere where the bus does
  /// not know that place.
  private let keepsPlace: Bool
  private var position: Position
  private var hasSubscribed = false

  private var backoff: Backoff
  private var isAway = false
  /// The instant of the monotonic clock from which on a lost connection may be made again.
  package private(set) var nextAttempt: UInt64 = 0

  package init(
    _ introduction: Introduction? = nil,
    _ subscription: SubscriptionRequest? = nil,
    keepsPlace: Bool = false,
    backoff: Backoff = Backoff()
  ) {
    self.introduction = introduction
    self.subscription = subscription
    self.keepsPlace = keepsPlace
    self.backoff = backoff
    if case .cursor(let cursor)? = subscription?.from {
      position = Position(cursor)
    } else {
      position = Position(nil)
    }
  }

  /// The place behind the last line that was handed out.
  package var cursor: LogCursor? { position.cursor }

  // MARK: The connection

  /// Speaks first on a new connection.
  package mutating func begin() throws(ClientError) {
    dropBytes()
    if let introduction { try ask("hello", Self.greeting, introduction.fields) }
    try subscribe()
  }

  /// Takes note that the connection is lost or could not be made, and returns the reason for the
  /// first loss in a row.
  package mutating func lose(_ error: ClientError, at now: UInt64) -> String? {
    postpone(at: now)
    defer { isAway = true }
    return isAway ? nil : error.reason
  }

  /// Puts the next attempt off, further with each one in a row.
  package mutating func postpone(at now: UInt64) {
    dropBytes()
    nextAttempt = now &+ UInt64(clamping: backoff.nextWait().milliseconds) * 1_000
  }

  /// Ends the row of losses: the bus has answered.
  package mutating func confirm() {
    isAway = false
    backoff.reset()
  }

  private mutating func dropBytes() {
    incoming.clear()
    incoming.shrink(to: Self.room)
    outgoing.clear()
    splitter = LineSplitter(limit: Self.lineBytes)
    (taken, end, pending) = (0, nil, nil)
  }

  // MARK: Requests

  /// Adds a request to the bytes to be sent, and returns its id.
  package mutating func request(
    _ op: StaticString,
    _ fields: [JSONValue.Member] = []
  ) throws(ClientError) -> Int64 {
    lastID += 1
    try ask(op, lastID, fields)
    return lastID
  }

  /// Adds a request whose success is silent.
  package mutating func tell(_ op: StaticString) throws(ClientError) { try ask(op, nil, []) }

  /// Adds a publication, and returns its id; the success of one without an id is silent.
  @discardableResult
  mutating func publish(
    _ publication: OutgoingEvent,
    isAnswered: Bool
  ) throws(ClientError) -> Int64 {
    if isAnswered { lastID += 1 }
    try RequestLine.encode(publication, id: isAnswered ? lastID : nil, into: &line)
    Self.enqueue(line, in: &outgoing)
    return lastID
  }

  /// Asks for the subscription, from the place that it has come to.
  package mutating func subscribe() throws(ClientError) {
    guard var wanted = subscription else { return }
    if keepsPlace, let cursor { wanted.from = .cursor(cursor) }
    try ask("subscribe", Self.subscribing, wanted.fields)
  }

  private mutating func ask(
    _ op: StaticString,
    _ id: Int64?,
    _ fields: [JSONValue.Member]
  ) throws(ClientError) {
    try RequestLine.encode(op, id: id, fields, into: &line)
    Self.enqueue(line, in: &outgoing)
  }

  // Static, as `step` is, because the compiler sees that two properties do not overlap only where
  // each is passed by itself.
  private static func enqueue(
    _ line: borrowing ByteBuffer,
    in outgoing: inout ByteBuffer
  ) {
    outgoing.append(line.bytes)
    outgoing.append("\n")
  }

  // MARK: Bytes

  package var hasUnsent: Bool { !outgoing.isEmpty }

  var unsentBytes: Int { outgoing.count }

  /// The bytes to be sent.
  package var unsent: Span<UInt8> {
    @_lifetime(borrow self)
    get { outgoing.bytes }
  }

  /// Takes note that the first bytes were sent.
  package mutating func sent(_ count: Int) { outgoing.removeFirst(count) }

  /// Drops what cannot be sent because the bus has gone: its last lines are still to be read, and
  /// may explain why.
  package mutating func dropUnsent() { outgoing.clear() }

  package var hasEnded: Bool { end != nil }

  /// Takes the bytes that `body` writes, whose number it returns.
  package mutating func receive(_ body: (UnsafeMutableRawBufferPointer) -> Int) {
    incoming.removeFirst(taken)
    taken = 0
    incoming.append(room: Self.room, body)
  }

  /// Takes note that no bytes will come any more; the lines that have come are still told.
  package mutating func end(_ reason: String) { end = end ?? .disconnected(reason: reason) }

  // MARK: News

  /// The next news, if there is one; lines of the subscription are copied out.
  ///
  /// After the last line of an ended connection it throws.
  package mutating func next() throws(ClientError) -> News? {
    try next { session, line, document throws(ClientError) in
      switch line {
      case .entry(let seq): .item(session.position.locate(try Entry(seq, document)))
      case .mark: .item(session.position.locate(try SubscriptionMark(document)))
      }
    }
  }

  /// The next news, if there is one; lines of the subscription go to `onLine` as they are.
  package mutating func next(
    _ onLine: (Line, borrowing JSONDocument) throws(ClientError) -> Void
  ) throws(ClientError) -> News? {
    try next { session, line, document throws(ClientError) in
      switch line {
      case .entry(let seq): session.position.move(behind: seq)
      case .mark: if let cursor = document.cursor { session.position.move(to: cursor) }
      }
      try onLine(line, document)
      return .line
    }
  }

  private mutating func next(
    _ onLine: (inout Session, Line, borrowing JSONDocument) throws(ClientError) -> News
  ) throws(ClientError) -> News? {
    if let news = pending.take() { return news }
    while let range = try nextLine() {
      try parse(range)
      let json = json
      let document = json.document
      switch try MessageKind(document) {
      case .entry(let seq): return try onLine(&self, .entry(seq: seq), document)
      case .mark: return try onLine(&self, .mark, document)
      case .reply(let id): return try receive(document.answer, to: id)
      case .warning: return .ignored(fields: document.unknownFields)
      case .farewell: end = document.farewell
      }
    }
    return nil
  }

  private mutating func parse(_ range: Range<Int>) throws(ClientError) {
    if range.count > lineLimit {
      while lineLimit < range.count { lineLimit *= 2 }
      json = JSONReader(limit: lineLimit)
    }
    do {
      try json.read(incoming.bytes.extracting(range))
    } catch {
      throw .malformed(incoming.bytes.extracting(range).string)
    }
  }

  /// The place of the next whole line among the bytes.
  private mutating func nextLine() throws(ClientError) -> Range<Int>? {
    // Behind its farewell the bus has nothing to say.
    if let end, case .dismissed = end { throw end }
    while true {
      switch Self.step(&splitter, through: incoming, from: taken) {
      case .line(let range, let next):
        taken = next
        guard !range.isEmpty else { continue }
        return range
      case .tooLong:
        throw .malformed("a line of more than \(Self.lineBytes) bytes")
      case .incomplete:
        guard let end else { return nil }
        throw end
      }
    }
  }

  private static func step(
    _ splitter: inout LineSplitter,
    through incoming: borrowing ByteBuffer,
    from start: Int
  ) -> LineSplitter.Step {
    splitter.step(incoming.bytes, from: start)
  }

  // MARK: Answers

  private mutating func receive(
    _ answer: Result<JSONValue, ClientError>,
    to id: Int64?
  ) throws(ClientError) -> News {
    if case .failure(.refused(let refusal)) = answer, keepsPlace { return try react(to: refusal) }
    guard case .success(let ok) = answer else { return .answer(to: id, answer) }
    if id == Self.greeting { return .greeted(ServerInfo(ok)) }
    guard id == Self.subscribing else {
      // Of a subscription that the driver has asked for by itself.
      if let cursor = ok.cursor { position.move(to: cursor) }
      return .answer(to: id, answer)
    }
    if let cursor = ok.cursor {
      if let old = position.cursor?.epoch, !old.isEmpty, old != cursor.epoch {
        pending = .renumbered(epoch: cursor.epoch)
      }
      position.move(to: cursor)
    }
    hasSubscribed = true
    return .subscribed
  }

  /// Tries again where waiting helps, goes back where the log ends before the place we had read to,
  /// and gives up on any other refusal.
  private mutating func react(to refusal: BusRefusal) throws(ClientError) -> News {
    if refusal.mayPass { throw .disconnected(reason: refusal.message) }
    switch RefusalCode(rawValue: refusal.code) {
    case .cursorFuture:
      guard let seen = position.cursor, let last = refusal.last, last < seen.seq else {
        throw .refused(refusal)
      }
      position.move(to: LogCursor(epoch: seen.epoch, seq: last))
      try subscribe()
      return hasSubscribed
        ? .withdrawn(from: last + 1, to: seen.seq) : .misplaced(refusal, seen)
    case .cursorEpoch, .cursorInvalid:
      guard let seen = position.cursor else { throw .refused(refusal) }
      position = Position(nil)
      subscription?.from = .start
      try subscribe()
      return .misplaced(refusal, seen)
    default: throw .refused(refusal)
    }
  }
}

/// The place that a subscription has come to.
///
/// Entries carry their seq, but not their epoch. The reply to the subscription names the present
/// epoch, in which the seqs of earlier epochs are valid too. A new epoch begins only with a start
/// of the bus, and so with a new connection.
private struct Position {
  private(set) var cursor: LogCursor?

  init(_ cursor: LogCursor?) { self.cursor = cursor }

  /// Goes to the cursor of a mark, or of the reply to a subscription.
  mutating func move(to cursor: LogCursor) { self.cursor = cursor }

  /// Goes behind an entry.
  mutating func move(behind seq: Int64) {
    cursor = LogCursor(epoch: cursor?.epoch ?? "", seq: seq)
  }

  /// Goes behind the entry, and returns it with its cursor.
  mutating func locate(_ entry: Entry) -> SubscriptionItem {
    move(behind: entry.seq)
    var entry = entry
    if let cursor { entry.cursor = cursor }
    return .entry(entry)
  }

  /// Goes to the place of the mark, if it names one.
  mutating func locate(_ mark: SubscriptionMark) -> SubscriptionItem {
    if let cursor = mark.cursor { move(to: cursor) }
    return .mark(mark)
  }
}

/// The kinds of lines from the bus.
private enum MessageKind {
  case entry(seq: Int64)
  case mark
  /// A reply; the id is nil where the request had none.
  case reply(id: Int64?)
  case warning
  case farewell

  init(_ line: borrowing JSONDocument) throws(ClientError) {
    let root = line.root
    if let seq = line.member("seq", of: root) {
      guard let seq = line.integer(seq) else { throw .malformed(line.text.string) }
      self = .entry(seq: seq)
    } else if line.member("mark", of: root) != nil {
      self = .mark
    } else if line.member("warn", of: root) != nil {
      self = .warning
    } else if line.member("bye", of: root) != nil {
      self = .farewell
    } else if let id = line.member("id", of: root) {
      self = .reply(id: line.integer(id))
    } else {
      throw .malformed(line.text.string)
    }
  }
}

extension JSONDocument {
  /// The answer in a reply.
  fileprivate var answer: Result<JSONValue, ClientError> {
    if let ok = member("ok", of: root) { return .success(JSONValue(self, ok)) }
    guard let error = member("err", of: root) else { return .failure(.malformed(text.string)) }
    return .failure(.refused(BusRefusal(JSONValue(self, error))))
  }

  /// The cursor in a mark, if there is one.
  fileprivate var cursor: LogCursor? { string("cursor", of: root).flatMap { LogCursor($0) } }

  /// The fields that a warning names.
  fileprivate var unknownFields: [String] {
    JSONValue(self, root)["warn"]?["fields"]?.list?.compactMap(\.string) ?? []
  }

  /// The bus's reason for closing the connection.
  fileprivate var farewell: ClientError {
    let bye = JSONValue(self, root)["bye"]
    return .dismissed(
      code: bye?["code"]?.string ?? "",
      message: bye?["msg"]?.string ?? ""
    )
  }
}

extension JSONValue {
  /// The cursor in a reply or mark, if there is one.
  var cursor: LogCursor? { self["cursor"]?.string.flatMap { LogCursor($0) } }
}

extension ClientError {
  /// The reason alone, without the path and without naming the bus.
  package var reason: String {
    switch self {
    case .unreachable(_, let reason), .disconnected(let reason): reason
    case .dismissed(let code, let message): message.isEmpty ? code : message
    case .refused(let refusal): refusal.description
    case .timedOut, .malformed: description
    }
  }
}
