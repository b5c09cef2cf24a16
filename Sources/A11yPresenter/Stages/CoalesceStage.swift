// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// Rapid events of one key, until they come to rest.
///
/// The first is presented at once where the rule wants it so, that the user hears a response; of
/// those that follow the newest waits until it is quiet, but never longer than the rule's longest
/// wait.
struct Burst: Sendable {
  var lastAt: Instant
  var pending: Seq?
  var since: Instant?
}

/// The stage from which the first event of a burst and the last one go on.
struct CoalesceStage: Sendable {
  var rows = BoundedTable<Key, Burst>(bound: Bounds.rows)

  mutating func pass(
    _ item: consuming Item,
    _ waiting: inout WaitingQueue,
    _ context: Context
  ) -> Passage {
    guard !item.isSettled, item.mode != .all, let key = item.coalescingKey else {
      return .on(item)
    }
    let now = context.now
    item.ahead = waiting.older(than: item, of: key)
    let quiet = item.treatment.debounce.value
    if item.ahead != nil {
      // The older one is further on its way, and there this one takes its place.
      if let place = rows.place(of: key) { rows[place].lastAt = now }
      return .on(item)
    }
    guard quiet > .zero else {
      // An event that waits to come to rest is older than this, which need not.
      if let place = rows.place(of: key) { replacePending(of: place, by: &item, &waiting, now) }
      return .on(item)
    }
    guard let place = rows.place(of: key) else {
      if let gone = rows.leaving(isSpent: { $0.pending == nil }) { evict(gone, &waiting) }
      let place = rows.insert(key, Burst(lastAt: now, pending: nil, since: nil))
      return begin(item, in: place, &waiting, now)
    }
    rows.touch(place)
    let burst = rows[place]
    if burst.pending == nil, now >= burst.lastAt + quiet {
      return begin(item, in: place, &waiting, now)
    }
    replacePending(of: place, by: &item, &waiting, now)
    wait(item, in: place, &waiting, now)
    return .waits
  }

  private mutating func replacePending(
    of place: Int,
    by item: inout Item,
    _ waiting: inout WaitingQueue,
    _ now: Instant
  ) {
    guard var older = rows[place].pending.flatMap({ waiting.withdraw($0) }) else { return }
    rows[place].pending = nil
    inherit(&item, from: older)
    older.why.window = older.treatment.debounce.value
    let rule = older.treatment.debounce.rule
    waiting.coalesce(older, into: &item, rule: rule, now)
  }

  private mutating func begin(
    _ item: consuming Item,
    in place: Int,
    _ waiting: inout WaitingQueue,
    _ now: Instant
  ) -> Passage {
    rows[place].lastAt = now
    if item.treatment.leading.value { return .on(item) }
    wait(item, in: place, &waiting, now)
    return .waits
  }

  private mutating func wait(
    _ item: consuming Item,
    in place: Int,
    _ waiting: inout WaitingQueue,
    _ now: Instant
  ) {
    let since = rows[place].since ?? now
    rows[place].since = since
    rows[place].lastAt = now
    rows[place].pending = item.seq
    var due = now + item.treatment.debounce.value
    let longest = item.treatment.maxWait.value
    if longest > .zero { due = min(due, since + longest) }
    waiting.alarms.set(.burst(place), at: due, by: item.seq)
    item.blamed = item.treatment.debounce.rule
    // The first of the burst has the earcon.
    if item.kind == .screen, item.treatment.leading.value { item.earcon = nil }
    waiting.park(item, at: .coalescing)
  }

  /// The last argument that is not empty wins: a later layout-changed without one does not take
  /// back the words of an earlier one.
  private func inherit(_ item: inout Item, from older: Item) {
    guard item.kind == .layout, item.facts.element == nil, item.text.isEmpty else { return }
    item.facts.element = older.facts.element
    item.text = older.text
    item.isSecret = older.isSecret
  }

  /// The longest wait of an event that waits for quiet is another one by now.
  mutating func reconsider(_ item: Item, as old: Item, _ waiting: inout WaitingQueue) {
    guard let place = old.coalescingKey.flatMap({ rows.place(of: $0) }),
      rows[place].pending == item.seq
    else { return }
    var due = rows[place].lastAt + old.treatment.debounce.value
    let longest = item.treatment.maxWait.value
    if longest > .zero, let since = rows[place].since { due = min(due, since + longest) }
    waiting.alarms.set(.burst(place), at: due, by: item.seq)
  }

  /// The burst has come to rest.
  mutating func lapse(_ place: Int, _ waiting: inout WaitingQueue, _ now: Instant) {
    rows[place].lastAt = now
    guard var item = withdrawPending(of: place, &waiting) else { return }
    item.ahead = item.coalescingKey.flatMap { waiting.older(than: item, of: $0) }
    waiting.release(item, behind: .coalesce)
  }

  /// A burst gives way to another: the event that waits in it goes on now.
  private mutating func evict(_ place: Int, _ waiting: inout WaitingQueue) {
    let item = withdrawPending(of: place, &waiting)
    waiting.alarms.cancel(.burst(place))
    rows.remove(at: place)
    if let item { waiting.release(item, behind: .coalesce) }
  }

  private mutating func withdrawPending(of place: Int, _ waiting: inout WaitingQueue) -> Item? {
    let pending = rows[place].pending
    rows[place].pending = nil
    rows[place].since = nil
    return pending.flatMap { waiting.withdraw($0) }
  }

  /// The instant at which the burst of a key comes to rest, at the latest.
  func due(of key: Key, _ alarms: borrowing Alarms) -> Instant? {
    rows.place(of: key).flatMap { alarms.due(of: .burst($0)) }
  }
}

extension Burst: Recorded {
  static var blank: Burst { Burst(lastAt: .blank, pending: nil, since: nil) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.lastAt, &self.pending, &self.since)
  }
}
