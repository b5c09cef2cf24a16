// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// What the user does to the speech itself.
extension Engine {
  /// Silences everything at once, high too: what is being spoken, and what would be next.
  mutating func stop() {
    if speaking != nil {
      cutSpeaking(.interrupted, by: cause, rule: Self.userStop)
      silenceCut(by: cause)
    }
    for seq in line.places.map(\.seq).sorted() {
      guard let item = items[seq], item.isNext else { continue }
      settle(seq, .interrupted, by: cause, rule: Self.userStop, waited(item))
    }
    resumeByUser()
  }

  /// Delivers again what was with a reader last, or else the last label.
  mutating func repeatLast() {
    guard let echo = lastText ?? lastLabel else { return }
    if speaking != nil {
      let isOwn = speaking?.item.of == echo.of
      cutSpeaking(isOwn ? .interrupted : nil, by: cause, rule: Self.userRepeat)
      // Known by the number that the next of ours gets.
      if !isOwn { offerCutAgain(behind: Seq(-tickets - 1)) }
    }
    say(echo, rank: Item.userRank)
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
      alarms.set(.expiry(seq), at: later, by: seq)
    }
  }

  func isUrgent(_ item: Item) -> Bool { item.isAnnouncement && item.priority == .high }

  /// Has the readers hold what is with them; it is offered once more when they may go on.
  mutating func quieten() {
    guard let speech = speaking else { return }
    silence(by: cause, isHold: true)
    cutSpeaking(nil, by: cause, rule: Self.userPause)
    pendingCut = nil
    offerAgain(speech.item, by: cause, within: Bounds.hush)
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
    guard item.endsInOutcome, !item.isSecret else { return }
    var echo = item
    echo.endsInOutcome = false
    echo.memory = nil
    echo.deadline = nil
    echo.facts.cause = .user
    switch item.kind {
    case .announcement, .layout, .screen, .page: lastText = echo
    case .focus: lastLabel = echo
    case .status, .value, .report, .digest: break
    }
  }

  static var userStop: String { "stop" }
  static var userRepeat: String { "repeat" }
  static var userPause: String { "pause" }
}

extension Item {
  /// Whether it would be spoken as soon as nothing else is.
  fileprivate var isNext: Bool {
    switch self.stage {
    case .queued: self.kind != .status && !isSilent
    case .held: true
    case .moving, .busy, .storm, .coalescing, .limited, .speaking: false
    }
  }
}

extension Item {
  /// Before everything that was kept for a reader, high too.
  static var stateRank: Int64 { -2 }

  /// Among what the user asks for.
  static var userRank: Int64 { 30 }
}
