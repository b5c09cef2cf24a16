// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The programs that read to the user.
struct Readers: Sendable {
  /// A reader that deliveries go to.
  struct Listener: Sendable, Equatable {
    var conn: Int64
    /// The highest owns speech; 0 never does.
    var rank: Int64
    /// Its reports alone are believed, for it has promised to report every end.
    var isReporting: Bool
    var uid: UInt32
    /// Its user is away, so that it mirrors whatever its rank.
    var isAway = false
  }

  /// The highest rank first, among equals the oldest.
  var listening: [Listener] = [] {
    didSet { owner = listening.first { !$0.isAway }.flatMap { $0.rank > 0 ? $0 : nil } }
  }
  /// The reader that speaks: the one of the highest rank, the oldest among equals, of those whose
  /// users are not away.
  ///
  /// The others mirror it. Where none is above 0, nobody speaks.
  private(set) var owner: Listener?
  /// No reader is there, and one may still come.
  var isAwaited = true
  /// Whether the reader runs, as it has said of itself last.
  var status: Bool?
  /// The connection of the reader that has said so.
  var speaker: Int64?
  /// The user's own reading, while nothing is being spoken.
  var reading: Reading?
  /// The connections of the screen readers that speak through the bus.
  var narrators: Set<Int64> = []

  enum Reading: String, Sendable, CaseIterable {
    /// He reads by himself, as his reader has said.
    case byHand
    /// Words of a screen reader have just ended, and its next sentence may be on its way.
    case lull
  }

  var gate: Gate {
    guard owner != nil else { return isAwaited ? .waiting : .closed }
    return status ?? true ? .open : .closed
  }

  mutating func join(_ listener: Listener) {
    let place = listening.firstIndex { $0.rank < listener.rank } ?? listening.endIndex
    listening.insert(listener, at: place)
  }

  /// Tells those whose users are away from those whose are not.
  mutating func tell(apart seat: Seat) {
    listening = listening.map { listener in
      var listener = listener
      listener.isAway = seat.isAway(listener.uid)
      return listener
    }
  }

  /// Whether somebody is there to speak.
  enum Gate: Sendable {
    case open
    /// It is not clear yet whether anybody reads.
    case waiting
    case closed
  }
}

extension Presenter {
  /// Waits also while a reader's word about itself has not come to rest.
  var gate: Readers.Gate { waiting.tally.status > 0 ? .waiting : floor.readers.gate }

  /// A start: no earlier connection is there any more, and nobody is listening yet.
  ///
  /// What the user has asked of all speech holds until the machine is started anew.
  mutating func reopen(isSameBoot: Bool) {
    decisions.dropSpeech()
    if !isSameBoot { resumeByUser() }
    floor.readers = Readers()
    waiting.quiet.pauses = []
    floor.pendingCut = nil
    for cut in floor.cuts { conclude(cut, heard: nil) }
    floor.cuts = []
    floor.past = PastDeliveries()
    endOutage()
    if let speech = floor.speaking {
      // Words that the log does not have were never with anybody.
      if speech.seq == nil {
        waiting.park(speech.item, at: .queued)
      } else {
        waiting.offerAgain(speech.item, by: nil, within: Bounds.comeback, context)
      }
    }
    floor.endSpeaking(&waiting.alarms, context)
    // Their words were in the memory of a process that is gone, or are those of a screen reader
    // that has no connection any more and says them anew.
    let lost = waiting.items.filter { $0.isSecret || $0.kind == .reading }
    for seq in lost.map(\.seq).sorted() {
      guard var item = waiting.withdraw(seq) else { continue }
      item.why.clear()
      item.why.isSensitive = item.isSecret
      end(item, Ending(.undeliverable, by: nil, rule: .restart))
    }
    awaitReader()
  }

  mutating func noteClient(_ event: borrowing WireEvent) {
    guard let conn = event.integer(.conn) else { return }
    let wasRead = isRead
    let owner = floor.readers.owner
    switch event.string(.state) {
    case "listening":
      guard !floor.readers.listening.contains(where: { $0.conn == conn }) else { return }
      let uid = model.user(of: conn) ?? 0
      let reader = Readers.Listener(
        conn: conn,
        rank: event.integer(.speech) ?? 50,
        isReporting: event.flag(.reports),
        uid: uid,
        isAway: model.seat.isAway(uid)
      )
      floor.readers.join(reader)
      // One that comes and says nothing of itself counts as running, whatever was said before.
      if floor.readers.owner == reader { floor.readers.status = nil }
    case "unsubscribed": leave(conn)
    case "left":
      floor.readers.narrators.remove(conn)
      endPause(conn)
      leave(conn)
    default: return
    }
    if floor.readers.owner?.conn != owner?.conn { passSpeech(from: owner) }
    if isRead, !wasRead { presentState() }
  }

