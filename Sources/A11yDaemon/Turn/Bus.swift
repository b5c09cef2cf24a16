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
/// The bus works in turns. A turn reads the input of all ready links, lets the broker decide,
/// writes the decisions to the log in one write, and only then sends on and answers, with one write
/// per connection. So the log is never behind what anybody was told, and the more there is to do,
/// the less each of it costs.
///
/// The caller tells the bus which connections are ready and what time it is: the daemon does so
/// with the kernel's help, tests and the simulator by hand.
package final class Bus {
  let time: any BusTime
  let report: OperatorReport
  /// The language of the bus's own words where none is set.
  private let language: WordLanguage
  private let uid: UInt32
  private let onLeave: (_ uid: UInt32, _ role: Role) -> Void
  private let noteLeft: (_ last: Seq) -> Void
  var settings: Settings
  package let log: EventLog
  let desk: FeedDesk
  var broker: Broker
  private var turn = Turn()
  let startedAt: UInt64
  let startedAtWall: Int64
  /// The reloads so far.
  package var reloads = Reloads()
  /// The requests to forget that were carried out so far, and the entries that they have cost.
  var forgets: (count: Int64, entries: Int64) = (0, 0)

  package private(set) var connections: [UInt64: ClientConnection] = [:]
  package private(set) var subscribers: [ClientConnection] = []

  /// Ready, but beyond what one turn takes on; first in the next.
  private var carried: [Ready] = []
  private var input: TurnInput
  var output = ReplyBuffer()
  private var rotation = FeedRotation()
  var memory = KeptMemory()

  private var answered: [TurnInput.Served] = []
  /// The connections whose errands begin when the turn's lines are with everybody.
  var asking: [ClientConnection] = []
  /// The connections that leave with the next turn.
  private var departing: [ClientConnection] = []
  package private(set) var turns: Int64 = 0
  /// The errands that the log runs for connections, a slice at a time.
  var errands = ErrandQueue()
  /// The connections that wait for configuration and rules to be read again.
  var reloading: [ClientConnection] = []

  package init(
    log: EventLog,
    settings: Settings,
    environment: BusEnvironment,
    state: BrokerState,
    rules: RuleSet
  ) {
    self.log = log
    self.settings = settings
    time = environment.time
    report = environment.report
    language = environment.language
    uid = environment.uid
    onLeave = environment.onLeave
    noteLeft = environment.noteLeft
    input = TurnInput(bytes: settings.limits.inBuffer)
    let head = LogHead(epochs: log.epochs, first: log.first, last: log.last)
    desk = FeedDesk(epoch: head.epoch)
    broker = Broker(
      log: head,
      presenter: state.presenter,
      secrets: state.secrets,
      shares: state.shares,
      uid: environment.uid,
      quotas: settings.quotas,
      recall: { seq in log.recall(seq) }
    )
    broker.remember(state.keys)
    startedAt = time.bootMicroseconds()
    startedAtWall = time.wallMicroseconds()
    log.beginState(state)
    beginTurn()
    broker.opened(log.opening, clock: log.clock, into: &turn)
    broker.load(rules, settings.reader.pace(session: language), into: &turn)
    // Nobody is there yet to be answered.
    finishTurn()
    tellForgottenNote()
    retain()
  }

  package var last: Seq { broker.head.last }

  package var epoch: Epoch { broker.head.epoch }

  /// Goes on with other settings; the input buffer keeps the size that it was made with.
  package func apply(_ settings: Settings) {
    self.settings = settings
    broker.quotas = settings.quotas
    log.policy = settings.log.policy
    retain()
  }

  /// Goes by these rules and by what is assumed of readers; the log is told where that is new.
  package func apply(rules: RuleSet) {
    let pace = settings.reader.pace(session: language)
    guard rules != broker.rules || pace != broker.pace else { return }
    beginTurn()
    broker.load(rules, pace, into: &turn)
    finishTurn()
    seeOff()
  }

  /// Has only the windows of these users be active, and of root and of the bus's own user.
  ///
  /// Nil: of all. The people who have logged in are told apart where somebody tells of them, and
  /// stay people when they log out, and while there is no word of anybody.
  package func seat(_ uids: [UInt32]?, people: [UInt32]? = nil) {
    let known = broker.seat.people
    let all = (people ?? []) + (known ?? [])
    let isTold = people != nil || known != nil
    take(
      Seat(
        uids.map { [0, uid] + $0 },
        people: isTold ? all.filter { $0 != 0 && $0 != uid } : nil
      )
    )
  }

  /// Has the bus's own user, who is the only one, be away or not.
  package func seat(isAway: Bool) { take(isAway ? Seat([0], people: [uid]) : .everybody) }

  /// The log is told of a seat that is new.
  private func take(_ seat: Seat) {
    guard seat != broker.seat else { return }
    beginTurn()
    broker.change(seat, into: &turn)
    finishTurn()
    seeOff()
  }

  /// Forgets apps in the state that the log goes on with, and has their speech stopped.
  func forget(_ selection: Selection) {
    beginTurn()
    broker.forget(selection, into: &turn)
    finishTurn()
  }

  /// Tells which entries are forgotten, in an entry of its own.
  func tellForgotten(_ runs: [ClosedRange<Seq>], by uid: UInt32) {
    guard !runs.isEmpty else { return }
    beginTurn()
    broker.tellForgotten(runs, for: uid, into: &turn)
    finishTurn()
  }

  /// Overwrites what is left of texts in the memory that is kept for the next turn.
  ///
  /// Memory that is freed is overwritten then.
  func wipe() {
    turn.wipe()
    output.bytes.wipe()
    desk.wipe()
    input.wipe()
    broker.wipe()
    log.wipe()
  }

  // MARK: The turn

  /// The last turn has left work to the next, which need not wait for anybody to be ready.
  package var isBehind: Bool { !carried.isEmpty }

  /// Serves the connections that are ready, behind those that the last turn has left.
  package func serve(_ ready: [Ready]) {
    carried.append(contentsOf: ready)
    beginTurn()
    let served = input.serve(
      carried,
      among: connections,
      limit: settings.limits.outBuffer,
      &broker,
      &turn,
      &rotation,
      &answered
    )
    carried.removeFirst(served)
    finishTurn()
    seeOff()
  }

  /// Ends the connections that leave; their entries are a turn of their own.
  func seeOff() {
    while !departing.isEmpty {
      beginTurn()
      finishTurn()
    }
  }

  private func beginTurn() {
    turns += 1
    input.begin()
    output.shrink(to: TurnInput.turnWork)
    let uptime = Int64(time.bootMicroseconds())
    broker.begin(
      &turn,
      at: Stamp(time: time.wallMicroseconds(), mono: log.clock.mono(uptime: uptime))
    )
    guard !departing.isEmpty else { return }
    let leaving = departing
    departing.removeAll(keepingCapacity: true)
    for connection in leaving { disconnect(connection) }
  }

  /// The bytes of a turn whose lines go out before answers: a few events with what they bring.
  private static let shortTurn = 4_096

  private func finishTurn() {
    let start = commit()
    // A client has its answers before its lines. Few lines go to others before the answers to
    // publishers, whose waking would hold up the listeners; behind many lines publishers would wait
    // for long, and they prepare the next turn meanwhile.
    let isShort = turn.entries.count <= Self.shortTurn
    for served in answered where served.isListener || !isShort { answer(served) }
    fanOut(turn.entries, from: start)
    for served in answered where !served.isListener && isShort { answer(served) }
    answered.removeAll(keepingCapacity: true)
    dismissGivenUp()
    beginErrands()
    tend()
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
    noteLeft(broker.head.last)
    noteTrouble()
    if log.isCrowded { synchronize() }
    return start
  }

  /// Has the feeds in segments that the log has dropped go on at the next one.
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

  private func answer(_ served: TurnInput.Served) {
    let connection = served.connection
    sendReplies(served.replies, to: connection)
    if connection.session.errand != nil { asking.append(connection) }
    updateFeed(of: connection)
    if let farewell = connection.session.farewell { dismiss(connection, farewell) }
    updateInterest(of: connection)
  }

  private func dismissGivenUp() {
    for session in turn.givenUp {
      guard let farewell = session.farewell,
        let connection = connections.values.first(where: { $0.session === session })
      else { continue }
      dismiss(connection, farewell)
    }
  }

  private func sendReplies(_ replies: Range<Int>, to connection: ClientConnection) {
    guard !replies.isEmpty else { return }
    let medium = ReplyBuffer.Medium(synced: log.synced, isInTrouble: log.trouble != nil)
    var left = output.sendReplies(replies, of: turn, medium, to: connection)
    while let index = left.first {
      let reply = turn.replies[index]
      if case .stats = reply.content {
        writeStatistics(to: turn.words.bytes.extracting(reply.words), into: &output.bytes)
      } else {
        broker.render(reply, of: turn, into: &output.bytes)
      }
      left = output.sendReplies(left.dropFirst(), of: turn, medium, to: connection)
    }
    if !connection.held.isEmpty { log.synchronize() }
  }

  /// Begins or ends a connection's feed as its session says.
  func updateFeed(of connection: ClientConnection) {
    let subscription = connection.session.subscription
    // The state comes first, and an errand is working it out.
    if case .inquiry(let inquiry) = connection.session.errand, inquiry.opensSubscription { return }
    guard connection.feed?.subscription !== subscription else { return }
    if connection.feed == nil { subscribers.append(connection) }
    rotation.remove(connection)
    guard let subscription, !connection.isDeaf else {
      connection.feed = nil
      subscribers.removeAll { $0 === connection }
      return
    }
    connection.feed = Feed(subscription, in: log, desk)
    rotation.enqueue(connection)
  }

  private func fanOut(_ lines: borrowing ByteBuffer, from start: Int64) {
    let fresh = Feed.Fresh(lines: lines.bytes, start: start, secrets: turn.secrets)
    rotation.feed(fresh, of: log, desk, time) { connection, error in
      if let error { fail(connection, error) }
      updateInterest(of: connection)
    }
  }

  private func fail(_ connection: ClientConnection, _ error: Errno) {
    report.say(
      .impaired,
      "A subscriber could not be fed from the log: \(error); it is asked to come again."
    )
    dismiss(connection, Refusal(.internal, "the log could not be read: \(error); connect again"))
  }

  // MARK: Coming and going

  /// Takes in a client of this user, with the role of the door that it came through.
  package func admit(_ link: any Link, uid: UInt32, role: Role) {
    let connection = ClientConnection(link, session: broker.connect(uid: uid, role: role))
    connections[connection.token] = connection
    do throws(Errno) {
      try link.watch(for: connection.interest, as: connection.token)
    } catch {
      report.say(.impaired, "A connection could not be watched: \(error), closing it.")
      connection.leaving = ClientConnection.disconnected
      departing.append(connection)
    }
  }

  /// Ends a connection by the bus's own decision, with a word of farewell.
  func dismiss(_ connection: ClientConnection, _ refusal: Refusal) {
    guard connection.leaving == nil else { return }
    output.sendFarewell(refusal, to: connection)
    connection.leaving = refusal.code.rawValue
    departing.append(connection)
  }

  /// Ends the newest connection that a user has to the socket for applications.
  func endNewest(of uid: UInt32, _ refusal: Refusal) {
    let newest = connections.values
      .filter { $0.session.uid == uid && $0.session.role == .publish && $0.leaving == nil }
      .max { $0.session.conn < $1.session.conn }
    if let newest { dismiss(newest, refusal) }
    seeOff()
  }

  /// Has the link watch for the readiness that the connection waits for now, or lets it go.
  func updateInterest(of connection: ClientConnection) {
    guard connection.leaving == nil else { return }
    if connection.isFinished {
      connection.leaving = ClientConnection.disconnected
      departing.append(connection)
      return
    }
    let wanted = connection.wanted(outBuffer: settings.limits.outBuffer)
    guard wanted != connection.interest else { return }
    connection.interest = wanted
    do throws(Errno) {
      try connection.link.watch(for: wanted, as: connection.token)
    } catch {
      connection.leaving = ClientConnection.disconnected
      departing.append(connection)
    }
  }

  private func disconnect(_ connection: ClientConnection) {
    let session = connection.session
    broker.disconnect(session, reason: connection.leaving ?? "", into: &turn)
    connections[connection.token] = nil
    if errands.errand(of: connection)?.isQuestion ?? false { errands.remove(of: connection) }
    rotation.remove(connection)
    subscribers.removeAll { $0 === connection }
    onLeave(session.uid, session.role)
  }

  // MARK: Durability

  package var hasUnsynced: Bool { log.hasUnsynced }

  package func synchronize() { log.synchronize() }

  /// Tells the connections that have waited for the disk how it has answered.
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
        updateInterest(of: connection)
      }
      if rotation.awaitsMedium { fanOut(ByteBuffer(capacity: 0), from: log.active.end) }
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

  /// Does the log's work between turns: the next segment, its state, and the report of damage.
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
    memory.observe(broker.keptBytes)
    if broker.hasDeferredFree {
      broker.freeDeferred()
      if !broker.hasDeferredFree { memory.giveBack(keeping: broker.keptBytes) }
    }
    if log.trouble != nil { relocate() }
    for finding in log.findings { reportDamage(finding) }
    log.findings.removeAll()
  }

  /// Bytes of the presenter's state that a turn writes: less than a millisecond of work.
  private static let stateShare = 262_144

  /// When the presenter wants to be woken, on the machine's clock.
  package var due: UInt64? {
    broker.due.map { UInt64(max(0, $0 - log.clock.offset)) }
  }

  /// Runs a turn for the presenter's alarms, with nobody to serve.
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

  /// The connections that wait for the disk, in the order of their coming.
  private var waiting: [ClientConnection] {
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
      connection.refuseHeld(ReplyBuffer.unsafe)
      updateInterest(of: connection)
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
