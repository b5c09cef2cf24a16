// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The one utterance that is with a reader.
struct Speaking: Sendable {
  var item: Item
  var ticket: Int64
  /// Its deliver entry, once the log has it.
  var seq: Seq?
  var since: Instant
}

/// An utterance that was cut, until the reader has said how far it came.
struct Cut: Sendable {
  var item: Item
  var ticket: Int64
  var seq: Seq?
  var since: Instant
  var at: Instant
  /// How it ends; nil where it is offered once more.
  var result: Result?
  var by: Seq?
  /// The name of the rule.
  var rule: String
}

extension Floor {
  /// Whether the reader has promised to report every end, so that nothing is assumed of it.
  var isBelieved: Bool { readers.owner?.isReporting ?? false }

  /// Gives the reader the time that it may take to say that it has finished, from now on.
  mutating func awaitEnd(_ pace: ReaderPace, _ alarms: inout Alarms, _ now: Instant) {
    guard let item = speaking?.item else { return }
    let length = item.words(pace).0.length * pace.perCharacter
    let patience = isBelieved ? 2 * length + Bounds.reporting : length + pace.grace
    alarms.set(.estimate, at: now + patience, by: item.seq)
  }

  mutating func endSpeaking(_ alarms: inout Alarms, _ context: Context) {
    if speaking?.item.kind == .reading {
      readers.reading = .lull
      alarms.set(.reading, at: context.now + Bounds.lull, by: context.cause)
    }
    speaking = nil
    alarms.cancel(.estimate)
  }

  // MARK: Cutting

  /// Ends the utterance; the fate of its event is known when the reader has answered.
  mutating func cutSpeaking(
    _ result: Result?,
    by: Seq?,
    rule: String,
    _ waiting: inout WaitingQueue,
    _ context: Context
  ) {
    guard let speech = speaking else { return }
    pendingCut = .delivery(ticket: speech.ticket, seq: speech.seq)
    // Another report of an earlier cut is not waited for.
    for cut in cuts where cut.item.seq == speech.item.seq {
      past.keep(PastDelivery(cut, isTold: false))
    }
    cuts.removeAll { $0.item.seq == speech.item.seq }
    cuts.append(
      Cut(
        item: speech.item,
        ticket: speech.ticket,
        seq: speech.seq,
        since: speech.since,
        at: context.now,
        result: result,
        by: by,
        rule: rule
      )
    )
    let patience = isBelieved ? Bounds.reportedCut : Bounds.cutReport
    waiting.alarms.set(.cut(speech.item.seq), at: context.now + patience, by: context.cause)
    endSpeaking(&waiting.alarms, context)
    if result != nil { waiting.endCutter(speech.item.seq, context) }
  }

  /// Has the readers hold what is with them; when they may go on it is offered once more, in its
  /// place among the events that have waited with it.
  mutating func quieten(
    _ waiting: inout WaitingQueue,
    _ decisions: inout Decisions,
    _ context: Context
  ) {
    guard var item = speaking?.item else { return }
    silence(by: context.cause, isHold: true, &decisions)
    cutSpeaking(nil, by: context.cause, rule: OwnRule.pause.name, &waiting, context)
    pendingCut = nil
    item.again = Item.Again(by: context.cause)
    let end = context.now + Bounds.hush
    item.deadline = max(item.deadline ?? end, end)
    waiting.park(item, at: .queued)
  }

  // MARK: Silence

  /// Tells the readers to stop, where nothing comes in the place of what was cut.
  mutating func silenceCut(by: Seq?, _ decisions: inout Decisions) {
    guard case .delivery(let ticket, let seq) = pendingCut else {
      pendingCut = nil
      return
    }
    pendingCut = nil
    let app = cuts.last { $0.ticket == ticket }?.item.app
    decisions.silence(ticket, seq, app ?? .nobody, by: by)
  }

  /// Tells the readers to stop what is with them.
  func silence(by: Seq?, isHold: Bool, _ decisions: inout Decisions) {
    guard let speech = speaking else { return }
    decisions.silence(speech.ticket, speech.seq, speech.item.app, by: by, isHold: isHold)
  }

