// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

// Applies entries to the model. Lines come from a disk, so that nonsense is passed over.
extension Model {
  /// Whether a line of the log can change the model at all.
  ///
  /// Nearly none can, and the name of the event's type is found without parsing the line. In doubt,
  /// the answer is yes.
  public static func concerns(_ line: Span<UInt8>) -> Bool {
    EnvelopePeek.type(in: line).map { concerns(line, typeAt: $0) } ?? true
  }

  /// The same for a line whose word for the type stands there.
  package static func concerns(_ line: Span<UInt8>, typeAt place: Range<Int>) -> Bool {
    let name = line.extracting(place)
    if name.firstIndex(of: UInt8(ascii: "\\")) != nil { return true }
    if let type = EventType(name) { return type.has(.changesModel) }
    guard let own = EventType.Own(name) else { return false }
    // Nearly every event has an outcome, and few outcomes suggest a place for the focus.
    if own == .outcome {
      let rest = line.extracting(place.upperBound..<line.count)
      return rest.firstIndex(of: ",\"suggestion\":{") != nil
    }
    return concerns(own)
  }

  public static func concerns(_ type: EventType.Own) -> Bool {
    switch type {
    case .focus, .opened, .client, .outcome, .seat: true
    case .deliver, .silence, .gesture, .closed, .rules, .forgot, .forgotten: false
    }
  }

  /// Applies an entry.
  ///
  /// Entries that do not concern the model may be left out, except for the last one before a
  /// question: it tells the time.
  public mutating func apply(_ entry: JSONDocument) {
    let view = EntryView(of: entry)
    guard let seq = view.seq, let mono = view.mono, let event = view.event,
      let type = entry.string("type", of: event)
    else { return }
    freeALittle()
    let own = EventType.Own(type.utf8Span.span)
    if own == .opened { renewGrace(at: Instant(microseconds: mono)) } else { expire(through: mono) }
    if let own {
      applyOwn(own, entry, event, seq: seq, at: Instant(microseconds: mono))
    } else if let type = EventType(rawValue: type), let head = EntryHead(of: entry) {
      apply(head, type, event, of: entry)
    }
  }

  /// Applies a move of the focus that the log has as `seq`, as its entry would be.
  public mutating func apply(_ move: FocusMove, as seq: Seq, at mono: Int64) {
    freeALittle()
    expire(through: mono)
    moveFocus(move, seq)
  }

  /// Applies a published event, which may stand in a line of any kind.
  public mutating func apply(
    _ head: EntryHead,
    _ type: EventType,
    _ event: JSONIndex,
    of line: JSONDocument
  ) {
    expire(through: head.mono)
    guard type.has(.changesModel) else { return }
    // Do-not-disturb is the user's, not an app's, and the bus itself ends it.
    if type == .doNotDisturb {
      doNotDisturb = line.integer("level", of: event) ?? doNotDisturb
      return
    }
    guard head.app != EntryHead.none.app else { return }
    // A connection that publishes is there, even if the entry that said so is lost.
    if clients[head.conn] == nil {
      connect(head.conn, head.app, isReader: false, at: Instant(microseconds: head.mono))
    }
    applyPublished(type, line, event, head.app, conn: head.conn)
  }

  /// Removes the apps whose grace has ended by `mono`.
  public mutating func expire(through mono: Int64) {
    let now = Instant(microseconds: mono)
    guard let nextDue, now >= nextDue else { return }
    let gone = apps.filter { $0.value.left.map { left in left + Self.grace <= now } ?? false }
    for key in gone.keys { letGo(of: key) }
    findNextDue()
  }

  /// Removes an app without connections, and its windows.
  private mutating func letGo(of key: AppKey) {
    guard let app = apps[key], app.connections == 0 else { return }
    for window in app.windows.keys { removeWindow(window, of: key) }
    apps[key] = nil
    if active?.app == key { active = nil }
    claims.removeAll { $0.app == key }
    locks.removeAll { $0.app == key }
    dropSuggestion(in: nil, of: key)
    findNextDue()
  }

  /// Finds when the next app goes: exactly, because a copy that was written and restored has to
  /// agree.
  mutating func findNextDue() {
    nextDue = apps.values.compactMap(\.left).min().map { $0 + Self.grace }
  }

  /// Notes that an app is to go at `due`.
  mutating func scheduleExpiry(at due: Instant) { nextDue = nextDue.map { min($0, due) } ?? due }

