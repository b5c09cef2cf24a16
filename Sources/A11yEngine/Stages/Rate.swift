// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// How much of its rate a source has used up, as the instant at which all of it is free again.
///
/// The generic cell rate algorithm on whole microseconds: no drift, nothing to refill.
struct Bucket: Sendable {
  /// When the whole burst is free again.
  var full: Int64
  var interval: Int64
  var burst: Int64
  /// Those that wait to pass, the oldest first; and some that have gone meanwhile.
  var waiting: [Seq] = []

  /// When the next one may pass.
  var next: Int64 { full - (burst - 1) * interval }

  mutating func take(at now: Int64) { full = max(full, now) + interval }
}

extension Engine {
  mutating func limit(_ item: consuming Item) {
    if item.isBackground, item.kind == .announcement, item.priority == .high {
      limitBackground(item)
      return
    }
    guard let rate = item.treatment.rate.value, !item.isLastWord else {
      enqueue(item)
      return
    }
    let place = bucket(
      for: rateKey(of: item, item.treatment.rate.rule),
      interval: rate.interval,
      burst: max(1, item.treatment.burst.value)
    )
    pass(item, through: place, over: item.treatment.over.value)
  }

  /// From the background even what is urgent comes one at a time.
  private mutating func limitBackground(_ item: consuming Item) {
    let place = bucket(
      for: Key(Self.background, item.app),
      interval: Bounds.backgroundHigh,
      burst: 1
    )
    pass(item, through: place, over: .defer)
  }

  private func rateKey(of item: Item, _ rule: String) -> Key {
    if let key = Key(item.treatment.key.value, rule, item) { return key }
    return Key(rule, item.app)
  }

  private mutating func bucket(for key: Key, interval: Int64, burst: Int64) -> Int {
    if let place = buckets.place(of: key) {
      buckets.touch(place)
      buckets[place].interval = interval
      buckets[place].burst = burst
      return place
    }
    let now = self.now
    if let gone = buckets.leaving(isSpent: { $0.waiting.isEmpty && $0.full <= now }) {
      let waiting = buckets[gone].waiting
      alarms.cancel(.bucket(gone))
      buckets.remove(at: gone)
      for seq in waiting { if let item = unpark(seq) { enqueue(item) } }
    }
    return buckets.insert(key, Bucket(full: now, interval: interval, burst: burst))
  }

  private mutating func pass(
    _ item: consuming Item,
    through place: Int,
    over excess: Excess
  ) {
    dropGone(from: place)
    if !item.hasLeadingEdge,
      buckets[place].waiting.isEmpty, now >= buckets[place].full
    {
      // There is no first one that goes ahead: all of them keep the rate.
      buckets[place].full = now + buckets[place].burst * buckets[place].interval
    }
    if buckets[place].waiting.isEmpty, now >= buckets[place].next {
      buckets[place].take(at: now)
      enqueue(item)
      return
    }
    let rule =
      item.isBackground && item.priority == .high
      ? Self.background : item.treatment.rate.rule
    item.why.rate = Why.Rate(interval: buckets[place].interval, burst: buckets[place].burst)
    item.blamed = rule
    switch excess {
    case .demote where item.priority == .high:
      demote(&item)
      limit(item)
    case .defer, .demote: wait(item, in: place)
    case .merge: merge(item, in: place, rule: rule)
    }
  }

  mutating func demote(_ item: inout Item) {
    item.facts.priority = .default
    item.isDemoted = true
    item.treatment = rules.treatment(of: item.facts)
    let ttl = item.ownTTL ?? item.treatment.ttl.value
    item.deadline = ttl.map { item.mono + $0 }
  }

  private mutating func wait(_ item: consuming Item, in place: Int) {
    guard makeRoom(for: &item) else { return }
    buckets[place].waiting.append(item.seq)
    item.why.due = max(now, buckets[place].next)
    // Who waits behind another changes nothing.
    let isFirst = buckets[place].waiting.count == 1 || item.treatment.maxWait.value > 0
    park(item, .limited)
    if isFirst { setRefill(place) }
  }

  private mutating func merge(_ item: consuming Item, in place: Int, rule: String) {
    // What is to be deferred keeps its words, though it waits for the same rate.
    let mergeable = buckets[place].waiting.first { seq in
      items[seq]?.treatment.over.value == .merge
    }
    guard let carrier = mergeable, let older = items[carrier] else {
      wait(item, in: place)
      return
    }
    guard replaces(item, older) else {
      count(item, into: carrier, rule: rule, item.why)
      setRefill(place)
      return
    }
    var why = waited(older)
    why.rate = item.why.rate
    item.takeOver(from: older)
    settle(carrier, .coalesced, by: item.seq, rule: rule, why)
    buckets[place].waiting.removeAll { $0 == carrier }
    wait(item, in: place)
  }

  /// Whether an event says what has become of what another has said; what says something else is
  /// only counted.
  private func replaces(_ item: Item, _ older: Item) -> Bool {
    guard item.mode != .all, older.mode != .all, older.summary == nil,
      let key = coalescingKey(of: item)
    else { return false }
    return coalescingKey(of: older) == key
  }

  private mutating func setRefill(_ place: Int) {
    guard let first = buckets[place].waiting.first, let item = items[first] else {
      alarms.cancel(.bucket(place))
      return
    }
    var due = max(now, buckets[place].next)
    // Summaries of one key keep their distance.
    if item.summary != nil { due = max(due, item.mono + item.treatment.maxWait.value) }
    alarms.set(.bucket(place), at: due, by: first)
  }

  /// The last value of something that nobody was told of at its beginning has become as old as it may
  /// be: it is said now or never.
  mutating func hurry(_ seq: Seq) {
    guard let item = unpark(seq) else { return }
    if let place = buckets.place(of: rateKey(of: item, item.treatment.rate.rule)) {
      buckets[place].waiting.removeAll { $0 == seq }
      buckets[place].take(at: now)
      dropGone(from: place)
      setRefill(place)
    }
    enqueue(item)
  }

  /// Whoever is first still waits, and not many behind it have gone.
  private mutating func dropGone(from place: Int) {
    while let first = buckets[place].waiting.first, items[first] == nil {
      buckets[place].waiting.removeFirst()
    }
    guard buckets[place].waiting.count > 2 * Bounds.pending else { return }
    buckets[place].waiting.removeAll { items[$0] == nil }
  }

  /// The rate lets the next one pass.
  mutating func refill(_ place: Int) {
    dropGone(from: place)
    if let first = buckets[place].waiting.first, now >= buckets[place].next {
      buckets[place].waiting.removeFirst()
      if let item = unpark(first) {
        if let same = delivered(sayingTheSameAs: item) {
          settle(item, .duplicate, by: same, rule: item.treatment.dedupe.rule, waited(item))
        } else {
          buckets[place].take(at: now)
          enqueue(item)
        }
      }
    }
    dropGone(from: place)
    setRefill(place)
  }
}
