// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yModel
public import A11yRules
public import A11yWire

/// Decides what is heard, and when.
///
/// A value that is driven by the log's entries and by nothing else: it reads no clock, and looks at
/// nothing but what the entries say. Its driver rings its alarms up to an entry's instant, gives it
/// the entry, and then writes down the decisions, one after the other. So a replay comes to the
/// same, however late the process woke up.
///
/// An event goes through the stages of `Pipeline.swift` into the queue; at each of them it may
/// wait, end, or go on.
public struct Presenter: Sendable {
  private let sizeless = Sizeless()
  public internal(set) var model = Model()
  public internal(set) var rules: RuleSet
  public internal(set) var pace = ReaderPace()
  /// The instant of the last entry or alarm.
  public internal(set) var now = Instant(microseconds: 0)
  /// The seq of the entry at hand, or of the entry that has set the alarm that rings.
  var cause = Seq.none
  /// The head of the last entry.
  var head = EntryHead.none

  var pipeline = Pipeline()
  var waiting = WaitingQueue()
  var floor = Floor()
  var focus = FocusState()
  var actions = Actions()
  /// Held events of some action may go on.
  var mayRelease = false
  var decisions = Decisions()
  /// The part of the reply that the publisher of the entry at hand gets.
  public internal(set) var notes = Notes()

  /// The part of a reply that speaks of the event beside its seq.
  public struct Notes: Sendable, Equatable {
    /// The event is low and comes from the background, where nobody hears it.
    public var isLowInBackground = false
    /// The element that the focus was asked for is not there, or is none to be stopped at.
    public var isMissing = false
    /// A class that means nothing to anybody.
    public var unknownClass: String?
    public var focus: FocusAnswer?
  }

  public init(rules: RuleSet) { self.rules = rules }

  /// The surroundings of the step at hand, for the stages.
  var context: Context { Context(now: now, cause: cause, rules: rules.table) }

  // MARK: Being driven

  /// The instant of the next alarm.
  public var due: Instant? { waiting.alarms.due }

