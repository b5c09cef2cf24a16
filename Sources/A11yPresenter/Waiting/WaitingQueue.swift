// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The events that have no outcome yet and are not being spoken, with their alarms.
///
/// An event is parked here at one place and withdrawn from it; between the two it is on its way.
/// What waits for something to settle – a busy element, a storm, the quiet of a burst – stands
/// aside, in a table by seqs. All others stand in line: behind the feedback of an action, for their
/// rate, or for their turn at the reader.
///
/// The line is what a flood makes long, so all that it is asked for an event that comes is in a row
/// of numbers: whose turn it is, what may be counted together with what, what is feedback. Rows and
/// events stand side by side in two arrays, in the order of their seqs. A newcomer nearly always
/// goes to the end. The one that leaves in a flood is the second, because the oldest bears the
/// summary: so a seq is looked for there first, and the few rows in front of it move, not the many
/// behind it. The free places in front are closed up when they are as many as the others.
///
/// Room is bounded, and nothing is dropped uncounted: where there is no room, the oldest of the
/// least urgent sort go into the summary of the one before them. A sort is a priority, with the
/// last values of keys apart from all else: a value is counted only where nothing else can be. Of
/// what is low or of no app's own making the app with most of it pays, so that one that floods
/// leaves room for others; high ones have a bound for each app. How many there are of each sort, of
/// all apps and of each, is counted as they come and leave. Focus moves have a bound of their own,
/// beyond which the oldest is superseded; pages and screens cannot be counted, so that one for
/// which there is no room ends itself.
struct WaitingQueue: Sendable {
  private let sizeless = Sizeless()
  /// The events in line, behind some places that are free.
  private var events: [Item?] = []
  private var rows: [Row] = []
  private var start = 0
  private var aside: [Seq: Item] = [:]
  private(set) var tally = Tally()
  private var census = Census()
  /// A reader's word about itself waits no more, so that it may be clear now that nobody reads.
  var hasStatusSettled = false
  var alarms = Alarms()
  var quiet = Quiet()
  /// Events that a stage has let go of beside the one that it was given, the first first.
  private var departures: [Departure?] = []

  /// An event that leaves its place without anybody having withdrawn it.
  enum Departure {
    /// The event goes on behind this stage.
    case on(Item, Stage)
    case ends(Item, Ending)
  }

  // MARK: Places

  /// Lets an event wait.
  mutating func park(_ item: consuming Item, at standing: Item.Standing) {
    item.standing = standing
    if let deadline = item.deadline, standing != .speaking, !quiet.stopsTime(of: item) {
      alarms.set(.expiry(item.seq), at: deadline, by: item.seq)
    }
    restore(item)
  }

  /// Takes back an event whose alarms are there already.
  mutating func restore(_ item: consuming Item) {
    tally.count(item, 1)
    guard item.isInLine else {
      aside[item.seq] = item
      return
    }
    let row = Row(item)
    census.count(row, 1)
    var index = rows.count
    // Nearly all of them come in their order.
    while index > start, rows[index - 1].seq.number > row.seq.number { index -= 1 }
    if index == rows.count {
      rows.append(row)
      events.append(item)
    } else {
      rows.insert(row, at: index)
      events.insert(item, at: index)
    }
  }

  /// Takes an event from where it waits.
  mutating func withdraw(_ seq: Seq) -> Item? {
    if let index = index(of: seq) { return withdraw(at: index) }
    guard !aside.isEmpty, var item = aside.removeValue(forKey: seq) else { return nil }
    leave(&item)
    return item
  }

  private mutating func withdraw(at index: Int) -> Item? {
    guard var item = takeOut(at: index) else { return nil }
    leave(&item)
    return item
  }

