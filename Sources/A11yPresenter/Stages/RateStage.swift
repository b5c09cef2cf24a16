// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The stage that lets a source speak as often as its rate allows; the rest waits or is counted.
struct RateStage: Sendable {
  var rows = BoundedTable<Key, Bucket>(bound: Bounds.rows)

  mutating func pass(
    _ item: consuming Item,
    _ waiting: inout WaitingQueue,
    _ context: Context
  ) -> Passage {
    while true {
      guard let rate = item.treatment.rate.value, !item.isLastWord, !item.isGranted else {
        return .on(item)
      }
      let key = Self.key(of: item)
      // An answer does not wait behind what its app has said before of other things.
      if item.isAnswer, key == Self.sharedKey(of: item) { return .on(item) }
      // Its place in the queue has been granted to the one that stands there.
      if let older = item.ahead, waiting[older]?.standing == .queued { return .on(item) }
      let place = bucket(
        for: key,
        interval: rate.interval,
        burst: max(1, item.treatment.burst.value),
        &waiting,
        context.now
      )
      if let older = item.ahead, replace(older, by: &item, in: place, &waiting, context.now) {
        return .waits
      }
      if passes(item, place, &waiting, context.now) { return .on(item) }
      let blamed =
        item.isBackground && item.priority == .high
        ? OwnRule.background.name : item.treatment.rate.rule
      item.why.rate = rows[place].rate
      item.blamed = blamed
      switch item.treatment.over.value {
      case .demote where item.priority != .low: demote(&item, context)
      case .defer, .demote: return wait(item, in: place, &waiting, context)
      case .merge: return merge(item, in: place, rule: blamed, &waiting, context)
      }
    }
  }

  /// The key of an event's bucket: its own, or that of all events of its app under this rule.
  private static func key(of item: borrowing Item) -> Key {
    let treatment = item.treatment
    guard !treatment.key.value.isEmpty else { return sharedKey(of: item) }
    return Key(treatment.key.value, treatment.rate.rule, item) ?? sharedKey(of: item)
  }

  private static func sharedKey(of item: borrowing Item) -> Key {
    Key(item.app, item.treatment.ratePrint)
  }

  /// Has an event wait for its rate in the place of an older one; false where that waits elsewhere.
  private mutating func replace(
    _ older: Seq,
    by item: inout Item,
    in place: Int,
    _ waiting: inout WaitingQueue,
    _ now: Instant
  ) -> Bool {
    guard rows[place].waiting.seqs.contains(older), var gone = waiting.withdraw(older)
    else { return false }
    gone.why.rate = rows[place].rate
    item.why.rate = rows[place].rate
    item.why.due = gone.why.due
    let rule = gone.treatment.rate.rule
    waiting.coalesce(gone, into: &item, rule: rule, now)
    rows[place].waiting.replace(older, by: item.seq)
    item.blamed = item.treatment.rate.rule
    waiting.park(item, at: .limited)
    rows[place].dropGone(waiting)
    schedule(place, &waiting, now)
    return true
  }

  private mutating func bucket(
    for key: Key,
    interval: TimeSpan,
    burst: Int64,
    _ waiting: inout WaitingQueue,
    _ now: Instant
  ) -> Int {
    if let place = rows.place(of: key) {
      rows.touch(place)
      rows[place].interval = interval
      rows[place].burst = burst
      return place
    }
    if let gone = rows.leaving(isSpent: { $0.waiting.isEmpty && $0.full <= now }) {
      let left = rows[gone].waiting
      waiting.alarms.cancel(.bucket(gone))
      rows.remove(at: gone)
      for seq in left.seqs {
        if let item = waiting.withdraw(seq) { waiting.release(item, behind: .rate) }
      }
    }
    return rows.insert(key, Bucket(full: now, interval: interval, burst: burst))
  }

  /// Whether the rate lets an event pass at once, which then is spent.
  private mutating func passes(
    _ item: borrowing Item,
    _ place: Int,
    _ waiting: inout WaitingQueue,
    _ now: Instant
  ) -> Bool {
    rows[place].dropGone(waiting)
    guard rows[place].waiting.isEmpty else { return false }
    if !item.hasLeadingEdge, now >= rows[place].full {
      // There is no first one that goes ahead: all of them keep the rate.
      rows[place].full = now + rows[place].burst * rows[place].interval
    }
    guard now >= rows[place].next else { return false }
    rows[place].spend(at: now)
    return true
  }

  private func demote(_ item: inout Item, _ context: Context) {
    item.facts.priority = item.priority == .high ? .default : .low
    item.treatment = context.rules.treatment(of: item.facts)
    item.deadline = item.life.map { item.mono + $0 }
  }

  private mutating func wait(
    _ item: consuming Item,
    in place: Int,
    _ waiting: inout WaitingQueue,
    _ context: Context
  ) -> Passage {
    if let ending = waiting.makeRoom(for: &item, context) { return .ends(item, ending) }
    rows[place].dropGone(waiting)
    item.why.due = max(context.now, rows[place].due(behind: rows[place].waiting.count))
    rows[place].waiting.enqueue(item.seq)
    // An event that waits behind another changes nothing.
    let isFirst = rows[place].waiting.count == 1 || item.treatment.maxWait.value > .zero
    waiting.park(item, at: .limited)
    if isFirst { schedule(place, &waiting, context.now) }
    return .waits
  }

  private mutating func merge(
    _ item: consuming Item,
    in place: Int,
    rule: String,
    _ waiting: inout WaitingQueue,
    _ context: Context
  ) -> Passage {
    // An event that is to be deferred keeps its words, though it waits for the same rate; and so
    // does the last value of a key.
    guard !item.isKeyed, let carrier = carrier(in: place, waiting) else {
      return wait(item, in: place, &waiting, context)
    }
    waiting.summarise(item, in: carrier)
    schedule(place, &waiting, context.now)
    return .ends(item, Ending(.summarised, by: carrier, rule: rule))
  }

