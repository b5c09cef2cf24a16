// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yBroker
package import A11yLog
import A11yModel
import A11yPosix
package import A11yRules
package import A11yWire

/// The bus in operation: links on one side, the log on the other, the broker between.
///
/// All that happens, happens in turns. A turn reads what is there from all links, lets the broker
/// decide, writes the decisions to the log in one write, and only then answers and sends on, with
/// one write per connection. So the log is never behind what anybody was told, and the more there
/// is to do, the less each of it costs.
///
/// Who is ready, what time it is and who hears of it are told from outside: the daemon does so with
/// the kernel's help, and whoever else likes may do so by hand.
package final class Bus {
  let time: any BusTime
  let report: Report
  private let onLeave: (_ uid: UInt32) -> Void
  private let onUnkept: (_ isSo: Bool) -> Void
  var settings: Settings
  package let log: EventLog
  let desk: FeedDesk
  var broker: Broker
  private var turn = Turn()
  let startedAt: UInt64
  /// What came of the reloads so far.
  package var reloads = Reloads()

  package private(set) var connections: [UInt64: Connection] = [:]
  package private(set) var subscribers: [Connection] = []

  /// Ready, but beyond what one turn takes on; first in the next.
  private var carried: [Ready] = []
  private let input: UnsafeMutableRawBufferPointer
  var output = ByteBuffer(capacity: 65_536)

  /// Bytes of lines that came to be worked on in this turn.
  private var read = 0
  /// Who was answered in this turn, and with which of its replies.
  private var answered: [(connection: Connection, replies: Range<Int>)] = []
  /// Whose errands begin when the turn's lines are with everybody.
  var asking: [Connection] = []
  /// Who leaves with the next turn.
  private var departing: [Connection] = []
  package private(set) var turns: Int64 = 0
  /// What the log is doing for connections, a slice at a time.
  var errands: [RunningErrand] = []
  /// The most that apps had the bus keep since memory was given back.
  private var mostKept = 0
  /// Who of the subscribers is fed first.
  private var firstFed = 0
  /// What one turn takes on at most, in bytes of lines.
  ///
  /// Two milliseconds of work or less, so that nobody waits longer for a turn; the calls that the
  /// lines of a turn share take a hundredth of that.
  private static let turnWork = 65_536
  /// What is read of one connection in a turn where others are ready, too: what they have sent is
  /// then decided and delivered though one of them never stops sending.
  private static let shareOfTurn = 16_384
  /// What else makes work, measured by the lines that take as long.
  private static let lookupWork = 8_192
  private static let answerWork = 8
  /// About what an answer to `stats` has where there are many apps and subscribers.
  private static let statisticsBytes = 65_536
  /// How long one turn feeds subscribers; whoever got nothing is first in the next.
  private static let feedingMicroseconds: UInt64 = 2_000

  package init(
    log: EventLog,
    settings: Settings,
    surroundings: Surroundings,
    state: BrokerState,
    rules: RuleSet
  ) {
    self.log = log
    self.settings = settings
    time = surroundings.time
    report = surroundings.report
    onLeave = surroundings.onLeave
    onUnkept = surroundings.onUnkept
    input = .allocate(byteCount: settings.limits.inBuffer, alignment: 64)
    let head = LogHead(epochs: log.epochs, first: log.first, last: log.last)
    desk = FeedDesk(epoch: head.epoch)
    broker = Broker(
      log: head,
      presenter: state.presenter,
      secrets: state.secrets,
      uid: surroundings.uid,
      quotas: settings.limits,
      recall: { seq in log.recall(seq) }
    )
    broker.remember(state.keys)
    startedAt = time.bootMicroseconds()
    log.beginState(state)
    beginTurn()
    broker.opened(log.opening, clock: log.clock, into: &turn)
    broker.load(rules, settings.reader.pace, into: &turn)
    // Nobody is there yet to be answered.
    finishTurn()
    retain()
  }

  deinit { input.deallocate() }

  package var last: Seq { broker.head.last }

  package var epoch: Epoch { broker.head.epoch }

  /// Goes on with other settings; the input buffer keeps the size that it was made with.
  package func apply(_ settings: Settings) {
    self.settings = settings
    broker.quotas = settings.limits
    log.policy = settings.log.policy
    retain()
  }

  /// Goes by these rules and by what is assumed of readers; the log is told where that is new.
  package func apply(rules: RuleSet) {
    let pace = settings.reader.pace
    guard rules != broker.rules || pace != broker.pace else { return }
    beginTurn()
    broker.load(rules, pace, into: &turn)
    finishTurn()
    seeOff()
  }

  // MARK: The turn

  /// The last turn has left work to the next, which need not wait for anybody to be ready.
  package var isBehind: Bool { !carried.isEmpty }

  /// Serves those who are ready, behind those whom the last turn has left.
  package func serve(_ ready: [Ready]) {
    carried.append(contentsOf: ready)
    beginTurn()
    var served = 0
    let share = carried.count > 1 ? Self.shareOfTurn : Self.turnWork
    while served < carried.count, work < Self.turnWork {
      serve(carried[served], atMost: share)
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
  func seeOff() {
    while !departing.isEmpty {
      beginTurn()
      finishTurn()
    }
  }

  private func beginTurn() {
    turns += 1
    read = 0
    output.shrink(to: Self.turnWork)
    let uptime = Int64(time.bootMicroseconds())
    broker.begin(
      &turn,
      at: Stamp(time: time.wallMicroseconds(), mono: log.clock.mono(uptime: uptime))
    )
    let leaving = departing
    departing.removeAll(keepingCapacity: true)
    for connection in leaving { bury(connection) }
  }

  private func finishTurn() {
    let start = commit()
    answer()
    fanOut(turn.entries, from: start)
    beginErrands()
    tend()
  }

  /// Serves one connection that is ready.
  private func serve(_ ready: Ready, atMost share: Int) {
    guard let connection = connections[ready.token] else { return }
    let replies = turn.replies.count
    // Closed in full: what was sent is worked on, but there is nobody to answer.
    if ready.readiness.contains(.hangUp) { connection.deafen() }
    if ready.readiness.contains(.writable) { connection.resume() }
    if connection.mustGoOn {
      if !connection.isFull(settings.limits.outBuffer) {
        work(connection, received: 0)
      }
    } else if !ready.readiness.isDisjoint(with: .input) {
      receive(connection, atMost: share)
    }
    answered.append((connection, replies..<turn.replies.count))
  }

  private func receive(_ connection: Connection, atMost share: Int) {
    let kept = connection.unworked.count
    let room = UnsafeMutableRawBufferPointer(rebasing: input[kept...].prefix(share))
    switch connection.link.receive(into: room) {
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
      limit: settings.limits.outBuffer
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
      // What comes behind something that only the log can do waits until it is done.
      if session.errand != nil { return (at, at < bytes.count) }
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
      let isMuch = (turn.lookups - lookups) * lookupWork >= turnWork / 2
      if turn.words.count - words + frames + turn.statistics * statisticsBytes >= limit || isMuch {
        return (at, at < bytes.count)
      }
    }
    return (bytes.count, false)
  }

  // MARK: Commit, answer, fan out

  /// Gives the turn's lines to the log, and says where they begin there.
  private func commit() -> Int64 {
    guard !turn.entries.isEmpty else { return log.active.end }
    let start = log.append(
      turn.entries.bytes,
      turn.checksums,
      last: broker.head.last,
      mono: broker.now
    )
    noteTrouble()
    if log.isCrowded { synchronize() }
    return start
  }

  /// Has those who read what the log has dropped go on where it goes on.
  func relocate() {
    broker.retain(from: log.first)
    for connection in subscribers {
      do throws(Errno) {
        try connection.feed?.forsake()
      } catch {
        fail(connection, error)
      }
    }
  }

  private func answer() {
    for (connection, replies) in answered {
      answer(connection, replies)
      if connection.session.errand != nil { asking.append(connection) }
      follow(connection)
      if let farewell = connection.session.farewell { dismiss(connection, farewell) }
      settle(connection)
    }
    answered.removeAll(keepingCapacity: true)
    for session in turn.givenUp {
      guard let farewell = session.farewell,
        let connection = connections.values.first(where: { $0.session === session })
      else { continue }
      dismiss(connection, farewell)
    }
  }

  private func answer(_ connection: Connection, _ replies: Range<Int>) {
    guard !replies.isEmpty else { return }
    output.clear()
    for index in replies {
      let reply = turn.replies[index]
      switch reply.content {
      case .accepted(let seq, let asked, _): acknowledge(reply, seq, asked, to: connection)
      case .lines: turn.render(reply, durability: .written, into: &output)
      case .ping, .greeting, .subscribed, .state, .stateMark:
        broker.render(reply, of: turn, into: &output)
      case .stats: writeStatistics(to: turn.words.bytes.extracting(reply.words), into: &output)
      }
    }
    deliver(to: connection)
    if !connection.held.isEmpty { log.synchronize() }
  }

  /// Says how far an event has come; whoever wants more waits for the disk.
  private func acknowledge(
    _ reply: Reply,
    _ seq: Seq,
    _ asked: Acknowledgement,
    to connection: Connection
  ) {
    switch asked {
    case .received, .written:
      turn.render(reply, durability: log.trouble == nil ? asked : .received, into: &output)
    case .synced where log.trouble != nil:
      Self.refuse(reply, Self.unsafe(seq), of: turn, into: &output)
    case .synced where seq <= log.synced:
      turn.render(reply, durability: .synced, into: &output)
    case .synced:
      deliver(to: connection)
      turn.render(reply, durability: .synced, into: &output)
      Self.hold(reply, output, until: seq, of: turn, connection)
      output.clear()
    }
  }

  private static func refuse(
    _ reply: Reply,
    _ refusal: Refusal,
    of turn: borrowing Turn,
    into out: inout ByteBuffer
  ) {
    out.append(refusal: refusal, id: turn.words.bytes.extracting(reply.words))
  }

  private static func hold(
    _ reply: Reply,
    _ text: borrowing ByteBuffer,
    until seq: Seq,
    of turn: borrowing Turn,
    _ connection: Connection
  ) {
    connection.hold(text, until: seq, id: turn.words.bytes.extracting(reply.words))
  }

  /// What is told to those who asked for more than the disk can do.
  private static func unsafe(_ seq: Seq) -> Refusal {
    Refusal(
      .storageDegraded,
      field: "ack",
      "the disk has failed; the event was taken as seq \(seq.number) and is delivered, but may not"
        + " survive"
    )
  }

  /// Sends what is in the output behind everything that this connection is still owed.
  func deliver(to connection: Connection) {
    if connection.held.isEmpty {
      connection.send(replies: output)
    } else {
      connection.hold(output)
    }
    output.clear()
  }

  /// Begins or ends a connection's feed as its session says.
  func follow(_ connection: Connection) {
    let subscription = connection.session.subscription
    // Its first line is the state, which is being worked out.
    if case .inquiry(let inquiry) = connection.session.errand, inquiry.opensSubscription { return }
    guard connection.feed?.subscription !== subscription else { return }
    if connection.feed == nil { subscribers.append(connection) }
    guard let subscription, !connection.isDeaf else {
      connection.feed = nil
      subscribers.removeAll { $0 === connection }
      return
    }
    connection.feed = Feed(subscription, in: log)
  }

  private func fanOut(_ lines: borrowing ByteBuffer, from start: Int64) {
    let fresh = Feed.Fresh(lines: lines.bytes, start: start, secrets: turn.secrets)
    let hasFresh = !lines.isEmpty
    let deadline = time.monotonicMicroseconds() + Self.feedingMicroseconds
    let count = subscribers.count
    let first = firstFed
    for step in 0..<count {
      let connection = subscribers[(first + step) % count]
      guard let feed = connection.feed, !connection.isStalled, connection.leaving == nil,
        connection.held.isEmpty || feed.hasBegun, hasFresh || !feed.isAtEnd
      else { continue }
      // Those behind have their place in the log, and lose nothing but this turn; but what is
      // secret is told now or not at all.
      let hasSecrets = !feed.subscription.share(of: fresh.secrets).isEmpty
      if hasSecrets || time.monotonicMicroseconds() < deadline {
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
      .impaired,
      "A subscriber could not be fed from the log: \(error); it is asked to come again."
    )
    dismiss(connection, Refusal(.internal, "the log could not be read: \(error); connect again"))
  }

  // MARK: Coming and going

  /// Takes in a client of this user, with what its door lets it do.
  package func admit(_ link: any Link, uid: UInt32, role: Role) {
    let connection = Connection(link, session: broker.connect(uid: uid, role: role))
    connections[connection.token] = connection
    do throws(Errno) {
      try link.watch(for: connection.interest, as: connection.token)
    } catch {
      report.say(.impaired, "A connection could not be watched: \(error), closing it.")
      connection.leaving = Connection.disconnected
      departing.append(connection)
    }
  }

  /// Ends a connection by the bus's own decision, with a word of farewell.
  func dismiss(_ connection: Connection, _ refusal: Refusal) {
    guard connection.leaving == nil else { return }
    output.clear()
    output.append(farewell: refusal)
    connection.send(output)
    output.clear()
    connection.leaving = refusal.code.rawValue
    departing.append(connection)
  }

  /// Lets the link watch for what the connection waits for now, or lets it go.
  func settle(_ connection: Connection) {
    guard connection.leaving == nil else { return }
    if connection.isFinished {
      connection.leaving = Connection.disconnected
      departing.append(connection)
      return
    }
    let wanted = connection.wanted(outBuffer: settings.limits.outBuffer)
    guard wanted != connection.interest else { return }
    connection.interest = wanted
    do throws(Errno) {
      try connection.link.watch(for: wanted, as: connection.token)
    } catch {
      connection.leaving = Connection.disconnected
      departing.append(connection)
    }
  }

  private func bury(_ connection: Connection) {
    let session = connection.session
    broker.disconnect(session, reason: connection.leaving ?? "", into: &turn)
    connections[connection.token] = nil
    subscribers.removeAll { $0 === connection }
    onLeave(session.uid)
  }

  // MARK: Durability

  package var hasUnsynced: Bool { log.hasUnsynced }

  package func synchronize() { log.synchronize() }

  /// The disk has answered: whoever waited for it is told.
  package func takeSyncAnswer() {
    let news = log.takeSyncAnswer(mono: broker.now)
    guard news != .nothing || log.isStateOut else { return }
    heed(news)
    tend()
    seeOff()
  }

  /// Tells everybody concerned what the disk has done.
  func heed(_ news: EventLog.SyncNews) {
    switch news {
    case .nothing: break
    case .progress:
      noteTrouble()
      for connection in waiting {
        connection.release(through: log.synced)
        settle(connection)
      }
    case .rescued(let error):
      report.say(
        .storageRescued,
        "The disk has failed to keep what it took: \(error). Those entries were written anew, to"
          + " another file.",
        [.reason: "\(error)"]
      )
    case .failed:
      noteTrouble()
    }
  }

  /// What the log needs between turns: the next segment, its state, and to tell what it has found.
  func tend() {
    if log.isFull { log.roll(mono: broker.now) }
    if log.wantsState, log.trouble == nil {
      log.beginState(broker)
    }
    if log.isWritingState {
      log.advanceState(budget: Self.stateShare)
      if !log.isWritingState { retain() }  // Now the segments before it can go.
    }
    if log.wantsLatest { log.beginLatest(broker) }
    if log.isWritingLatest { log.advanceLatest(budget: Self.stateShare) }
    mostKept = max(mostKept, broker.keptBytes)
    if broker.hasRubble {
      broker.clearRubble()
      if !broker.hasRubble { giveBack() }
    }
    if log.trouble != nil { relocate() }
    for finding in log.findings { tell(finding) }
    log.findings.removeAll()
  }

  /// Gives memory back to the machine when most of what apps had has gone: to look for it takes
  /// some milliseconds, which is too much for every element that goes.
  private func giveBack() {
    let kept = broker.keptBytes
    guard mostKept - kept >= Self.worthGivingBack, kept <= mostKept / 2 else { return }
    mostKept = kept
    Machine.giveBackMemory()
  }

  /// Some megabytes of memory: an element takes a few hundred bytes beside its texts.
  private static let worthGivingBack = 65_536

  /// What a turn writes of the presenter's state: less than a millisecond of work.
  private static let stateShare = 262_144

  /// When the presenter wants to be woken, on the machine's clock.
  package var due: UInt64? {
    broker.due.map { UInt64(max(0, $0 - log.clock.offset)) }
  }

  /// Lets happen what is due, with nobody to serve.
  package func wake() {
    beginTurn()
    finishTurn()
    seeOff()
  }

  /// Goes on with the log's work, with nobody to serve.
  package func tendLog() {
    advanceErrands()
    tend()
    seeOff()
  }

  /// Those who wait for the disk, in the order of their coming.
  private var waiting: [Connection] {
    connections.values.filter { !$0.held.isEmpty }.sorted { $0.token < $1.token }
  }

  // MARK: Trouble

  /// Whether the log is in memory, because the disk does not take it.
  package var isInTrouble: Bool { log.trouble != nil }

  /// Tries the disk again.
  package func heal() {
    guard isInTrouble else { return }
    retain()
    _ = log.heal()
    noteTrouble()
    tend()
  }

  /// Tells everybody concerned when trouble begins and ends.
  private func noteTrouble() {
    let trouble = log.trouble
    guard (trouble != nil) != broker.isDegraded else { return }
    broker.isDegraded = trouble != nil
    onUnkept(trouble != nil)
    guard let trouble else {
      report.say(.storageRestored, "The log can be written again; events are kept again.")
      return
    }
    report.say(
      .storageDegraded,
      "The log cannot be written: \(trouble). Events are delivered all the same and kept in memory;"
        + " the disk is tried again every second.",
      [.reason: "\(trouble)"]
    )
    for connection in waiting {
      connection.refuseHeld(Self.unsafe)
      settle(connection)
    }
  }

  // MARK: The end

  /// Says goodbye to everybody and closes the log; true when everything acknowledged is on the
  /// medium then.
  @discardableResult
  package func close() -> Bool {
    beginTurn()
    let refusal = Refusal(.shuttingDown, "the bus is being stopped; connect again in a moment")
    for connection in connections.values.sorted(by: { $0.session.conn < $1.session.conn }) {
      dismiss(connection, refusal)
    }
    finishTurn()
    beginTurn()
    broker.closed(into: &turn)
    finishTurn()
    heal()
    while log.isWritingState {
      log.finishState()
      tend()
    }
    do throws(Errno) {
      try log.close(mono: broker.now)
      return true
    } catch {
      report.say(.impaired, "The log could not be closed: \(error); the next start looks after it.")
      return false
    }
  }
}