  /// Takes an event out of the line, and closes the gap.
  private mutating func takeOut(at index: Int) -> Item? {
    census.count(rows[index], -1)
    let item = events[index].take()
    guard index - start < rows.count - index else {
      rows.remove(at: index)
      events.remove(at: index)
      return item
    }
    var free = index
    while free > start {
      rows[free] = rows[free - 1]
      events.swapAt(free, free - 1)
      free -= 1
    }
    start += 1
    if start > rows.count / 2 {
      rows.removeFirst(start)
      events.removeFirst(start)
      start = 0
    }
    return item
  }

  private mutating func leave(_ item: inout Item) {
    tally.count(item, -1)
    if item.kind == .status { hasStatusSettled = true }
    if item.deadline != nil { alarms.cancel(.expiry(item.seq)) }
    if item.standing == .held { alarms.cancel(.release(item.seq)) }
    if item.again != nil { alarms.cancel(.again(item.seq)) }
    item.standing = .moving
  }

  private func index(of seq: Seq) -> Int? {
    // Nearly all that are looked for in vain are about to come.
    guard let last = rows.last, seq <= last.seq else { return nil }
    if last.seq == seq { return rows.count - 1 }
    if rows[start].seq == seq { return start }
    var (low, high) = (start + 1, rows.count)
    // In a flood the second is looked for, or one that is gone since, which was in front of it.
    guard low < high, rows[low].seq <= seq else { return nil }
    if rows[low].seq == seq { return low }
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].seq.number < seq.number { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low].seq == seq ? low : nil
  }

  // MARK: Asking

  subscript(seq: Seq) -> Item? {
    if let index = index(of: seq) { return events[index] }
    return aside.isEmpty ? nil : aside[seq]
  }

  func holds(_ seq: Seq) -> Bool {
    index(of: seq) != nil || !aside.isEmpty && aside.index(forKey: seq) != nil
  }

  /// All that wait anywhere, in no order.
  var items: [Item] { aside.values + itemsInLine }

  var isEmpty: Bool { aside.isEmpty && rows.count == start }

  /// In their order.
  var seqs: [Seq] { (aside.keys + line.map(\.seq)).sorted() }

  /// The rows of the events in line, the oldest first.
  var line: ArraySlice<Row> { rows[start...] }

  /// The events in line, the oldest first.
  var itemsInLine: [Item] { events[start...].compactMap(\.self) }

  /// The event of a row, by the index of the row in `line`.
  func item(at index: Int) -> Item? { events[index] }

  /// The event of a key that waits for its turn, or for what comes before that, and has to give way
  /// to a newer one.
  func older(than item: Item, of key: Key) -> Seq? {
    guard item.again == nil else { return nil }
    let mark = item.appMark
    for index in start..<rows.count {
      guard rows[index].kind == item.kind, rows[index].appMark == mark,
        rows[index].seq < item.seq, let other = events[index], other.endsInOutcome,
        !other.isLastWord, item.isUrgent || !other.isUrgent, other.coalescingKey == key
      else { continue }
      return other.seq
    }
    return nil
  }

  // MARK: Changing where they stand

  /// Puts an event in the place of what it was before, where it waits for the same as before.
  mutating func replace(_ item: Item) {
    guard let old = self[item.seq] else { return }
    tally.count(old, -1)
    if let index = index(of: item.seq) {
      _ = takeOut(at: index)
    } else {
      aside[item.seq] = nil
    }
    restore(item)
    guard item.deadline != old.deadline, !quiet.stopsTime(of: item) else { return }
    alarms.cancel(.expiry(item.seq))
    if let deadline = item.deadline { alarms.set(.expiry(item.seq), at: deadline, by: item.seq) }
  }

  /// Changes what does not bear on the event's place.
  mutating func change(_ seq: Seq, _ body: (inout Item) -> Void) {
    if let index = index(of: seq) {
      if events[index] != nil { body(&events[index]!) }
    } else if let index = aside.index(forKey: seq) {
      body(&aside.values[index])
    }
  }

  /// Coalesces an event that has waited with a newer one of its key, which takes its place: the
  /// older one ends.
  mutating func coalesce(
    _ older: consuming Item,
    into newer: inout Item,
    rule: String,
    _ now: Instant
  ) {
    older.noteWait(until: now)
    newer.succeed(older)
    letEnd(older, Ending(.coalesced, by: newer.seq, rule: rule))
  }

  /// Counts an event that waits no more in the summary that another one carries.
  mutating func summarise(_ item: Item, in carrier: Seq) {
    guard let index = index(of: carrier) else {
      change(carrier) { _ = $0.takeIn(item) }
      return
    }
    guard events[index]?.takeIn(item) ?? false else { return }
    census.count(rows[index], -1)
    rows[index].becomeSummary()
    census.count(rows[index], 1)
  }

  // MARK: Once more

  /// Has an event spoken from its beginning as soon as somebody can: it was not its fault.
  ///
  /// Its time to start goes on, for it has to end though nobody comes; but it has a chance to.
  mutating func offerAgain(
    _ item: consuming Item,
    by: Seq?,
    within patience: TimeSpan,
    _ context: Context
  ) {
    item.again = Item.Again(by: by)
    item.rankOverride = item.offerRank
    let end = context.now + patience
    item.deadline = max(item.deadline ?? end, end)
    park(item, at: .queued)
  }

  /// An event that has cut others is over: from now on they have a while to begin anew.
  mutating func endCutter(_ seq: Seq, _ context: Context) {
    guard tally.cut > 0 else { return }
    for other in line.map(\.seq) where self[other]?.again?.cutter == seq {
      guard var item = withdraw(other) else { continue }
      item.again?.cutter = nil
      // A reading goes on, however late.
      if item.kind != .reading {
        item.again?.deadline = context.now + Bounds.again
        alarms.set(.again(other), at: context.now + Bounds.again, by: context.cause)
      }
      park(item, at: .queued)
    }
  }

  // MARK: Departures

  /// Lets an event go on behind the stage that it has waited in.
  mutating func release(_ item: consuming Item, behind stage: Stage) {
    departures.append(.on(item, stage))
  }

  mutating func letEnd(_ item: consuming Item, _ ending: Ending) {
    departures.append(.ends(item, ending))
  }

  /// Counts an event in the summary of another, and ends it.
  mutating func count(_ item: consuming Item, into carrier: Seq, rule: String) {
    summarise(item, in: carrier)
    letEnd(item, Ending(.summarised, by: carrier, rule: rule))
  }

  var departed: Int { departures.count }

  mutating func takeDeparture(at index: Int) -> Departure? {
    index < departures.count ? departures[index].take() : nil
  }

  mutating func forgetDepartures(from start: Int) {
    // Mostly it is one, and to take it out costs less than to empty an array of any size.
    while departures.count > start { departures.removeLast() }
  }
}

