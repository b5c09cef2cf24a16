// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The wishes that nothing, or less, be heard: of the user, and of apps.
struct Quiet: Sendable {
  /// Since when the user has paused all speech until further notice.
  var pausedAt: Instant?
  var disturbance = Disturbance()
  var pauses: [Pause] = []

  /// Whether do-not-disturb keeps an event back: announcements alone, and no answer to what the
  /// user has done.
  func isDisturbing(_ item: Item) -> Bool {
    item.isAnnouncement && item.kind != .digest && !item.isAnswer
      && !disturbance.lets(item.priority)
  }

  /// Whether the time to start of an event stands still.
  func stopsTime(of item: Item) -> Bool {
    item.isUrgent && (pausedAt != nil || isDisturbing(item))
  }

  /// Whether an app has asked that this event wait: its own app, or the active one if that is of
  /// the same user.
  func isPausedByApp(_ item: Item, activeApp: AppKey?) -> Bool {
    guard !pauses.isEmpty, !item.isUrgent, !item.isByUser else { return false }
    let app = item.app
    return pauses.contains { pause in
      pause.app == app || pause.app.uid == app.uid && (activeApp.map { $0 == pause.app } ?? true)
    }
  }

  /// Counts a pause of a connection.
  mutating func beginPause(_ conn: Int64, _ app: AppKey) {
    if let index = pauses.firstIndex(where: { $0.conn == conn }) {
      pauses[index].count += 1
    } else {
      pauses.append(Pause(conn: conn, app: app, count: 1))
    }
  }

  /// Takes one pause back, of the connection itself before others of its app; the connection that
  /// has none left.
  mutating func endOnePause(_ conn: Int64, _ app: AppKey) -> Int64? {
    let own = pauses.firstIndex { $0.conn == conn }
    guard let index = own ?? pauses.firstIndex(where: { $0.app == app }) else { return nil }
    pauses[index].count -= 1
    return pauses[index].count == 0 ? pauses[index].conn : nil
  }

  mutating func endPauses(of conn: Int64) { pauses.removeAll { $0.conn == conn } }
}

/// An app that asks readers to be quiet, which it may forget to take back.
///
/// Counted for the app as a whole; the connection is known because its end ends the pause.
struct Pause: Sendable, Equatable {
  var conn: Int64
  var app: AppKey
  var count: Int64
}

/// Do not disturb: below its level announcements wait, and a summary tells at its end how many have
/// expired meanwhile.
struct Disturbance: Sendable, Equatable {
  var level: Int64 = 0
  /// Since when even urgent events are kept back, whose time to start stands still.
  var since: Instant?
  var expired: Item.Summary?

  func lets(_ priority: Priority) -> Bool { priority.weight >= level }
}

extension Priority {
  /// The level of do-not-disturb up to which a priority is let through.
  var weight: Int64 {
    switch self {
    case .low: 20
    case .default: 50
    case .high: 80
    }
  }
}

// Apps that ask readers to be quiet for a while.
extension Presenter {
  mutating func beginPause() {
    waiting.quiet.beginPause(head.conn, head.app)
    waiting.alarms.set(.pause(head.conn), at: now + Bounds.pause, by: cause)
    guard let speech = floor.speaking, isPausedByApp(speech.item) else { return }
    floor.quieten(&waiting, &decisions, context)
  }

  func isPausedByApp(_ item: Item) -> Bool {
    waiting.quiet.isPausedByApp(item, activeApp: model.activeApp)
  }

  /// An app takes a pause back, which any of its connections may have asked for.
  mutating func resume() {
    if let conn = waiting.quiet.endOnePause(head.conn, head.app) { endPause(conn) }
  }

  mutating func endPause(_ conn: Int64) {
    waiting.quiet.endPauses(of: conn)
    waiting.alarms.cancel(.pause(conn))
  }
}

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
    for item in waiting.items where waiting.quiet.stopsTime(of: item) {
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
    guard item.endsInOutcome, waiting.quiet.isDisturbing(item), !isElsewhere(item) else { return }
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

extension Pause: Recorded {
  static var blank: Pause { Pause(conn: 0, app: .blank, count: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.conn, &self.app, &self.count)
  }
}

extension Disturbance: Recorded {
  static var blank: Disturbance { Disturbance() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.level, &self.since, &self.expired)
  }
}
