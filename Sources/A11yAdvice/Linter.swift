// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yModel
package import A11yWire

/// Goes over the entries of a log and collects the advice for their publishers.
///
/// The findings depend on the entries alone, so that they are the same wherever the linter runs.
/// Redacted texts are not there, and take no part.
package struct Linter {
  package struct Finding: Equatable, Sendable {
    /// The entry that the advice is about.
    package let seq: Seq
    package let app: AppKey
    package let advice: Advice
  }

  private var model = Model()
  /// The seq that is expected; nil before the first entry.
  private var next: Seq?
  /// Whether the model began with the log and no entry was missing since.
  private var isUnbroken = false
  /// Windows of which everything is known, although entries were missing.
  private var wholeWindows: Set<WindowKey> = []
  private var habits = Recent<AppKey, Habits>(bound: Self.apps)
  private var pauses = Recent<Int64, Pause>(bound: Self.connections)
  /// Events whose outcome leads to advice.
  private var asked = Recent<Seq, Question>(bound: Self.events)
  private var findings: [Finding] = []
  private var now = Instant(microseconds: 0)

  /// The most apps whose habits are kept.
  private static let apps = 1_024
  /// The most connections whose pauses are kept.
  private static let connections = 4_096
  /// The most events that wait for their outcome, and the most windows that are known.
  private static let events = 4_096
  /// No bound: the caller counts findings.
  private static let adviceOfEntry = Int.max

  private struct WindowKey: Hashable {
    let app: AppKey
    let window: Name
  }

  private struct Pause {
    var watch = PauseWatch()
    var seq: Seq
    let app: AppKey
  }

  private enum Question {
    case focus(AppKey)
    case announcement(AppKey)
  }

  /// The seq of an entry, and the app that published it.
  private struct Origin {
    let seq: Seq
    let app: AppKey
  }

  package init() {}

  /// Applies the next entry, and returns the findings so far.
  package mutating func lint(_ entry: JSONDocument) -> [Finding] {
    let envelope = EntryView(of: entry)
    guard let seq = envelope.seq, let mono = envelope.mono,
      let event = envelope.event, entry.kind(event) == .object,
      let type = entry.member("type", of: event), entry.kind(type) == .string
    else { return [] }
    noticeGap(before: seq)
    now = Instant(microseconds: mono)
    model.expire(through: mono)
    if let own = EventType.Own(rawValue: entry.string(type)) {
      applyOwn(own, entry, event)
    } else if let published = EventType(entry.raw(type)), let app = envelope.sender {
      if let conn = envelope.conn { endOverlongPause(of: conn) }
      lintEvent(published, entry, event, Origin(seq: seq, app: app))
    }
    return drainFindings()
  }

  /// The findings at the end of the log.
  package mutating func lastFindings() -> [Finding] {
    for conn in pauses.keys { endOverlongPause(of: conn) }
    return drainFindings()
  }

  private mutating func drainFindings() -> [Finding] {
    defer { findings.removeAll(keepingCapacity: true) }
    return findings
  }

  private mutating func noticeGap(before seq: Seq) {
    if let next {
      if seq != next { loseTrack() }
    } else {
      isUnbroken = seq == Seq(1)
    }
    next = seq.next
  }

  /// Notes that entries are missing, so that the model may lack what is there.
  private mutating func loseTrack() {
    isUnbroken = false
    wholeWindows = []
  }

  private mutating func report(_ list: AdviceList, _ seq: Seq, _ app: AppKey) {
    for advice in list.all { findings.append(Finding(seq: seq, app: app, advice: advice)) }
  }

  // MARK: Events of apps

  private mutating func lintEvent(
    _ type: EventType,
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ origin: Origin
  ) {
    if type.has(.changesModel) { model.apply(entry) }
    let window = entry.name("window", of: event).map { WindowKey(app: origin.app, window: $0) }
    if type == .elements, let window, !isUnbroken, entry.member("replace", of: event) != nil {
      if wholeWindows.count >= Self.events { wholeWindows = [] }
      wholeWindows.insert(window)
    }
    var list = AdviceList(bound: Self.adviceOfEntry)
    Adviser.adviseOnLoss(of: WireEvent(event, of: entry), type, into: &list)
    Adviser.adviseOnStyle(
      of: WireEvent(event, of: entry),
      type,
      model,
      from: origin.app,
      isWholeKnown: isUnbroken || window.map(wholeWindows.contains) ?? false,
      into: &list
    )
    countHabits(type, entry, event, origin, into: &list)
    report(list, origin.seq, origin.app)
  }

  private mutating func countHabits(
    _ type: EventType,
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ origin: Origin,
    into list: inout AdviceList
  ) {
    switch type {
    case .announcement:
      asked[origin.seq] = .announcement(origin.app)
      habits.change(origin.app, Habits()) {
        Adviser.adviseOnAnnouncement(
          WireEvent(event, of: entry),
          &$0,
          at: now,
          into: &list
        )
      }
    case .layoutChanged, .screenChanged:
      if entry.member("element", of: event) != nil { asked[origin.seq] = .focus(origin.app) }
    case .pause, .resume:
      guard let conn = EntryView(of: entry).conn else { return }
      countPause(isPause: type == .pause, conn, origin)
    default: break
    }
  }

  // MARK: Pauses

  private mutating func countPause(isPause: Bool, _ conn: Int64, _ origin: Origin) {
    if isPause {
      pauses.change(conn, Pause(seq: origin.seq, app: origin.app)) { pause in
        pause.watch.pause(at: now)
        pause.seq = origin.seq
      }
    } else if pauses[conn] != nil {
      pauses[conn]?.watch.resume()
      if pauses[conn]?.watch.isOpen == false { pauses[conn] = nil }
    }
  }

  private mutating func endOverlongPause(of conn: Int64) {
    guard var pause = pauses[conn], pause.watch.endOverlong(by: now) else { return }
    pauses[conn] = nil
    var list = AdviceList(bound: Self.adviceOfEntry)
    PauseWatch.adviseUnresumed(into: &list)
    report(list, pause.seq, pause.app)
  }

  private mutating func closePauses(of conn: Int64) {
    endOverlongPause(of: conn)
    guard let pause = pauses[conn] else { return }
    pauses[conn] = nil
    var list = AdviceList(bound: Self.adviceOfEntry)
    PauseWatch.adviseLeft(into: &list)
    report(list, pause.seq, pause.app)
  }

  // MARK: Entries of the bus

  private mutating func applyOwn(
    _ type: EventType.Own,
    _ entry: JSONDocument,
    _ event: JSONIndex
  ) {
    if Model.concerns(type) { model.apply(entry) }
    switch type {
    case .opened:
      // No entry tells what became of the pauses before a start.
      pauses = Recent(bound: Self.connections)
    case .client:
      guard entry.string("state", of: event) == "left",
        let conn = entry.integer("conn", of: event)
      else { return }
      closePauses(of: conn)
    case .outcome: judgeOutcome(entry, event)
    case .forgotten: loseTrack()
    case .focus, .deliver, .silence, .gesture, .seat, .closed, .rules, .forgot: break
    }
  }

  /// Advises on an event by its outcome.
  private mutating func judgeOutcome(_ entry: JSONDocument, _ event: JSONIndex) {
    guard let of = entry.seq("of", of: event), let question = asked[of] else { return }
    asked[of] = nil
    let result = entry.string("result", of: event)
    let why = entry.member("why", of: event)
    var list = AdviceList(bound: Self.adviceOfEntry)
    switch question {
    case .announcement(let app):
      guard result == "inhibited", let why, entry.string("reason", of: why) == "background" else {
        return
      }
      Background.adviseLow(into: &list)
      report(list, of, app)
    case .focus(let app):
      let answer = why.flatMap { entry.member("focus", of: $0) }
      let isDenied = answer.map { entry.string("result", of: $0) == "denied" }
      habits.change(app, Habits()) {
        $0.askForFocus(isDenied: isDenied ?? (result == "denied"), at: now, into: &list)
      }
      report(list, of, app)
    }
  }
}

