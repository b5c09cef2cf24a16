// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yModel
import A11yPosix
import A11yWire

/// The bus in operation: sockets on one side, the log on the other, the broker between.
///
/// All that happens, happens in turns. A turn reads what is there from all sockets, lets the broker
/// decide, writes the decisions to the log in one write, and only then answers and sends on, with
/// one write per connection. So the log is never behind what anybody was told, and the more there
/// is to do, the less each of it costs.
final class Bus {
  /// Which of the descriptors are ready; the daemon's loop watches the set.
  let poll: Poll
  let reception: Reception
  private let report: Report
  private var settings: Settings
  let log: EventLog
  let durability: Durability
  private let desk: FeedDesk
  private(set) var broker: Broker
  private var turn = Turn()
  let startedAt: UInt64

  private(set) var connections: [UInt64: Connection] = [:]
  private(set) var subscribers: [Connection] = []

  private var events: Poll.Events
  /// Ready, but beyond what one turn takes on; first in the next.
  private var carried: [Poll.Event] = []
  private let input: UnsafeMutableRawBufferPointer
  private var output = ByteBuffer(capacity: 65_536)

  /// Bytes of lines that came to be worked on in this turn.
  private var read = 0
  /// Who was answered in this turn, and with which of its replies.
  private var answered: [(connection: Connection, replies: Range<Int>)] = []
  /// Who leaves with the next turn.
  private var departing: [Connection] = []
  private(set) var turns: Int64 = 0
  /// Who of the subscribers is fed first.
  private var firstFed = 0
  /// The disk has failed to keep what it was given; it is not believed again.
  private var hasLostSync = false

  /// What one turn takes on at most, in bytes of lines: some milliseconds of work, so that nobody
  /// waits longer for a turn.
  private static let turnWork = 1_048_576
  /// What else makes work, measured by the lines that take as long.
  private static let lookupWork = 8_192
  private static let answerWork = 8
  /// About what an answer to `stats` has where there are many apps and subscribers.
  private static let statisticsBytes = 65_536
  /// How long one turn feeds subscribers; whoever got nothing is first in the next.
  private static let feedingMicroseconds: UInt64 = 4_000

  init(
    log: EventLog,
    settings: Settings,
    report: Report,
    opening: Broker.Opening,
    usedKeys: [UsedKey]
  ) throws(Errno) {
    self.log = log
    self.settings = settings
    self.report = report
    poll = try Poll()
    reception = Reception(
      poll: poll,
      report: report,
      limits: settings.limits,
      descriptors: A11yPosix.Limits.raiseOpenFiles()
    )
    events = Poll.Events(capacity: 256)
    input = .allocate(byteCount: settings.limits.inBuffer.bytes, alignment: 64)
    durability = try Durability(synced: log.last, directory: log.directory)
    let head = LogHead(epochs: log.epochs, first: log.first, last: log.last)
    desk = FeedDesk(epoch: head.epoch)
    broker = Broker(
      log: head,
      model: Model(),
      uid: Environment.uid,
      quotas: settings.limits.quotas,
      recall: { seq in log.entry(seq) }
    )
    broker.remember(usedKeys)
    startedAt = SystemClock.bootMicroseconds()
    beginTurn()
    broker.opened(opening, clock: log.clock, into: &turn)
    try commitFirst()
  }

  deinit { input.deallocate() }

  var last: Seq { broker.head.last }

  var epoch: Epoch { broker.head.epoch }

  /// Goes on with other settings; the input buffer keeps the size that it was made with.
  func apply(_ settings: Settings) {
    self.settings = settings
    reception.limits = settings.limits
    broker.quotas = settings.limits.quotas
    log.policy = settings.log
    retain()
  }

  // MARK: The turn

  /// Serves everybody who is ready.
  func serve() throws(Errno) {
    if carried.isEmpty {
      let count = try poll.wait(into: &events, timeoutMilliseconds: 0)
      for index in 0..<count { carried.append(events[index]) }
    }
    beginTurn()
    var served = 0
    while served < carried.count, work < Self.turnWork {
      serve(carried[served])
      served += 1
    }
    carried.removeFirst(served)
    finishTurn()
    seeOff()
  }

  /// What this turn has taken on so far.
  private var work: Int {
    read + turn.lookups * Self.lookupWork + turn.words.count * Self.answerWork
  }

  /// Ends the connections that leave; what the log says of that is a turn of its own.
  private func seeOff() {
    while !departing.isEmpty {
      beginTurn()
      finishTurn()
    }
  }

