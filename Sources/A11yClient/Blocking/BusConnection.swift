// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
internal import A11yWire

/// A conversation with the bus in which every call waits for its answer.
///
/// It costs a socket and a codec: no thread, no event loop. One thread at a time may use it. An app
/// that must not wait uses `Client` instead.
///
///     let bus = try BusConnection()
///     try bus.hello(app: "org.gnome.Contacts")
///     try bus.publish(.announcement("SubscriptionItem was added"))
public final class BusConnection {
  /// How long calls wait for an answer unless told otherwise: long enough for a bus that was just
  /// started by the first connection and checks its log.
  public static let patience: Duration = .seconds(5)

  /// Publications that are on their way at once.
  ///
  /// Their replies stay far below what the bus lets
  /// a connection leave unread.
  static let window = 256

  /// Words of the bus that belong to no request are kept for whoever asks, up to this many.
  static let complaintsKept = 100

  private var channel: LineChannel
  private var line = ByteBuffer(capacity: 1_024)
  private var lastID: Int64 = 0
  private var answers: [Answer] = []
  /// Requests that nobody waits for any more.
  private var abandoned: Set<Int64> = []
  private var items = ItemQueue()
  private var position = Position(nil)
  private var complaints: [Complaint] = []

  private struct Answer {
    let id: Int64
    let result: Result<JSONValue, ClientError>
  }

  /// Connects to the bus.
  public convenience init(path: String = BusPath.standard) throws(ClientError) {
    self.init(channel: try LineChannel(path: path))
  }

  package init(channel: consuming LineChannel) {
    self.channel = channel
  }

  /// Says who this is, once, before anything else; without it the bus knows the user alone.
  ///
  /// - Parameters:
  ///   - app: What the bus is to call this app; nil for the user alone.
  ///   - client: The program and its version, for whoever reads the log.
  ///   - role: What it is beyond an app.
  ///   - voice: Of a reader, how it speaks.
  ///   - advice: Whether receipts are to say what could be better.
  ///   - timeout: How long to wait.
  /// - Returns: What the bus says of itself.
  /// - Throws: What the bus has against it, or why it could not be asked.
  @discardableResult
  public func hello(
    app: String? = nil,
    client: String? = nil,
    role: ClientRole? = nil,
    voice: ReaderVoice? = nil,
    advice: Bool = AdviceSetting.isWanted,
    timeout: Duration = patience
  ) throws(ClientError) -> ServerInfo {
    let introduction = Introduction(
      app: app,
      client: client,
      role: role,
      voice: voice,
      advice: advice
    )
    let fields = introduction.fields
    return ServerInfo(try request("hello", fields, timeout: timeout))
  }

  /// Asks anything that the protocol knows, and returns what the answer's `ok` holds.
  @discardableResult
  public func request(
    _ op: StaticString,
    _ fields: [JSONValue.Member] = [],
    timeout: Duration = patience
  ) throws(ClientError) -> JSONValue {
    let id = nextID()
    try RequestLine.write(op, id: id, fields, into: &line)
    channel.write(line)
    return try answer(to: id, by: Deadline(after: timeout), patience: timeout)
  }

  /// Asks for the last seq; every publication of this connection before it has its seq by then.
  @discardableResult
  public func ping(timeout: Duration = patience) throws(ClientError) -> Int64 {
    let reply = try request("ping", timeout: timeout)
    guard let last = reply["last"]?.integer else { throw .malformed(reply.description) }
    return last
  }
}

// Publishing.
extension BusConnection {
  /// Publishes an event and waits until it is on record.
  ///
  /// - Parameters:
  ///   - event: What to tell.
  ///   - ack: How safe it is to be before the answer comes; written, unless told otherwise.
  ///   - dedupe: A key: the same key of the same app within ten minutes is recorded only once.
  ///   - timeout: How long to wait.
  /// - Returns: The event's seq, and advice on it.
  /// - Throws: What the bus has against it, or why it could not be asked.
  @discardableResult
  public func publish(
    _ event: Event,
    ack: AcknowledgementLevel? = nil,
    dedupe: String? = nil,
    timeout: Duration = patience
  ) throws(ClientError) -> Receipt {
    let id = nextID()
    let publication = OutgoingEvent(event: event, acknowledgement: ack, dedupe: dedupe)
    try RequestLine.write(publication, id: id, into: &line)
    channel.write(line)
    return try Receipt(answer(to: id, by: Deadline(after: timeout), patience: timeout))
  }

