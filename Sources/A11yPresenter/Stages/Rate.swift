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

extension Presenter {
  mutating func limit(_ item: consuming Item) {
    guard let rate = item.treatment.rate.value, !item.isLastWord else {
      enqueue(item)
      return
    }
    let rule = item.treatment.rate.rule
    let own = Key(item.treatment.key.value, rule, item)
    // An answer does not wait behind what its app has said before of other things.
    if item.isAnswer, own.map({ $0 == Key(rule, item.app) }) ?? true {
      enqueue(item)
      return
    }
    // Its place in the queue has been granted to the one that stands there.
    if let older = item.ahead, items[older]?.stage == .queued {
      enqueue(item)
      return
    }
    let place = bucket(
      for: own ?? Key(rule, item.app),
      interval: rate.interval,
      burst: max(1, item.treatment.burst.value)
    )
    if let older = item.ahead, replace(older, by: item, in: place) { return }
    pass(item, through: place, over: item.treatment.over.value)
  }

  /// Has an event wait for its rate in the place of an older one; false where that waits elsewhere.
  private mutating func replace(_ older: Seq, by given: Item, in place: Int) -> Bool {
    guard let index = buckets[place].waiting.firstIndex(of: older), let gone = unpark(older)
    else { return false }
    var item = given
    var why = waited(gone)
    why.rate = rate(of: place)
    item.succeed(gone)
    settle(gone, .coalesced, by: item.seq, rule: gone.treatment.rate.rule, why)
    buckets[place].waiting[index] = item.seq
    item.why.rate = rate(of: place)
    item.why.due = max(now, buckets[place].next)
    item.blamed = item.treatment.rate.rule
    park(item, .limited)
    dropGone(from: place)
    setRefill(place)
    return true
  }

  private func rate(of place: Int) -> Why.Rate {
    Why.Rate(interval: buckets[place].interval, burst: buckets[place].burst)
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
    item.why.rate = rate(of: place)
    item.blamed = rule
    switch excess {
    case .demote where item.priority != .low:
      demote(&item)
      limit(item)
    case .defer, .demote: wait(item, in: place)
    case .merge: merge(item, in: place, rule: rule)
    }
  }

  mutating func demote(_ item: inout Item) {
    item.facts.priority = item.priority == .high ? .default : .low
    item.treatment = rules.treatment(of: item.facts)
    let ttl = item.ownTTL ?? item.treatment.ttl.value
    item.deadline = ttl.map { item.mono + $0 }
  }

  private mutating func wait(_ item: consuming Item, in place: Int) {
    guard makeRoom(for: item) else { return }
    buckets[place].waiting.append(item.seq)
    item.why.due = max(now, buckets[place].next)
    // Who waits behind another changes nothing.
    let isFirst = buckets[place].waiting.count == 1 || item.treatment.maxWait.value > 0
    park(item, .limited)
    if isFirst { setRefill(place) }
  }

  private mutating func merge(_ item: consuming Item, in place: Int, rule: String) {
    // What is to be deferred keeps its words, though it waits for the same rate; and so does the last
    // value of a key.
    guard !item.isKeyed,
      let carrier = buckets[place].waiting.first(where: { seq in
        items[seq].map { $0.treatment.over.value == .merge && !$0.isKeyed } ?? false
      })
    else {
      wait(item, in: place)
      return
    }
    count(item, into: carrier, rule: rule, item.why)
    setRefill(place)
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
