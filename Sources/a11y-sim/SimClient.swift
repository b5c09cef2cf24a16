// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// A client: publishes, listens, is slow, vanishes and comes back.
///
/// It keeps what a careful client would keep, the cursor of its last line and the events that it
/// was not told about, and holds every answer against what the contract says of it.
final class SimClient {
  let app: String
  let uid: UInt32
  /// It reads to the user, well or badly.
  let isReader: Bool
  /// The number of its connection.
  private var conn: Int64?
  /// The deliveries that it has not reported to be done, the newest last.
  private var spoken: [Int64] = []
  private let chronicle: Chronicle
  private var judge: Judge { chronicle.judge }
  private let reader = JSONReader(limit: Limits.answerBytes)

  private(set) var link: SimLink?
  private var outbox: [UInt8] = []
  private var inbox: [UInt8] = []
  /// The last line that it has heard.
  private var before: [UInt8]?
  private var asked: [(id: Int64, what: Asked)] = []
  private var nextID: Int64 = 1
  /// It does not read for now.
  var isStalled = false

  private(set) var view: View?
  /// The subscription that it goes on with when it comes back.
  private(set) var habit: Asked.Wish?
  private(set) var lastCursor: (epoch: String, seq: Int64)?
  /// Sent, with a key, and not answered: to be sent again.
  private var unsettled: [SentEvent] = []
  /// The highest seq that this connection was told for an event of its own.
  private var highest: Int64 = 0
  /// The first entry of the log, as the bus has told it last.
  var retained: Int64 = 1
  /// The bus says itself that it cannot keep what it is given, or may have to.
  var isTroubled = false
  private(set) var hasFarewell = false

  /// Told of every line, for those who want to know what happened.
  var onLine: ((SimClient, [UInt8]) -> Void)?
  /// Changes a line on its way to the client; a canary's work.
  var tampers: (([UInt8]) -> [[UInt8]])?

  init(_ chronicle: Chronicle, app: String, uid: UInt32, isReader: Bool) {
    self.isReader = isReader
    self.chronicle = chronicle
    self.app = app
    self.uid = uid
  }

  var isConnected: Bool { link != nil }
  var isSubscribed: Bool { view != nil }
  /// Something is still to be sent or to be answered.
  var isBusy: Bool { !outbox.isEmpty || !asked.isEmpty }
  /// Something of what it wants has not reached it, as far as that can be told.
  var hasMore: Bool {
    guard let link else { return false }
    if link.toClient.count > 0 { return true }
    guard let view, view.filter == nil, !view.isLatest else { return false }
    return view.position < chronicle.top
  }

  var hasAskedToSubscribe: Bool {
    asked.contains { if case .subscribe = $0.what { true } else { false } }
  }

  // MARK: Coming and going

  func connect(_ link: SimLink) {
    self.link = link
    isStalled = false
    hasFarewell = false
    highest = 0
    before = nil
    conn = nil
    spoken = []
    let role = isReader ? ",\"role\":\"reader\"" : ""
    // One of them outranks the others and promises to report.
    let voice = isReader && app.hasSuffix("1") ? ",\"speech\":60,\"reports\":true" : ""
    ask(.hello, "\"op\":\"hello\",\"app\":\"\(app)\"\(role)\(voice)")
    // An event without an answer may have been taken, which its key will tell.
    let again = unsettled
    unsettled = []
    for publication in again { publish(publication) }
  }

  /// Lets go of the connection, from this end or because the other is gone.
  func leave() {
    link?.vanish()
    link = nil
    for case (_, .publish(let publication)) in asked where publication.dedupe != nil {
      unsettled.append(publication)
    }
    asked = []
    outbox = []
    inbox = []
    finishView()
  }

  private func finishView() {
    guard let view else { return }
    finished.append(view)
    self.view = nil
  }

  /// Subscriptions that have ended and are to be looked back at.
  var finished: [View] = []