  /// Silences the deliveries whose end no reader has told, but for the one that is being spoken, as
  /// far as their events are meant.
  mutating func silenceUntold(
    _ decisions: inout Decisions,
    _ context: Context,
    where isMeant: (Item) -> Bool = { _ in true }
  ) {
    for cut in cuts where isMeant(cut.item) {
      decisions.silence(cut.ticket, cut.seq, cut.item.app, by: context.cause)
    }
    for delivery in past.all where !delivery.isTold && isMeant(delivery.item) {
      decisions.silence(delivery.ticket, delivery.seq, delivery.item.app, by: context.cause)
    }
    past.remove(where: isMeant)
  }

  // MARK: Repetition

  /// Remembers what `repeat` is to deliver.
  mutating func keepEcho(of item: Item, _ ticket: Int64) {
    guard !item.isSecret else { return }
    echoes.keep(Echoes.Echo(item: item, ticket: ticket, seq: nil))
    guard item.endsInOutcome else { return }
    switch item.kind {
    case .announcement, .layout, .screen, .page: lastText = item
    case .focus: lastLabel = item
    case .reading: lastLabel = item
    case .status, .value, .report, .digest: break
    }
  }
}

extension Presenter {
  mutating func deliver(_ item: consuming Item) {
    item.standing = .speaking
    let isSilent = item.isSilent
    if isSilent {
      item.why.clear()
      item.why.isSilent = true
      if now > item.mono { item.noteWait(until: now) }
    } else {
      item.why.waited = now - item.mono
      item.why.heard = nil
      item.why.isEstimated = false
      // That of an earlier loss.
      item.why.reason = nil
      // Rules that come while it is being spoken decide nothing of it.
      item.blamed = item.treatment.rule
    }
    let ticket = decide(item, interrupts: isSilent ? nil : floor.pendingCut)
    pipeline.duplicates.remember(item, at: now)
    if isSilent {
      end(item, Ending(.heard, by: nil, rule: item.treatment.rule))
      return
    }
    floor.pendingCut = nil
    if item.kind == .reading {
      // It goes on, and so what it has cut waits on.
      floor.readers.reading = nil
      waiting.alarms.cancel(.reading)
    }
    floor.keepEcho(of: item, ticket)
    floor.speaking = Speaking(item: item, ticket: ticket, seq: nil, since: now)
    floor.awaitEnd(pace, &waiting.alarms, now)
  }

  /// Decides that readers get an event, and returns the ticket of its delivery.
  ///
  /// The event is as it stays while it is being spoken: to change it would copy it.
  mutating func decide(_ item: Item, interrupts: Delivery.Cutting?) -> Int64 {
    decisions.tickets &+= 1
    let ticket = decisions.tickets
    let reader = floor.readers.owner?.conn
    decide(.deliver(Delivery(item, ticket, to: reader, interrupts: interrupts, pace, now)))
    return ticket
  }

  // MARK: What readers report

  /// How far a reader is, in its own words.
  private enum Report: String {
    case started, progress, finished, interrupted
    /// Its voice has failed.
    case lost
    /// Another program presents it.
    case elsewhere
  }

  mutating func hear(_ event: borrowing WireEvent) {
    guard head.conn == floor.readers.owner?.conn else { return }
    guard let report = event.string(.state).flatMap(Report.init) else { return }
    guard let of = event.seq(.of) else {
      if event.flag(.reading) { hearReading(report) }
      return
    }
    let mark = event.name(.mark)
    let extent = Extent(
      heard: event.integer(.heard).map(TimeSpan.milliseconds(_:)),
      isEstimated: event.flag(.estimated) || report == .elsewhere,
      isElsewhere: report == .elsewhere,
      hasMark: mark != nil
    )
    if let mark, let speech = floor.speaking, speech.seq == of, speech.item.kind == .reading {
      floor.speaking?.item.mark = mark
    }
    if let speech = floor.speaking, speech.seq == of {
      hear(report, speech, extent, event.string(.reason))
    } else if let place = floor.cuts.firstIndex(where: { $0.seq == of }) {
      hear(report, ofCut: place, extent)
    } else {
      hear(report, ofPast: of, extent)
    }
  }

