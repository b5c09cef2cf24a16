// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yModel
public import A11yRules
public import A11yWire

/// Decides what is heard, and when.
///
/// A value that is driven by the log's entries and by nothing else: it reads no clock, and looks at
/// nothing but what the entries say. Whoever drives it rings its alarms up to an entry's instant,
/// gives it the entry, and then writes down what it has decided, one decision after the other. So a
/// replay comes to the same, however late the process woke up.
///
/// An event goes through these stages; at each of them it may wait, end, or go on:
///
///     admit → busy → storm → hold → coalesce → duplicates → rate → queue → spoken → outcome
public struct Presenter: Sendable {
  private let sizeless = Sizeless()
  public internal(set) var model = Model()
  public internal(set) var rules: RuleSet
  public internal(set) var pace = ReaderPace()
  /// The instant of the last entry or alarm.
  public internal(set) var now: Int64 = 0
  /// The seq of what is being taken, or of what set the alarm that rings.
  var cause = Seq.none
  /// Whose entry was taken last.
  var head = EntryHead.none

  /// Events that have no outcome yet.
  var items: [Seq: Item] = [:]
  /// Those of them that wait for their turn, in the order in which they came to it.
  var line = Line()
  var tally = Tally()
  var alarms = Alarms()
  var busies = BoundedTable<Key, Busy>(bound: Bounds.rows)
  var storms = BoundedTable<Key, Storm>(bound: Bounds.rows)
  var actions = Actions()
  var windows = BoundedTable<Key, Window>(bound: Bounds.rows)
  var memory = BoundedTable<Key, Memory>(bound: Bounds.rows)
  var buckets = BoundedTable<Key, Bucket>(bound: Bounds.rows)
  var readers = Readers()
  var speaking: Speaking?
  var cuts: [Cut] = []
  /// What the next deliver cuts.
  var pendingCut: Delivery.Cutting?
  /// Held events of these actions may go on.
  var mayRelease = false
  /// What a reader has said of itself waits no more, so that it may be clear now that nobody reads.
  var hasStatusSettled = false
  var pauses: [Pause] = []
  var disturbance = Disturbance()
  var focus = FocusState()
  /// Where the focus is going to be, as was decided just now.
  var intendedSpot: Model.Spot??
  /// What `repeat` delivers.
  var lastText: Item?
  var lastLabel: Item?
  var echoes = Echoes()

  /// Ends of events that the log has not been found to have, though it should.
  var missing: [Seq: Outcome] = [:]
  private var outbox: [Decision] = []
  private var sent = 0
  var tickets: Int64 = 0
  /// What the publisher of the entry at hand is told.
  public internal(set) var notes = Notes()

  /// What a reply says of an event beside its seq.
  public struct Notes: Sendable, Equatable {
    /// It is low and comes from the background, where nobody hears it.
    public var isLowInBackground = false
    /// The element that the focus was asked for is not there, or is none to be stopped at.
    public var isMissing = false
    /// A class that means nothing to anybody.
    public var unknownClass: String?
    public var focus: FocusAnswer?
  }

  public init(rules: RuleSet) { self.rules = rules }

  // MARK: Being driven

  /// When the next alarm rings.
  public var due: Int64? { alarms.due }

  /// Rings the next alarm.
  public mutating func ring() {
    guard let (alarm, due, by) = alarms.pop() else { return }
    now = max(now, due)
    cause = by
    ring(alarm)
    finish()
  }

  /// Takes the log's next entry, unless it is a decision of the presenter's own.
  public mutating func take(_ entry: JSONDocument) {
    guard let head = EntryHead(of: entry),
      let place = entry.member("event", of: entry.root)
    else { return }
    let event = WireEvent(place, of: entry)
    guard let type = event.member(.type), entry.kind(type) == .string else { return }
    // As somebody may have written it, with escapes.
    let published =
      entry.isEscaped(type)
      ? EventType(rawValue: entry.string(type)) : EventType(entry.raw(type))
    if let published {
      take(head, published, event)
    } else {
      begin(head)
      if let own = EventType.Own(rawValue: entry.string(type)) { take(own, event) }
      finish()
    }
  }

  /// Takes an event that the log's next entry has with all its members, as they stand in this line.
  public mutating func take(
    _ head: consuming EntryHead,
    _ type: EventType,
    _ event: borrowing WireEvent
  ) {
    begin(consume head)
    // A focus that follows from an event leaves what was noted of that.
    notes = Notes()
    take(type, event)
    finish()
  }

  /// What the presenter has decided, the oldest first; it will stand in the log as `seq`.
  public mutating func next(as seq: Seq) -> Decision? {
    let decision = pop(as: seq)
    // As whoever reads the log does.
    if case .outcome(let outcome) = decision, let suggestion = outcome.suggestion {
      model.suggest(suggestion)
    }
    return decision
  }

  /// The same without any effect.
  mutating func pop(as seq: Seq) -> Decision? {
    guard sent < outbox.count else {
      if sent > 0 {
        // Mostly it is one, and to take it out costs less than to empty an array of any size.
        while outbox.popLast() != nil {}
        sent = 0
      }
      return nil
    }
    var decision = outbox[sent]
    sent += 1
    name(&decision, seq)
    return decision
  }

  /// Whether there are decisions that nobody has taken yet.
  public var hasDecided: Bool { sent < outbox.count }

  /// How many of them there are.
  var decided: Int { outbox.count - sent }

