// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

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

  private let socket: FileDescriptor
  private var session = Session()
  private var answers: [Answer] = []
  /// Requests that nobody waits for any more.
  private var abandoned: Set<Int64> = []
  private var items = ItemQueue()
  private var complaints: [Complaint] = []

  private struct Answer {
    let id: Int64
    let result: Result<JSONValue, ClientError>
  }

  /// Connects to the bus.
  public init(path: String = BusPath.standard) throws(ClientError) {
    socket = try FileDescriptor.connectToBus(path)
  }

  /// Takes a socket that is connected to the bus.
  package init(_ socket: consuming FileDescriptor) { self.socket = socket }

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
    let id = try session.request(op, fields)
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
    let publication = OutgoingEvent(event: event, acknowledgement: ack, dedupe: dedupe)
    let id = try session.publish(publication, isAnswered: true)
    return try Receipt(awaitAnswer(to: id, by: Deadline(after: timeout), patience: timeout))
  }

  /// Publishes an event without waiting for the bus; a refusal is among the complaints.
  public func post(
    _ event: Event,
    dedupe: String? = nil,
    timeout: Duration = patience
  ) throws(ClientError) {
    let publication = OutgoingEvent(event: event, dedupe: dedupe)
    try session.publish(publication, isAnswered: false)
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
    do throws(ClientError) {
      return .success(try session.publish(publication, isAnswered: true))
    } catch .refused(let refusal) {
      return .failure(refusal)
    }
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
      try poll.add(socket, token: token, interest: .readable)
    } catch {
      throw .disconnected(reason: error.description)
    }
  }

  /// Sends a request without waiting, and returns its id; the answer is among the news.
  package func ask(_ op: StaticString) throws(ClientError) -> Int64 {
    defer { socket.push(&session) }
    return try session.request(op)
  }

  /// Receives what the kernel has, without waiting.
  package func receive() { socket.fill(&session) }

  /// The next news of those that were received; lines of the subscription go to `onLine`.
  package func nextNews(
    _ onLine: (Session.Line, borrowing JSONDocument) throws(ClientError) -> Void
  ) throws(ClientError) -> Session.News? {
    try session.next(onLine)
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
  private func flush(by deadline: Deadline, patience: Duration) throws(ClientError) {
    socket.push(&session)
    while session.hasUnsent {
      guard try waitForBytes(by: deadline) else { throw .timedOut(after: patience) }
    }
  }

  private func awaitAnswer(
    to id: Int64,
    by deadline: Deadline,
    patience: Duration
  ) throws(ClientError) -> JSONValue {
    socket.push(&session)
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

  /// Deals with the next line, or waits for more; false when time is up.
  private func readOn(by deadline: Deadline) throws(ClientError) -> Bool {
    guard let news = try session.next() else { return try waitForBytes(by: deadline) }
    take(news)
    return true
  }

  /// Waits until bytes can be received or sent, and moves them; false when time is up.
  ///
  /// A connection with something to send reads as well: a bus whose replies nobody takes would in
  /// the end take nothing either.
  private func waitForBytes(by deadline: Deadline) throws(ClientError) -> Bool {
    do {
      let ready = try socket.waitReady(
        for: session.interest,
        timeoutMilliseconds: deadline.remaining
      )
      guard !ready.isEmpty else { return !deadline.hasPassed }
    } catch {
      throw .disconnected(reason: error.description)
    }
    socket.fill(&session)
    socket.push(&session)
    return true
  }

  private func take(_ news: Session.News) {
    switch news {
    case .item(let item): items.enqueue(item)
    case .answer(let id?, let result):
      guard abandoned.remove(id) == nil else { return }
      answers.append(Answer(id: id, result: result))
    case .answer(nil, .failure(.refused(let refusal))): complain(.refused(refusal))
    case .ignored(let names): complain(.unknownFields(names))
    case .answer, .line, .greeted, .subscribed, .renumbered, .withdrawn, .misplaced: break
    }
  }

  private func complain(_ complaint: Complaint) {
    guard complaints.count < Self.complaintsKept else { return }
    complaints.append(complaint)
  }
}

/// Items in the order of their arrival, until somebody takes them.
private struct ItemQueue {
  private var items: [SubscriptionItem] = []
  private var taken = 0

  mutating func enqueue(_ item: SubscriptionItem) { items.append(item) }

  mutating func dequeue() -> SubscriptionItem? {
    guard taken < items.count else { return nil }
    defer {
      taken += 1
      if taken == items.count {
        items.removeAll(keepingCapacity: true)
        taken = 0
      }
    }
    return items[taken]
  }
}
