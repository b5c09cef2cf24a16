// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// An event that asks to be presented, from its entry to its outcome.
///
/// It goes from stage to stage and is kept in more than one place: boxed in a one-element array,
/// the cheapest copy-on-write box of the standard library.
@dynamicMemberLookup
struct Item: Sendable {
  private var content: [Content]

  enum Kind: String, Sendable, CaseIterable {
    case announcement, layout, screen, page, status, focus
    /// A change in the element that the user is at.
    case value
    /// A toolkit's report of where the focus is.
    case report
    /// A few words about events that are not presented one by one.
    case digest
    /// The words of a screen reader that speaks through the bus: the user's own reading.
    case reading
  }

  /// The place where it waits at the moment.
  enum Standing: String, Sendable, CaseIterable {
    /// On its way from one to the next.
    case moving
    case busy, storm, held, coalescing, limited, queued, speaking
  }

  /// It was cut, and is offered once more.
  struct Again: Sendable, Equatable {
    /// The event that has cut it; nil where its reader has gone, or lost it.
    var by: Seq?
    /// The event that has cut it, as long as that is not over.
    var cutter: Seq?
    /// It must have begun by then, once what has cut it is over.
    var deadline: Instant?

    /// Stands for the user's own reading as a whole, of which each sentence is an event of its own.
    static let reading = Seq.none

    init(by: Seq?, cutter: Seq? = nil) {
      self.by = by
      self.cutter = cutter
    }
  }

  /// It stands for others, too.
  struct Summary: Sendable, Equatable {
    var count: Int64
    var from: Seq
    var to: Seq
    /// The apps whose events it counts, beside the one that it is from.
    var others: [AppKey] = []

    /// It counts one more event.
    mutating func add(_ event: Seq) {
      count += 1
      from = min(from, event)
      to = max(to, event)
    }

    /// It counts another's events, too.
    mutating func add(_ other: Summary) {
      count += other.count
      from = min(from, other.from)
      to = max(to, other.to)
      for app in other.others { add(app) }
    }

    /// One name more than is spoken is kept, so that it can be said that there are others.
    mutating func add(_ app: AppKey) {
      guard others.count <= Bounds.namedApps, !others.contains(app) else { return }
      others.append(app)
    }
  }

  enum Earcon: String, Sendable, CaseIterable {
    case screen, boundary, sound
    case noAction = "no-action"
  }

  init(
    _ kind: Kind,
    seq: Seq,
    mono: Instant,
    facts: Facts,
    treatment: Treatment,
    text: SpokenText,
    mode: Mode
  ) {
    content = [
      Content(
        seq: seq,
        of: seq,
        madeBy: seq,
        mono: mono,
        kind: kind,
        facts: facts,
        treatment: treatment,
        text: text,
        mode: mode,
        given: facts.priority
      )
    ]
  }

  subscript<T>(dynamicMember path: KeyPath<Content, T>) -> T {
    @inline(__always) _read { yield content[0][keyPath: path] }
  }

  subscript<T>(dynamicMember path: WritableKeyPath<Content, T>) -> T {
    @inline(__always) _read { yield content[0][keyPath: path] }
    @inline(__always) _modify { yield &content[0][keyPath: path] }
  }

  /// Takes over what an older screen has not come to say: that there is a new one.
  mutating func takeOver(from older: Item) {
    guard self.kind == .screen, older.kind == .screen,
      self.facts.window == older.facts.window
    else { return }
    self.earcon = self.earcon ?? older.earcon
  }

  /// A sound alone stands for it.
  mutating func becomeSound() {
    self.text = .nothing
    self.earcon = .sound
  }

  /// Counts another event with it, which waits no more; true where that makes it a summary.
  mutating func takeIn(_ other: borrowing Item) -> Bool {
    content[0].takeIn(other.seq, other.summary, of: other.app, deadline: other.deadline)
  }

  /// Whether it stands for others, too.
  @inline(__always)
  var isSummary: Bool { if case .some = self.summary { true } else { false } }

  /// Notes how long it has waited by now.
  mutating func noteWait(until now: Instant) { self.why.waited = now - self.mono }

  /// Stands where an older event of its key stood, whose words are of no use any more.
  mutating func succeed(_ older: Item) {
    takeOver(from: older)
    self.order = older.place
    if older.standing == .queued { self.rankOverride = older.rankOverride }
  }
}

extension Item.Summary {
  /// Of one event alone.
  init(of seq: Seq) { self.init(count: 1, from: seq, to: seq) }
}