  /// The user begins or ends to read by himself.
  private mutating func hearReading(_ report: Report) {
    guard report == .started else {
      endReading()
      return
    }
    floor.readers.reading = .byHand
    waiting.alarms.set(.reading, at: now + Bounds.reading, by: cause)
  }

  /// How much of it was heard, as far as the reader knows.
  private struct Extent {
    let heard: TimeSpan?
    /// The reader does not know it either.
    let isEstimated: Bool
    let isElsewhere: Bool
    /// It has passed a mark of the text, and so has begun, however short a time ago.
    let hasMark: Bool
  }

  private mutating func hear(
    _ report: Report,
    _ speech: Speaking,
    _ extent: Extent,
    _ reason: String?
  ) {
    var why = speech.item.why
    why.heard = extent.heard ?? now - speech.since
    why.isEstimated = extent.isEstimated
    why.isElsewhere = extent.isElsewhere
    if let heard = extent.heard, heard > .zero { endOutage() }
    switch report {
    // One that reports has its time from the deliver on, and from each word of progress.
    case .started: if !floor.isBelieved { floor.awaitEnd(pace, &waiting.alarms, now) }
    case .progress: noteProgress(of: speech, extent)
    case .finished, .elsewhere: end(speech, .heard, why)
    case .interrupted:
      why.reason = .reader
      end(speech, .interrupted, why)
    case .lost: lose(speech, reason, isTold: true)
    }
  }

  /// A reader that has come to nothing yet waits for another program to end, which has its bound.
  private mutating func noteProgress(of speech: Speaking, _ extent: Extent) {
    guard extent.heard == .zero, !extent.hasMark else {
      floor.awaitEnd(pace, &waiting.alarms, now)
      return
    }
    floor.speaking?.item.why.isBehindOthers = true
    if now - speech.since < Bounds.otherSpeech { floor.awaitEnd(pace, &waiting.alarms, now) }
  }

  /// A reader speaks of a delivery that the bus has done with.
  private mutating func hear(_ report: Report, ofPast of: Seq, _ extent: Extent) {
    switch report {
    case .started, .progress: return
    case .interrupted, .lost: floor.past.noteEnd(of)
    case .finished, .elsewhere:
      guard let past = floor.past.take(of), !past.isOver else { return }
      finishLate(past.item, since: past.since, extent)
    }
  }

  private mutating func hear(_ report: Report, ofCut place: Int, _ extent: Extent) {
    switch report {
    case .started, .progress: return
    case .finished, .elsewhere:
      let cut = takeCut(at: place)
      finishLate(cut.item, since: cut.since, extent)
    case .interrupted, .lost:
      conclude(
        takeCut(at: place),
        heard: extent.heard,
        isEstimated: extent.isEstimated,
        isTold: true
      )
    }
  }

  private mutating func takeCut(at place: Int) -> Cut {
    let cut = floor.cuts.remove(at: place)
    waiting.alarms.cancel(.cut(cut.item.seq))
    return cut
  }

  private mutating func end(_ speech: Speaking, _ result: Result, _ why: Why) {
    floor.endSpeaking(&waiting.alarms, context)
    if result == .heard {
      endOutage()
      turnPage(after: speech.item)
    }
    let ending = Ending(speech.item.final(result), by: nil, rule: speech.item.spokenBy)
    end(speech.item, ending, why)
  }

  /// The reader has not said that it has finished, and must have.
  mutating func assumeFinished() {
    guard let speech = floor.speaking else { return }
    if floor.isBelieved {
      floor.silence(by: nil, isHold: false, &decisions)
      lose(speech, nil, isTold: false)
      return
    }
    var why = speech.item.why
    why.heard = now - speech.since
    why.isEstimated = true
    floor.past.keep(PastDelivery(speech, isTold: false))
    end(speech, .heard, why)
  }

