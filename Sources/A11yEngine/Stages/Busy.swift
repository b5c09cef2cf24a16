// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// An element that says that it is busy: of what comes from it the newest is presented when it ends.
struct Busy: Sendable {
  var pending: Seq?
  var until: Int64
  var rule: String
}

extension Engine {
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
    if let gone = busies.leaving(isSpent: { $0.pending == nil }) { endBusy(gone) }
    let fresh = busies.insert(
      key,
      Busy(pending: nil, until: now + limit.value, rule: limit.rule)
    )
    alarms.set(.busy(fresh), at: now + limit.value, by: cause)
  }

  /// Collects what comes from a busy element, or lets it go on.
  mutating func collectBusy(_ item: consuming Item) {
    guard busies.count > 0, let place = busyPlace(of: item) else {
      collectStorm(item)
      return
    }
    let rule = busies[place].rule
    if let older = busies[place].pending.flatMap({ unpark($0) }) {
      var why = waited(older)
      why.due = busies[place].until
      settle(older, .coalesced, by: item.seq, rule: rule, why)
    }
    busies[place].pending = item.seq
    item.blamed = rule
    park(item, .busy)
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
    if let item = pending.flatMap({ unpark($0) }) { collectStorm(item) }
  }
}
