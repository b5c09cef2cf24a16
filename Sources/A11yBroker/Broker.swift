// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
package import A11yModel
package import A11yWire

/// The bus itself: lines come in, decisions go out.
///
/// One value, driven by hand: it reads no clock and touches no descriptor. A line passes the
/// stations in this order:
///
///     line → request → who may ask → what is asked → the log's next entry → the reply
///
/// The decisions of a turn are data (`Turn`); the shell carries them out, the log first.
package struct Broker: ~Copyable {
  let json = JSONReader(limit: Limits.lineBytes)
  var log: LogHead
  var writer = EntryWriter()
  var stamp = Stamp(time: 0, mono: 0)
  var apps = AppTable()
  package internal(set) var duplicates = DuplicateTable()
  /// What each user has added to the log in a day.
  var shares: LogShares
  package var counters = Counters()
  private let lastAtStart: Seq
  /// The state of all entries so far, and the decisions that follow from it.
  package internal(set) var presenter: Presenter
  /// The entry of the rules that are in force.
  package internal(set) var rulesEntry = Seq.none
  /// Secret words that may still be spoken and that the log must not know.
  var secrets = Secrets()
  /// The `opened` entry is written; before that nothing is decided.
  private var isOpen = false
  /// The elements whose values stay secret though the entries that told so are forgotten.
  package internal(set) var forgottenSecrets: ForgottenSecrets
  /// The bus clock of the last entry, as the model right after it has it.
  private var lastMono: Int64 = 0
  /// Reads the lines that the turn has written, as readers of the log will.
  private let storedJSON = JSONReader(limit: Limits.answerBytes)
  /// The unknown fields of the line at hand.
  var unknown: UnknownFields = []
  /// The origin of the bus's own entries.
  private let origin: ByteBuffer
  private let ownKey: AppKey
  private var lastConnection: Int64 = 0
  /// The connections, by their numbers.
  private var sessions: [Int64: Session] = [:]
  /// The log cannot be written; told in `hello`.
  package var isDegraded = false

  /// The limits that clients are told; the daemon enforces them.
  package var quotas: Quotas

  private let past: Recollection.Source
  /// Reads earlier entries while `json` holds the line at hand.
  private let pastJSON = JSONReader(limit: Limits.answerBytes)

  package init(
    log: LogHead,
    presenter: Presenter,
    secrets: ForgottenSecrets = ForgottenSecrets(),
    shares: LogShares = LogShares(),
    uid: UInt32,
    quotas: Quotas,
    recall: @escaping Recollection.Source
  ) {
    self.log = log
    self.presenter = presenter
    forgottenSecrets = secrets
    self.shares = shares
    self.shares.remove(uid)
    lastAtStart = log.last
    self.quotas = quotas
    past = recall
    ownKey = AppKey(uid: uid, app: Name(Self.ownName))
    origin = EntryWriter.origin(app: Self.ownName, uid: uid, conn: 0)
  }

  /// The app of the bus's own entries, a name that no client may have.
  static let ownName = AppLabel.bus

  package var head: LogHead { log }

  /// The bus clock in this turn.
  package var now: Int64 { stamp.mono }

  /// The entries that this bus has written since its start.
  package var entryCount: Int64 { log.last.number - lastAtStart.number }

  // MARK: Turns

  /// Begins a turn; everything until the next one happens at `stamp`.
  package mutating func begin(_ turn: inout Turn, at stamp: Stamp) {
    precondition(stamp.mono >= self.stamp.mono, "the bus clock never goes back")
    self.stamp = stamp
    writer.begin(at: stamp)
    turn.begin(after: log.last)
    advance(into: &turn)
    secrets.tend(presenter.model)
  }

  /// Remembers keys that were used before this start, oldest first.
  package mutating func remember(_ keys: [UsedKey]) {
    for key in keys { duplicates.remember(key) }
  }

  /// Notes that the log begins with a later entry now.
  package mutating func retain(from first: Seq) { log.first = first }

  // MARK: Connections

  package mutating func connect(uid: UInt32, role: Role) -> Session {
    lastConnection += 1
    let tally = apps.join(uid: uid, app: "uid:\(uid)")
    let session = Session(conn: lastConnection, uid: uid, role: role, tally: tally)
    sessions[session.conn] = session
    return session
  }

  /// Ends a session, since its connection is closed.
  package mutating func disconnect(
    _ session: Session,
    reason: String,
    into turn: inout Turn
  ) {
    sessions[session.conn] = nil
    apps.leave(session.tally)
    appendLeft(session, reason: reason, into: &turn)
  }

  /// Ends the connections of an app, with its windows, so that others of its user have room.
  mutating func giveUp(_ app: AppKey, _ refusal: Refusal, into turn: inout Turn) {
    let leaving = sessions.values.filter { $0.sender.key == app && $0.farewell == nil }
    for session in leaving.sorted(by: { $0.conn < $1.conn }) {
      session.farewell = refusal
      turn.givenUp.append(session)
      appendLeft(session, reason: refusal.code.rawValue, into: &turn)
    }
  }

  /// Appends the entry that a client has introduced itself.
  ///
  /// Where its user has had his part of the log, it comes with the first event that still passes:
  /// otherwise whoever only comes and goes would push out the past of all others.
  mutating func appendJoined(_ session: Session, client: String?, into turn: inout Turn) {
    guard !hasHadShare(session) else { return }
    let start = turn.entries.count
    writeJoined(session, client: client, into: &turn)
    chargeLines(from: start, of: turn, to: session)
    present(from: start, of: &turn)
    session.hasJoined = true
  }

  /// Appends the entry that a client has left.
  private mutating func appendLeft(_ session: Session, reason: String, into turn: inout Turn) {
    guard session.hasJoined else { return }
    session.hasJoined = false
    advance(into: &turn)
    let start = turn.entries.count
    writeOwn(ClientNews(state: .left, session: session, reason: reason), into: &turn)
    chargeLines(from: start, of: turn, to: session)
    present(from: start, of: &turn)
  }

  /// Writes the entry that a client is there.
  ///
  /// The model does not get it yet: a first publish may still be refused.
  mutating func writeJoined(_ session: Session, client: String?, into turn: inout Turn) {
    writeOwn(ClientNews(state: .joined, session: session, client: client), into: &turn)
  }

  /// Overwrites the lines that were read last.
  package func wipe() {
    for json in [json, storedJSON, pastJSON] { json.wipe() }
  }

  // MARK: The seat

  /// The entries that a client may see; nil for all.
  ///
  /// A service of the machine that may read is trusted with everybody's, a person with his own.
  func confinement(of session: Session) -> Confinement? {
    switch session.role {
    case .publish: .app(session.sender.key)
    case .read:
      if let people = seat.people, seat.isPerson(session.uid) {
        .person(session.uid, among: people)
      } else {
        nil
      }
    case .bus, .control: nil
    }
  }

  /// The users whose windows may be active.
  package var seat: Seat { presenter.model.seat }

  /// Has other users sit at the machine.
  ///
  /// Where somebody logs in for the first time, others may see less from then on: they come again.
  package mutating func change(_ seat: Seat, into turn: inout Turn) {
    guard seat != self.seat else { return }
    appendOwn(seat, into: &turn)
    let refusal = Refusal(
      .roleDenied,
      "somebody has logged in for the first time, so that other entries may be read; come again"
    )
    for session in sessions.values.sorted(by: { $0.conn < $1.conn }) where session.role == .read {
      guard let subscription = session.subscription, session.farewell == nil,
        subscription.filter?.confinement != confinement(of: session)
      else { continue }
      session.farewell = refusal
      turn.givenUp.append(session)
    }
  }

  // MARK: Shares of the log

  /// Whether a user's part of the log is limited.
  private func isLimited(_ uid: UInt32) -> Bool {
    quotas.logBytesPerUser > 0 && uid != ownKey.uid && uid != 0
      && !quotas.unlimitedUsers.contains(uid)
  }

  /// Whether what comes over a connection is counted.
  func isLimited(_ session: Session) -> Bool { session.role == .publish && isLimited(session.uid) }

  /// Whether the user of a connection has nothing left of his part of the log.
  private func hasHadShare(_ session: Session) -> Bool {
    isLimited(session)
      && shares.wait(for: 1, of: session.uid, upTo: quotas.logBytesPerUser, at: stamp.mono) > 0
  }

  /// Counts the turn's lines from `start` on, which tell about a client.
  private mutating func chargeLines(
    from start: Int,
    of turn: borrowing Turn,
    to session: Session
  ) {
    guard isLimited(session) else { return }
    shares.add(turn.entries.count - start, of: session.uid, at: stamp.mono)
  }

  /// Counts an entry about an event of a user.
  private mutating func charge(_ bytes: Int, to uid: UInt32) {
    if isLimited(uid) { shares.add(bytes, of: uid, at: stamp.mono) }
  }

  /// Counts an event of a user, or refuses it because he has had his part of the log for now.
  mutating func takeShare(of uid: UInt32, bytes: Int, isUrgent: Bool) throws(Refusal) {
    let limit = quotas.logBytesPerUser
    let wait = shares.wait(for: bytes, of: uid, upTo: limit, at: stamp.mono)
    if wait > 0, !isUrgent || !shares.takesUrgent(of: uid, at: stamp.mono) {
      var refusal = Refusal(
        .quotaExceeded,
        "a user adds at most \(limit) bytes to the log in a day, and this one has; come again later"
      )
      refusal.retryMilliseconds = wait
      throw refusal
    }
    shares.add(bytes, of: uid, at: stamp.mono)
  }

  // MARK: Lines

  /// Receives one line from a connection.
  package mutating func receive(
    _ line: Span<UInt8>,
    from session: Session,
    into turn: inout Turn
  ) {
    if isBlank(line) { return }
    let json = self.json
    do throws(JSONFault) {
      try json.read(line)
    } catch {
      refuseLine(Refusal(.jsonInvalid, error.words), session, into: &turn)
      return
    }
    session.badLines = 0
    answer(json.document, session, into: &turn)
  }

  /// Refuses a line over the limit.
  package mutating func refuseTooLong(from session: Session, into turn: inout Turn) {
    refuseLine(
      Refusal(.lineTooLong, "expected lines of at most \(Limits.lineBytes) bytes; passed over one"),
      session,
      into: &turn
    )
  }

  private mutating func refuseLine(
    _ refusal: Refusal,
    _ session: Session,
    into turn: inout Turn
  ) {
    refuse(refusal, id: 0..<0, session, into: &turn)
    session.badLines += 1
    if session.badLines >= Limits.badLines {
      session.farewell = Refusal(
        refusal.code,
        "\(Limits.badLines) lines in a row could not be read; the last: \(refusal.message)"
      )
    }
  }

  private func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices {
      guard line[index] == 32 || line[index] == 9 || line[index] == 13 else { return false }
    }
    return true
  }

  // MARK: Entries

  /// The members of an earlier entry, from the turn or from the log.
  func recall(_ seq: Seq, in turn: inout Turn) -> Recollection {
    turn.lookups += 1
    return seq > turn.before ? turn.recall(seq, with: pastJSON) : past(seq)
  }

  /// Appends an entry of the bus's own, gives it to the presenter, and says which it is.
  @discardableResult
  mutating func appendOwn(
    _ type: EventType.Own,
    into turn: inout Turn,
    _ members: (inout ByteBuffer) -> Void
  ) -> Seq {
    // Alarms that were due by the time of a start ring behind its entry.
    if type == .opened { isOpen = true } else { advance(into: &turn) }
    let start = turn.entries.count
    writeOwn(type.rawValue, into: &turn, members)
    let seq = log.last
    present(from: start, of: &turn)
    return seq
  }

  @discardableResult
  mutating func appendOwn<Entry: OwnEntry>(_ entry: Entry, into turn: inout Turn) -> Seq {
    appendOwn(Entry.type, into: &turn) { Entry.form.write(entry, into: &$0) }
  }

  /// Writes an entry of the bus's own, without giving it to the presenter.
  private mutating func writeOwn(
    _ type: String,
    into turn: inout Turn,
    _ members: (inout ByteBuffer) -> Void
  ) {
    log.last = log.last.next
    turn.checksums.append(
      writer.write(type, as: log.last, origin: origin, into: &turn.entries, members)
    )
  }

  private mutating func writeOwn<Entry: OwnEntry>(_ entry: Entry, into turn: inout Turn) {
    writeOwn(Entry.type.rawValue, into: &turn) { Entry.form.write(entry, into: &$0) }
  }

  // MARK: The presenter

  /// When the presenter wants to be woken, on the bus clock.
  package var due: Int64? { isOpen ? presenter.due?.microseconds : nil }

  /// Rings all alarms that are due by now, each at its own time.
  mutating func advance(into turn: inout Turn) {
    guard isOpen else { return }
    while let due = presenter.due?.microseconds, due <= stamp.mono {
      presenter.ring()
      decide(into: &turn)
    }
  }

  /// Gives the turn's lines from `start` on to the presenter, now that they are final.
  mutating func present(from start: Int, of turn: inout Turn) {
    presentLines(start..<turn.entries.count, of: turn)
    // Decisions come behind all lines that were appended together; only one of them leads to any.
    decide(into: &turn)
  }

  /// Gives stored lines of the turn to the presenter, as a replay does.
  mutating func presentLines(_ lines: Range<Int>, of turn: borrowing Turn) {
    lastMono = stamp.mono
    var start = lines.lowerBound
    while start < lines.upperBound {
      start = Self.presentLine(from: start, of: turn, storedJSON, &presenter)
    }
  }

  private static func presentLine(
    from start: Int,
    of turn: borrowing Turn,
    _ json: JSONReader,
    _ presenter: inout Presenter
  ) -> Int {
    let lines = turn.entries.bytes
    guard let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) else {
      return lines.count
    }
    do throws(JSONFault) {
      try json.read(lines.extracting(start..<newline))
    } catch {
      preconditionFailure("what the broker has written can be read")
    }
    presenter.take(json.document)
    return newline + 1
  }

  /// Appends the presenter's decisions.
  mutating func decide(into turn: inout Turn) {
    guard presenter.hasDecided else { return }
    if presenter.now.microseconds != stamp.mono {
      writer.begin(at: Stamp(time: stamp.time, mono: presenter.now.microseconds))
    }
    lastMono = max(lastMono, presenter.now.microseconds)
    // Asked first: a decision is large, and at the end `next` would hand back a place for none.
    while presenter.hasDecided {
      guard let decision = presenter.next(as: log.last.next) else { break }
      let start = turn.entries.count
      writeOwn(decision.type, into: &turn) { decision.write(into: &$0) }
      // On most machines nobody is counted.
      if !shares.isEmpty, let app = decision.app { charge(turn.entries.count - start, to: app.uid) }
      carryOut(decision, writtenAt: start, into: &turn)
    }
    if presenter.now.microseconds != stamp.mono { writer.begin(at: stamp) }
  }

  /// Does what else follows from a decision whose entry stands at `start` of the turn's lines.
  private mutating func carryOut(
    _ decision: Decision,
    writtenAt start: Int,
    into turn: inout Turn
  ) {
    if let order = Order(decision, as: log.last, at: presenter.now.microseconds) {
      turn.orders.append(order)
    }
    switch decision {
    case .deliver(let delivery):
      if let secret = delivery.secret, let found = secrets.words(of: secret) {
        let speak = delivery.spoken(with: found.runs)
        let masked = found.kind == .value ? presenter.bullets(for: found.runs) : nil
        turn.secrets.append(
          Secret(of: log.last, kind: found.kind, speak: speak, masked: masked)
        )
      }
    case .outcome(let outcome):
      secrets.endEvent(outcome)
      countOutcome(outcome)
    case .focus(let move): presenter.take(ownHead, move)
    case .calm: _ = Self.presentLine(from: start, of: turn, storedJSON, &presenter)
    case .gesture(let gesture):
      if let name = secrets.name(ofAction: gesture.action) {
        turn.secrets.append(Secret(of: log.last, kind: .action, speak: name, app: gesture.app))
      }
    case .silence: break
    }
  }

  /// The head of the last entry, which is the bus's own and was written at the presenter's instant.
  private var ownHead: EntryHead {
    EntryHead(seq: log.last, mono: presenter.now.microseconds, app: ownKey, conn: 0)
  }

  /// Counts how an event has ended, for `stats`.
  private mutating func countOutcome(_ outcome: Outcome) {
    counters.noteEnd(outcome)
    apps[outcome.app]?.count(outcome)
  }

  /// Whether memory of removed elements is still to be freed.
  package var hasDeferredFree: Bool { presenter.model.hasDeferredFree }

  /// The bytes of ids and texts that are kept for apps.
  package var keptBytes: Int { presenter.model.bytes }

  /// Frees some of that memory, in less than a millisecond.
  package mutating func freeDeferred() { presenter.freeDeferred() }

  /// Frees the memory of a past presenter in slices, now that it was asked.
  package mutating func demolish(_ past: consuming Presenter) { presenter.demolish(past) }

  /// The state right after the last entry, as a replay up to there would have it.
  func picture(after seq: Seq, for session: Session) -> Picture {
    var presenter = self.presenter
    presenter.expire(through: Instant(microseconds: lastMono))
    return Picture(presenter: presenter, after: seq, only: confinement(of: session))
  }

  /// The state at this instant: since the last entry, apps may have been away for long enough.
  func presentPicture(only confinement: Confinement? = nil) -> Picture {
    var presenter = self.presenter
    presenter.expire(through: Instant(microseconds: stamp.mono))
    return Picture(presenter: presenter, after: log.last, only: confinement)
  }
}
