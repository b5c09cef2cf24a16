// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// What was delivered last under a key, and what waits to be.
struct Memory: Sendable {
  var delivered: Statement?
  var pending: Statement?

  /// What an event has said, or is going to.
  struct Statement: Sendable {
    var seq: Seq
    /// When it was delivered, or when it came.
    var at: Int64
    var print: Fingerprint
    var action: Seq?
  }
}

extension Presenter {
  /// By what an event is a duplicate of another, and whether it is the text that has to be the same.
  private func memoryKey(of item: Item) -> Key? {
    switch item.kind {
    case .status: return Key("status", AppKey(uid: 0, app: Name("")))
    case .digest, .layout: return nil
    case .focus, .report:
      return Key("focus", item.app, window: item.facts.window, element: item.facts.element)
    case .screen: return Key("screen", item.app, window: item.facts.window)
    case .page:
      guard !item.text.isEmpty, !item.isSecret else { return nil }
      return Key("page", item.app, element: item.facts.element)
    case .value:
      guard !item.isSecret else { return nil }
      return Key("value", item.app, element: item.facts.element)
    case .announcement: break
    }
    guard !item.isSecret, item.text.print != nil else { return nil }
    if case .whileEqual = item.treatment.dedupe.value {
      return Key(item.treatment.key.value, item.facts.speechClass.word, item)
    }
    // Not by the text: who says one thing, another, and the first again has changed his mind, and the
    // last word is the one that counts.
    if item.priority == .high { return Key("high", item.app) }
    return Key(item.facts.speechClass.word, item.app, element: item.facts.element, key: item.key)
  }

  /// What an event says, to be compared with what was said last.
  private func print(of item: Item) -> Fingerprint {
    switch item.kind {
    case .status:
      var print = Fingerprint()
      print.add(item.isFinal ? 1 : 0)
      return print
    case .screen:
      if let element = item.facts.element { return Fingerprint(Array(element.text.utf8).span) }
      return item.text.print ?? Fingerprint()
    case .focus, .report: return Fingerprint()
    case .announcement, .layout, .page, .value, .digest:
      return item.text.print ?? Fingerprint()
    }
  }

  mutating func deduplicate(_ item: consuming Item) {
    guard let window = item.treatment.dedupe.value, let key = memoryKey(of: item) else {
      limit(item)
      return
    }
    let own = Memory.Statement(
      seq: item.seq,
      at: item.mono,
      print: print(of: item),
      action: item.action
    )
    let place = memory.place(of: key)
    let known = place.map { memory[$0] }
    if !item.isSettled, let known, let other = original(of: item, own, in: known, window) {
      if let older = items[other.seq], older.stage == .queued, livesLonger(item, than: older) {
        // What waits may not live to be said, so the newer one stands in its place.
        item.succeed(older)
        settle(
          other.seq,
          .duplicate,
          by: item.seq,
          rule: item.treatment.dedupe.rule,
          waited(older)
        )
        memory[row(for: key)].pending = own
        item.memory = key
        enqueue(item)
        return
      }
      var why = item.why
      if now > item.mono { why.waited = now - item.mono }
      if case .time(let time) = window { why.window = time }
      settle(item, .duplicate, by: other.seq, rule: item.treatment.dedupe.rule, why)
      return
    }
    if item.kind == .page, let delivered = known?.delivered {
      item.isBoundary =
        delivered.print == own.print && delivered.action != own.action && own.action != nil
        && now - delivered.at <= Bounds.boundary
    }
    let row = place ?? addRow(for: key)
    memory.touch(row)
    memory[row].pending = own
    item.memory = key
    item.memoryPlace = row
    limit(item)
  }

  /// Whether an event has been given a longer life than another.
  private func livesLonger(_ item: Item, than other: Item) -> Bool {
    guard let life = other.deadline.map({ $0 - other.mono }) else { return false }
    return item.deadline.map { $0 - item.mono > life } ?? true
  }

  private mutating func row(for key: Key) -> Int {
    if let place = memory.place(of: key) {
      memory.touch(place)
      return place
    }
    return addRow(for: key)
  }

  private mutating func addRow(for key: Key) -> Int {
    if let gone = memory.leaving(isSpent: { $0.pending == nil }) { memory.remove(at: gone) }
    return memory.insert(key, Memory())
  }

  /// The earlier event that an event repeats, if it does.
  private func original(
    of item: Item,
    _ own: Memory.Statement,
    in known: Memory,
    _ window: Treatment.Dedupe
  ) -> Memory.Statement? {
    switch item.kind {
    case .focus where item.isByUser, .report where item.isByUser: return nil
    // Who has been somewhere else meanwhile comes back, and must hear so.
    case .focus where !isAt(item, lastLabel), .report where !hasFocus(item): return nil
    case .announcement where item.isByUser && item.priority != .high:
      // What the user asks for twice is said twice; but a value is what it is.
      if case .time = window { return nil }
    case .announcement, .layout, .screen, .page, .status, .focus, .value, .report, .digest: break
    }
    // What waits will be said last, so it is what counts.
    if let pending = known.pending, items[pending.seq] != nil {
      return isSame(own, pending, item.kind) ? pending : nil
    }
    guard let delivered = known.delivered, isSame(own, delivered, item.kind) else { return nil }
    switch window {
    case .whileEqual: return delivered
    case .time(let time): return now - delivered.at < time ? delivered : nil
    }
  }

  /// The event that was heard last of a value that has come back to what it was then.
  func delivered(sayingTheSameAs item: Item) -> Seq? {
    guard case .whileEqual = item.treatment.dedupe.value, item.summary == nil,
      let key = item.memory, let delivered = memory[key]?.delivered,
      delivered.print == print(of: item)
    else { return nil }
    return delivered.seq
  }

  /// Whether this is what was said last of all places.
  private func isAt(_ item: Item, _ label: Item?) -> Bool {
    guard let label else { return false }
    return label.app == item.app && label.facts.window == item.facts.window
      && label.facts.element == item.facts.element
  }

  private func hasFocus(_ item: Item) -> Bool {
    guard let spot = focusSpot else { return false }
    return spot.app == item.app && spot.window == item.facts.window
      && spot.element == item.facts.element
  }

  private func isSame(
    _ a: Memory.Statement,
    _ b: Memory.Statement,
    _ kind: Item.Kind
  ) -> Bool {
    a.print == b.print && (kind != .page || a.action == b.action)
  }

  /// Takes note of what is being delivered.
  mutating func remember(_ item: Item) {
    guard let key = item.memory else { return }
    let place = row(for: key)
    memory[place].delivered = Memory.Statement(
      seq: item.of,
      at: now,
      print: print(of: item),
      action: item.action
    )
    if memory[place].pending?.seq == item.seq { memory[place].pending = nil }
  }

  /// What would have been delivered is not.
  mutating func forgetWaiting(_ item: Item) {
    guard let place = item.memoryPlace ?? item.memory.flatMap({ memory.place(of: $0) }),
      memory.holds(place), memory[place].pending?.seq == item.seq
    else { return }
    memory[place].pending = nil
    if memory[place].delivered == nil { memory.remove(at: place) }
  }
}