// MARK: - Room

extension WaitingQueue {
  /// Makes room for one more event that waits for its turn; the end of the event itself where there
  /// is none.
  mutating func makeRoom(for item: inout Item, _ context: Context) -> Ending? {
    if item.kind == .focus {
      makeFocusRoom(context)
      return nil
    }
    if item.kind == .reading {
      makeReadingRoom(for: item, context)
      return nil
    }
    if item.isUrgent, tally.high >= Bounds.pendingHighOfApp,
      census.count(Self.highs, of: item.appMark) >= Bounds.pendingHighOfApp
    {
      return countOldest(Self.highs, of: item.appMark, by: nil, for: &item)
    }
    // Each key has its own last value, which is counted only where there is no room at all.
    if item.isAnnouncement, item.priority == .low, !item.isKeyed,
      census.count(Self.lows) >= Bounds.pendingLow
    {
      let user = crowdingUser(Self.lows, with: item)
      return countOldest(Self.lows, of: item.appMark, by: user, for: &item)
    }
    guard tally.pending >= Bounds.pending else { return nil }
    // Who has most in line makes room, so that nobody takes it from others by having many apps.
    if let user = crowdingUser(nil, with: item) {
      for number in 0..<Sort.count where holdsVictim(Sort(number), by: user) {
        let isOwn = Sort(number).priority == .low && item.facts.uid == user
        return countOldest(Sort(number), of: isOwn ? item.appMark : nil, by: user, for: &item)
      }
    }
    for number in 0..<Sort.count where holdsVictim(Sort(number), by: nil) {
      let app = Sort(number).priority == .low ? item.appMark : nil
      return countOldest(Sort(number), of: app, by: nil, for: &item)
    }
    // Pages and screens cannot be counted, however many of them wait.
    guard !item.isUrgent else { return nil }
    item.noteWait(until: context.now)
    item.why.count = Int64(tally.pending)
    return Ending(.expired, by: nil, rule: .queueBound)
  }

