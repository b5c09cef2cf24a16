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
    silence(by: cause, isHold: false)
    silenceUntold()
    if speech != nil { cutSpeaking(.interrupted, by: cause, rule: .stop) }
    floor.pendingCut = nil
    for seq in waiting.seqs {
      guard let item = waiting[seq], isStopped(item) else { continue }
      end(seq, Ending(.interrupted, by: cause, rule: .stop, item.waited(until: now)))
    }
    resumeByUser()
  }

  private func isStopped(_ item: Item) -> Bool {
    switch item.kind {
    // The status of a reader and the focus of a toolkit are the case, heard or not.
    case .status, .report: false
    case .announcement, .layout, .screen, .page, .focus, .value, .digest:
      !item.isUrgent || item.again != nil
    }
  }

  /// Delivers again what the user names or else what was with a reader last, or the last label.
  mutating func repeatSpeech(_ event: borrowing WireEvent) {
    let of = event.seq(.of)
    guard let echo = of.map({ floor.echoes.item(of: $0) }) ?? floor.lastText ?? floor.lastLabel
    else {
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
        cutSpeaking(nil, by: cause, rule: .repeat)
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
    cutSpeaking(nil, by: cause, rule: .repeat)
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
    decisions.tickets += 1
    return Seq(-decisions.tickets)
  }

  mutating func pauseByUser() {
    guard waiting.quiet.pausedAt == nil else { return }
    waiting.quiet.pausedAt = now
    for item in waiting.itemsInLine where item.isUrgent { waiting.alarms.cancel(.expiry(item.seq)) }
    guard let speech = floor.speaking, !speech.item.isUrgent else { return }
    quieten()
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

  /// Has the readers hold what is with them; when they may go on it is offered once more, in its
  /// place among the events that have waited with it.
  mutating func quieten() {
    guard let speech = floor.speaking else { return }
    silence(by: cause, isHold: true)
    cutSpeaking(nil, by: cause, rule: .pause)
    floor.pendingCut = nil
    var item = speech.item
    item.again = Item.Again(by: cause)
    let end = now + Bounds.hush
    item.deadline = max(item.deadline ?? end, end)
    waiting.park(item, at: .queued)
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
    endCutter(item.seq)
    waiting.park(item, at: .queued)
  }

  /// Remembers what `repeat` is to deliver.
  mutating func keepEcho(of item: Item) {
    guard !item.isSecret else { return }
    floor.echoes.keep(Echoes.Echo(item: item, ticket: decisions.tickets, seq: nil))
    guard item.endsInOutcome else { return }
    switch item.kind {
    case .announcement, .layout, .screen, .page: floor.lastText = item
    case .focus: floor.lastLabel = item
    case .status, .value, .report, .digest: break
    }
  }
}

extension Item {
  /// Before everything that was kept for a reader, high too.
  static var stateRank: Int64 { -2 }

  /// Among what the user asks for.
  static var userRank: Int64 { 30 }
}
