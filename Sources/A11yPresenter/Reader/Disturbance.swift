// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// Do not disturb: below its level announcements wait, and what expires meanwhile is told when it ends.
struct Disturbance: Sendable, Equatable {
  var level: Int64 = 0
  /// Since when it keeps back even what is high, whose time to start stands still.
  var since: Int64?
  var expired: Item.Summary?

  func lets(_ priority: Priority) -> Bool { priority.weight >= level }
}

extension Priority {
  /// What it counts against the level of do-not-disturb.
  var weight: Int64 {
    switch self {
    case .low: 20
    case .default: 50
    case .high: 80
    }
  }
}

extension Presenter {
  /// Whether do-not-disturb keeps an event back: announcements alone, and no answer to what the user
  /// has done.
  func isDisturbing(_ item: Item) -> Bool {
    item.isAnnouncement && item.kind != .digest && !item.isAnswer
      && !disturbance.lets(item.priority)
  }

  /// Whether the time to start of an event stands still.
  func isHalted(_ item: Item) -> Bool {
    isUrgent(item) && (readers.pausedAt != nil || isDisturbing(item))
  }

  mutating func changeDisturbance(_ event: borrowing WireEvent) {
    disturbance.level = model.disturbanceLevel
    if let time = event.integer(.for), disturbance.level > 0 {
      alarms.set(.disturbance, at: now + time * Bounds.millisecond, by: cause)
    } else {
      alarms.cancel(.disturbance)
    }
    if !disturbance.lets(.high) { halt() } else { goOn() }
    // As long as it would wait itself, it is not over.
    guard disturbance.lets(.default), let expired = disturbance.expired else { return }
    disturbance.expired = nil
    tellMissed(expired)
  }

  /// From now on the time of what is high stands still.
  private mutating func halt() {
    guard disturbance.since == nil else { return }
    disturbance.since = now
    for item in items.values where isHalted(item) { alarms.cancel(.expiry(item.seq)) }
  }

  /// What is high has all the time left that it had when it began to be kept back.
  private mutating func goOn() {
    guard let since = disturbance.since else { return }
    disturbance.since = nil
    for seq in items.keys.sorted() {
      guard let item = items[seq], isUrgent(item), !item.isAnswer, let deadline = item.deadline
      else { continue }
      let later = deadline + now - max(since, item.mono)
      items[seq]?.deadline = later
      if !isHalted(item) { alarms.set(.expiry(seq), at: later, by: seq) }
    }
  }

  private mutating func tellMissed(_ expired: Item.Summary) {
    var facts = Facts.blank
    facts.app = Name("a11yd")
    let treatment = treatment(of: &facts)
    var digest = Item(
      .digest,
      seq: newID(),
      mono: now,
      facts: facts,
      treatment: treatment,
      text: SpokenText(OwnWords.of(pace.language).missed(expired.count, of: expired.others)),
      mode: .all
    )
    digest.of = expired.to
    digest.madeBy = cause
    digest.endsInOutcome = false
    digest.summary = expired
    enqueue(digest)
  }

  /// Counts what has expired because it was not to disturb.
  mutating func noteExpired(_ item: Item) {
    guard item.endsInOutcome, isDisturbing(item) else { return }
    var own = item.summary ?? Item.Summary(count: 1, from: item.seq, to: item.seq)
    let others = own.others
    own.others = [item.app]
    for app in others { own.add(app) }
    if disturbance.expired == nil {
      disturbance.expired = own
    } else {
      disturbance.expired?.add(own)
    }
  }
}
