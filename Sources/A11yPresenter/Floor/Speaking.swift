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

extension Presenter {
  mutating func deliver(_ item: consuming Item) {
    item.standing = .speaking
    decisions.tickets += 1
    let isSilent = item.isSilent
    let (text, isTruncated) = words(of: item)
    decide(
      .deliver(
        Delivery(
          ticket: decisions.tickets,
          of: [item.of],
          to: floor.readers.owner?.conn,
          text: text,
          priority: item.priority.rawValue,
          interrupts: isSilent ? nil : floor.pendingCut,
          isInterruptible: item.spoken != .high,
          earcon: item.earcon ?? (item.isBoundary ? .boundary : nil),
          late: now - item.mono,
          isBoundary: item.isBoundary,
          isAgain: item.again != nil,
          isTruncated: isTruncated,
          summary: item.stoodFor,
          app: item.app,
          window: item.facts.window,
          element: item.facts.element,
          isFocus: item.kind == .focus
        )
      )
    )
    pipeline.duplicates.remember(item, at: now)
    if isSilent {
      var why = Why()
      why.isSilent = true
      if now > item.mono { why.waited = now - item.mono }
      end(item, Ending(.heard, by: nil, rule: item.treatment.rule, why))
      return
    }
    floor.pendingCut = nil
    item.why.waited = now - item.mono
    item.why.heard = nil
    item.why.isEstimated = false
    // That of an earlier loss.
    item.why.reason = nil
    // Rules that come while it is being spoken decide nothing of it.
    item.blamed = item.treatment.rule
    keepEcho(of: item)
    floor.speaking = Speaking(item: item, ticket: decisions.tickets, seq: nil, since: now)
    awaitEnd()
  }

  /// Gives the reader the time that it may take to say that it has finished, from now on.
  private mutating func awaitEnd() {
    guard let item = floor.speaking?.item else { return }
    let length = words(of: item).0.length * pace.perCharacter
    let patience = isBelieved ? 2 * length + Bounds.reporting : length + pace.grace
    waiting.alarms.set(.estimate, at: now + patience, by: item.seq)
  }

  /// The words of a delivery: those of the event, or the number of the events that it stands for.
  private func words(of item: Item) -> (SpokenText, Bool) {
    if let summary = item.stoodFor {
      let words = OwnWords.of(pace.language)
      let text =
        item.kind == .digest
        ? words.missed(summary.count, of: summary.others)
        : words.more(summary.count, from: [item.app] + summary.others)
      return (SpokenText(text), false)
    }
    let limit = item.treatment.maxChars.value
    guard item.text.length > limit, !item.text.isRedacted else { return (item.text, false) }
    return (item.text.shortened(to: limit), true)
  }

