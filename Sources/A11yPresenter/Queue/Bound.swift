// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// How much may wait for its turn. Beyond that the oldest are counted, and nothing is dropped uncounted.
extension Presenter {
  /// Makes room for one more that waits for its turn; false where it was counted itself.
  mutating func makeRoom(for item: Item) -> Bool {
    if item.kind == .focus { return makeFocusRoom() }
    if isUrgent(item), tally.high >= Bounds.pendingHighOfApp,
      line.count(Self.highs, of: item.appMark) >= Bounds.pendingHighOfApp
    {
      return countOldest(Self.highs, of: item.appMark, with: item)
    }
    // Each key has its own last value, which is counted only where there is no room at all.
    if item.isAnnouncement, item.priority == .low, !item.isKeyed,
      line.count(Self.lows) >= Bounds.pendingLow
    {
      return countOldest(Self.lows, of: item.appMark, with: item)
    }
    guard tally.pending >= Bounds.pending else { return true }
    for sort in Self.sorts where line.group(sort, of: nil)?.victim != nil {
      let app = sort.priority == .low ? item.appMark : nil
      return countOldest(sort, of: app, with: item)
    }
    // Nothing that waits can be counted, as many pages and screens cannot.
    guard !isUrgent(item) else { return true }
    var why = waited(item)
    why.count = Int64(tally.pending)
    settle(item, .expired, by: nil, rule: Self.queueBound, why)
    return false
  }

  private static var highs: Line.Sort { Line.Sort(priority: .high, isKeyed: false) }
  private static var lows: Line.Sort { Line.Sort(priority: .low, isKeyed: false) }

  /// What is counted before what.
  private static let sorts = [Priority.low, .default, .high].flatMap { priority in
    [false, true].map { Line.Sort(priority: priority, isKeyed: $0) }
  }

  /// Counts the oldest of a sort: of an app, else of the app with most of them, else of all apps.
  ///
  /// False where the one that comes was counted itself, as only one of its app waits.
  private mutating func countOldest(_ sort: Line.Sort, of app: Int?, with item: Item) -> Bool {
    var why = Why()
    why.count = Int64(line.count(sort))
    let own = app.flatMap { line.group(sort, of: $0) }
    if let own, let victim = own.victim.flatMap({ unpark($0) }) {
      count(victim, into: own.carrier, rule: Self.queueBound, consume why)
      return true
    }
    if let own, item.isCountable, !item.isKeyed, item.priority == sort.priority {
      count(item, into: own.carrier, rule: Self.queueBound, consume why)
      return false
    }
    guard let group = line.group(sort, of: line.crowd(sort)),
      let victim = group.victim.flatMap({ unpark($0) })
    else { return true }
    count(victim, into: group.carrier, rule: Self.queueBound, consume why)
    return true
  }

  /// Counts an event that does not wait any more in the summary that another one carries.
  mutating func count(_ item: consuming Item, into carrier: Seq, rule: String, _ why: consuming Why)
  {
    guard let place = items.index(forKey: carrier) else { return }
    let there = item.summary ?? Item.Summary(count: 1, from: item.seq, to: item.seq)
    let isNew = items.values[place].summary == nil
    var summary =
      items.values[place].summary ?? Item.Summary(count: 1, from: carrier, to: carrier)
    summary.add(there)
    if item.app != items.values[place].app { summary.add(item.app) }
    items.values[place].summary = summary
    if isNew { line.noteSummary(carrier) }
    // It is worth saying as long as the youngest that it counts.
    if let life = items.values[place].deadline {
      items.values[place].deadline = item.deadline.map { max(life, $0) }
    }
    settle(item, .summarised, by: carrier, rule: rule, consume why)
  }

  private mutating func makeFocusRoom() -> Bool {
    guard tally.focus >= Bounds.pendingFocus else { return true }
    let oldest = line.oldest { $0.kind == .focus && $0.stage == .queued }
    if let oldest = oldest.flatMap({ items[$0.seq] }) {
      settle(oldest.seq, .superseded, by: cause, rule: oldest.treatment.rule, waited(oldest))
    }
    return true
  }

  static var queueBound: String { "queue bound" }
}