  private func beginTurn() {
    turns += 1
    read = 0
    output.shrink(to: Self.turnWork)
    let uptime = Int64(SystemClock.bootMicroseconds())
    broker.begin(
      &turn,
      at: Stamp(time: SystemClock.wallMicroseconds(), mono: log.clock.mono(uptime: uptime))
    )
    let leaving = departing
    departing.removeAll(keepingCapacity: true)
    for connection in leaving { bury(connection) }
  }

  private func finishTurn() {
    let (start, fault) = commit()
    answer(fault)
    fanOut(turn.entries, from: start)
  }

  /// Serves one descriptor that is ready.
  private func serve(_ event: Poll.Event) {
    if reception.isDoor(event.token) {
      reception.welcome(at: event.token) { welcome($0, $1, $2) }
      return
    }
    guard let connection = connections[event.token] else { return }
    let replies = turn.replies.count
    // Closed in full: what was sent is worked on, but there is nobody to answer.
    if event.readiness.contains(.hangUp) { connection.deafen() }
    if event.readiness.contains(.writable) { connection.resume() }
    if connection.mustGoOn {
      if !connection.isFull(settings.limits.outBuffer.bytes) {
        work(connection, received: 0)
      }
    } else if !event.readiness.isDisjoint(with: .input) {
      receive(connection)
    }
    answered.append((connection, replies..<turn.replies.count))
  }