  /// Rings the next alarm.
  public mutating func ring() {
    guard let (alarm, due, by) = waiting.alarms.pop() else { return }
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
    // A type may be written with escapes.
    let published =
      entry.isEscaped(type)
      ? EventType(rawValue: entry.string(type)) : EventType(entry.raw(type))
    if let published {
      take(head, published, event)
    } else {
      begin(head)
      if let own = EventType.Own(rawValue: entry.string(type)) { applyOwn(own, event) }
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
    // A focus that follows from an event leaves the notes of that event.
    notes = Notes()
    applyPublished(type, event)
    finish()
  }

  /// Takes the focus where the presenter has decided that it goes, now that the log has the entry.
  ///
  /// The entry need not be read to know what it says: it is the decision.
  public mutating func take(_ head: consuming EntryHead, _ move: FocusMove) {
    let (seq, mono) = (head.seq, head.mono)
    begin(consume head)
    model.apply(move, as: seq, at: mono)
    presentFocus(move)
    finish()
  }

  // MARK: Decisions

  /// The oldest decision that was not written down yet; it will stand in the log as `seq`.
  public mutating func next(as seq: Seq) -> Decision? {
    guard let decision = pop(as: seq) else { return nil }
    // The model follows a suggestion as a reader of the log does.
    if let suggestion = decision.suggestion { model.suggest(suggestion) }
    return decision
  }

  /// The same without any effect on the model.
  mutating func pop(as seq: Seq) -> Decision? {
    guard var decision = decisions.pop() else { return nil }
    name(&decision, seq)
    return decision
  }

  /// Whether there are decisions that were not written down yet.
  public var hasDecided: Bool { !decisions.isEmpty }

  mutating func decide(_ decision: Decision) { decisions.append(decision) }

  /// Gives a decision its seq, and puts in the seqs of the deliveries that it speaks of.
  private mutating func name(_ decision: inout Decision, _ seq: Seq) {
    switch decision {
    case .deliver(let delivery):
      floor.assign(seq, to: delivery.ticket)
      // Nearly all of them cut nothing, or what has its seq: to change one would copy it.
      guard case .delivery(let ticket, nil) = delivery.interrupts else { return }
      var named = delivery
      named.interrupts = .delivery(ticket: ticket, seq: floor.seq(of: ticket))
      decision = .deliver(named)
    case .silence(var silence):
      if silence.of == nil { silence.of = floor.seq(of: silence.ticket) }
      decision = .silence(silence)
    case .gesture(let gesture): focus.assign(seq, to: gesture.ticket)
    case .outcome, .focus, .calm: break
    }
  }

  // MARK: Steps

  private mutating func begin(_ head: consuming EntryHead) {
    now = max(now, Instant(microseconds: head.mono))
    cause = head.seq
    self.head = consume head
  }

  /// Does the rest, after an entry or an alarm has had its effect: lets go on and be spoken what
  /// may.
  private mutating func finish() {
    // The new place of the focus is told before the events that have waited; its entry is the next
    // to be taken.
    guard !focus.isMoving || !decisions.movesFocus else { return }
    repeat {
      if waiting.hasStatusSettled { rejectIfClosed() }
      if mayRelease { releaseHeld() }
      pump()
      // A status that has just been told may close the gate: nothing of it is left for later, since
      // no record has it.
    } while mayRelease || waiting.hasStatusSettled
  }

  private mutating func ring(_ alarm: Alarms.Alarm) {
    switch alarm.kind {
    case .expiry: expire(alarm.seq)
    case .release: release(alarm.seq)
    case .burst:
      pipeline.coalesce.lapse(alarm.place, &waiting, now)
      dispatchDepartures()
    case .bucket: refill(alarm.place)
    case .storm:
      pipeline.storm.lapse(alarm.place, &waiting, context)
      dispatchDepartures()
    case .busy:
      pipeline.busy.lapse(alarm.place, &waiting)
      dispatchDepartures()
    case .estimate: assumeFinished()
    case .cut: assumeCut(alarm.seq)
    case .again: giveUp(alarm.seq)
    // Its rest is over, and that is all there is to do.
    case .offer: break
    case .grace: endGrace()
    case .reading: endReading()
    case .pause: endPause(alarm.number)
    case .gesture: missAnswer(alarm.seq)
    case .apps: expireApps()
    case .disturbance: decide(.calm)
    }
  }

  /// Applies an entry of the bus's own.
  private mutating func applyOwn(_ type: EventType.Own, _ event: borrowing WireEvent) {
    if type == .seat { return changeSeat(event) }
    if Model.concerns(type) { model.apply(event.line) }
    switch type {
    case .opened:
      reopen(isSameBoot: event.line.isSameBoot(event.index))
      setExpiry()
    case .client:
      noteClient(event)
      if event.says(.state, "left"), event.line.isGivenUp(event.index) {
        // Its windows have gone with it.
        expireApps()
      } else {
        setExpiry()
      }
    case .focus: presentFocus(FocusMove(of: event.index, in: event.line))
    case .rules: takeRules(event)
    case .seat, .deliver, .silence, .outcome, .gesture, .closed, .forgot, .forgotten: break
    }
  }

  /// Applies an event of a client.
  private mutating func applyPublished(_ type: EventType, _ event: borrowing WireEvent) {
    answerGestures(with: event, type)
    switch type {
    case .elements:
      let shown = watched(event)
      let before = before(event, type)
      model.apply(head, type, event.index, of: event.line)
      focus.tendMedia(in: model)
      presentChanges(since: shown, event)
      tendFocus(since: before, event, type)
    case .window:
      let before = before(event, type)
      model.apply(head, type, event.index, of: event.line)
      focus.tendMedia(in: model)
      tendFocus(since: before, event, type)
      if event.line.member("lock", of: event.index) != nil { lock() }
    case .screenChanged:
      let before = before(event, type)
      model.apply(head, type, event.index, of: event.line)
      tendFocus(since: before, event, type)
      presentScreen(event)
      enterCover(action(of: event))
    case .voiceOverStatus:
      model.apply(head, type, event.index, of: event.line)
      presentStatus(event)
    case .doNotDisturb:
      model.apply(head, type, event.index, of: event.line)
      changeDisturbance(event)
    case .announcement: presentAnnouncement(event)
    case .layoutChanged: presentLayout(event)
    case .pageScrolled: presentPage(event)
    case .busy: changeBusy(event)
    case .pause: beginPause()
    case .resume: resume()
    case .cancel: cancel(event)
    case .action: act(event)
    case .speech: hear(event)
    case .focusChanged: presentReport(event)
    case .handled: takeAnswer(event)
    // The others are there for those who read the log.
    default: break
    }
  }
}

// Going over a log that a presenter has written already.
extension Presenter {
  /// Takes the log's next entry, be it a decision or what led to one.
  ///
  /// Entries on record have happened, whatever this presenter would have decided: where entries are
  /// lost, it may come to something else. Its last decisions that the log does not have are still
  /// to be written.
  public mutating func follow(_ entry: JSONDocument) {
    guard let seq = entry.seq("seq", of: entry.root),
      let mono = EntryView(of: entry).mono.map(Instant.init(microseconds:)),
      let event = entry.member("event", of: entry.root),
      let type = entry.string("type", of: event)
    else { return }
    if entry.integer("conn", of: entry.root) == 0, Decision.isDecision(type.utf8Span.span) {
      while !hasDecided, let due, due <= mono { ring() }
      recall(entry, event, type, seq)
      return
    }
    switch EventType.Own(type.utf8Span.span) {
    case .opened:
      // Decisions that were not written any more come behind it.
      take(entry)
    case .closed, .rules, .seat, .client, .forgot, .forgotten, .deliver, .silence, .outcome,
      .gesture,
      .focus, nil:
      while let due, due <= mono { ring() }
      // The log has lost these, or they were decided otherwise.
      while let decision = pop(as: .none) { miss(decision) }
      take(entry)
    }
  }