  /// These, behind the ends that the log is missing.
  var unwritten: [Decision] {
    let ends = missing.values.sorted { $0.of < $1.of }.map { Decision.outcome($0) }
    return ends + outbox[sent...]
  }

  mutating func decide(_ decision: Decision) { outbox.append(decision) }

  /// Gives a decision its seq, and puts in those of the deliveries that it speaks of.
  private mutating func name(_ decision: inout Decision, _ seq: Seq) {
    switch decision {
    case .deliver(var delivery):
      if case .delivery(let ticket, nil) = delivery.interrupts {
        delivery.interrupts = .delivery(ticket: ticket, seq: self.seq(of: ticket))
      }
      if speaking?.ticket == delivery.ticket { speaking?.seq = seq }
      echoes.name(delivery.ticket, seq)
      for index in cuts.indices where cuts[index].ticket == delivery.ticket {
        cuts[index].seq = seq
      }
      decision = .deliver(delivery)
    case .silence(var silence):
      if silence.of == nil { silence.of = self.seq(of: silence.ticket) }
      decision = .silence(silence)
    case .gesture(let gesture):
      for index in focus.gestures.indices where focus.gestures[index].ticket == gesture.ticket {
        focus.gestures[index].seq = seq
      }
    case .outcome, .focus, .calm: break
    }
  }

  private func seq(of ticket: Int64) -> Seq? {
    if speaking?.ticket == ticket { return speaking?.seq }
    return cuts.first { $0.ticket == ticket }?.seq
  }

  /// Forgets decisions to speak that were never written: whom they were for is gone.
  mutating func dropUnwritten() {
    let left = unwritten.filter { decision in
      switch decision {
      case .deliver, .silence: false
      case .outcome, .focus, .gesture, .calm: true
      }
    }
    outbox = left
    missing = [:]
    sent = 0
  }

  // MARK: Steps

  private mutating func begin(_ head: consuming EntryHead) {
    now = max(now, head.mono)
    cause = head.seq
    self.head = consume head
  }

  /// What is left to do when an entry or an alarm has had its effect.
  private mutating func finish() {
    // Where the focus has gone is said before what has waited; its entry is the next to be taken.
    guard !isFocusMoving || !outbox[sent...].contains(where: \.isFocus) else { return }
    repeat {
      if hasStatusSettled { rejectIfClosed() }
      if mayRelease { releaseHeld() }
      pump()
    } while mayRelease
  }

  // To compare it would be to copy it.
  private var isFocusMoving: Bool {
    if case .some = intendedSpot { true } else { false }
  }

  private mutating func ring(_ alarm: Alarms.Alarm) {
    switch alarm {
    case .expiry(let seq): expire(seq)
    case .release(let seq): release(seq)
    case .window(let place): endWindow(place)
    case .bucket(let place): refill(place)
    case .storm(let place): endStorm(place)
    case .busy(let place): endBusy(place)
    case .estimate: assumeFinished()
    case .cut(let seq): assumeCut(seq)
    case .again(let seq): giveUp(seq)
    case .grace: endGrace()
    case .reading: readers.isReading = false
    case .pause(let conn): endPause(conn)
    case .gesture(let action): missAnswer(action)
    case .apps: expireApps()
    case .disturbance: decide(.calm)
    }
  }

  private mutating func take(_ type: EventType.Own, _ event: borrowing WireEvent) {
    if Model.concerns(type) { model.apply(event.line) }
    switch type {
    case .opened:
      reopen()
      setExpiry()
    case .client:
      noteClient(event)
      if event.says(.state, "left"), event.line.isGivenUp(event.index) {
        // Its windows have gone with it.
        expireApps()
      } else {
        setExpiry()
      }
    case .focus: presentFocus(event)
    case .rules: takeRules(event)
    case .deliver, .silence, .outcome, .gesture, .closed, .forgotten: break
    }
  }

  private mutating func take(_ type: EventType, _ event: borrowing WireEvent) {
    answerGestures(with: event, type)
    switch type {
    case .elements:
      let shown = watched(event)
      let before = before(event, type)
      model.apply(head, type, event.index, of: event.line)
      tendMedia()
      presentChanges(since: shown, event)
      tendFocus(since: before, event, type)
      return
    case .window:
      let before = before(event, type)
      model.apply(head, type, event.index, of: event.line)
      tendMedia()
      tendFocus(since: before, event, type)
    case .screenChanged:
      let before = before(event, type)
      model.apply(head, type, event.index, of: event.line)
      tendFocus(since: before, event, type)
    case .voiceOverStatus, .doNotDisturb: model.apply(head, type, event.index, of: event.line)
    case .announcement, .layoutChanged, .pageScrolled, .focusChanged, .handled, .busy, .pause,
      .resume, .cancel, .zoomFocusChanged, .contentSizeChanged, .action, .speech:
      break
    }
    switch type {
    case .announcement: presentAnnouncement(event)
    case .layoutChanged: presentLayout(event)
    case .screenChanged:
      presentScreen(event)
      enterCover(action(of: event))
    case .pageScrolled: presentPage(event)
    case .voiceOverStatus: presentStatus(event)
    case .busy: noteBusy(event)
    case .pause: beginPause()
    case .resume: resume()
    case .cancel: cancel(event)
    case .action: act(event)
    case .doNotDisturb: changeDisturbance(event)
    case .speech: hear(event)
    case .focusChanged: presentReport(event)
    case .handled: takeAnswer(event)
    case .elements, .window, .zoomFocusChanged, .contentSizeChanged: break
    }
  }
}