  private func receive(_ connection: Connection) {
    let kept = connection.unworked.count
    let room = UnsafeMutableRawBufferPointer(rebasing: input[kept...])
    switch connection.descriptor.receive(into: room) {
    case .bytes(let count):
      work(connection, received: count)
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
  private func work(_ connection: Connection, received: Int) {
    let kept = connection.unworked.count
    if kept > 0 {
      connection.unworked.withUnsafeBytes { input.copyMemory(from: $0) }
    }
    let bytes = UnsafeRawBufferPointer(rebasing: input[..<(kept + received)])
    read += bytes.count
    let rest = Self.work(
      bytes.assumingMemoryBound(to: UInt8.self).span,
      connection,
      &broker,
      &turn,
      limit: settings.limits.outBuffer.bytes
    )
    connection.mustGoOn = rest.hasLines
    if rest.start == bytes.count {
      if kept > 0 { connection.unworked = [] }
    } else {
      connection.unworked = [UInt8](bytes[rest.start...])
    }
  }

  /// The inner loop; a function of its own so that broker and turn are borrowed once for all lines.
  private static func work(
    _ bytes: Span<UInt8>,
    _ connection: Connection,
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
    while session.farewell == nil {
      // What comes behind a question that only the log can answer waits for the answer.
      if session.inquiry != nil { return (at, at < bytes.count) }
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
      let isMuch = (turn.lookups - lookups) * lookupWork >= turnWork / 8
      if turn.words.count - words + frames + turn.statistics * statisticsBytes >= limit || isMuch {
        return (at, at < bytes.count)
      }
    }
    return (bytes.count, false)
  }

  // MARK: Commit, answer, fan out

  /// Gives the turn's lines to the log; says where they begin there, or why they could not.
  private func commit() -> (start: Int64, fault: Refusal?) {
    guard !turn.entries.isEmpty else { return (log.active.end, nil) }
    let before = log.segmentCount
    do throws(Errno) {
      let start = try log.append(turn, last: broker.head.last)
      durability.note(log.active)
      if durability.isCrowded { synchronize() }
      if broker.isDegraded {
        broker.isDegraded = false
        report.say(
          .storageRestored,
          "The log can be written again; events are kept again.",
          fields: [("A11YD_PATH", log.directory)]
        )
      }
      if log.segmentCount != before { retain() }
      return (start, nil)
    } catch {
      broker.withdraw(&turn)
      if !broker.isDegraded {
        broker.isDegraded = true
        report.say(
          .storageDegraded,
          "The log in \(log.directory) cannot be written: \(error)."
            + " Events are refused until it can.",
          fields: [("A11YD_PATH", log.directory), ("A11YD_REASON", "\(error)")]
        )
      }
      return (
        log.active.end,
        Refusal(.storageDegraded, "the log cannot be written: \(error); the event was not taken")
      )
    }
  }

  /// The first turn has nobody to answer; without it there is no bus.
  private func commitFirst() throws(Errno) {
    _ = try log.append(turn, last: broker.head.last)
    durability.note(log.active)
    retain()
  }

  /// Drops what is older than it has to be kept.
  func retain() {
    guard log.retain(now: SystemClock.wallMicroseconds()) else { return }
    broker.retain(from: log.first)
    for connection in subscribers {
      do throws(Errno) {
        try connection.feed?.forsake()
      } catch {
        fail(connection, error)
      }
    }
  }

  private func answer(_ fault: Refusal?) {
    for (connection, replies) in answered {
      answer(connection, replies, fault)
      advanceInquiry(connection)
      follow(connection)
      if let farewell = connection.session.farewell { dismiss(connection, farewell) }
      settle(connection)
    }
    answered.removeAll(keepingCapacity: true)
  }

  private func answer(_ connection: Connection, _ replies: Range<Int>, _ fault: Refusal?) {
    guard !replies.isEmpty else { return }
    output.clear()
    for index in replies {
      let reply = turn.replies[index]
      let acknowledgement: Acknowledgement
      switch reply.content {
      case .accepted(_, let asked, _): acknowledgement = asked
      case .lines:
        turn.render(reply, durability: .written, into: &output)
        continue
      case .ping, .greeting, .subscribed, .state, .stateMark:
        broker.render(reply, of: turn, into: &output)
        continue
      case .stats:
        writeStatistics(to: turn.words.bytes.extracting(reply.words), into: &output)
        continue
      }
      if let fault = fault ?? lostSync(reply) {
        turn.renderRefused(reply, because: fault, into: &output)
        continue
      }
      let waits = reply.waitsForSync.map { $0 > durability.synced } ?? false
      if waits { deliver(to: connection) }
      turn.render(reply, durability: acknowledgement, into: &output)
      if waits {
        connection.hold(output, until: reply.waitsForSync)
        output.clear()
      }
    }
    deliver(to: connection)
    if !connection.held.isEmpty { durability.hurry(through: last) }
  }

  /// Answers what a connection has asked of the state at an earlier entry.
  ///
  /// The log cannot fold itself up to there yet.
  private func advanceInquiry(_ connection: Connection) {
    guard let inquiry = connection.session.inquiry else { return }
    connection.session.inquiry = nil
    let refusal = Refusal(
      .internal,
      "the log cannot tell the state at \(inquiry.seq.number) yet; ask for the present one"
    )
    if inquiry.opensSubscription {
      dismiss(connection, refusal)
    } else {
      inquiry.refuse(refusal, into: &output)
      deliver(to: connection)
    }
  }

  private func lostSync(_ reply: Reply) -> Refusal? {
    guard hasLostSync, reply.waitsForSync != nil else { return nil }
    return Refusal(
      .storageDegraded,
      "the disk has failed to keep what it was given; ask for written, or restart the bus"
    )
  }

  /// Sends what is in the output behind everything that this connection is still owed.
  private func deliver(to connection: Connection) {
    if connection.held.isEmpty {
      connection.send(replies: output)
    } else {
      connection.hold(output, until: nil)
    }
    output.clear()
  }

  /// Begins or ends a connection's feed as its session says.
  private func follow(_ connection: Connection) {
    let subscription = connection.session.subscription
    guard connection.feed?.subscription !== subscription else { return }
    if connection.feed == nil { subscribers.append(connection) }
    guard let subscription, !connection.isDeaf else {
      connection.feed = nil
      subscribers.removeAll { $0 === connection }
      return
    }
    do throws(Errno) {
      connection.feed = try Feed(subscription, in: log)
    } catch {
      fail(connection, error)
    }
  }

  private func fanOut(_ lines: borrowing ByteBuffer, from start: Int64) {
    let fresh = Feed.Fresh(lines: lines.bytes, start: start)
    let hasFresh = !lines.isEmpty
    let deadline = SystemClock.monotonicMicroseconds() + Self.feedingMicroseconds
    let count = subscribers.count
    let first = firstFed
    for step in 0..<count {
      let connection = subscribers[(first + step) % count]
      guard let feed = connection.feed, !connection.isStalled, connection.leaving == nil,
        hasFresh || !feed.isAtEnd
      else { continue }
      // Those behind have their place in the log, and lose nothing but this turn.
      if SystemClock.monotonicMicroseconds() < deadline {
        do throws(Errno) {
          try feed.advance(connection, fresh, desk)
        } catch {
          fail(connection, error)
        }
        firstFed = (first + step + 1) % count
      }
      settle(connection)
    }
  }

  private func fail(_ connection: Connection, _ error: Errno) {
    report.say(
      .failed,
      "A subscriber could not be fed from the log: \(error); it is asked to come again.",
      fields: [("A11YD_REASON", "\(error)")]
    )
    dismiss(connection, Refusal(.internal, "the log could not be read: \(error); connect again"))
  }

  // MARK: Coming and going

  private func welcome(
    _ descriptor: consuming FileDescriptor,
    _ peer: PeerIdentity,
    _ role: Role
  ) {
    try? descriptor.setSendBuffer(bytes: settings.limits.outBuffer.bytes)
    let session = broker.connect(uid: peer.uid, role: role)
    let connection = Connection(descriptor, session: session)
    do throws(Errno) {
      try poll.add(
        connection.descriptor,
        token: UInt64(session.conn),
        interest: connection.interest
      )
    } catch {
      report.say(.failed, "A connection could not be watched: \(error), closing it.")
      broker.disconnect(session, reason: Connection.disconnected, into: &turn)
      reception.leave(peer.uid)
      return
    }
    connections[UInt64(session.conn)] = connection
  }

  /// Ends a connection by the bus's own decision, with a word of farewell.
  private func dismiss(_ connection: Connection, _ refusal: Refusal) {
    guard connection.leaving == nil else { return }
    output.clear()
    output.append(farewell: refusal)
    connection.send(output)
    output.clear()
    connection.leaving = refusal.code.rawValue
    departing.append(connection)
  }

  /// Lets the kernel watch for what the connection waits for now, or lets it go.
  private func settle(_ connection: Connection) {
    guard connection.leaving == nil else { return }
    if connection.isFinished {
      connection.leaving = Connection.disconnected
      departing.append(connection)
      return
    }
    let wanted = connection.wanted(outBuffer: settings.limits.outBuffer.bytes)
    guard wanted != connection.interest else { return }
    connection.interest = wanted
    do throws(Errno) {
      try poll.change(
        connection.descriptor,
        token: UInt64(connection.session.conn),
        interest: wanted
      )
    } catch {
      connection.leaving = Connection.disconnected
      departing.append(connection)
    }
  }

  private func bury(_ connection: Connection) {
    let session = connection.session
    broker.disconnect(session, reason: connection.leaving ?? "", into: &turn)
    // The descriptor closes with its last holder, which ends the watching too; but say so now.
    try? poll.remove(connection.descriptor)
    connections[UInt64(session.conn)] = nil
    subscribers.removeAll { $0 === connection }
    reception.leave(session.uid)
  }

  // MARK: Alarms

  /// Some subscriber was left out of entries and has not heard how far it is.
  var needsCheckpoint: Bool { desk.hasLeftOut }

  func checkpoint() {
    desk.hasLeftOut = false
    for connection in subscribers {
      guard let feed = connection.feed, feed.subscription.leftOut > 0 else { continue }
      guard feed.isAtEnd, !connection.isStalled else {
        desk.hasLeftOut = true
        continue
      }
      feed.subscription.place()
      desk.say(.checkpoint(desk.cursor(last)), to: connection)
      settle(connection)
    }
    seeOff()
  }

  // MARK: Durability

  var hasUnsynced: Bool { !durability.isIdle }

  func synchronize() { durability.hurry(through: last) }

  /// The disk has answered: whoever waited for it is told.
  func takeSyncAnswer() {
    let fault = durability.takeAnswer(last: last)
    if fault != nil { hasLostSync = true }
    for connection in connections.values where !connection.held.isEmpty {
      if let fault {
        dismiss(
          connection,
          Refusal(.storageDegraded, "the disk has failed: \(fault); ask again for what was sent")
        )
        continue
      }
      connection.release(through: durability.synced)
      settle(connection)
    }
    if let fault {
      report.say(
        .storageDegraded,
        "The log could not be brought to the disk: \(fault), continuing without synced.",
        fields: [("A11YD_PATH", log.directory), ("A11YD_REASON", "\(fault)")]
      )
    }
    seeOff()
  }

  // MARK: The end

  /// Says goodbye to everybody and closes the log; everything acknowledged is on the medium then.
  func close() {
    beginTurn()
    let refusal = Refusal(.shuttingDown, "the bus is being stopped; connect again in a moment")
    for connection in connections.values.sorted(by: { $0.session.conn < $1.session.conn }) {
      dismiss(connection, refusal)
    }
    finishTurn()
    beginTurn()
    broker.closed(into: &turn)
    finishTurn()
    do throws(Errno) {
      try log.close()
      durability.note(log.active)
      try durability.finish()
    } catch {
      report.say(.failed, "The log could not be closed: \(error); the next start looks after it.")
    }
  }
}

extension Settings.Limits {
  /// The limits as clients are told them.
  fileprivate var quotas: Quotas {
    var quotas = Quotas()
    quotas.connections = connections
    quotas.connectionsPerUser = connectionsPerUid
    quotas.inBuffer = inBuffer.bytes
    quotas.outBuffer = outBuffer.bytes
    return quotas
  }
}