  private static var highs: Sort { Sort(.high, isKeyed: false) }
  private static var lows: Sort { Sort(.low, isKeyed: false) }

  /// Counts the oldest of a sort: of an app, else of the app with most of them, else of all apps,
  /// of a user or of everybody.
  ///
  /// The end of the event that comes, where only one of its app waits, which counts it.
  private mutating func countOldest(
    _ sort: Sort,
    of app: Int?,
    by user: UInt32?,
    for item: inout Item
  ) -> Ending? {
    let count = Int64(census.count(sort))
    let own = app.flatMap { group(sort, of: $0, by: user) }
    if let own, own.victim == nil, item.isCountable, !item.isKeyed, item.priority == sort.priority {
      item.tell(count: count)
      summarise(item, in: own.carrier)
      return Ending(.summarised, by: own.carrier, rule: .queueBound)
    }
    var counted = own
    if own?.victim == nil {
      let crowded = user.map { crowd(sort, by: $0) } ?? crowd(sort)
      counted = group(sort, of: crowded, by: user)
    }
    if let counted, let index = counted.victim, var victim = withdraw(at: index) {
      victim.tell(count: count)
      self.count(victim, into: counted.carrier, rule: OwnRule.queueBound.name)
    }
    return nil
  }

  private mutating func makeFocusRoom(_ context: Context) {
    guard tally.focus >= Bounds.pendingFocus else { return }
    let oldest = line.firstIndex { $0.kind == .focus && $0.standing == .queued }
    guard var item = oldest.flatMap({ withdraw(at: $0) }) else { return }
    item.noteWait(until: context.now)
    letEnd(item, Ending(.superseded, by: context.cause, rule: item.treatment.rule))
  }

  /// Ends the oldest reading of a screen reader that has as many in line as it may.
  private mutating func makeReadingRoom(for item: Item, _ context: Context) {
    guard tally.readings >= Bounds.pendingReadings else { return }
    let own = (start..<rows.count).filter {
      rows[$0].kind == .reading && events[$0]?.conn == item.conn
    }
    guard own.count >= Bounds.pendingReadings, var oldest = withdraw(at: own[0]) else { return }
    oldest.noteWait(until: context.now)
    letEnd(oldest, Ending(.summarised, by: item.seq, rule: .queueBound))
  }

  /// Those that may be counted in one summary.
  struct Group {
    /// Has the summary, or gets it: the oldest.
    var carrier: Seq
    /// The index of the oldest that is not in it yet; nil where there is none.
    var victim: Int?
  }

  /// Those of a sort and an app, or of all apps of a user, or of everybody; nil where there are
  /// none.
  func group(_ sort: Sort, of app: Int?, by user: UInt32?) -> Group? {
    // A summary is counted among those without a key.
    guard census.count(sort.unkeyed) > 0 || census.count(sort) > 0 else { return nil }
    var summary: Int?
    var first: Int?
    var second: Int?
    for index in start..<rows.count {
      if let app, rows[index].appMark != app { continue }
      if let user, rows[index].uid != user { continue }
      // A summary takes in keyed ones, too.
      let isCarrier = rows[index].isSummary && rows[index].sort?.priority == sort.priority
      guard isCarrier || rows[index].sort == sort else { continue }
      if isCarrier, summary == nil { summary = index }
      if first == nil { first = index } else if second == nil { second = index }
      if summary != nil, second != nil { break }
    }
    guard let first else { return nil }
    let carrier = summary ?? first
    return Group(carrier: rows[carrier].seq, victim: carrier == first ? second : first)
  }