/// A table that never has more rows than its bound: the oldest row makes room.
struct Recent<Key: Hashable, Value> {
  private var values: [Key: (value: Value, ticket: Int)] = [:]
  /// The keys in the order of arrival; those of rows that are gone are skipped.
  private var order: [(key: Key, ticket: Int)] = []
  private var tickets = 0
  private let bound: Int

  init(bound: Int) { self.bound = bound }

  /// The keys of all rows, the oldest first.
  var keys: [Key] { order.filter { values[$0.key]?.ticket == $0.ticket }.map(\.key) }

  subscript(key: Key) -> Value? {
    get { values[key]?.value }
    set {
      guard let newValue else {
        values[key] = nil
        return
      }
      if values[key] == nil { insert(key, newValue) } else { values[key]?.value = newValue }
    }
  }

  /// Changes a row, or adds one.
  mutating func change(
    _ key: Key,
    _ fresh: @autoclosure () -> Value,
    _ body: (inout Value) -> Void
  ) {
    var value = self[key] ?? fresh()
    body(&value)
    self[key] = value
  }

  private mutating func insert(_ key: Key, _ value: Value) {
    // Rows that are gone are swept out now and then, so that each row costs the same.
    if order.count >= 2 * bound { order.removeAll { values[$0.key]?.ticket != $0.ticket } }
    if values.count >= bound,
      let first = order.firstIndex(where: { values[$0.key]?.ticket == $0.ticket })
    {
      values[order[first].key] = nil
    }
    tickets += 1
    values[key] = (value, tickets)
    order.append((key, tickets))
  }
}