extension Item {
  /// What is known of an event.
  struct Content: Sendable {
    var seq: Seq
    /// The entry that is presented: nearly always its own.
    var of: Seq
    /// The entry that has led to it.
    var madeBy: Seq
    /// Whether the entry ends with it.
    var endsInOutcome = true
    var mono: Instant
    var kind: Kind
    var facts: Facts
    var treatment: Treatment
    /// The key that the event gives.
    var key: Name?
    /// The action that it belongs to, as its feedback or behind it.
    var action: Seq?
    /// It concerns the very element that the user has acted on.
    var isActed = false
    /// A report of what the user has done by the toolkit's own means, which no action stands for.
    var isByReport = false
    /// It names an action of the user as its cause.
    var isAnswer = false
    var text: SpokenText
    var earcon: Earcon?
    /// It asks not to cut another.
    var isPatient = false
    /// The last of its kind; of a status, that a reader runs.
    var isFinal = false
    /// The log does not have what it says: only this process can have it spoken.
    var isSecret = false
    /// Its own time to start, in place of the rule's.
    var ownTTL: TimeSpan?
    var deadline: Instant?
    var mode: Mode
    var standing = Standing.moving
    /// It has waited for feedback, and interrupts nothing.
    var wasHeld = false
    /// Events that are held behind its action wait for its end.
    var countsAsFeedback = false
    /// It has waited for quiet already: coalescing and duplicates let it pass.
    var isSettled = false
    /// It comes from an app that the user does not work in.
    var isBackground = false
    /// Its priority before any rule has given it another.
    var given: Priority
    /// The mode that it asks for itself.
    var ownMode: Mode?
    /// The rank in place of that of its kind.
    var rankOverride: Int64?
    /// The event of its key that waits further on and has to give way to it; known on the way
    /// alone.
    var ahead: Seq?
    /// The event in whose place it stands, if that is not its own.
    var order: Seq?
    var again: Again?
    /// How often a reader was given it whose voice has failed.
    var lost: Int64 = 0
    /// Of a reading the connection of its screen reader; others are of none.
    var conn: Int64 = 0
    /// The mark from which on it is spoken, where all before that was heard.
    var mark: Name?
    var summary: Summary?
    var isBoundary = false
    /// The key under which its words are remembered.
    var memory: Key?
    /// The row of that key, when the event came there.
    var memoryPlace: Int?
    /// It stands in the place of an event that had passed its rate.
    var isGranted = false
    /// The numbers that were met on the way, for those who ask why.
    var why = Why()
    /// The rule that made it wait last.
    var blamed: String?
  }
}

extension Item.Content {
  fileprivate mutating func takeIn(
    _ event: Seq,
    _ others: Item.Summary?,
    of app: AppKey,
    deadline other: Instant?
  ) -> Bool {
    // Held here alone while it changes, so that the list of apps is not copied.
    let known = summary.take()
    var all = known ?? Item.Summary(of: seq)
    if let others { all.add(others) } else { all.add(event) }
    if app.uid != facts.uid || app.app != facts.app { all.add(app) }
    summary = all
    // The summary is worth saying as long as the youngest event in it.
    if let life = deadline { deadline = other.map { max(life, $0) } }
    if case .some = known { return false }
    return true
  }
}

// Properties that follow from the stored ones, each in terms of those, so that nothing else is
// looked at.
extension Item {
  @inline(__always)
  var app: AppKey { AppKey(uid: self.facts.uid, app: self.facts.app) }

  @inline(__always)
  var priority: Priority { self.facts.priority }

  /// High announcements are kept back by a reader that is off, by do-not-disturb and by their turn
  /// alone.
  @inline(__always)
  var isUrgent: Bool { isAnnouncement && priority == .high }

  @inline(__always)
  var isByUser: Bool { self.facts.cause == .user }

  /// The last value of something that comes to its end, which is heard whatever comes behind it.
  @inline(__always)
  var isLastWord: Bool {
    guard self.isFinal, priority != .high else { return false }
    switch self.facts.speechClass {
    case .progress, .timer: return true
    case .message, .status, .value, .chat, .hint, .reading, .other: return false
    }
  }

  /// The time that it has to start; nil for as long as it is of use.
  ///
  /// One that waits for others to end by its own wish does not pay for them, unless a rule that is
  /// no default says so.
  var life: TimeSpan? {
    if self.kind == .reading { return nil }
    if let ownTTL = self.ownTTL { return ownTTL }
    guard self.isQueuedMessage, self.treatment.isTTLShipped else {
      return self.treatment.ttl.value
    }
    return Bounds.queuedLife
  }

  private var isQueuedMessage: Bool {
    guard self.isPatient, isAnnouncement, priority != .high else { return false }
    switch self.facts.speechClass {
    case .message, .status: return true
    case .progress, .timer, .value, .chat, .hint, .reading, .other: return false
    }
  }

  /// Whether anything of it takes a reader's time.
  @inline(__always)
  var isSilent: Bool { self.text.isEmpty }

  @inline(__always)
  var isValue: Bool { if case .value = self.facts.speechClass { true } else { false } }

  /// Tells its app from others, nearly always.
  @inline(__always)
  var appMark: Int { self.facts.app.mark ^ Int(self.facts.uid) }

  /// Whether it is one of those that tell what an action has done, which nothing is put before.
  @inline(__always)
  var isFeedback: Bool {
    switch self.kind {
    case .screen, .page, .focus, .value: true
    case .announcement: isValue
    case .layout, .status, .report, .digest, .reading: false
    }
  }

  /// Whether the first of a burst may go ahead, or else waits for the others itself.
  @inline(__always)
  var hasLeadingEdge: Bool { self.treatment.leading.value || self.treatment.debounce.value > .zero }

