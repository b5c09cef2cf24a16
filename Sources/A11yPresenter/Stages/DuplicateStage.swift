// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The last event that was delivered under a key, and the one that waits to be.
struct Memory: Sendable {
  var delivered: Statement?
  var pending: Statement?

  /// The words of an event, as far as others are compared with them.
  struct Statement: Sendable {
    var seq: Seq
    /// The instant of its delivery, or of its coming.
    var at: Instant
    /// Nil for an event that waits, as long as nobody has asked for it.
    var print: Fingerprint?
    var action: Seq?
  }
}

/// The stage at which an event that repeats its source's last message ends.
struct DuplicateStage: Sendable {
  var rows = BoundedTable<Key, Memory>(bound: Bounds.rows)

  /// `hasLeft`: the user has been elsewhere since the place that the event tells of was told last.
  mutating func pass(
    _ item: consuming Item,
    hasLeft: Bool,
    _ waiting: inout WaitingQueue,
    _ context: Context
  ) -> Passage {
    guard let span = item.treatment.dedupe.value, let key = Self.key(of: item) else {
      return .on(item)
    }
    let now = context.now
    let own = Memory.Statement(seq: item.seq, at: item.mono, print: nil, action: item.action)
    let place = rows.place(of: key)
    if !item.isSettled, !hasLeft, let place,
      let other = original(of: &item, at: place, span, waiting, now)
    {
      if let older = waiting[other.seq], older.standing == .queued, livesLonger(item, than: older),
        var gone = waiting.withdraw(other.seq)
      {
        // The older event may not live to be spoken, so the newer one stands in its place.
        item.succeed(older)
        gone.noteWait(until: now)
        retract(gone)
        let rule = item.treatment.dedupe.rule
        waiting.letEnd(gone, Ending(.duplicate, by: item.seq, rule: rule))
        rows[row(for: key)].pending = own
        item.memory = key
        item.isGranted = true
        return .on(item)
      }
      if now > item.mono { item.why.waited = now - item.mono }
      if case .time(let time) = span { item.why.window = time }
      let rule = item.treatment.dedupe.rule
      return .ends(item, Ending(.duplicate, by: other.seq, rule: rule))
    }
    if item.kind == .page, let delivered = place.flatMap({ rows[$0].delivered }) {
      item.isBoundary =
        delivered.print == item.print && delivered.action != own.action && own.action != nil
        && now - delivered.at <= Bounds.boundary
    }
    let row = place ?? addRow(for: key)
    rows.touch(row)
    rows[row].pending = own
    item.memory = key
    item.memoryPlace = row
    return .on(item)
  }

