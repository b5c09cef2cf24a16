// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// An element that says that it is busy: events from it wait until it ends.
struct Busy: Sendable {
  /// In the order in which they go on.
  var pending: [Seq] = []
  var until: Instant
  var rule: String
}

/// The stage that collects the events of busy elements.
struct BusyStage: Sendable {
  var rows = BoundedTable<Key, Busy>(bound: Bounds.rows)

  // MARK: Elements

  /// An element says that it is busy.
  ///
  /// An element that says so again is as busy as before: the wait has one bound.
  mutating func markBusy(
    _ key: Key,
    _ limit: (time: TimeSpan, rule: String),
    _ waiting: inout WaitingQueue,
    _ context: Context
  ) {
    guard rows.place(of: key) == nil, limit.time > .zero else { return }
    if let gone = rows.leaving(isSpent: { $0.pending.isEmpty }) { lapse(gone, &waiting) }
    let until = context.now + limit.time
    let place = rows.insert(key, Busy(until: until, rule: limit.rule))
    waiting.alarms.set(.busy(place), at: until, by: context.cause)
  }

  mutating func lapse(_ key: Key, _ waiting: inout WaitingQueue) {
    if let place = rows.place(of: key) { lapse(place, &waiting) }
  }

  mutating func lapse(_ place: Int, _ waiting: inout WaitingQueue) {
    let pending = rows[place].pending
    waiting.alarms.cancel(.busy(place))
    rows.remove(at: place)
    for seq in pending {
      if let item = waiting.withdraw(seq) { waiting.release(item, behind: .busy) }
    }
  }

  static func key(_ app: AppKey, _ element: Name) -> Key { Key("busy", app, element: element) }

  // MARK: Events

  mutating func pass(
    _ item: consuming Item,
    _ waiting: inout WaitingQueue,
    _ context: Context
  ) -> Passage {
    guard rows.count > 0, let place = row(of: item) else { return .on(item) }
    item.blamed = rows[place].rule
    if let older = older(than: item, in: place, waiting),
      let index = rows[place].pending.firstIndex(of: older), var gone = waiting.withdraw(older)
    {
      gone.why.due = rows[place].until
      waiting.coalesce(gone, into: &item, rule: rows[place].rule, context.now)
      rows[place].pending[index] = item.seq
    } else {
      makeRoom(place, &waiting, context)
      rows[place].pending.append(item.seq)
    }
    waiting.park(item, at: .busy)
    return .waits
  }

  /// The event whose place a newer one takes: the older value of its key.
  ///
  /// Of values and layout-changed events the latest counts, whatever their mode says.
  private func older(than item: Item, in place: Int, _ waiting: borrowing WaitingQueue) -> Seq? {
    guard item.mode != .all || item.isValue || item.kind == .layout,
      let key = item.coalescingKey
    else { return nil }
    for seq in rows[place].pending {
      guard let other = waiting[seq], !other.isLastWord, other.kind == item.kind,
        other.coalescingKey == key
      else { continue }
      return seq
    }
    return nil
  }

  /// Counts the two oldest as one, where there are as many as may wait.
  private mutating func makeRoom(_ place: Int, _ waiting: inout WaitingQueue, _ context: Context) {
    rows[place].pending.removeAll { waiting[$0] == nil }
    guard rows[place].pending.count >= Bounds.pending else { return }
    let countable = rows[place].pending.filter { waiting[$0]?.isCountable ?? false }
    guard countable.count > 1, var victim = waiting.withdraw(countable[1]) else { return }
    victim.noteWait(until: context.now)
    victim.why.count = Int64(rows[place].pending.count)
    rows[place].pending.removeAll { $0 == victim.seq }
    waiting.count(victim, into: countable[0], rule: rows[place].rule)
  }

  /// The instant at which the element of an event that waits here is free, at the latest.
  func due(of item: borrowing Item, _ alarms: borrowing Alarms) -> Instant? {
    row(of: item).flatMap { alarms.due(of: .busy($0)) }
  }

  private func row(of item: borrowing Item) -> Int? {
    guard let element = item.facts.element, item.kind != .focus, item.kind != .screen,
      !(item.isAnnouncement && item.priority == .high)
    else { return nil }
    return rows.place(of: Self.key(item.app, element))
  }
}

extension Busy: Recorded {
  static var blank: Busy { Busy(until: .blank, rule: "") }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.pending, &self.until, &self.rule)
  }
}