  // MARK: Cutting

  /// Ends the utterance, where nothing comes in its place.
  mutating func stopSpeaking(_ result: Result?, by: Seq?, rule: String) {
    floor.cutSpeaking(result, by: by, rule: rule, &waiting, context)
    floor.silenceCut(by: cause, &decisions)
  }

  /// Cuts what is being spoken, in favour of another.
  mutating func cut(_ fate: Interruption.Fate, by item: Item) {
    guard let speech = floor.speaking else { return }
    let (by, rule) = (item.madeBy, OwnRule.interruption.name)
    if isUntold(speech) {
      floor.cutSpeaking(nil, by: by, rule: rule, &waiting, context)
      waiting.endCutter(speech.item.seq, context)
      waiting.park(untold(speech, by: item), at: .queued)
      return
    }
    switch fate {
    case .interrupted: floor.cutSpeaking(.interrupted, by: by, rule: rule, &waiting, context)
    case .superseded: floor.cutSpeaking(.superseded, by: by, rule: rule, &waiting, context)
    case .again, .againInTime:
      guard !item.corrects(speech.item) else {
        floor.cutSpeaking(.superseded, by: by, rule: rule, &waiting, context)
        return
      }
      guard speech.item.isLasting, mayBeCutAgain(speech.item, by: item) else {
        floor.cutSpeaking(.interrupted, by: by, rule: rule, &waiting, context)
        return
      }
      floor.cutSpeaking(nil, by: by, rule: rule, &waiting, context)
      waiting.endCutter(speech.item.seq, context)
      var cut = speech.item
      let cutter = item.kind == .reading ? Item.Again.reading : item.seq
      cut.again = Item.Again(by: item.madeBy, cutter: cutter)
      // It stands directly behind what has cut it, and behind the answer to the user's action.
      cut.rankOverride = item.isAnnouncement ? item.rank + 5 : Item.behindAnswers
      if fate == .again { cut.deadline = nil }
      waiting.park(cut, at: .queued)
    }
  }

  /// Whether a cut is not one too many: a reading has them without end, as its cutter or as what is
  /// cut.
  private func mayBeCutAgain(_ item: Item, by cutter: Item) -> Bool {
    item.again == nil || item.kind == .reading || cutter.kind == .reading
  }

  /// Whether a summary has not come to its number, with which it begins.
  private func isUntold(_ speech: Speaking) -> Bool {
    guard let summary = speech.item.stoodFor else { return false }
    let digits = Int64(String(summary.count).count)
    return now - speech.since < digits * pace.perCharacter
  }

  /// A summary is the only one to tell of the events in it: it waits until it is heard, and takes
  /// in what is counted meanwhile.
  private func untold(_ speech: Speaking, by cutter: Item) -> Item {
    var item = speech.item
    item.again = Item.Again(by: cutter.madeBy)
    item.deadline = nil
    return item
  }

  /// An event was spoken to its end after all, in a delivery that was cut or counted as lost.
  private mutating func finishLate(_ item: Item, since: Instant, _ extent: Extent) {
    endOutage()
    // A summary that has taken in others since has another number to tell.
    if let speech = floor.speaking, speech.item.seq == item.seq {
      guard speech.item.summary == item.summary else { return }
      floor.silence(by: cause, isHold: false, &decisions)
      floor.endSpeaking(&waiting.alarms, context)
      floor.past.keep(PastDelivery(speech, isTold: false))
    } else if let waiter = waiting[item.seq] {
      guard waiter.summary == item.summary else { return }
      _ = waiting.withdraw(item.seq)
    }
    var why = item.why
    why.heard = extent.heard ?? now - since
    why.isElsewhere = extent.isElsewhere
    why.isEstimated = extent.isEstimated
    let ending = Ending(item.final(.heard), by: nil, rule: item.spokenBy)
    end(item, ending, why)
  }

