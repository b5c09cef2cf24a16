// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The user's commands to the speech itself.
extension Presenter {
  /// Silences what is being spoken, high too, and what may still be sounding; drops at every stage
  /// what waits to be heard, but for what is high and has not begun.
  mutating func stop() {
    let speech = floor.speaking
    floor.silence(by: cause, isHold: false, &decisions)
    floor.silenceUntold(&decisions, context)
    if speech != nil {
      floor.cutSpeaking(.interrupted, by: cause, rule: OwnRule.stop.name, &waiting, context)
    }
    floor.pendingCut = nil
    for seq in waiting.seqs {
      guard let item = waiting[seq], isStopped(item) else { continue }
      end(seq, Ending(.interrupted, by: cause, rule: .stop))
    }
    resumeByUser()
  }

  private func isStopped(_ item: Item) -> Bool {
    switch item.kind {
    // The status of a reader and the focus of a toolkit are the case, heard or not.
    case .status, .report: false
    case .announcement, .layout, .screen, .page, .focus, .value, .digest, .reading:
      !item.isUrgent || item.again != nil
    }
  }

  /// Delivers again what the user names or else what was with a reader last, or the last label.
  mutating func repeatSpeech(_ event: borrowing WireEvent) {
    let of = event.seq(.of)
    let last = of.map { floor.echoes.item(of: $0) } ?? floor.lastText ?? floor.lastLabel
    guard let echo = last, !isWithheld(echo) else {
      // It was a secret, or it is too long ago.
      if of != nil { chime(.noAction, of: cause, app: head.app) }
      return
    }
    if let speech = floor.speaking {
      if speech.item.of == echo.of {
        repeatSpoken(speech)
        return
      }
      if !speech.item.isUrgent {
        floor.cutSpeaking(nil, by: cause, rule: OwnRule.repeat.name, &waiting, context)
        // Known by the number that the next of ours gets.
        offerCutAgain(behind: Seq(-decisions.tickets - 1))
      }
    }
    var item = echo
    item.endsInOutcome = false
    item.memory = nil
    item.deadline = nil
    item.countsAsFeedback = false
    item.lost = 0
    item.facts.cause = .user
    item.treatment = treatment(of: &item.facts)
    say(item, rank: Item.userRank)
  }

  /// What is being spoken begins anew; its end is that of the speech that is heard whole.
  private mutating func repeatSpoken(_ speech: Speaking) {
    floor.cutSpeaking(nil, by: cause, rule: OwnRule.repeat.name, &waiting, context)
    var item = speech.item
    item.again = Item.Again(by: cause)
    item.rankOverride = Item.userRank
    let end = now + Bounds.comeback
    item.deadline = max(item.deadline ?? end, end)
    waiting.park(item, at: .queued)
  }

  /// Has something said once more, beside all that waits.
  mutating func say(_ echo: Item, rank: Int64) {
    var item = echo
    item.seq = newID()
    item.madeBy = cause
    item.again = Item.Again(by: cause)
    item.rankOverride = rank
    enqueue(item)
  }

  /// By what an item is known that no entry of its own stands for.
  mutating func newID() -> Seq {
    decisions.tickets &+= 1
    return Seq(-decisions.tickets)
  }

  mutating func pauseByUser() {
    guard waiting.quiet.pausedAt == nil else { return }
    waiting.quiet.pausedAt = now
    for item in waiting.itemsInLine where item.isUrgent { waiting.alarms.cancel(.expiry(item.seq)) }
    guard let speech = floor.speaking, !speech.item.isUrgent, speech.item.kind != .reading else {
      return
    }
    floor.quieten(&waiting, &decisions, context)
  }

  /// The time that what is urgent was kept from being heard is not its own.
  mutating func resumeByUser() {
    guard let since = waiting.quiet.pausedAt else { return }
    waiting.quiet.pausedAt = nil
    for seq in waiting.seqs {
      guard let item = waiting[seq], item.isUrgent, let deadline = item.deadline else { continue }
      let later = deadline + (now - max(since, item.mono))
      waiting.change(seq) { $0.deadline = later }
      if !waiting.quiet.stopsTime(of: item) { waiting.alarms.set(.expiry(seq), at: later, by: seq) }
    }
  }

