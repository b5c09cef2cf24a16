// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// Many elements of an app that speak at once, without anybody having asked them to.
///
/// The first goes out as usual. From the second element on they are collected until it is quiet;
/// then one sentence tells how many they were, or they go on as usual if they are few.
struct Storm: Sendable {
  /// The element that spoke first.
  var element: Name
  /// The instant of the newest event.
  var lastAt: Instant
  var since: Instant?
  var collected: [Seq] = []
  /// Elements that were collected, up to the number that makes a storm.
  var elements: Set<Name> = []
  var rule: String

  init(element: Name, at now: Instant, rule: String) {
    self.element = element
    lastAt = now
    self.rule = rule
  }

  /// So many elements have spoken that the rest is counted.
  var isStorm: Bool { elements.count >= Bounds.stormElements }
}

/// The stage that recognises storms, and tells them in one sentence.
struct StormStage: Sendable {
  var rows = BoundedTable<Key, Storm>(bound: Bounds.rows)

  mutating func pass(
    _ item: consuming Item,
    _ waiting: inout WaitingQueue,
    _ context: Context
  ) -> Passage {
    guard let element = Self.element(of: item) else { return .on(item) }
    let (treatment, key) = Self.storm(of: item, context.rules)
    guard treatment.debounce.value > .zero, let key else { return .on(item) }
    let now = context.now
    let quiet = treatment.debounce.value
    if let place = rows.place(of: key) {
      rows.touch(place)
      if rows[place].since != nil
        || (rows[place].element != element && now < rows[place].lastAt + quiet)
      {
        return collect(item, element, in: place, treatment, &waiting, context)
      }
      // The same element once more is no storm, and after a silence it is all new.
      if now < rows[place].lastAt + quiet { return .on(item) }
      rows.remove(at: place)
    }
    if let gone = rows.leaving(isSpent: { $0.since == nil }) { lapse(gone, &waiting, context) }
    _ = rows.insert(key, Storm(element: element, at: now, rule: treatment.debounce.rule))
    return .on(item)
  }

  /// How storms of its app and class are treated, and the key of their row.
  private static func storm(of item: borrowing Item, _ rules: RuleTable) -> (Treatment, Key?) {
    var facts = item.facts
    facts.topic = .storm
    let treatment = rules.treatment(of: facts)
    return (treatment, Key(treatment.key.value, "storm " + facts.speechClass.word, item))
  }

  /// The instant at which the storm of an event that waits here is over, at the latest.
  func due(
    of item: borrowing Item,
    _ rules: RuleTable,
    _ alarms: borrowing Alarms
  ) -> Instant? {
    Self.storm(of: item, rules).1.flatMap { rows.place(of: $0) }
      .flatMap { alarms.due(of: .storm($0)) }
  }

  /// The element that an event speaks for, if the event can be part of a storm.
  private static func element(of item: borrowing Item) -> Name? {
    guard item.kind == .announcement, item.priority != .high, !item.isByUser,
      !item.facts.isFocused
    else { return nil }
    return item.facts.element
  }

  private mutating func collect(
    _ item: consuming Item,
    _ element: Name,
    in place: Int,
    _ treatment: Treatment,
    _ waiting: inout WaitingQueue,
    _ context: Context
  ) -> Passage {
    let now = context.now
    let since = rows[place].since ?? now
    rows[place].since = since
    rows[place].lastAt = now
    item.blamed = rows[place].rule
    let isCounted = rows[place].isStorm
    if !isCounted { rows[place].elements.insert(element) }
    var due = now + treatment.debounce.value
    if treatment.maxWait.value > .zero { due = min(due, since + treatment.maxWait.value) }
    waiting.alarms.set(.storm(place), at: due, by: item.seq)
    if !isCounted, let older = older(than: item, in: place, waiting),
      let index = rows[place].collected.firstIndex(of: older), let gone = waiting.withdraw(older)
    {
      waiting.coalesce(gone, into: &item, rule: rows[place].rule, now)
      rows[place].collected[index] = item.seq
      waiting.park(item, at: .storm)
      return .waits
    }
    if isCounted || rows[place].collected.count >= Bounds.stormEvents,
      let carrier = rows[place].collected.first, waiting.holds(carrier)
    {
      waiting.summarise(item, in: carrier)
      return .ends(item, Ending(.summarised, by: carrier, rule: rows[place].rule))
    }
    rows[place].collected.append(item.seq)
    waiting.park(item, at: .storm)
    return .waits
  }

  /// The older value of the same key that was collected.
  private func older(than item: Item, in place: Int, _ waiting: borrowing WaitingQueue) -> Seq? {
    guard item.mode != .all, let key = item.coalescingKey else { return nil }
    for seq in rows[place].collected where waiting[seq].map({ $0.coalescingKey == key }) ?? false {
      return seq
    }
    return nil
  }

  /// Quiet has come, or the storm gives way to another: a storm is told in one sentence, and few
  /// events go on one by one.
  mutating func lapse(_ place: Int, _ waiting: inout WaitingQueue, _ context: Context) {
    let storm = rows[place]
    waiting.alarms.cancel(.storm(place))
    rows.remove(at: place)
    let collected = storm.collected.filter { waiting[$0] != nil }
    guard storm.isStorm, let carrier = collected.first else {
      for seq in collected {
        if let item = waiting.withdraw(seq) { waiting.release(item, behind: .storm) }
      }
      return
    }
    for seq in collected.dropFirst() {
      guard var item = waiting.withdraw(seq) else { continue }
      item.noteWait(until: context.now)
      waiting.count(item, into: carrier, rule: storm.rule)
    }
    guard var item = waiting.withdraw(carrier) else { return }
    item.blamed = storm.rule
    waiting.release(item, behind: .storm)
  }
}

extension Storm: Recorded {
  static var blank: Storm { Storm(element: .blank, at: .blank, rule: "") }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.element, &self.lastAt, &self.since, &self.collected)
    var elements = self.elements.sorted { $0.text < $1.text }
    scribe.transcribe(&elements)
    self.elements = Set(elements)
    scribe.transcribe(&self.rule)
  }
}