  // MARK: The seat

  /// Others sit at the machine now, or somebody has logged in for the first time.
  ///
  /// The voice of whoever has left hands over to that of whoever has come. What is being spoken of
  /// somebody who is away falls silent, and what waits of him ends as without a reader.
  mutating func changeSeat(_ event: borrowing WireEvent) {
    let (app, owner, wasRead) = (model.activeApp, floor.readers.owner, isRead)
    let uids = model.seat.uids
    model.apply(event.line)
    floor.readers.tell(apart: model.seat)
    if floor.readers.speaker != model.readerStatusConn {
      (floor.readers.speaker, floor.readers.status) = (nil, nil)
    }
    if uids != model.seat.uids {
      // What one has asked for does not hold for another.
      focus.media = nil
      resumeByUser()
    }
    let missed = waiting.quiet.disturbance.expired?.others ?? []
    if missed.contains(where: { model.seat.isAway($0.uid) }) {
      waiting.quiet.disturbance.expired = nil
    }
    if let item = floor.speaking?.item, isElsewhere(item) {
      let fate = item.isUrgent ? nil : Result.interrupted
      if !item.isUrgent { floor.speaking?.item.why.reason = .away }
      floor.cutSpeaking(fate, by: cause, rule: OwnRule.reader.name, &waiting, context)
      if item.isUrgent { waiting.offerAgain(item, by: cause, within: Bounds.comeback, context) }
    }
    if floor.readers.owner?.conn != owner?.conn { passSpeech(from: owner) }
    for item in waiting.items.sorted(by: { $0.seq < $1.seq })
    where isElsewhere(item) && isLostWithoutReader(item) {
      // A part of it was heard.
      if item.again != nil, !item.isLost {
        end(item.seq, Ending(.interrupted, by: cause, rule: .reader))
      } else {
        reject(item.seq)
      }
    }
    if floor.lastText.map(isElsewhere) ?? false { floor.lastText = nil }
    if floor.lastLabel.map(isElsewhere) ?? false { floor.lastLabel = nil }
    enterSeat(since: app, isReaderNew: isRead && !wasRead)
  }

  /// A window has locked its user's session: what waits there, or is being spoken, ends as what
  /// comes would.
  mutating func lock() {
    if var item = floor.speaking?.item, model.isLocked(for: item.app),
      let ending = Admission.lockRefusal(of: &item)
    {
      floor.speaking?.item.why.reason = .locked
      stopSpeaking(.inhibited, by: cause, rule: ending.rule)
    }
    for seq in waiting.seqs {
      guard var item = waiting[seq], model.isLocked(for: item.app),
        let ending = Admission.lockRefusal(of: &item)
      else { continue }
      waiting.replace(item)
      end(seq, ending)
    }
  }

  /// Whether the user of an event is away, or the voice is another person's.
  func isElsewhere(_ item: Item) -> Bool {
    guard model.tellsPeopleApart else { return false }
    let seat = model.seat
    if seat.isAway(item.facts.uid) { return true }
    return floor.readers.owner.map { !seat.lets($0.uid, hear: item.facts.uid) } ?? false
  }

  /// Whether whoever sits there may not hear an event again: it is another's, or the screen is
  /// locked.
  func isWithheld(_ item: Item) -> Bool {
    if isElsewhere(item) { return true }
    var item = item
    return model.isLocked(for: item.app) && Admission.lockRefusal(of: &item) != nil
  }

  /// Whether nobody is there who could speak an event.
  func isUnheard(_ item: Item) -> Bool {
    if case .closed = gate { return true }
    return isElsewhere(item)
  }

  private var isRead: Bool { floor.readers.owner != nil && floor.readers.status ?? true }

  /// The status of a reader goes with the reader, as the model has it.
  private mutating func leave(_ conn: Int64) {
    floor.readers.listening.removeAll { $0.conn == conn }
    guard floor.readers.speaker == conn, model.readerStatusConn == nil else { return }
    floor.readers.speaker = nil
    floor.readers.status = nil
  }

  /// Another reader owns speech now, or none: the current utterance is offered once more.
  private mutating func passSpeech(from before: Readers.Listener?) {
    endReading()
    for cut in floor.cuts { conclude(cut, heard: nil) }
    floor.cuts = []
    floor.pendingCut = nil
    let isThere = floor.readers.listening.contains { $0.conn == before?.conn }
    if isThere { floor.silenceUntold(&decisions, context) }
    floor.past = PastDeliveries()
    endOutage()
    if let item = floor.speaking?.item {
      if isThere { floor.silence(by: cause, isHold: false, &decisions) }
      floor.endSpeaking(&waiting.alarms, context)
      waiting.offerAgain(item, by: nil, within: Bounds.comeback, context)
    }
    guard floor.readers.owner != nil else {
      awaitReader()
      return
    }
    floor.readers.isAwaited = false
    waiting.alarms.cancel(.grace)
  }