  /// Whether it waits for its turn, not for something to settle.
  @inline(__always)
  var isInLine: Bool {
    switch self.standing {
    case .held, .limited, .queued: true
    case .moving, .busy, .storm, .coalescing, .speaking: false
    }
  }

  /// Whether it counts among the announcements.
  @inline(__always)
  var isAnnouncement: Bool {
    switch self.kind {
    case .announcement, .layout, .digest: true
    case .screen, .page, .status, .focus, .value, .report, .reading: false
    }
  }

  /// Among those of one rank the one with the smaller place comes first.
  @inline(__always)
  var place: Seq { self.order ?? self.seq }

  /// Whether it is the newest value of something, and not one of many announcements.
  @inline(__always)
  var isKeyed: Bool {
    guard self.mode != .all, self.summary == nil else { return false }
    return self.key != nil || self.treatment.key.value.contains { $0.isGiven(by: self) }
  }

  /// Whether others may be told in a summary together with it.
  @inline(__always)
  var isCountable: Bool {
    self.isAnnouncement && self.kind != .digest && !self.isSilent
      && (self.again == nil || self.summary != nil)
  }

  /// Its place among those that wait at the same moment; within one rank the place decides.
  ///
  /// In steps of ten, so that there is room right behind each.
  @inline(__always)
  var rank: Int64 {
    if let rankOverride = self.rankOverride { return rankOverride }
    switch self.kind {
    case .status: return 0
    case .screen: return 20
    case .focus, .report, .reading: return 30
    case .page: return 60
    case .value: return self.isActed ? 40 : 50
    case .announcement, .layout, .digest:
      // The answer to what the user has done comes before what nobody has asked for.
      let ahead: Int64 = self.isAnswer ? 2 : 0
      if priority == .high { return 10 - ahead }
      if isValue, self.isActed { return 40 }
      return (priority == .default ? 50 : 70) - ahead
    }
  }
}

extension Item: Recorded {
  static let blank = Item(
    .announcement,
    seq: .none,
    mono: .blank,
    facts: .blank,
    treatment: RuleSet.defaults.treatment(of: .blank),
    text: .nothing,
    mode: .all
  )

  mutating func record(_ scribe: inout Scribe) { content[0].record(&scribe) }
}

extension Item.Content {
  /// All of an item that waits.
  ///
  /// The treatment follows from the facts and the rules; `ahead`, `memoryPlace` and `isGranted`
  /// matter on the way alone.
  fileprivate mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&seq, &of, &madeBy, &endsInOutcome)
    scribe.transcribe(&mono, &kind, &facts, &key)
    scribe.transcribe(&action, &isActed, &isByReport, &isAnswer)
    scribe.transcribe(&text, &earcon, &isPatient, &isFinal)
    scribe.transcribe(&isSecret, &ownTTL, &deadline, &mode)
    scribe.transcribe(&standing, &wasHeld, &countsAsFeedback, &isSettled)
    recordOrigin(&scribe)
    scribe.transcribe(&rankOverride, &order, &again, &lost)
    scribe.transcribe(&summary, &isBoundary, &memory, &why)
    scribe.transcribe(&blamed)
    // Older records have no readings.
    if kind == .reading { scribe.transcribe(&conn, &mark) }
    if scribe.isReading { treatment = scribe.rules.treatment(of: facts) }
  }

  /// What an event was before any rule: several small facts as one number, which older records have
  /// for the first of them alone.
  private mutating func recordOrigin(_ scribe: inout Scribe) {
    let priorities = Priority.allCases
    let modes = Mode.allCases
    var bits: Int64 = isBackground ? 1 : 0
    bits += Int64((priorities.firstIndex(of: given) ?? 0) + 1) << 1
    bits += Int64(ownMode.flatMap { modes.firstIndex(of: $0) }.map { $0 + 1 } ?? 0) << 3
    scribe.transcribe(&bits)
    guard scribe.isReading else { return }
    isBackground = bits & 1 != 0
    let (priority, mode) = (Int(bits >> 1 & 3), Int(bits >> 3 & 7))
    given = priority > 0 ? priorities[priority - 1] : facts.priority
    ownMode = mode > 0 && mode <= modes.count ? modes[mode - 1] : nil
  }
}

extension Item.Summary: Recorded {
  static var blank: Item.Summary { Item.Summary(count: 0, from: .none, to: .none) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.count, &self.from, &self.to, &self.others)
  }
}

extension Item.Again: Recorded {
  static var blank: Item.Again { Item.Again(by: nil) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.by, &self.cutter, &self.deadline)
  }
}

extension Facts: Recorded {
  static let blank = Facts(topic: .announcement, uid: 0, app: .blank)

  mutating func record(_ scribe: inout Scribe) {
    var word = self.speechClass.word
    scribe.transcribe(&self.topic, &word, &self.uid, &self.app)
    scribe.transcribe(&self.window, &self.element, &self.priority, &self.traits)
    scribe.transcribe(&self.cause, &self.isForeground, &self.isFocused, &self.isContinuous)
    scribe.transcribe(&self.origin)
    scribe.transcribe(&self.text)
    if scribe.isReading { self.speechClass = SpeechClass(word) }
  }
}