  /// The reader has said how far it came, or has not.
  mutating func conclude(
    _ cut: Cut,
    heard: TimeSpan?,
    isEstimated: Bool = false,
    isTold: Bool = false
  ) {
    waiting.alarms.cancel(.cut(cut.item.seq))
    floor.past.keep(PastDelivery(cut, isTold: isTold))
    var why = cut.item.why
    why.heard = heard ?? cut.at - cut.since
    why.isEstimated = heard == nil || isEstimated
    guard let result = cut.result else {
      // Should it not be begun anew, this is what was heard of it.
      waiting.change(cut.item.seq) { $0.why = why }
      return
    }
    end(cut.item, Ending(result, by: cut.by, rule: cut.rule), why)
  }

  /// Forgets the cuts of an event that has its outcome; later words of the reader change nothing.
  mutating func dropCuts(of seq: Seq) {
    for cut in floor.cuts where cut.item.of == seq && cut.item.endsInOutcome {
      waiting.alarms.cancel(.cut(cut.item.seq))
    }
    floor.cuts.removeAll { $0.item.of == seq && $0.item.endsInOutcome }
    floor.past.close { $0.of == seq && $0.endsInOutcome }
  }

  mutating func assumeCut(_ seq: Seq) {
    guard let place = floor.cuts.firstIndex(where: { $0.item.seq == seq }) else { return }
    conclude(floor.cuts.remove(at: place), heard: nil)
  }

  /// An event that was cut could not be begun anew in time.
  mutating func giveUp(_ seq: Seq) {
    // A summary is the only one to tell of the events in it.
    guard let waiter = waiting[seq], waiter.stoodFor == nil else { return }
    if waiter.isLost {
      if let item = waiting.withdraw(seq) { endLost(item) }
      return
    }
    let obstacle = obstacle(to: waiter)
    guard var item = waiting.withdraw(seq) else { return }
    item.noteWait(until: now)
    item.why.heldBy = obstacle
    if item.again?.deadline != nil {
      item.why.window = Bounds.again
    } else {
      item.why.ttl = item.deadline.map { $0 - item.mono }
    }
    end(item, Ending(.interrupted, by: item.again?.by, rule: .onceMore))
  }
}

extension Item {
  /// The words of a delivery: those of the event, or the number of the events that it stands for.
  func words(_ pace: ReaderPace) -> (SpokenText, isTruncated: Bool) {
    if let summary = stoodFor {
      let words = OwnWords.of(pace.language)
      let text =
        self.kind == .digest
        ? words.missed(summary.count, of: summary.others)
        : words.more(summary.count, from: [app] + summary.others)
      return (SpokenText(text), false)
    }
    let limit = self.treatment.maxChars.value
    let text = self.mark.map { self.text.starting(at: $0) } ?? self.text
    guard text.length > limit, !text.isRedacted else { return (text, false) }
    return (text.shortened(to: limit), true)
  }

  /// Before all others that are as urgent, but for a reader's word about itself.
  var offerRank: Int64 { self.isAnnouncement && self.priority == .high ? 9 : 11 }

  /// The last rule that matched when it was given to a reader.
  var spokenBy: String { self.blamed ?? self.treatment.rule }

  /// The events that it speaks for, unless that is itself alone.
  var stoodFor: Summary? {
    self.summary.flatMap { $0.count > 1 || self.kind == .digest ? $0 : nil }
  }

  /// The result of an event that was presented: one that stood for many was not heard itself.
  func final(_ result: Result) -> Result {
    self.stoodFor != nil && result == .heard ? .summarised : result
  }
}

extension Speaking: Recorded {
  static var blank: Speaking { Speaking(item: .blank, ticket: 0, seq: nil, since: .blank) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.item, &self.ticket, &self.seq, &self.since)
  }
}

extension Cut: Recorded {
  static var blank: Cut {
    Cut(
      item: .blank,
      ticket: 0,
      seq: nil,
      since: .blank,
      at: .blank,
      result: nil,
      by: nil,
      rule: ""
    )
  }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.item, &self.ticket, &self.seq, &self.since)
    scribe.transcribe(&self.at, &self.result, &self.by, &self.rule)
  }
}