  /// A start behind which nothing is known any more.
  func forget() {
    lastCursor = nil
    habit = nil
  }

  // MARK: Asking

  func publish(_ publication: SentEvent) {
    publication.requests += 1
    publication.isOut = true
    ask(.publish(publication), publication.request)
  }

  /// Says something of what it was given to speak: the truth as a rule, and now and then of
  /// something else, or of what it has said already.
  func report(_ maker: EventMaker, _ dice: Dice) {
    guard let newest = spoken.last else { return }
    let of = dice.once(in: 6) ? dice.pick(spoken) : newest
    let state = dice.pick([
      "started", "finished", "finished", "finished", "interrupted", "lost", "elsewhere", "progress",
    ])
    if state != "started", state != "progress", dice.chance(80) { spoken.removeAll { $0 <= of } }
    publish(maker.report(state, of: of, app: app, uid: uid))
  }

  func ping() { ask(.ping, "\"op\":\"ping\"") }

  func subscribe(_ wish: Asked.Wish) {
    habit = wish
    ask(.subscribe(wish), wish.request)
  }

  func askState(at seq: Int64?) {
    ask(.state(at: seq), "\"op\":\"state\"" + (seq.map { ",\"at\":\($0)" } ?? ""))
  }

  func forget(_ app: String) {
    let through = chronicle.askToForget(app)
    ask(.forget(app: app, through: through), "\"op\":\"forget\",\"apps\":[\"\(app)\"]")
  }

  func reload() { ask(.reload, "\"op\":\"reload\"") }

  func unsubscribe() { ask(.unsubscribe, "\"op\":\"unsubscribe\"") }

  private func ask(_ what: Asked, _ members: String) {
    outbox += Array("{\"id\":\(nextID),\(members)}\n".utf8)
    asked.append((nextID, what))
    nextID += 1
  }

  // MARK: Moving bytes

  /// Gives the link what it takes; true when something went.
  func writeRequests() -> Bool {
    guard let link, !outbox.isEmpty else { return false }
    let count = link.write(outbox[...])
    outbox.removeFirst(count)
    return count > 0
  }