  /// Whether one of a sort can be counted in the summary of another, of a user or of everybody.
  private func holdsVictim(_ sort: Sort, by user: UInt32?) -> Bool {
    if user != nil { return group(sort, of: nil, by: user)?.victim != nil }
    // Summaries are counted among those without a key, so that their number tells all there is.
    return sort.isKeyed
      ? census.count(sort) > 0 && group(sort, of: nil, by: nil)?.victim != nil
      : census.count(sort) > 1
  }

  /// The app that most of a sort wait of, if that is more than one; of several the one that has
  /// waited longest.
  func crowd(_ sort: Sort) -> Int? {
    let (most, app) = census.crowd(sort)
    guard most > 1 else { return nil }
    if let app { return app }
    return line.first { $0.sort == sort && census.count(sort, of: $0.appMark) == most }?.appMark
  }

  /// The same among the apps of a user.
  private func crowd(_ sort: Sort, by user: UInt32) -> Int? {
    var (most, app) = (1, Int?.none)
    for row in line where row.uid == user && row.sort == sort {
      let count = census.count(sort, of: row.appMark)
      if count > most { (most, app) = (count, row.appMark) }
    }
    return app
  }

  /// The user of whom most wait, of a sort or of all, together with the one that comes; of several
  /// the one who has waited longest, and nil where all are of one user.
  private func crowdingUser(_ sort: Sort?, with item: Item) -> UInt32? {
    guard census.hasOther(than: item.facts.uid) else { return nil }
    var counts = [item.facts.uid: 1]
    for row in line where sort.map({ row.sort == $0 }) ?? (row.kind != .reading) {
      counts[row.uid, default: 0] += 1
    }
    let most = counts.values.max()
    return line.first { counts[$0.uid] == most }?.uid
  }

  /// How many there are of a sort, of all apps or of one.
  func count(_ sort: Sort, of app: Int? = nil) -> Int {
    app.map { census.count(sort, of: $0) } ?? census.count(sort)
  }
}

// MARK: - Numbers

extension WaitingQueue {
  /// All that the line is asked of an event.
  struct Row: Sendable {
    let seq: Seq
    let rank: Int64
    /// Its place among those of its rank.
    let order: Seq
    /// Tells apps apart, nearly always.
    let appMark: Int
    let uid: UInt32
    let action: Seq?
    let standing: Item.Standing
    let kind: Item.Kind
    /// Nil where no summary may tell it.
    private(set) var sort: Sort?
    let isFeedback: Bool
    let isSilent: Bool
    private(set) var isSummary: Bool

    fileprivate init(_ item: borrowing Item) {
      seq = item.seq
      rank = item.rank
      appMark = item.appMark
      uid = item.facts.uid
      action = item.action
      standing = item.standing
      kind = item.kind
      order = item.place
      let isCountable = item.isCountable && item.standing != .held
      sort = isCountable ? Sort(item.priority, isKeyed: item.isKeyed) : nil
      isFeedback = item.isFeedback
      isSilent = item.isSilent
      isSummary = item.isSummary
    }

    func isBefore(_ other: Row) -> Bool {
      rank != other.rank ? rank < other.rank : order.number < other.order.number
    }

    /// It has come to stand for others, too, and is no last value of a key any more.
    fileprivate mutating func becomeSummary() {
      isSummary = true
      sort = sort?.unkeyed
    }
  }

