// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// How much may wait for its turn. Beyond that the oldest are counted, and nothing is dropped
// uncounted.
extension Waiting {
  /// Makes room for one more event that waits for its turn; the end of the event itself where there
  /// is none.
  mutating func makeRoom(for item: Item, _ context: Context) -> Ending? {
    if item.kind == .focus {
      makeFocusRoom(context)
      return nil
    }
    if item.isUrgent, tally.high >= Bounds.pendingHighOfApp,
      line.count(Self.highs, of: item.appMark) >= Bounds.pendingHighOfApp
    {
      return countOldest(Self.highs, of: item.appMark, by: nil, with: item)
    }
    // Each key has its own last value, which is counted only where there is no room at all.
    if item.isAnnouncement, item.priority == .low, !item.isKeyed,
      line.count(Self.lows) >= Bounds.pendingLow
    {
      let user = line.crowdingUser(Self.lows, with: item)
      return countOldest(Self.lows, of: item.appMark, by: user, with: item)
    }
    guard tally.pending >= Bounds.pending else { return nil }
    // Who has most in line makes room, so that nobody takes it from others by having many apps.
    if let user = line.crowdingUser(nil, with: item) {
      for sort in Self.sorts where line.holdsVictim(sort, by: user) {
        let isOwn = sort.priority == .low && item.facts.uid == user
        return countOldest(sort, of: isOwn ? item.appMark : nil, by: user, with: item)
      }
    }
    for sort in Self.sorts where line.holdsVictim(sort, by: nil) {
      let app = sort.priority == .low ? item.appMark : nil
      return countOldest(sort, of: app, by: nil, with: item)
    }
    // Pages and screens cannot be counted, however many of them wait.
    guard !item.isUrgent else { return nil }
    var why = item.waited(until: context.now)
    why.count = Int64(tally.pending)
    return Ending(.expired, by: nil, rule: .queueBound, why)
  }

  private static var highs: Line.Sort { Line.Sort(priority: .high, isKeyed: false) }
  private static var lows: Line.Sort { Line.Sort(priority: .low, isKeyed: false) }

  /// The sorts in the order in which they are counted.
  private static let sorts = [Priority.low, .default, .high].flatMap { priority in
    [false, true].map { Line.Sort(priority: priority, isKeyed: $0) }
  }

  /// Counts the oldest of a sort: of an app, else of the app with most of them, else of all apps,
  /// of a user or of everybody.
  ///
  /// The end of the event that comes, where only one of its app waits, which counts it.
  private mutating func countOldest(
    _ sort: Line.Sort,
    of app: Int?,
    by user: UInt32?,
    with item: Item
  ) -> Ending? {
    var why = Why()
    why.count = Int64(line.count(sort))
    let own = app.flatMap { line.group(sort, of: $0, by: user) }
    if let own, let victim = own.victim.flatMap({ withdraw($0) }) {
      count(victim, into: own.carrier, rule: OwnRule.queueBound.name, consume why)
      return nil
    }
    if let own, item.isCountable, !item.isKeyed, item.priority == sort.priority {
      summarise(item, in: own.carrier)
      return Ending(.summarised, by: own.carrier, rule: .queueBound, consume why)
    }
    let crowd = user.map { line.crowd(sort, by: $0) } ?? line.crowd(sort)
    guard let group = line.group(sort, of: crowd, by: user),
      let victim = group.victim.flatMap({ withdraw($0) })
    else { return nil }
    count(victim, into: group.carrier, rule: OwnRule.queueBound.name, consume why)
    return nil
  }

  private mutating func makeFocusRoom(_ context: Context) {
    guard tally.focus >= Bounds.pendingFocus else { return }
    let oldest = line.oldest { $0.kind == .focus && $0.standing == .queued }
    guard let item = oldest.flatMap({ withdraw($0.seq) }) else { return }
    let why = item.waited(until: context.now)
    letEnd(item, Ending(.superseded, by: context.cause, rule: item.treatment.rule, why))
  }
}
