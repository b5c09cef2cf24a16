// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// What the user does to the speech itself.
extension Presenter {
  /// Silences what is being spoken, high too, and drops at every stage what waits to be heard, but for
  /// what is high and has not begun.
  mutating func stop() {
    if speaking != nil {
      cutSpeaking(.interrupted, by: cause, rule: Self.userStop)
      silenceCut(by: cause)
    }
    for seq in items.keys.sorted() {
      guard let item = items[seq], isStopped(item) else { continue }
      settle(seq, .interrupted, by: cause, rule: Self.userStop, waited(item))
    }
    resumeByUser()
  }

  private func isStopped(_ item: Item) -> Bool {
    switch item.kind {
    // What a reader says of itself, and where a toolkit has the focus, is the case, heard or not.
    case .status, .report: false
    case .announcement, .layout, .screen, .page, .focus, .value, .digest:
      !isUrgent(item) || item.again != nil
    }
  }

  /// Delivers again what the user names or else what was with a reader last, or the last label.
  mutating func repeatSpeech(_ event: borrowing WireEvent) {
    let of = event.seq(.of)
    guard let echo = of.map({ echoes.item(of: $0) }) ?? lastText ?? lastLabel else {
      // It was a secret, or it is too long ago.
      if of != nil { chime(.noAction, of: cause, app: head.app) }
      return
    }
    if let speech = speaking {
      let isOwn = speech.item.of == echo.of
      if isOwn || !isUrgent(speech.item) {
        cutSpeaking(isOwn ? .interrupted : nil, by: cause, rule: Self.userRepeat)
        // Known by the number that the next of ours gets.
        if !isOwn { offerCutAgain(behind: Seq(-tickets - 1)) }
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
    tickets += 1
    return Seq(-tickets)
  }

  mutating func pauseByUser() {
    guard readers.pausedAt == nil else { return }
    readers.pausedAt = now
    for item in itemsInLine where isUrgent(item) { alarms.cancel(.expiry(item.seq)) }
    guard let speech = speaking, !isUrgent(speech.item) else { return }
    quieten()
  }

  /// The time that what is urgent was kept from being heard is not its own.
  mutating func resumeByUser() {
    guard let since = readers.pausedAt else { return }
    readers.pausedAt = nil
    for seq in items.keys.sorted() {
      guard let item = items[seq], isUrgent(item), let deadline = item.deadline else { continue }
      let later = deadline + now - max(since, item.mono)
      items[seq]?.deadline = later
      if !isHalted(item) { alarms.set(.expiry(seq), at: later, by: seq) }
    }
  }

  func isUrgent(_ item: Item) -> Bool { item.isAnnouncement && item.priority == .high }

  /// Has the readers hold what is with them; when they may go on it is offered once more, in its
  /// place among what has waited with it.
  mutating func quieten() {
    guard let speech = speaking else { return }
    silence(by: cause, isHold: true)
    cutSpeaking(nil, by: cause, rule: Self.userPause)
    pendingCut = nil
    var item = speech.item
    item.again = Item.Again(by: cause)
    item.deadline = max(item.deadline ?? 0, now + Bounds.hush)
    park(item, .queued)
  }

  /// What was cut in favour of the user's wish comes behind it.
  private mutating func offerCutAgain(behind echo: Seq) {
    guard let cut = cuts.last, cut.result == nil else { return }
    var item = cut.item
    guard item.again == nil, item.isAnnouncement else {
      cuts[cuts.count - 1].result = .interrupted
      return
    }
    item.again = Item.Again(by: cause, cutter: echo)
    item.rankOverride = Item.userRank + 5
    item.deadline = nil
    endCutter(item.seq)
    park(item, .queued)
  }

  /// Remembers what `repeat` is to deliver.
  mutating func keepEcho(of item: Item) {
    guard !item.isSecret else { return }
    echoes.keep(Echoes.Echo(item: item, ticket: tickets, seq: nil))
    guard item.endsInOutcome else { return }
    switch item.kind {
    case .announcement, .layout, .screen, .page: lastText = item
    case .focus: lastLabel = item
    case .status, .value, .report, .digest: break
    }
  }

  static var userStop: String { "stop" }
  static var userRepeat: String { "repeat" }
  static var userPause: String { "pause" }
}

extension Item {
  /// Before everything that was kept for a reader, high too.
  static var stateRank: Int64 { -2 }

  /// Among what the user asks for.
  static var userRank: Int64 { 30 }
}
