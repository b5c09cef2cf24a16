// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// Do not disturb: below its level announcements wait, and what expires meanwhile is told when it ends.
struct Disturbance: Sendable, Equatable {
  var level: Int64 = 0
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

extension Engine {
  mutating func changeDisturbance() {
    disturbance.level = model.disturbanceLevel
    // As long as it would wait itself, it is not over.
    guard disturbance.lets(.default), let expired = disturbance.expired else { return }
    disturbance.expired = nil
    var facts = Facts.blank
    facts.app = Name("a11yd")
    let treatment = treatment(of: &facts)
    var digest = Item(
      .digest,
      seq: newID(),
      mono: now,
      facts: facts,
      treatment: treatment,
      text: SpokenText(OwnWords.of(pace.language).missed(expired.count)),
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
    guard disturbance.level > 0, item.isAnnouncement, item.endsInOutcome,
      !disturbance.lets(item.priority)
    else { return }
    let known = disturbance.expired ?? Item.Summary(count: 0, from: item.seq, to: item.seq)
    disturbance.expired = Item.Summary(
      count: known.count + 1,
      from: min(known.from, item.seq),
      to: max(known.to, item.seq)
    )
  }
}