  /// The events that one summary may tell: of a priority, the last values of keys or all else.
  struct Sort: Equatable, Sendable {
    /// In the order in which they are counted where there is no room.
    fileprivate let number: Int8

    fileprivate static var count: Int8 { 6 }

    fileprivate init(_ number: Int8) { self.number = number }

    init(_ priority: Priority, isKeyed: Bool) {
      let first: Int8 =
        switch priority {
        case .low: 0
        case .default: 2
        case .high: 4
        }
      number = isKeyed ? first + 1 : first
    }

    var priority: Priority { number < 2 ? .low : number < 4 ? .default : .high }
    var isKeyed: Bool { number & 1 != 0 }
    fileprivate var unkeyed: Sort { Sort(number & ~1) }
  }

  /// How many events in line there are of each sort, of all apps and of each.
  private struct Census: Sendable {
    private typealias Counts = InlineArray<6, Int>

    private struct App {
      let mark: Int
      let uid: UInt32
      var waiting = 0
      var counts = Counts(repeating: 0)
    }

    private var all = Counts(repeating: 0)
    /// The apps of which anything waits; on most machines they are all of one user.
    private var apps: [App] = []

    /// Counts an event that comes or leaves.
    mutating func count(_ row: Row, _ step: Int) {
      // A reading takes no room from anybody.
      guard row.kind != .reading else { return }
      var index = 0
      while index < apps.count, apps[index].mark != row.appMark { index += 1 }
      if index == apps.count { apps.append(App(mark: row.appMark, uid: row.uid)) }
      apps[index].waiting += step
      if let sort = row.sort {
        all[Int(sort.number)] += step
        apps[index].counts[Int(sort.number)] += step
      }
      if apps[index].waiting == 0 { apps.remove(at: index) }
    }

    /// Whether anything waits of another user.
    func hasOther(than uid: UInt32) -> Bool { apps.contains { $0.uid != uid } }

    func count(_ sort: Sort) -> Int { all[Int(sort.number)] }

    func count(_ sort: Sort, of app: Int) -> Int {
      for index in apps.indices where apps[index].mark == app {
        return apps[index].counts[Int(sort.number)]
      }
      return 0
    }

    /// The most that wait of one app, and that app, if it is the only one with so many.
    func crowd(_ sort: Sort) -> (most: Int, app: Int?) {
      var most = 0
      var app: Int?
      for index in apps.indices {
        let count = apps[index].counts[Int(sort.number)]
        if count == most { app = nil }
        if count > most { (most, app) = (count, apps[index].mark) }
      }
      return (most, app)
    }
  }

  /// How many events wait for what.
  struct Tally: Sendable, Equatable {
    /// Those in line.
    var pending = 0
    /// Those that wait for their turn; and those of them that say nothing.
    var queued = 0
    var silent = 0
    var low = 0
    var high = 0
    var focus = 0
    /// The words of screen readers, which stand beside all others.
    var readings = 0
    /// A reader's words about itself that have not come to rest.
    var status = 0
    /// Events that were cut, as long as the event that has cut them is not over.
    var cut = 0

    fileprivate mutating func count(_ item: borrowing Item, _ step: Int) {
      if item.standing == .queued {
        queued += step
        if item.isSilent { silent += step }
        if item.again?.cutter != nil { cut += step }
      }
      switch item.standing {
      case .held, .limited, .queued:
        guard item.kind != .reading else {
          readings += step
          return
        }
        pending += step
        if item.isAnnouncement, item.priority == .high { high += step }
        if item.kind == .focus { focus += step }
        if item.isAnnouncement, item.priority == .low { low += step }
      case .coalescing: if item.kind == .status { status += step }
      case .busy, .storm, .moving, .speaking: break
      }
    }
  }
}

extension Item {
  /// Tells how many there were where a bound was met, and nothing of what was met before.
  fileprivate mutating func tell(count: Int64) {
    self.why.clear()
    self.why.count = count
  }
}
