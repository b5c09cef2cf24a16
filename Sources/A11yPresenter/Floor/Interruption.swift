// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The effect of an arriving event on the one that is being spoken.
///
/// The table of what is heard over what, and nothing else.
enum Interruption {
  /// The sort of the arriving event.
  enum Arriving: Sendable, CaseIterable {
    case low, `default`, high
    /// Focus, screen, or the value of the element acted on.
    case byUser, byApp
    case page
  }

  /// The sort of the event that is being spoken.
  enum Spoken: Sendable, CaseIterable {
    case low, `default`, high
    /// Focus, screen, value.
    case place
    case page
    /// The user's own reading.
    case reading
  }

  enum Verdict: Sendable, Equatable {
    case wait
    case interrupt(Fate)
  }

  /// The fate of the event that is cut.
  enum Fate: Sendable, Equatable {
    case again, againInTime, interrupted, superseded
  }

  static func verdict(_ arriving: Arriving, over spoken: Spoken) -> Verdict {
    switch (spoken, arriving) {
    case (.low, .low): .wait
    case (.low, .default): .interrupt(.againInTime)
    case (.low, .high), (.low, .byUser), (.low, .byApp): .interrupt(.again)
    case (.low, .page): .interrupt(.interrupted)
    case (.default, .low), (.default, .page): .wait
    case (.default, .default): .interrupt(.interrupted)
    case (.default, .high), (.default, .byUser), (.default, .byApp): .interrupt(.again)
    case (.high, _): .wait
    case (.place, .low), (.place, .default), (.place, .page): .wait
    case (.page, .low), (.page, .default): .wait
    case (.place, .high): .interrupt(.again)
    case (.page, .high): .interrupt(.interrupted)
    case (.place, .byUser), (.place, .byApp): .interrupt(.superseded)
    case (.page, .byUser), (.page, .byApp), (.page, .page): .interrupt(.superseded)
    case (.reading, .low), (.reading, .default), (.reading, .byApp), (.reading, .page): .wait
    case (.reading, .high), (.reading, .byUser): .interrupt(.interrupted)
    }
  }
}

extension Item {
  /// Whether it is worth saying once more after it was cut: a value is another one by then.
  var isLasting: Bool {
    switch self.kind {
    case .focus, .screen: true
    case .announcement, .layout, .digest: spoken != .place
    case .reading: true
    case .page, .status, .value, .report: false
    }
  }

  var arriving: Interruption.Arriving {
    switch self.kind {
    case .screen, .focus, .report: return isByUser ? .byUser : .byApp
    case .page: return .page
    case .value where self.isActed: return isByUser ? .byUser : .byApp
    case .reading: return .byUser
    case .announcement, .layout, .status, .digest, .value: break
    }
    if self.facts.speechClass == .value, self.isActed, priority != .high {
      return isByUser ? .byUser : .byApp
    }
    switch priority {
    case .low: return .low
    case .default: return .default
    case .high: return .high
    }
  }

  var spoken: Interruption.Spoken {
    switch self.kind {
    case .screen, .focus, .value, .report: return .place
    case .page: return .page
    case .reading: return .reading
    case .announcement, .layout, .status, .digest: break
    }
    // The value of an element that nobody has touched is low, and no place to be at.
    if self.facts.speechClass == .value, priority == .default { return .place }
    switch priority {
    case .low: return .low
    case .default: return .default
    case .high: return .high
    }
  }
}

extension Presenter {
  /// The effect of an event that comes into the queue on the speech.
  func judge(_ item: Item) -> Interruption.Verdict {
    guard let speech = floor.speaking else {
      guard floor.readers.reading == .byHand else { return .wait }
      return Interruption.verdict(item.arriving, over: .reading)
    }
    if item.wasHeld || item.again != nil { return .wait }
    let spoken = speech.item
    if spoken.kind == .reading {
      // Its sender cuts itself, by a withdrawal; and it goes on behind what cannot wait.
      if item.kind == .reading, item.conn == spoken.conn { return .wait }
      if item.isUrgent { return .interrupt(.again) }
    }
    if item.kind == .focus, item.isPatient, spoken.kind == .screen, spoken.app == item.app {
      return .wait
    }
    let isSameKey = item.coalesces(with: spoken)
    // It lets what is being spoken finish, and is let finish by its own kind.
    let isFinishing = item.mode == .currentThenLatest
    let isFinished = isSameKey && spoken.mode == .currentThenLatest
    if isFinishing || isFinished, !item.isUrgent { return .wait }
    if isSameKey {
      switch item.mode {
      case .latestInterrupt:
        return spoken.priority == .high && spoken.isAnnouncement
          ? .wait : .interrupt(.superseded)
      case .all, .latest, .currentThenLatest: break
      }
    }
    let verdict = Interruption.verdict(item.arriving, over: spoken.spoken)
    switch (item.arriving, spoken.spoken) {
    case (.default, .default) where item.isPatient || isDelayed(item) || isBehind(item):
      return .wait
    case (.page, .page) where isDelayed(item) || isBehind(item): return .wait
    case (.byApp, .default)
    where spoken.app == item.app && spoken.text.length <= Bounds.shortAnnouncement:
      return .wait
    default: return verdict
    }
  }

  /// Whether an event comes later than it could have, through the daemon's own doing.
  private func isDelayed(_ item: Item) -> Bool { now > item.mono || item.kind == .digest }

  /// Whether another comes before an event, so that a cut would be in favour of that one.
  private func isBehind(_ item: Item) -> Bool {
    waiting.line.contains { place in
      place.standing == .queued && !place.isSilent
        && (place.rank, place.order.number) < (item.rank, item.place.number)
        && waiting[place.seq].map { isEligible($0) } ?? false
    }
  }
}
