// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// An element that says that it is busy: what comes from it waits until it ends.
struct Busy: Sendable {
  /// In the order in which they are to come out.
  var pending: [Seq] = []
  var until: Int64
  var rule: String
}

extension Presenter {
  mutating func noteBusy(_ event: borrowing WireEvent) {
    let facts = facts(.busy, event)
    guard let element = facts.element else { return }
    let key = Key("busy", AppKey(uid: facts.uid, app: facts.app), element: element)
    let place = busies.place(of: key)
    guard event.flag(.busy) else {
      if let place { endBusy(place) }
      return
    }
    let limit = rules.treatment(of: facts).maxWait
    // Who says it once more is as busy as before: the wait has one bound.
    guard place == nil, limit.value > 0 else { return }
    if let gone = busies.leaving(isSpent: { $0.pending.isEmpty }) { endBusy(gone) }
    let fresh = busies.insert(
      key,
      Busy(until: now + limit.value, rule: limit.rule)
    )
    alarms.set(.busy(fresh), at: now + limit.value, by: cause)
  }

  /// Collects what comes from a busy element, or lets it go on.
  mutating func collectBusy(_ item: consuming Item) {
    guard busies.count > 0, let place = busyPlace(of: item) else {
      collectStorm(item)
      return
    }
    item.blamed = busies[place].rule
    if let older = busyOlder(than: item, in: place),
      let index = busies[place].pending.firstIndex(of: older), let gone = unpark(older)
    {
      var why = waited(gone)
      why.due = busies[place].until
      item.succeed(gone)
      settle(gone, .coalesced, by: item.seq, rule: busies[place].rule, why)
      busies[place].pending[index] = item.seq
    } else {
      makeBusyRoom(place)
      busies[place].pending.append(item.seq)
    }
    park(item, .busy)
  }

  /// The event whose place a newer one takes: the older value of its key.
  ///
  /// Of values and layout-changed events the latest counts, whatever their mode says.
  private func busyOlder(than item: Item, in place: Int) -> Seq? {
    guard item.mode != .all || item.isValue || item.kind == .layout,
      let key = coalescingKey(of: item)
    else { return nil }
    return busies[place].pending.first { seq in
      guard let other = items[seq], !other.isLastWord else { return false }
      return other.kind == item.kind && coalescingKey(of: other) == key
    }
  }

  /// Counts the two oldest as one, where there are as many as may wait.
  private mutating func makeBusyRoom(_ place: Int) {
    busies[place].pending.removeAll { items[$0] == nil }
    guard busies[place].pending.count >= Bounds.pending else { return }
    let countable = busies[place].pending.filter { items[$0]?.isCountable ?? false }
    guard countable.count > 1, let victim = unpark(countable[1]) else { return }
    var why = waited(victim)
    why.count = Int64(busies[place].pending.count)
    busies[place].pending.removeAll { $0 == victim.seq }
    count(victim, into: countable[0], rule: busies[place].rule, why)
  }

  private func busyPlace(of item: Item) -> Int? {
    guard let element = item.facts.element, item.kind != .focus, item.kind != .screen,
      !(item.isAnnouncement && item.priority == .high)
    else { return nil }
    return busies.place(of: Key("busy", item.app, element: element))
  }

  mutating func endBusy(_ place: Int) {
    let pending = busies[place].pending
    alarms.cancel(.busy(place))
    busies.remove(at: place)
    for seq in pending { if let item = unpark(seq) { collectStorm(item) } }
  }
}