  /// Takes up to so many bytes; true when something came.
  func readReplies(_ wanted: Int) -> Bool {
    guard let link, !isStalled else { return false }
    let bytes = link.read(wanted)
    guard !bytes.isEmpty else {
      if link.isClosed { end() }
      return false
    }
    var start = bytes.startIndex
    while let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      inbox += bytes[start..<newline]
      let line = inbox
      inbox.removeAll(keepingCapacity: true)
      receiveLine(line)
      start = newline + 1
    }
    inbox += bytes[start...]
    return true
  }

  /// The bus has closed its end and everything that it sent is read.
  private func end() {
    // Bytes that do not fit when the bus closes are lost; a client that reads on misses nothing.
    guard link?.isRoomy ?? false else { return leave() }
    judge.check(
      inbox.isEmpty,
      expected: "\(app): whole lines up to the end",
      came: shown(inbox)
    )
    judge.check(
      hasFarewell,
      expected: "\(app): a bye before the bus closes",
      came: "the end"
    )
    leave()
  }

  // MARK: Lines

  /// Blames a line that is not what the client may expect.
  private func expect(_ isRight: Bool, _ words: @autoclosure () -> String, _ line: [UInt8]) {
    judge.check(isRight, expected: "\(app): \(words())", came: shown(line))
  }

  private func receiveLine(_ line: [UInt8]) {
    guard let tampers else { return hear(line) }
    for line in tampers(line) { hear(line) }
  }

  private func hear(_ line: [UInt8]) {
    onLine?(self, line)
    defer { before = line }
    if line.starts(with: "{\"mark\":\"secret\"".utf8) { return takeSecret(line) }
    expect(!line.contains(EventMaker.secretMark), "no word of what is secret", line)
    if line.starts(with: "{\"seq\":".utf8) {
      guard let view else {
        return expect(false, "entries to subscribers only", line)
      }
      view.receive(line)
      keepCursor(of: view)
      noteSpeech(line)
      return
    }
    guard let message = Message(line, with: reader) else {
      return expect(false, "strict JSON", line)
    }
    switch message.kind {
    case .mark(let mark): receiveMark(mark, message, line)
    case .ok(let id), .refusal(let id): answer(id, message, line)
    case .bye: hasFarewell = true
    case .warning, .unknown:
      expect(false, "an entry, a mark, a reply or a bye", line)
    }
  }

  /// A secret is for a reader's ears, right behind the line that has it spoken, and is what the app
  /// has sent.
  private func takeSecret(_ line: [UInt8]) {
    let of = before.flatMap { EntryLine.seq(of: $0[...]) }.flatMap { chronicle.known[$0] }
    let mark = Message(line, with: reader)
    expect(
      isReader && isSubscribed && of?.about.type == "deliver" && mark?.of == of?.entry.seq
        && chronicle.maker.hasSent(secretIn: line),
      "a secret that is for it, behind its deliver",
      line
    )
  }

  /// Remembers what it is to speak.
  private func noteSpeech(_ line: [UInt8]) {
    guard isReader, let seq = EntryLine.seq(of: line[...]), let entry = chronicle.known[seq],
      entry.line == line, entry.about.speaks, let conn, entry.about.to == conn
    else { return }
    spoken.append(seq)
  }

  private func keepCursor(of view: View) { lastCursor = (chronicle.epoch, view.position) }

  private func receiveMark(_ mark: String, _ message: Message, _ line: [UInt8]) {
    guard let view else {
      return expect(false, "marks to subscribers only", line)
    }
    switch mark {
    case "gap":
      guard let from = message.from, let to = message.to, let reason = message.reason else { break }
      view.takeGap(from: from, to: to, reason: reason, retained: retained)
      return keepCursor(of: view)
    case "state":
      guard let cursor = message.cursor else { break }
      return view.takeState(line, epoch: cursor.epoch, seq: cursor.seq, retained: retained)
    case "caught-up":
      guard let cursor = message.cursor else { break }
      view.takeCaughtUp(epoch: cursor.epoch, seq: cursor.seq)
      return keepCursor(of: view)
    case "checkpoint":
      guard let cursor = message.cursor else { break }
      view.takeCheckpoint(epoch: cursor.epoch, seq: cursor.seq)
      return keepCursor(of: view)
    case "skipped":
      guard let count = message.count else { break }
      return view.takeSkipped(Int(count))
    default: break
    }
    expect(false, "a mark in its form", line)
  }

  // MARK: Answers

  private func answer(_ id: Int64, _ message: Message, _ line: [UInt8]) {
    guard let first = asked.first, first.id == id else {
      return expect(false, "the answer to request \(asked.first?.id ?? 0)", line)
    }
    asked.removeFirst()
    if case .ok = message.kind {
      receiveReply(first.what, message, line)
    } else {
      takeRefusal(first.what, message, line)
    }
  }

  private func receiveReply(_ what: Asked, _ message: Message, _ line: [UInt8]) {
    switch what {
    case .hello:
      conn = message.conn
      chronicle.greet()
      expect(message.epoch == chronicle.epoch, "to be greeted in epoch \(chronicle.epoch)", line)
    case .publish(let publication): receiveAccepted(publication, message, line)
    case .ping:
      expect(message.last.map { $0 >= highest } ?? false, "last at \(highest) or later", line)
    case .subscribe(let wish): beginSubscription(wish, message, line)
    case .unsubscribe: finishView()
    case .state(let at): takeState(message, line, asked: at)
    case .reload:
      expect(
        message.rules.map { chronicle.mayBe("rules", at: $0) } ?? false,
        "the entry of the rules in force",
        line
      )
    case .forget(let app, let through): chronicle.forgot(app, through: through)
    }
  }

  private func receiveAccepted(_ publication: SentEvent, _ message: Message, _ line: [UInt8]) {
    guard let seq = message.seq, let durability = message.durability else {
      return expect(false, "seq and durability", line)
    }
    expect(
      durability == publication.ack
        || isTroubled && durability == .received && publication.ack == .written,
      "durability \(publication.ack.rawValue)",
      line
    )
    if message.isDuplicate {
      expect(
        publication.dedupe != nil && publication.requests > 1,
        "no duplicate of event \(publication.token), which came once",
        line
      )
    } else {
      expect(seq > highest, "a seq behind \(highest)", line)
      highest = max(highest, seq)
    }
    chronicle.claim(publication, seq: seq, durability, isDuplicate: message.isDuplicate)
  }

  private func takeState(_ message: Message, _ line: [UInt8], asked at: Int64?) {
    guard let cursor = message.cursor else {
      return expect(false, "a state with its cursor", line)
    }
    expect(
      cursor.epoch == chronicle.epoch && at ?? cursor.seq == cursor.seq,
      "the state at \(at.map(String.init) ?? "this instant")",
      line
    )
    // By now more may have run out than by the last entry.
    if at != nil { chronicle.acceptState(line, after: cursor.seq) }
  }

  private func beginSubscription(_ wish: Asked.Wish, _ message: Message, _ line: [UInt8]) {
    guard let cursor = message.cursor else {
      return expect(false, "a cursor", line)
    }
    expect(cursor.epoch == chronicle.epoch, "a cursor in epoch \(chronicle.epoch)", line)
    switch wish.from {
    case .now:
      expect(cursor.seq >= highest, "now, behind \(highest)", line)
    case .start:
      expect(cursor.seq < retained, "the start of the log, before \(retained)", line)
    case .cursor(let epoch, let seq):
      let reach = chronicle.reach(of: epoch)
      expect(
        cursor.seq == seq && (reach.map { seq <= $0 } ?? false || chronicle.mayForget(epoch)),
        "the cursor that was given, if it can be",
        line
      )
    }
    view = View(
      chronicle,
      name: app,
      filter: wish.filter,
      isLatest: wish.isLatest,
      awaitsState: wish.hasState,
      epoch: chronicle.epoch,
      after: cursor.seq
    )
    lastCursor = (chronicle.epoch, cursor.seq)
  }

  private func takeRefusal(_ what: Asked, _ message: Message, _ line: [UInt8]) {
    switch what {
    case .publish(let publication):
      // It may have been taken all the same, and says so then.
      if !message.words.contains("was taken as seq") { publication.refusals += 1 }
      expect(
        isTroubled && message.code == "storage.degraded" && publication.ack == .synced,
        "event \(publication.token) to be taken",
        line
      )
    case .subscribe(let wish):
      guard case .cursor(let epoch, let seq) = wish.from else {
        return expect(false, "a subscription", line)
      }
      lastCursor = nil
      habit = nil
      let reach = chronicle.reach(of: epoch)
      let isTrue =
        switch message.code {
        case "cursor.epoch": reach == nil || chronicle.mayForget(epoch)
        case "cursor.future": seq > min(reach ?? .max, message.last ?? 0)
        default: false
        }
      expect(isTrue, "a subscription from \(epoch):\(seq), or why not", line)
    case .forget(let forgotten, _):
      chronicle.gaveUpForgetting(forgotten)
      expect(
        message.code == "storage.degraded" && (isTroubled || chronicle.isUnreadable),
        "an app to be forgotten",
        line
      )
    case .state(let at):
      expect(
        message.code == "seq.unknown"
          && at.map { $0 < retained - 1 || $0 > message.last ?? .max } ?? false,
        "a state, or that the log does not reach there",
        line
      )
    case .hello, .ping, .unsubscribe, .reload:
      expect(false, "no refusal", line)
    }
  }
}