  /// An event that was cut in favour of the user's wish comes behind it.
  private mutating func offerCutAgain(behind echo: Seq) {
    guard let cut = floor.cuts.last, cut.result == nil else { return }
    var item = cut.item
    guard item.again == nil, item.isAnnouncement else {
      floor.cuts[floor.cuts.count - 1].result = .interrupted
      return
    }
    item.again = Item.Again(by: cause, cutter: echo)
    item.rankOverride = Item.userRank + 5
    item.deadline = nil
    waiting.endCutter(item.seq, context)
    waiting.park(item, at: .queued)
  }
}

extension Item {
  /// Before everything that was kept for a reader, high too.
  static var stateRank: Int64 { -2 }

  /// Among what the user asks for.
  static var userRank: Int64 { 30 }
}

extension Presenter {
  /// An app withdraws an event of its own; that it is one was checked when it came.
  mutating func cancel(_ event: borrowing WireEvent) {
    guard let of = event.seq(.of) else { return }
    if var item = waiting.withdraw(of) {
      if let place = floor.cuts.firstIndex(where: { $0.item.seq == of }) {
        floor.cuts.remove(at: place)
      }
      floor.silenceUntold(&decisions, context) { $0.seq == of }
      item.noteWait(until: now)
      end(item, Ending(.cancelled, by: cause, rule: .cancel))
    } else if let speech = floor.speaking, speech.item.seq == of, speech.item.endsInOutcome {
      stopSpeaking(.cancelled, by: cause, rule: OwnRule.cancel.name)
    }
  }
}

// The events of a forgotten app are not spoken any more either, and no trace of the app stays in
// the tables.
extension Presenter {
  /// Forgets apps with all that they have said; false where nothing was known of them.
  ///
  /// Waiting events go without an outcome, for their entries go too. Speech of the app is stopped.
  @discardableResult
  public mutating func forget(_ isMeant: (_ app: String, _ uid: Int64) -> Bool) -> Bool {
    func isOf(_ app: AppKey) -> Bool { isMeant(app.app.text, Int64(app.uid)) }
    let before = model
    model.forget(isMeant)
    var isKnown = model != before
    for seq in waiting.seqs {
      guard let item = waiting[seq], isOf(item.app), let gone = waiting.withdraw(seq) else {
        continue
      }
      pipeline.duplicates.retract(gone)
      isKnown = true
    }
    forgetNames(isOf)
    if let echo = floor.lastText, isOf(echo.app) { floor.lastText = nil }
    if let echo = floor.lastLabel, isOf(echo.app) { floor.lastLabel = nil }
    floor.echoes.forget { isOf($0.app) }
    for cut in floor.cuts where isOf(cut.item.app) { waiting.alarms.cancel(.cut(cut.item.seq)) }
    floor.cuts.removeAll { isOf($0.item.app) }
    floor.past.remove { isOf($0.app) }
    decisions.forgetMissing { isOf($0.app) }
    for route in focus.gestures where isOf(route.app) {
      waiting.alarms.cancel(.gesture(route.action))
    }
    focus.gestures.removeAll { isOf($0.app) }
    for pause in waiting.quiet.pauses where isOf(pause.app) { endPause(pause.conn) }
    if let media = focus.media, isOf(media.app) { focus.media = nil }
    if actions.forget(isOf) { isKnown = true }
    if forgetRows(isOf) { isKnown = true }
    if let speech = floor.speaking, isOf(speech.item.app) {
      floor.endSpeaking(&waiting.alarms, context)
      decisions.silence(speech.ticket, speech.seq, .nobody, by: nil)
      // The next event has its turn now.
      waiting.alarms.set(.estimate, at: now, by: cause)
      isKnown = true
    }
    return isKnown
  }

  /// Summaries that count what others have said as well do not name those that are forgotten.
  private mutating func forgetNames(_ isOf: (AppKey) -> Bool) {
    waiting.quiet.disturbance.expired?.others.removeAll(where: isOf)
    for seq in waiting.seqs { waiting.change(seq) { $0.summary?.others.removeAll(where: isOf) } }
  }

  private mutating func forgetRows(_ isOf: (AppKey) -> Bool) -> Bool {
    func isMeant(_ key: Key) -> Bool { isOf(AppKey(uid: key.uid, app: key.app)) }
    let stages = pipeline.removeRows(where: isMeant, &waiting.alarms)
    let focused = focus.wishes.remove(where: isMeant) + focus.screens.remove(where: isMeant)
    return stages || !focused.isEmpty
  }
}