  private func carrier(in place: Int, _ waiting: borrowing WaitingQueue) -> Seq? {
    for seq in rows[place].waiting.seqs {
      guard let item = waiting[seq], item.treatment.over.value == .merge, !item.isKeyed
      else { continue }
      return seq
    }
    return nil
  }

  // MARK: Asking

  /// The instant at which an event passes if nothing else comes: those before it have theirs first.
  func due(of item: borrowing Item) -> Instant? {
    guard let row = rows[Self.key(of: item)], let place = row.waiting.seqs.firstIndex(of: item.seq)
    else {
      return nil
    }
    return row.due(behind: place - row.waiting.seqs.startIndex)
  }

  // MARK: Going on

  /// No event waits for its rate any more: other rules are going to say which of them do.
  mutating func clearWaiting(_ alarms: inout Alarms) {
    for place in rows.inOrder where !rows[place].waiting.isEmpty {
      rows[place].waiting = SeqQueue()
      alarms.cancel(.bucket(place))
    }
  }

  /// Sets the alarm of a bucket to when its first event may pass.
  private mutating func schedule(_ place: Int, _ waiting: inout WaitingQueue, _ now: Instant) {
    guard let first = rows[place].waiting.first, let item = waiting[first] else {
      waiting.alarms.cancel(.bucket(place))
      return
    }
    var due = max(now, rows[place].next)
    // Summaries of one key keep their distance.
    if item.summary != nil { due = max(due, item.mono + item.treatment.maxWait.value) }
    waiting.alarms.set(.bucket(place), at: due, by: first)
  }

  /// Takes the first event out of a bucket, if the rate is free again.
  mutating func withdrawFirst(of place: Int, _ waiting: inout WaitingQueue, _ now: Instant) -> Item?
  {
    rows[place].dropGone(waiting)
    guard let first = rows[place].waiting.first, now >= rows[place].next else { return nil }
    rows[place].waiting.removeFirst()
    return waiting.withdraw(first)
  }

  mutating func spend(_ place: Int, at now: Instant) { rows[place].spend(at: now) }

  /// Drops events of a bucket that wait no longer, and sets its alarm for the first of the others.
  mutating func tidy(_ place: Int, _ waiting: inout WaitingQueue, _ now: Instant) {
    rows[place].dropGone(waiting)
    schedule(place, &waiting, now)
  }

  /// The last value of something that nobody was told of at its beginning has become as old as it
  /// may be: it is said now or never.
  mutating func hurry(_ seq: Seq, _ waiting: inout WaitingQueue, _ now: Instant) {
    guard let item = waiting.withdraw(seq) else { return }
    if let place = rows.place(of: Self.key(of: item)) {
      rows[place].waiting.remove(seq)
      rows[place].spend(at: now)
      rows[place].dropGone(waiting)
      schedule(place, &waiting, now)
    }
    waiting.release(item, behind: .rate)
  }
}

/// How much of its rate a source has used up, as the instant at which all of it is free again.
///
/// The generic cell rate algorithm on whole microseconds: no drift, nothing to refill.
struct Bucket: Sendable {
  /// The instant at which the whole burst is free again.
  var full: Instant
  var interval: TimeSpan
  var burst: Int64
  /// Events that wait to pass, the oldest first; and some that have gone meanwhile.
  var waiting = SeqQueue()

  /// The instant at which the next one may pass.
  var next: Instant { full - (burst - 1) * interval }

  /// The instant at which one may pass that has so many before it.
  func due(behind others: Int) -> Instant { next + Int64(others) * interval }

  var rate: Why.Rate { Why.Rate(interval: interval, burst: burst) }

  mutating func spend(at now: Instant) { full = max(full, now) + interval }

  /// Drops seqs that wait no longer; afterwards the first one is live and the list is bounded.
  mutating func dropGone(_ waiting: borrowing WaitingQueue) {
    while let first = self.waiting.first, !waiting.holds(first) { self.waiting.removeFirst() }
    guard self.waiting.count > 2 * Bounds.pending else { return }
    var live: [Seq] = []
    for seq in self.waiting.seqs where waiting.holds(seq) { live.append(seq) }
    self.waiting = SeqQueue(live)
  }
}

/// Seqs of events that wait, the oldest first.
///
/// In a flood the oldest leaves for each that comes. The free places in front are closed up when
/// they are as many as the others.
struct SeqQueue: Sendable {
  private var store: [Seq] = []
  private var start = 0

  var seqs: ArraySlice<Seq> { store[start...] }

  var count: Int { store.count - start }
  var isEmpty: Bool { start == store.count }
  var first: Seq? { start < store.count ? store[start] : nil }

  init() {}

  init(_ seqs: [Seq]) { store = seqs }

  mutating func enqueue(_ seq: Seq) { store.append(seq) }

  mutating func removeFirst() {
    start += 1
    guard 2 * start >= store.count else { return }
    store.removeFirst(start)
    start = 0
  }

  mutating func remove(_ seq: Seq) { self = SeqQueue(seqs.filter { $0 != seq }) }

  /// Puts a seq in the place of another that is there.
  mutating func replace(_ old: Seq, by new: Seq) {
    if let index = seqs.firstIndex(of: old) { store[index] = new }
  }
}

extension Bucket: Recorded {
  static var blank: Bucket { Bucket(full: .blank, interval: .blank, burst: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.full, &self.interval, &self.burst)
    var waiting = Array(self.waiting.seqs)
    scribe.transcribe(&waiting)
    self.waiting = SeqQueue(waiting)
  }
}