  /// The user's own reading is over, by his word or because nothing has followed.
  mutating func endReading() {
    floor.readers.reading = nil
    waiting.alarms.cancel(.reading)
    waiting.endCutter(Item.Again.reading, context)
  }

  private mutating func awaitReader() {
    floor.readers.isAwaited = true
    waiting.alarms.set(.grace, at: now + Bounds.grace, by: cause)
  }

  /// No reader has come in time.
  mutating func endGrace() {
    floor.readers.isAwaited = false
    rejectUnheard()
  }

  /// Ends the events that have waited for the word of a reader, where no reader is there.
  mutating func rejectIfClosed() {
    waiting.hasStatusSettled = false
    if case .closed = gate { rejectUnheard() }
  }

  /// Ends what waits for its turn though nobody is there to take it.
  mutating func rejectUnheard() {
    let waiting = waiting.itemsInLine.filter { item in
      item.standing != .held && isLostWithoutReader(item)
    }
    for item in waiting.sorted(by: { $0.seq < $1.seq }) { reject(item.seq) }
  }

  func isLostWithoutReader(_ item: Item) -> Bool {
    switch item.kind {
    // A digest of missed events waits for a reader.
    case .status, .digest: false
    case .announcement, .layout: item.priority != .high
    case .screen, .page, .focus, .value, .report, .reading: true
    }
  }

  /// Whether a screen reader that speaks through the bus tells this itself: what the focus is at,
  /// and all that comes through the desktop's own bus.
  func isNarrated(_ item: Item) -> Bool {
    guard !floor.readers.narrators.isEmpty,
      item.kind == .focus || item.facts.origin == Self.desktop
    else { return false }
    guard model.tellsPeopleApart else { return true }
    let seat = model.seat
    return floor.readers.narrators.contains { conn in
      model.user(of: conn).map { !seat.isAway($0) && seat.lets($0, hear: item.facts.uid) } ?? false
    }
  }

  private static let desktop = Name("atspi")

  private mutating func reject(_ seq: Seq) {
    guard let item = waiting.withdraw(seq) else { return }
    reject(item)
  }

  mutating func reject(_ item: consuming Item) {
    item.noteWait(until: now)
    item.why.reason =
      isElsewhere(item) ? .away : floor.readers.owner == nil ? .noReader : .readerOff
    item.why.heldBy = .readerOff
    end(item, Ending(.undeliverable, by: nil, rule: .reader))
  }

  /// The status of a reader has come to rest.
  mutating func changeStatus(_ item: Item) {
    // The model has not taken it either.
    guard !model.seat.isAway(item.facts.uid) else { return }
    let wasOn = floor.readers.status ?? true
    // It goes with the reader that has said it, and one that has come since has said nothing.
    let isInForce = model.readerStatusConn != nil
    floor.readers.status = isInForce ? item.isFinal : nil
    floor.readers.speaker = model.readerStatusConn
    if floor.readers.status ?? true {
      if !wasOn { presentState() }
      return
    }
    if let item = floor.speaking?.item, item.isUrgent {
      stopSpeaking(nil, by: cause, rule: OwnRule.reader.name)
      waiting.offerAgain(item, by: cause, within: Bounds.comeback, context)
    } else if floor.speaking != nil {
      stopSpeaking(.interrupted, by: cause, rule: OwnRule.reader.name)
    }
    rejectUnheard()
  }
}

extension Readers.Listener: Recorded {
  static var blank: Readers.Listener {
    Readers.Listener(conn: 0, rank: 0, isReporting: false, uid: 0)
  }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.conn, &self.rank, &self.isReporting)
  }
}

extension Readers {
  /// The user of a listener, which older records do not know.
  struct User: Recorded {
    var conn: Int64
    var uid: Int64
    var isAway: Bool

    static var blank: User { User(conn: 0, uid: 0, isAway: false) }

    mutating func record(_ scribe: inout Scribe) {
      scribe.transcribe(&self.conn, &self.uid, &self.isAway)
    }
  }

  var users: [User] {
    listening.map { User(conn: $0.conn, uid: Int64($0.uid), isAway: $0.isAway) }
  }

  mutating func restore(_ user: User) {
    guard let index = listening.firstIndex(where: { $0.conn == user.conn }),
      let uid = UInt32(exactly: user.uid)
    else { return }
    (listening[index].uid, listening[index].isAway) = (uid, user.isAway)
  }
}

extension Readers: Recorded {
  static var blank: Readers { Readers() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.listening)
    scribe.transcribe(&self.isAwaited, &self.status, &self.speaker)
    // All that older records know of it; a part of its own has the rest.
    var isByHand = self.reading == .byHand
    scribe.transcribe(&isByHand)
    if isByHand { self.reading = .byHand }
  }
}