  /// The key under which an event is compared with others; it says whether the text has to be the
  /// same.
  private static func key(of item: borrowing Item) -> Key? {
    switch item.kind {
    case .status: return .status
    case .digest, .layout, .reading: return nil
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
    guard !item.isSecret, item.text.isKnown else { return nil }
    if case .whileEqual = item.treatment.dedupe.value {
      return Key(item.treatment.key.value, item.facts.speechClass.word, item)
    }
    // Duplicates are judged against the source's last message, not against any within the quiet
    // time: a source that says one thing, another, and the first again has changed its mind.
    if item.priority == .high { return Key("high", item.app) }
    return Key(item)
  }

  /// Whether an event has been given a longer life than another.
  private func livesLonger(_ item: Item, than other: Item) -> Bool {
    guard let life = other.deadline.map({ $0 - other.mono }) else { return false }
    return item.deadline.map { $0 - item.mono > life } ?? true
  }

  private mutating func row(for key: Key) -> Int {
    if let place = rows.place(of: key) {
      rows.touch(place)
      return place
    }
    return addRow(for: key)
  }

  private mutating func addRow(for key: Key) -> Int {
    if let gone = rows.leaving(isSpent: { $0.pending == nil }) { rows.remove(at: gone) }
    return rows.insert(key, Memory())
  }

  /// The earlier event that an event repeats, if it does.
  private func original(
    of item: inout Item,
    at place: Int,
    _ span: Treatment.Dedupe,
    _ waiting: borrowing WaitingQueue,
    _ now: Instant
  ) -> Memory.Statement? {
    switch item.kind {
    case .focus where item.isByUser, .report where item.isByUser: return nil
    case .announcement where item.isByUser && item.priority != .high:
      // A text that the user asks for twice is said twice; but a value is the same value.
      if case .time = span { return nil }
    case .announcement, .layout, .screen, .page, .status, .focus, .value, .report, .digest,
      .reading:
      break
    }
    // The event that waits will be said last, so it is the one that counts.
    if let pending = rows[place].pending, let other = waiting[pending.seq] {
      let isSame = pending.print.map { $0 == item.print } ?? item.says(theSameAs: other)
      return isSame && isOfSameAction(item, pending) ? pending : nil
    }
    guard let delivered = rows[place].delivered else { return nil }
    // Asked for once more if it is delivered itself.
    if item.isOfWords { item.text.keepPrint() }
    guard delivered.print == item.print, isOfSameAction(item, delivered) else { return nil }
    switch span {
    case .whileEqual: return delivered
    case .time(let time): return now - delivered.at < time ? delivered : nil
    }
  }

  /// The same page is another one after another action.
  private func isOfSameAction(_ item: borrowing Item, _ other: Memory.Statement) -> Bool {
    item.kind != .page || item.action == other.action
  }

  // MARK: Later

  /// The words of an event are about to change, but not what others are compared with.
  mutating func keepPrint(of item: Item) {
    guard let place = item.memory.flatMap({ rows.place(of: $0) }),
      rows[place].pending?.seq == item.seq, rows[place].pending?.print == nil
    else { return }
    rows[place].pending?.print = item.print
  }

  /// The event that was heard last of a value that has come back to what it was then.
  func delivered(sayingTheSameAs item: Item) -> Seq? {
    guard case .whileEqual = item.treatment.dedupe.value, item.summary == nil,
      let key = item.memory, let delivered = rows[key]?.delivered, delivered.print == item.print
    else { return nil }
    return delivered.seq
  }

  /// An event is being delivered.
  mutating func remember(_ item: Item, at now: Instant) {
    guard let key = item.memory else { return }
    let place = row(for: key)
    rows[place].delivered = Memory.Statement(
      seq: item.of,
      at: now,
      print: item.print,
      action: item.action
    )
    if rows[place].pending?.seq == item.seq { rows[place].pending = nil }
  }

  /// An event ends that was going to be delivered.
  mutating func retract(_ item: Item) {
    guard let place = item.memoryPlace ?? item.memory.flatMap({ rows.place(of: $0) }),
      rows.holds(place), rows[place].pending?.seq == item.seq
    else { return }
    rows[place].pending = nil
    if rows[place].delivered == nil { rows.remove(at: place) }
  }
}

extension Presenter {
  /// The memory with the prints of all events, as it is written down.
  var recordedMemory: BoundedTable<Key, Memory> {
    var rows = pipeline.duplicates.rows
    for place in rows.inOrder {
      guard let pending = rows[place].pending, pending.print == nil else { continue }
      rows[place].pending?.print = waiting[pending.seq]?.print
    }
    return rows
  }
}

extension Item {
  /// Whether it says what another one says.
  fileprivate func says(theSameAs other: Item) -> Bool {
    guard isOfWords, other.isOfWords else { return print == other.print }
    // Most texts differ in their length.
    return self.text.length == other.text.length
      && (self.text.runs == other.text.runs || print == other.print)
  }

  /// Whether its words are all that it says.
  fileprivate var isOfWords: Bool {
    switch self.kind {
    case .announcement, .layout, .page, .value, .digest, .reading: true
    case .status, .screen, .focus, .report: false
    }
  }

  /// A print of what the event says, to be compared with what was said last.
  fileprivate var print: Fingerprint {
    switch self.kind {
    case .status:
      var print = Fingerprint()
      print.add(self.isFinal ? 1 : 0)
      return print
    case .screen:
      if let element = self.facts.element { return Fingerprint(Array(element.text.utf8).span) }
      return self.text.print ?? Fingerprint()
    case .focus, .report: return Fingerprint()
    case .announcement, .layout, .page, .value, .digest, .reading:
      return self.text.print ?? Fingerprint()
    }
  }
}

extension Memory.Statement: Recorded {
  static var blank: Memory.Statement {
    Memory.Statement(seq: .none, at: .blank, print: nil, action: nil)
  }

  mutating func record(_ scribe: inout Scribe) {
    var print = self.print ?? .blank
    scribe.transcribe(&self.seq, &self.at, &print, &self.action)
    self.print = print
  }
}

extension Memory: Recorded {
  static var blank: Memory { Memory() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.delivered, &self.pending)
  }
}