  /// Finds among what was decided what the log has on record.
  private mutating func recall(
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ type: String,
    _ seq: Seq
  ) {
    let of = entry.seq("of", of: event)
    while let decision = pop(as: seq) {
      guard isSame(decision, type, of) else {
        miss(decision)
        continue
      }
      break
    }
    if type == EventType.Own.outcome.rawValue, let of {
      model.apply(entry)
      drop(of)
    }
    if type == EventType.Own.focus.rawValue || type == EventType.doNotDisturb.rawValue {
      take(entry)
    }
  }

  private func isSame(_ decision: Decision, _ type: String, _ of: Seq?) -> Bool {
    guard decision.type == type else { return false }
    if case .outcome(let outcome) = decision { return outcome.of == of }
    return true
  }

  /// The log does not have what was decided here; should it not come later either, the next start
  /// writes it down, for every event has an end.
  private mutating func miss(_ decision: Decision) {
    switch decision {
    case .outcome(let outcome): decisions.miss(outcome)
    case .calm: waiting.alarms.set(.disturbance, at: now, by: cause)
    case .deliver, .silence, .focus, .gesture: break
    }
  }

  /// An event has its outcome: nothing of it waits any more.
  private mutating func drop(_ seq: Seq) {
    decisions.find(seq)
    dropCuts(of: seq)
    focus.gestures.removeAll { $0.action == seq }
    waiting.alarms.cancel(.gesture(seq))
    if let item = waiting.withdraw(seq) { pipeline.duplicates.retract(item) }
    floor.outage.forget(seq)
    if let item = floor.speaking?.item, item.of == seq, item.endsInOutcome {
      floor.endSpeaking(&waiting.alarms, context)
    }
  }
}
