// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// The driver of a connection in somebody else's loop: no call waits.
///
/// The link says hello on every new connection, subscribes as long as it has a subscription and is
/// able to present something, and comes back by itself when the bus has gone. Its owner watches
/// `descriptor`, calls `serve` when that is readable or `due` has come, and does what the news
/// say.
package final class BusLink {
  /// The news of a connection.
  package enum News: Equatable {
    /// The bus has introduced itself.
    case connected(ServerInfo)
    case entry(Entry)
    /// The words of a delivery that the log does not hold.
    case secret(of: Int64, kind: String, SpeechText, masked: String?)
    /// The event that was posted with this ticket is on record.
    case recorded(ticket: Int64, seq: Int64)
    /// The connection is lost, or could not be made; told once for a row of losses.
    case away(reason: String)
    /// The bus has refused a request.
    case refused(BusRefusal)
    /// The bus has refused the event that was posted with this ticket.
    case unrecorded(ticket: Int64, BusRefusal)
  }

  /// An event that waits for the bus.
  private struct Waiting {
    let event: Event
    let ticket: Int64?
    let since: UInt64
  }

  private let uplink: Uplink
  private let subscription: SubscriptionRequest?
  /// Events that may wait while the bus is away.
  private let room: Int
  private var waiting: [Waiting] = []
  /// The tickets of events under way, by their requests.
  private var tickets: [Int64: Int64] = [:]
  /// The place from which the next subscription goes on.
  package var start = StartingPoint.now
  private var hasMet = false
  /// Whether a bus was told something on an earlier connection, answered or not; it may have
  /// forgotten all of it, or be another bus.
  package private(set) var isReturning = false
  /// Events that were given up: the bus was away for too long, or did not read.
  package private(set) var lostEvents = 0

  /// The longest wait of an event for the bus; older news would come out of place.
  private static let patience: UInt64 = 5_000_000
  /// Bytes that a bus which does not read may leave with us.
  private static let mostUnsent = 1_048_576

  /// A link to the socket at `path`; the first `serve` connects.
  ///
  /// - Parameters:
  ///   - path: The socket of the bus.
  ///   - introduction: The hello of every connection.
  ///   - types: The types of entries that are wanted; nil for no subscription.
  ///   - app: The app whose entries are wanted; nil for those of all.
  ///   - room: Events that may wait while the bus is away; a report of a reader may not.
  /// - Throws: An error when the kernel has no descriptors left.
  package init(
    path: String,
    introduction: Introduction,
    types: [String]? = nil,
    app: String? = nil,
    room: Int = 0
  ) throws(ClientError) {
    uplink = try Uplink(path: path, Session(introduction))
    self.room = room
    subscription = types.map {
      SubscriptionRequest(filter: EntryFilter(types: $0, apps: app.map { [$0] }))
    }
  }

  /// The set of the link's descriptors, readable when there is something to serve.
  package var descriptor: Poll { uplink.poll }

  /// The moment of the monotonic clock at which `serve` tries to connect; nil while connected.
  package var due: UInt64? { isConnected ? nil : uplink.session.nextAttempt }

  package var isConnected: Bool { uplink.isConnected }

  /// Whether the reader is able to present what the bus delivers; the bus is told at once.
  package var isAble = false {
    didSet {
      guard isAble != oldValue, subscription != nil, isConnected else { return }
      adjustSubscription()
      if isAble { try? uplink.session.subscribe() } else { try? uplink.session.tell("unsubscribe") }
      uplink.push()
    }
  }

  private func adjustSubscription() {
    uplink.session.subscription = isAble ? subscription : nil
    uplink.session.subscription?.from = start
  }

  /// Ends the connection, to make another soon; nothing of it is told.
  package func renew() { uplink.renew() }

  /// Has the bus know another rank of the reader, on a new connection, for hello is said once.
  package func renew(as voice: ReaderVoice) {
    uplink.session.introduction?.voice = voice
    renew()
  }

  /// Connects where it is time to, and takes what the bus has sent.
  package func serve() throws(ClientError) -> [News] {
    do throws(ClientError) {
      adjustSubscription()
      if try uplink.connect() { try begin() }
    } catch {
      return lose(error)
    }
    _ = try uplink.wait(until: .now, reconnects: false)
    var news: [News] = []
    do throws(ClientError) {
      while uplink.isConnected, let next = try uplink.session.next() {
        if let one = translate(next) { news.append(one) }
      }
    } catch {
      news += lose(error)
    }
    return news
  }

  /// Publishes an event without waiting; a refusal is among the news, and so is the place in the
  /// log of an event with a ticket, by which its refusal is told too.
  package func post(_ event: Event, ticket: Int64? = nil) throws(ClientError) {
    guard isConnected else { return keep(event, ticket) }
    try forward(event, ticket)
    if uplink.session.hasUnsent { _ = try uplink.wait(until: .now, reconnects: false) }
  }

  private func begin() throws(ClientError) {
    (isReturning, hasMet) = (hasMet, true)
    tickets = [:]
    let oldest = SystemClock.monotonicMicroseconds() - Self.patience
    let kept = waiting.filter { $0.since >= oldest }
    lostEvents += waiting.count - kept.count
    waiting = []
    for one in kept { try forward(one.event, one.ticket) }
  }

  private func forward(_ event: Event, _ ticket: Int64?) throws(ClientError) {
    guard uplink.session.unsentBytes < Self.mostUnsent else {
      lostEvents += 1
      return
    }
    let publication = OutgoingEvent(event: event)
    let id = try uplink.session.publish(publication, isAnswered: ticket != nil)
    if let ticket { tickets[id] = ticket }
    uplink.push()
  }

  private func keep(_ event: Event, _ ticket: Int64?) {
    guard room > 0 else { return }
    if waiting.count == room {
      waiting.removeFirst()
      lostEvents += 1
    }
    let now = SystemClock.monotonicMicroseconds()
    waiting.append(Waiting(event: event, ticket: ticket, since: now))
  }

  private func translate(_ news: Session.News) -> News? {
    switch news {
    case .greeted(let server):
      uplink.session.confirm()
      return .connected(server)
    case .item(.entry(let entry)): return .entry(entry)
    case .item(.mark(.secret(let of, let kind, let words, let masked))):
      return .secret(of: of, kind: kind, words, masked: masked)
    case .answer(let id, let result):
      let ticket = id.flatMap { tickets.removeValue(forKey: $0) }
      switch result {
      case .success(let ok):
        guard let ticket, let seq = ok["seq"]?.integer else { return nil }
        return .recorded(ticket: ticket, seq: seq)
      case .failure(.refused(let refusal)):
        return ticket.map { .unrecorded(ticket: $0, refusal) } ?? .refused(refusal)
      case .failure: return nil
      }
    case .item, .line, .subscribed, .renumbered, .withdrawn, .misplaced, .ignored: return nil
    }
  }

  private func lose(_ error: ClientError) -> [News] {
    uplink.lose(error).map { [.away(reason: $0)] } ?? []
  }
}
