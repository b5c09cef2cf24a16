// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// Many elements of an app that speak at once, without anybody having asked them to.
///
/// The first goes out as usual. From the second element on they are collected until it is quiet; then
/// they are told in one sentence if they are many, and go on as usual if they are few.
struct Storm: Sendable {
  /// The element that spoke first, and when.
  var element: Name
  var lastAt: Int64
  var since: Int64?
  var collected: [Seq] = []
  /// Elements that were collected, up to what makes a storm of it.
  var elements: Set<Name> = []
  var rule: String

  init(element: Name, at now: Int64, rule: String) {
    self.element = element
    lastAt = now
    self.rule = rule
  }

  /// It is one for certain: what comes now is counted.
  var isStorm: Bool { elements.count >= Bounds.stormElements }
}

extension Presenter {
  mutating func collectStorm(_ item: consuming Item) {
    guard let element = stormElement(of: item) else {
      hold(item)
      return
    }
    var facts = item.facts
    facts.topic = .storm
    let treatment = rules.treatment(of: facts)
    guard treatment.debounce.value > 0,
      let key = Key(treatment.key.value, "storm " + facts.speechClass.word, item)
    else {
      hold(item)
      return
    }
    let quiet = treatment.debounce.value
    if let place = storms.place(of: key) {
      storms.touch(place)
      if storms[place].since != nil
        || (storms[place].element != element && now < storms[place].lastAt + quiet)
      {
        collect(item, element, in: place, treatment)
        return
      }
      // The same element once more is no storm, and after a silence it is all new.
      if now < storms[place].lastAt + quiet {
        hold(item)
        return
      }
      storms.remove(at: place)
    }
    if let gone = storms.leaving(isSpent: { $0.since == nil }) { endStorm(gone) }
    _ = storms.insert(key, Storm(element: element, at: now, rule: treatment.debounce.rule))
    hold(item)
  }

  /// The element that an event speaks for, if it can be part of a storm.
  private func stormElement(of item: Item) -> Name? {
    guard item.kind == .announcement, item.priority != .high, !item.isByUser,
      !item.facts.isFocused
    else { return nil }
    return item.facts.element
  }

  private mutating func collect(
    _ item: consuming Item,
    _ element: Name,
    in place: Int,
    _ treatment: Treatment
  ) {
    let since = storms[place].since ?? now
    storms[place].since = since
    storms[place].lastAt = now
    item.blamed = storms[place].rule
    let isCounted = storms[place].isStorm
    if !isCounted { storms[place].elements.insert(element) }
    var due = now + treatment.debounce.value
    if treatment.maxWait.value > 0 { due = min(due, since + treatment.maxWait.value) }
    alarms.set(.storm(place), at: due, by: cause)
    if !isCounted, let older = stormOlder(than: item, in: place),
      let index = storms[place].collected.firstIndex(of: older), let gone = unpark(older)
    {
      item.succeed(gone)
      settle(gone, .coalesced, by: item.seq, rule: storms[place].rule, waited(gone))
      storms[place].collected[index] = item.seq
      park(item, .storm)
      return
    }
    if isCounted || storms[place].collected.count >= Bounds.stormEvents,
      let carrier = storms[place].collected.first, items[carrier] != nil
    {
      count(item, into: carrier, rule: storms[place].rule, Why())
      return
    }
    storms[place].collected.append(item.seq)
    park(item, .storm)
  }

  /// The older value of the same key that was collected.
  private func stormOlder(than item: Item, in place: Int) -> Seq? {
    guard item.mode != .all, let key = coalescingKey(of: item) else { return nil }
    return storms[place].collected.first { seq in
      items[seq].map { coalescingKey(of: $0) == key } ?? false
    }
  }

  mutating func endStorm(_ place: Int) {
    let storm = storms[place]
    alarms.cancel(.storm(place))
    storms.remove(at: place)
    let collected = storm.collected.filter { items[$0] != nil }
    guard storm.isStorm, let carrier = collected.first else {
      for seq in collected { if let item = unpark(seq) { hold(item) } }
      return
    }
    for seq in collected.dropFirst() {
      guard let item = unpark(seq) else { continue }
      count(item, into: carrier, rule: storm.rule, waited(item))
    }
    guard var item = unpark(carrier) else { return }
    item.blamed = storm.rule
    hold(item)
  }
}