  /// Publishes an event without waiting for the bus; what it refuses is among the `complaints`.
  public func post(
    _ event: Event,
    dedupe: String? = nil,
    timeout: Duration = patience
  ) throws(ClientError) {
    let publication = OutgoingEvent(event: event, dedupe: dedupe)
    try RequestLine.write(publication, id: nil, into: &line)
    channel.write(line)
    try flush(by: Deadline(after: timeout), patience: timeout)
  }

  /// Publishes events one behind the other without waiting for each, and returns what became of
  /// them, in their order.
  ///
  /// - Parameters:
  ///   - events: What to tell.
  ///   - ack: How safe each is to be before its answer comes.
  ///   - timeout: How long to wait for each next answer.
  /// - Returns: For each event its receipt, or why it was refused.
  /// - Throws: Why the bus could not be asked; what had been sent may be on record.
  public func publish(
    all events: [Event],
    ack: AcknowledgementLevel? = nil,
    timeout: Duration = patience
  ) throws(ClientError) -> [Result<Receipt, BusRefusal>] {
    var results: [Result<Receipt, BusRefusal>] = []
    results.reserveCapacity(events.count)
    var sent: [Result<Int64, BusRefusal>] = []
    var next = 0
    while results.count < events.count {
      while next < events.count, sent.count - results.count < Self.window {
        let publication = OutgoingEvent(event: events[next], acknowledgement: ack)
        sent.append(try enqueue(publication))
        next += 1
      }
      // Half a window at a time, so that requests and replies travel in batches.
      let until = next == events.count ? next : next - Self.window / 2
      while results.count < until {
        let deadline = Deadline(after: timeout)
        results.append(try receipt(of: sent[results.count], by: deadline, patience: timeout))
      }
    }
    return results
  }

  private func enqueue(
    _ publication: OutgoingEvent
  ) throws(ClientError) -> Result<Int64, BusRefusal> {
    let id = nextID()
    do {
      try RequestLine.write(publication, id: id, into: &line)
    } catch .refused(let refusal) {
      return .failure(refusal)
    }
    channel.write(line)
    return .success(id)
  }

  private func receipt(
    of sent: Result<Int64, BusRefusal>,
    by deadline: Deadline,
    patience: Duration
  ) throws(ClientError) -> Result<Receipt, BusRefusal> {
    switch sent {
    case .failure(let refusal): return .failure(refusal)
    case .success(let id):
      do {
        return .success(try Receipt(answer(to: id, by: deadline, patience: patience)))
      } catch .refused(let refusal) {
        return .failure(refusal)
      }
    }
  }
}

// What readers say, and what everybody may ask.
extension BusConnection {
  /// Reports how far a reader has come with what it was given; it does not wait for an answer.
  ///
  /// - Parameters:
  ///   - state: What has become of it.
  ///   - delivery: The seq of the `deliver` entry.
  ///   - heard: For how long it was spoken.
  ///   - reason: Why it was lost.
  ///   - by: The program that presents it elsewhere.
  /// - Throws: That the connection has ended.
  public func report(
    _ state: SpeechState,
    of delivery: Int64,
    heard: Duration? = nil,
    reason: String? = nil,
    by: String? = nil
  ) throws(ClientError) {
    try post(.speech(of: delivery, state, heard: heard, reason: reason, by: by))
  }

  /// Asks what became of an entry, and why.
  public func explain(
    _ seq: Int64,
    timeout: Duration = patience
  ) throws(ClientError) -> EntryExplanation {
    try EntryExplanation(request("explain", [.init("seq", .integer(seq))], timeout: timeout))
  }
}

// Subscribing.
extension BusConnection {
  /// Begins to be sent entries and returns the place that they come behind.
  @discardableResult
  public func subscribe(
    _ subscription: SubscriptionRequest = SubscriptionRequest(),
    timeout: Duration = patience
  ) throws(ClientError) -> LogCursor {
    let reply = try request("subscribe", subscription.fields, timeout: timeout)
    guard let cursor = reply.cursor else {
      throw .malformed(reply.description)
    }
    return cursor
  }