  private mutating func applyOwn(
    _ type: EventType.Own,
    _ entry: JSONDocument,
    _ event: JSONIndex,
    seq: Seq,
    at now: Instant
  ) {
    switch type {
    case .opened:
      let seat = seat
      reader = Reader()
      self.seat = seat
    case .client:
      guard let conn = entry.integer("conn", of: event) else { return }
      switch entry.string("state", of: event) {
      case "left":
        let key = clients[conn]?.app
        disconnect(conn, at: now)
        // The client had to make room for others, so that its windows are not kept for its return.
        if let key, entry.isGivenUp(event) { letGo(of: key) }
      case "listening":
        guard let uid = clients[conn]?.app.uid else { return }
        let rank = entry.integer("speech", of: event) ?? Reader.Listener.usual
        reader.addListener(conn, rank: rank, of: uid)
      case "unsubscribed": reader.removeListener(conn)
      default:
        guard let key = entry.appKey(event) else { return }
        connect(conn, key, isReader: entry.string("role", of: event) == "reader", at: now)
      }
    case .focus: moveFocus(FocusMove(of: event, in: entry), seq)
    case .outcome: applyOutcome(entry, event)
    case .seat: take(Seat(of: event, in: entry))
    case .deliver, .silence, .gesture, .closed, .rules, .forgot, .forgotten: break
    }
  }

  private mutating func applyPublished(
    _ type: EventType,
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ key: AppKey,
    conn: Int64
  ) {
    switch type {
    case .elements: applyElements(entry, event, key)
    case .window: applyWindow(entry, event, key)
    case .screenChanged: applyScreen(entry, event, key)
    case .voiceOverStatus:
      guard let running = entry.member("running", of: event), !seat.isAway(key.uid) else { return }
      reader.status = Reader.Status(
        isRunning: entry.kind(running) == .yes,
        name: entry.string("reader", of: event) ?? reader.status?.name,
        conn: conn
      )
    default: break
    }
  }

  // MARK: Clients

  /// Ends all connections at a start, and gives every known app the whole grace from now on: none
  /// of them could come back while the bus was away.
  private mutating func renewGrace(at now: Instant) {
    for conn in clients.keys.sorted() { disconnect(conn, at: now) }
    for (key, app) in apps where app.left != nil { apps[key]?.left = now }
    findNextDue()
  }

  private mutating func connect(_ conn: Int64, _ key: AppKey, isReader: Bool, at now: Instant) {
    // The number may be used again without an entry which says that its first bearer left.
    disconnect(conn, at: now)
    clients[conn] = KnownClient(app: key, isReader: isReader)
    if apps[key] == nil {
      arrivals += 1
      apps[key] = KnownApp(arrival: arrivals)
    }
    apps[key]?.connections += 1
    guard apps[key]?.left != nil else { return }
    apps[key]?.left = nil
    findNextDue()
  }

  private mutating func disconnect(_ conn: Int64, at now: Instant) {
    guard let client = clients.removeValue(forKey: conn) else { return }
    if client.isReader { reader.removeListener(conn) }
    apps[client.app]?.connections -= 1
    guard let app = apps[client.app], app.connections == 0 else { return }
    if app.windows.isEmpty {
      apps[client.app] = nil
    } else {
      apps[client.app]?.left = now
      scheduleExpiry(at: now + Self.grace)
    }
  }

  // MARK: Focus

  /// Gives back a little memory with each entry that is applied.
  private mutating func freeALittle() { freeDeferred(pieces: 1, places: 256) }

  private mutating func moveFocus(_ move: FocusMove, _ seq: Seq) {
    focus = nil
    guard let key = move.app, let window = move.window else { return }
    // In place: through the keys, app and window would be taken out and put back.
    if let app = apps.index(forKey: key),
      let place = apps.values[app].windows.index(forKey: window)
    {
      apps.values[app].windows.values[place].focus = move.element
    }
    if let element = move.element {
      focus = Focus(seq: seq, place: WindowPlace(app: key, window: window), element: element)
    }
    reviewSuggestion(movedBy: move.reason)
  }
}

extension JSONDocument {
  /// Whether the bus has ended a client because its user had too much.
  public func isGivenUp(_ event: JSONIndex) -> Bool {
    string("reason", of: event) == RefusalCode.quotaExceeded.rawValue
  }

  /// Whether the bus has been started again on a machine that has run on.
  public func isSameBoot(_ event: JSONIndex) -> Bool {
    member("recovery", of: event).flatMap { member("same_boot", of: $0) }
      .map { kind($0) == .yes } ?? false
  }

  /// The app and the user that an object names.
  public func appKey(_ object: JSONIndex) -> AppKey? {
    guard let app = name("app", of: object),
      let uid = integer("uid", of: object).flatMap(UInt32.init(exactly:))
    else { return nil }
    return AppKey(uid: uid, app: app)
  }
}
