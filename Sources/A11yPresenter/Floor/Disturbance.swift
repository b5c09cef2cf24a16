// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// Do not disturb: from when it begins to when it ends.
extension Presenter {
  mutating func changeDisturbance(_ event: borrowing WireEvent) {
    waiting.quiet.disturbance.level = model.disturbanceLevel
    if let time = event.integer(.for), waiting.quiet.disturbance.level > 0 {
      waiting.alarms.set(.disturbance, at: now + .milliseconds(time), by: cause)
    } else {
      waiting.alarms.cancel(.disturbance)
    }
    if !waiting.quiet.disturbance.lets(.high) { halt() } else { goOn() }
    // As long as it would wait itself, it is not over.
    guard waiting.quiet.disturbance.lets(.default), let expired = waiting.quiet.disturbance.expired
    else { return }
    waiting.quiet.disturbance.expired = nil
    tellMissed(expired)
  }

  /// From now on the time of what is high stands still.
  private mutating func halt() {
    guard waiting.quiet.disturbance.since == nil else { return }
    waiting.quiet.disturbance.since = now
    for item in waiting.items.values where waiting.quiet.stopsTime(of: item) {
      waiting.alarms.cancel(.expiry(item.seq))
    }
  }

  /// An urgent event has all the time left that it had when it began to be kept back.
  private mutating func goOn() {
    guard let since = waiting.quiet.disturbance.since else { return }
    waiting.quiet.disturbance.since = nil
    for seq in waiting.seqs {
      guard let item = waiting[seq], item.isUrgent, !item.isAnswer, let deadline = item.deadline
      else { continue }
      let later = deadline + (now - max(since, item.mono))
      waiting.change(seq) { $0.deadline = later }
      if !waiting.quiet.stopsTime(of: item) { waiting.alarms.set(.expiry(seq), at: later, by: seq) }
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
    guard item.endsInOutcome, waiting.quiet.isDisturbing(item) else { return }
    var own = item.summary ?? Item.Summary(of: item.seq)
    let others = own.others
    own.others = [item.app]
    for app in others { own.add(app) }
    if waiting.quiet.disturbance.expired == nil {
      waiting.quiet.disturbance.expired = own
    } else {
      waiting.quiet.disturbance.expired?.add(own)
    }
  }
}
