// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
internal import A11yWire

/// A connection to the bus on which every call waits for its answer.
///
/// A connection costs a socket and a codec, no thread and no event loop. One thread at a time may
/// use it. An app that must not wait uses `Client` instead.
///
///     let bus = try BusConnection()
///     try bus.hello(app: "org.gnome.Contacts")
///     try bus.publish(.announcement("Item was added"))
public final class BusConnection {
  /// The usual wait for an answer: long enough for a bus that the first connection has just
  /// started, and that checks its log.
  public static let patience: Duration = .seconds(5)

  /// The most publications under way at once.
  ///
  /// Their replies stay far below the bytes that the bus lets a connection leave unread.
  static let publicationsUnderWay = 256

  /// The most complaints that are kept until somebody asks for them.
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

  /// Introduces the app, once, before anything else; without that the bus knows the user alone.
  ///
  /// - Parameters:
  ///   - app: The name of this app on the bus; nil for the user alone.
  ///   - client: The program and its version, for readers of the log.
  ///   - role: The client's part beyond that of an app.
  ///   - voice: The voice of a reader.
  ///   - advice: Whether receipts bring advice.
  ///   - timeout: The longest wait.
  /// - Returns: The bus's introduction of itself.
  /// - Throws: The bus's refusal, or the reason why the bus could not be asked.
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

  /// Sends any request of the protocol, and returns the answer's `ok`.
  @discardableResult
  public func request(
    _ op: StaticString,
    _ fields: [JSONValue.Member] = [],
    timeout: Duration = patience
  ) throws(ClientError) -> JSONValue {
    let id = nextID()
    try RequestLine.encode(op, id: id, fields, into: &line)
    channel.enqueue(line)
    return try awaitAnswer(to: id, by: Deadline(after: timeout), patience: timeout)
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
  ///   - event: The event to publish.
  ///   - ack: The safety that the answer waits for; written, unless told otherwise.
  ///   - dedupe: A key: the same key of the same app within ten minutes is recorded only once.
  ///   - timeout: The longest wait.
  /// - Returns: The event's seq, and advice on it.
  /// - Throws: The bus's refusal, or the reason why the bus could not be asked.
  @discardableResult
  public func publish(
    _ event: Event,
    ack: AcknowledgementLevel? = nil,
    dedupe: String? = nil,
    timeout: Duration = patience
  ) throws(ClientError) -> Receipt {
    let id = nextID()
    let publication = OutgoingEvent(event: event, acknowledgement: ack, dedupe: dedupe)
    try RequestLine.encode(publication, id: id, into: &line)
    channel.enqueue(line)
    return try Receipt(awaitAnswer(to: id, by: Deadline(after: timeout), patience: timeout))
  }

  /// Publishes an event without waiting for the bus; a refusal is among the complaints.
  public func post(
    _ event: Event,
    dedupe: String? = nil,
    timeout: Duration = patience
  ) throws(ClientError) {
    let publication = OutgoingEvent(event: event, dedupe: dedupe)
    try RequestLine.encode(publication, id: nil, into: &line)
    channel.enqueue(line)
    try flush(by: Deadline(after: timeout), patience: timeout)
  }

  /// Publishes events without waiting for each, and returns their results in their order.
  ///
  /// - Parameters:
  ///   - events: The events to publish.
  ///   - ack: The safety that each answer waits for.
  ///   - timeout: The longest wait for the next answer.
  /// - Returns: The receipt of each event, or its refusal.
  /// - Throws: The reason why the bus could not be asked; events sent before may be on record.
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
      while next < events.count, sent.count - results.count < Self.publicationsUnderWay {
        let publication = OutgoingEvent(event: events[next], acknowledgement: ack)
        sent.append(try enqueue(publication))
        next += 1
      }
      // Half of them at a time, so that requests and replies travel in batches.
      let until = next == events.count ? next : next - Self.publicationsUnderWay / 2
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
      try RequestLine.encode(publication, id: id, into: &line)
    } catch .refused(let refusal) {
      return .failure(refusal)
    }
    channel.enqueue(line)
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
        return .success(try Receipt(awaitAnswer(to: id, by: deadline, patience: patience)))
      } catch .refused(let refusal) {
        return .failure(refusal)
      }
    }
  }
}