  /// The next entry or mark of the subscription; nil when `timeout` passes without one.
  ///
  /// - Parameter timeout: How long to wait; nil waits for ever.
  /// - Returns: The entry or mark.
  /// - Throws: That the connection has ended.
  public func next(timeout: Duration? = nil) throws(ClientError) -> SubscriptionItem? {
    let deadline = Deadline(after: timeout)
    while true {
      if let item = items.take() { return item }
      guard try readOn(by: deadline) else { return nil }
    }
  }

  /// Has a set watch for what the bus sends; what has come is then taken with `next`, without
  /// waiting, until there is nothing more.
  package func watch(by poll: Poll, token: UInt64) throws(ClientError) {
    do {
      try poll.add(channel.descriptor, token: token, interest: .readable)
    } catch {
      throw .disconnected(reason: error.description)
    }
  }

  /// What the bus said about requests that nobody waited for, and forgets it.
  public func takeComplaints() -> [Complaint] {
    defer { complaints = [] }
    return complaints
  }

  /// A word of the bus that is the answer to no request.
  public enum Complaint: Hashable, Sendable {
    /// A request without an id was refused.
    case refused(BusRefusal)
    /// These fields were ignored, since the bus does not know them.
    case unknownFields([String])
    /// What could be said better in an event that was posted.
    case advice(Receipt.Warning)
    /// Something that was posted or asked for came to nothing, for this reason; an event that was on
    /// its way may be on record or not.
    case lost(ClientError)
  }
}

// Waiting.
extension BusConnection {
  private func nextID() -> Int64 {
    lastID += 1
    return lastID
  }

  private func flush(by deadline: Deadline, patience: Duration) throws(ClientError) {
    channel.push()
    while channel.hasUnsent {
      guard try wait(by: deadline) else { throw .timedOut(after: patience) }
    }
  }

  private func answer(
    to id: Int64,
    by deadline: Deadline,
    patience: Duration
  ) throws(ClientError) -> JSONValue {
    channel.push()
    while true {
      if let index = answers.firstIndex(where: { $0.id == id }) {
        return try answers.remove(at: index).result.get()
      }
      guard try readOn(by: deadline) else {
        abandoned.insert(id)
        throw .timedOut(after: patience)
      }
    }
  }

  /// Deals with what has come, or waits for more; false when time is up.
  private func readOn(by deadline: Deadline) throws(ClientError) -> Bool {
    var count = 0
    while let news = try channel.next(News.init) {
      try take(news)
      count += 1
    }
    if count > 0 { return true }
    return try wait(by: deadline)
  }

  /// Waits until the bus sends or takes something, and moves it; false when time is up.
  ///
  /// While it has something to send it reads as well: a bus whose replies nobody takes would at
  /// last take nothing either.
  private func wait(by deadline: Deadline) throws(ClientError) -> Bool {
    do {
      let ready = try channel.descriptor.waitReady(
        for: channel.interest,
        timeoutMilliseconds: deadline.remaining
      )
      guard !ready.isEmpty else { return !deadline.hasPassed }
    } catch {
      throw .disconnected(reason: error.description)
    }
    channel.fill()
    channel.push()
    return true
  }

  private func take(_ news: News) throws(ClientError) {
    switch news {
    case .entry(let entry): items.add(position.place(entry))
    case .mark(let mark): items.add(position.place(mark))
    case .reply(let id?, let result):
      // Entries may follow in the same breath, and belong to this place.
      if case .success(let ok) = result, let cursor = ok.cursor { position.move(to: cursor) }
      guard abandoned.remove(id) == nil else { return }
      answers.append(Answer(id: id, result: result))
    case .reply(nil, .failure(.refused(let refusal))): complain(.refused(refusal))
    case .reply(nil, _): break
    case .unknownFields(let names): complain(.unknownFields(names))
    case .farewell(let error): throw error
    }
  }

  private func complain(_ complaint: Complaint) {
    guard complaints.count < Self.complaintsKept else { return }
    complaints.append(complaint)
  }
}