  mutating func endSpeaking() {
    floor.speaking = nil
    waiting.alarms.cancel(.estimate)
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
      if event.flag(.reading) { noteReading(report == .started) }
      return
    }
    let extent = Extent(
      heard: event.integer(.heard).map(TimeSpan.milliseconds(_:)),
      isEstimated: event.flag(.estimated) || report == .elsewhere,
      isElsewhere: report == .elsewhere
    )
    if let speech = floor.speaking, speech.seq == of {
      hear(report, speech, extent, event.string(.reason))
    } else if let place = floor.cuts.firstIndex(where: { $0.seq == of }) {
      hear(report, ofCut: place, extent)
    } else {
      hear(report, ofPast: of, extent)
    }
  }

  /// How much of it was heard, as far as the reader knows.
  private struct Extent {
    let heard: TimeSpan?
    /// The reader does not know it either.
    let isEstimated: Bool
    let isElsewhere: Bool
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
    case .started: if !isBelieved { awaitEnd() }
    case .progress: noteProgress(of: speech, extent.heard)
    case .finished, .elsewhere: end(speech, .heard, why)
    case .interrupted:
      why.reason = .reader
      end(speech, .interrupted, why)
    case .lost: lose(speech, reason, isTold: true)
    }
  }

  /// Whether the reader has promised to report every end, so that nothing is assumed of it.
  private var isBelieved: Bool { floor.readers.owner?.isReporting ?? false }

  /// A reader that has come to nothing yet waits for another program to end, which has its bound.
  private mutating func noteProgress(of speech: Speaking, _ heard: TimeSpan?) {
    guard heard == .zero else {
      awaitEnd()
      return
    }
    floor.speaking?.item.why.isBehindOthers = true
    if now - speech.since < Bounds.otherSpeech { awaitEnd() }
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
    endSpeaking()
    if result == .heard {
      endOutage()
      turnPage(after: speech.item)
    }
    end(speech.item, Ending(speech.item.final(result), by: nil, rule: speech.item.spokenBy, why))
  }

  /// The reader has not said that it has finished, and must have.
  mutating func assumeFinished() {
    guard let speech = floor.speaking else { return }
    if isBelieved {
      silence(by: nil, isHold: false)
      lose(speech, nil, isTold: false)
      return
    }
    var why = speech.item.why
    why.heard = now - speech.since
    why.isEstimated = true
    floor.past.keep(PastDelivery(speech, isTold: false))
    end(speech, .heard, why)
  }

  private mutating func noteReading(_ hasBegun: Bool) {
    floor.readers.isReading = hasBegun
    if floor.readers.isReading {
      waiting.alarms.set(.reading, at: now + Bounds.reading, by: cause)
    } else {
      waiting.alarms.cancel(.reading)
    }
  }

  // MARK: Cutting

  /// Cuts what is being spoken, in favour of another.
  mutating func cut(_ fate: Interruption.Fate, by item: Item) {
    guard let speech = floor.speaking else { return }
    let rule = OwnRule.interruption
    if isUntold(speech) {
      cutSpeaking(nil, by: item.madeBy, rule: rule)
      endCutter(speech.item.seq)
      waiting.park(untold(speech, by: item), at: .queued)
      return
    }
    switch fate {
    case .interrupted: cutSpeaking(.interrupted, by: item.madeBy, rule: rule)
    case .superseded: cutSpeaking(.superseded, by: item.madeBy, rule: rule)
    case .again, .againInTime:
      guard !item.corrects(speech.item) else {
        cutSpeaking(.superseded, by: item.madeBy, rule: rule)
        return
      }
      guard speech.item.again == nil, speech.item.isLasting else {
        cutSpeaking(.interrupted, by: item.madeBy, rule: rule)
        return
      }
      cutSpeaking(nil, by: item.madeBy, rule: rule)
      endCutter(speech.item.seq)
      var cut = speech.item
      cut.again = Item.Again(by: item.madeBy, cutter: item.seq)
      // It stands directly behind what has cut it, and behind the answer to the user's action.
      cut.rankOverride = item.isAnnouncement ? item.rank + 5 : Item.behindAnswers
      if fate == .again { cut.deadline = nil }
      waiting.park(cut, at: .queued)
    }
  }

  /// An event that has cut others is over: from now on they have a while to begin anew.
  mutating func endCutter(_ seq: Seq) {
    guard waiting.tally.cut > 0 else { return }
    for other in waiting.line.places.map(\.seq) where waiting[other]?.again?.cutter == seq {
      guard var item = waiting.withdraw(other) else { continue }
      item.again?.cutter = nil
      item.again?.deadline = now + Bounds.again
      waiting.alarms.set(.again(other), at: now + Bounds.again, by: cause)
      waiting.park(item, at: .queued)
    }
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

  /// Ends the utterance; the fate of its event is known when the reader has answered.
  mutating func cutSpeaking(_ result: Result?, by: Seq?, rule: OwnRule) {
    cutSpeaking(result, by: by, rule: rule.name)
  }

  mutating func cutSpeaking(_ result: Result?, by: Seq?, rule: String) {
    guard let speech = floor.speaking else { return }
    floor.pendingCut = .delivery(ticket: speech.ticket, seq: speech.seq)
    // Another report of an earlier cut is not waited for.
    for cut in floor.cuts where cut.item.seq == speech.item.seq {
      floor.past.keep(PastDelivery(cut, isTold: false))
    }
    floor.cuts.removeAll { $0.item.seq == speech.item.seq }
    floor.cuts.append(
      Cut(
        item: speech.item,
        ticket: speech.ticket,
        seq: speech.seq,
        since: speech.since,
        at: now,
        result: result,
        by: by,
        rule: rule
      )
    )
    let patience = isBelieved ? Bounds.reportedCut : Bounds.cutReport
    waiting.alarms.set(.cut(speech.item.seq), at: now + patience, by: cause)
    endSpeaking()
    if result != nil { endCutter(speech.item.seq) }
  }

  /// Tells the readers to stop, where nothing comes in the place of what was cut.
  mutating func silenceCut(by: Seq?) {
    guard case .delivery(let ticket, let seq) = floor.pendingCut else {
      floor.pendingCut = nil
      return
    }
    floor.pendingCut = nil
    let app = floor.cuts.last { $0.ticket == ticket }?.item.app
    silence(ticket, seq, app ?? AppKey(uid: 0, app: Name("")), by: by)
  }

  /// Tells the readers to stop what is with them.
  mutating func silence(by: Seq?, isHold: Bool) {
    guard let speech = floor.speaking else { return }
    silence(speech.ticket, speech.seq, speech.item.app, by: by, isHold: isHold)
  }

  mutating func silence(
    _ ticket: Int64,
    _ seq: Seq?,
    _ app: AppKey,
    by: Seq?,
    isHold: Bool = false
  ) {
    decide(.silence(Silence(ticket: ticket, of: seq, by: by, isHold: isHold, app: app)))
  }

  /// Silences the deliveries whose end no reader has told, but for the one that is being spoken, as
  /// far as their events are meant.
  mutating func silenceUntold(where isMeant: (Item) -> Bool = { _ in true }) {
    for cut in floor.cuts where isMeant(cut.item) {
      silence(cut.ticket, cut.seq, cut.item.app, by: cause)
    }
    for past in floor.past.all where !past.isTold && isMeant(past.item) {
      silence(past.ticket, past.seq, past.item.app, by: cause)
    }
    floor.past.remove(where: isMeant)
  }

  /// An event was spoken to its end after all, in a delivery that was cut or counted as lost.
  private mutating func finishLate(_ item: Item, since: Instant, _ extent: Extent) {
    endOutage()
    // A summary that has taken in others since has another number to tell.
    if let speech = floor.speaking, speech.item.seq == item.seq {
      guard speech.item.summary == item.summary else { return }
      silence(by: cause, isHold: false)
      endSpeaking()
      floor.past.keep(PastDelivery(speech, isTold: false))
    } else if let waiter = waiting[item.seq] {
      guard waiter.summary == item.summary else { return }
      _ = waiting.withdraw(item.seq)
    }
    var why = item.why
    why.heard = extent.heard ?? now - since
    why.isElsewhere = extent.isElsewhere
    why.isEstimated = extent.isEstimated
    end(item, Ending(item.final(.heard), by: nil, rule: item.spokenBy, why))
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
    end(cut.item, Ending(result, by: cut.by, rule: cut.rule, why))
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

  /// Has an event spoken from its beginning as soon as somebody can: it was not its fault.
  ///
  /// Its time to start goes on, for it has to end though nobody comes; but it has a chance to.
  mutating func offerAgain(_ given: consuming Item, by: Seq?, within patience: TimeSpan) {
    var item = given
    item.again = Item.Again(by: by)
    item.rankOverride = item.offerRank
    let end = now + patience
    item.deadline = max(item.deadline ?? end, end)
    waiting.park(item, at: .queued)
  }

  /// An event that was cut could not be begun anew in time.
  mutating func giveUp(_ seq: Seq) {
    // A summary is the only one to tell of the events in it.
    guard let waiter = waiting[seq], waiter.stoodFor == nil else { return }
    if waiter.isLost {
      if let item = waiting.withdraw(seq) { endLost(item) }
      return
    }
    var why = waiter.waited(until: now)
    why.heldBy = obstacle(to: waiter)
    guard let item = waiting.withdraw(seq) else { return }
    if item.again?.deadline != nil {
      why.window = Bounds.again
    } else {
      why.ttl = item.deadline.map { $0 - item.mono }
    }
    end(item, Ending(.interrupted, by: item.again?.by, rule: .onceMore, why))
  }
}

extension Item {
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