// Reports of readers, and questions of anybody.
extension BusConnection {
  /// Reports how far a reader has come with a delivery, without waiting for an answer.
  ///
  /// - Parameters:
  ///   - state: The state of the speech.
  ///   - delivery: The seq of the `deliver` entry.
  ///   - heard: The time for which it was spoken.
  ///   - reason: The reason why it was lost.
  ///   - by: The program that presents it elsewhere.
  /// - Throws: An error when the connection has ended.
  public func report(
    _ state: SpeechState,
    of delivery: Int64,
    heard: Duration? = nil,
    reason: String? = nil,
    by: String? = nil
  ) throws(ClientError) {
    try post(.speech(of: delivery, state, heard: heard, reason: reason, by: by))
  }

  /// Asks the bus to explain an entry: its end, and the reason for it.
  public func explain(
    _ seq: Int64,
    timeout: Duration = patience
  ) throws(ClientError) -> EntryExplanation {
    try EntryExplanation(request("explain", [.init("seq", .integer(seq))], timeout: timeout))
  }
}

// Subscribing.
extension BusConnection {
  /// Subscribes to entries, and returns the place behind which they begin.
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
  /// - Parameter timeout: The longest wait; nil waits for ever.
  /// - Returns: The entry or mark.
  /// - Throws: An error when the connection has ended.
  public func next(timeout: Duration? = nil) throws(ClientError) -> SubscriptionItem? {
    let deadline = Deadline(after: timeout)
    while true {
      if let item = items.dequeue() { return item }
      guard try readOn(by: deadline) else { return nil }
    }
  }

  /// Adds the socket to a poll set.
  ///
  /// When it is ready, `next` without a wait gives the items that have come, until it gives nil.
  package func watch(by poll: Poll, token: UInt64) throws(ClientError) {
    do {
      try poll.add(channel.descriptor, token: token, interest: .readable)
    } catch {
      throw .disconnected(reason: error.description)
    }
  }

  /// Hands out the bus's words on requests that nobody waited for, and forgets them.
  public func takeComplaints() -> [Complaint] {
    defer { complaints = [] }
    return complaints
  }

  /// A word of the bus that answers no waiting request.
  public enum Complaint: Hashable, Sendable {
    /// A request without an id was refused.
    case refused(BusRefusal)
    /// The bus does not know these fields, and has ignored them.
    case unknownFields([String])
    /// Advice on a posted event.
    case advice(Receipt.Warning)
    /// A posted event or a request came to nothing; an event under way may be on record or not.
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
      guard try waitForBytes(by: deadline) else { throw .timedOut(after: patience) }
    }
  }

  private func awaitAnswer(
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

  /// Deals with the lines that have come, or waits for more; false when time is up.
  private func readOn(by deadline: Deadline) throws(ClientError) -> Bool {
    var count = 0
    while let news = try channel.next(News.init) {
      try receive(news)
      count += 1
    }
    if count > 0 { return true }
    return try waitForBytes(by: deadline)
  }

  /// Waits until bytes can be received or sent, and moves them; false when time is up.
  ///
  /// A connection with something to send reads as well: a bus whose replies nobody takes would in
  /// the end take nothing either.
  private func waitForBytes(by deadline: Deadline) throws(ClientError) -> Bool {
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

  private func receive(_ news: News) throws(ClientError) {
    switch news {
    case .entry(let entry): items.enqueue(position.locate(entry))
    case .mark(let mark): items.enqueue(position.locate(mark))
    case .reply(let id?, let result):
      // Entries may follow in the same batch, and belong behind this place.
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
