// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The events that wait for their turn, the oldest first; which is next is told by their ranks.
///
/// Of each there is as much as it takes to see which is next: in a flood many of them are looked at
/// for every event that comes.
struct Line: Sendable {
  struct Place: Sendable {
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
    /// Its priority, if it may be told in a summary.
    let countable: Priority?
    /// It is the last value of its key, which is counted only where nothing else can be.
    private(set) var isKeyed: Bool
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
      countable = item.isCountable && item.standing != .held ? item.priority : nil
      isKeyed = item.isKeyed
      isFeedback = item.isFeedback
      isSilent = item.isSilent
      isSummary = item.summary != nil
    }

    /// Nil where no summary may tell it.
    var sort: Sort? { countable.map { Sort(priority: $0, isKeyed: isKeyed) } }

    func isBefore(_ other: Place) -> Bool {
      rank != other.rank ? rank < other.rank : order.number < other.order.number
    }

    fileprivate mutating func becomeSummary() {
      isSummary = true
      isKeyed = false
    }
  }

  /// The places, behind some that are free: most events leave near the front, and the few places
  /// in front of theirs are moved, not the many behind it.
  private var store: [Place] = []
  private var start = 0
  private var census = Census()

  var places: ArraySlice<Place> { store[start...] }

  mutating func join(_ item: Item) {
    let place = Place(item)
    census.count(place, 1)
    var index = store.count
    // Nearly all of them come in their order.
    while index > start, store[index - 1].seq.number > place.seq.number { index -= 1 }
    if index == store.count { store.append(place) } else { store.insert(place, at: index) }
  }

  mutating func leave(_ seq: Seq) {
    guard let index = index(of: seq) else { return }
    census.count(store[index], -1)
    guard index - start < store.count - index else {
      store.remove(at: index)
      return
    }
    var free = index
    while free > start {
      store[free] = store[free - 1]
      free -= 1
    }
    start += 1
    if start > store.count / 2 {
      store.removeFirst(start)
      start = 0
    }
  }

  /// One of those that wait has come to stand for others, too.
  mutating func noteSummary(_ seq: Seq) {
    guard let index = index(of: seq) else { return }
    census.count(store[index], -1)
    store[index].becomeSummary()
    census.count(store[index], 1)
  }

  private func index(of seq: Seq) -> Int? {
    var (low, high) = (start, store.count)
    // In a flood the second is counted in the summary of the first.
    if high - low > 2, store[low + 1].seq == seq { return low + 1 }
    while low < high {
      let middle = (low + high) / 2
      if store[middle].seq.number < seq.number { low = middle + 1 } else { high = middle }
    }
    return low < store.count && store[low].seq.number == seq.number ? low : nil
  }

  // MARK: Asking

  func oldest(where isMeant: (Place) -> Bool) -> Place? { places.first(where: isMeant) }

  /// The events that one summary may tell: of a priority, the last values of keys or all else.
  struct Sort: Equatable {
    let priority: Priority
    let isKeyed: Bool

    /// The number of the sort in a census.
    var number: Int {
      let first =
        switch priority {
        case .low: 0
        case .default: 2
        case .high: 4
        }
      return isKeyed ? first + 1 : first
    }

    fileprivate func means(_ place: Place) -> Bool {
      place.countable == priority && place.isKeyed == isKeyed
    }
  }

  /// How many there are of a sort, of all apps.
  func count(_ sort: Sort) -> Int { census.all[sort.number] }

  /// How many of a sort wait of an app.
  func count(_ sort: Sort, of app: Int) -> Int { census.count(sort, of: app) }

  /// Those that may be counted in one summary.
  struct Group {
    /// Has the summary, or gets it: the oldest.
    var carrier: Seq
    /// The oldest that is not in it yet; nil where there is none.
    var victim: Seq?
  }

  /// Those of a sort and an app, or of all apps of a user, or of everybody; nil where there are
  /// none.
  func group(_ sort: Sort, of app: Int?, by user: UInt32?) -> Group? {
    var summary: Seq?
    var first: Seq?
    var second: Seq?
    // A summary is counted among those without a key.
    let unkeyed = Sort(priority: sort.priority, isKeyed: false)
    guard count(unkeyed) > 0 || count(sort) > 0 else { return nil }
    let places = store.span
    for index in start..<places.count {
      if let app, places[index].appMark != app { continue }
      if let user, places[index].uid != user { continue }
      // A summary takes in keyed ones, too.
      let isCarrier = places[index].isSummary && places[index].countable == sort.priority
      guard isCarrier || sort.means(places[index]) else { continue }
      let seq = places[index].seq
      if isCarrier, summary == nil { summary = seq }
      if first == nil { first = seq } else if second == nil { second = seq }
      if summary != nil, second != nil { break }
    }
    guard let first else { return nil }
    let carrier = summary ?? first
    return Group(carrier: carrier, victim: carrier == first ? second : first)
  }

  /// Whether one of a sort can be counted in the summary of another, of a user or of everybody.
  func holdsVictim(_ sort: Sort, by user: UInt32?) -> Bool {
    if user != nil { return group(sort, of: nil, by: user)?.victim != nil }
    // Summaries are counted among those without a key, so that their number tells all there is.
    return sort.isKeyed
      ? count(sort) > 0 && group(sort, of: nil, by: nil)?.victim != nil
      : count(sort) > 1
  }

  /// The app that most of a sort wait of, if that is more than one; of several the one that has
  /// waited longest.
  func crowd(_ sort: Sort) -> Int? {
    let (most, app) = census.crowd(sort)
    guard most > 1 else { return nil }
    if let app { return app }
    return oldest { sort.means($0) && census.count(sort, of: $0.appMark) == most }?.appMark
  }

  /// The same among the apps of a user.
  func crowd(_ sort: Sort, by user: UInt32) -> Int? {
    var (most, app) = (1, Int?.none)
    for place in places where place.uid == user && sort.means(place) {
      let count = census.count(sort, of: place.appMark)
      if count > most { (most, app) = (count, place.appMark) }
    }
    return app
  }

  /// The user of whom most wait, of a sort or of all, together with the one that comes; of several
  /// the one who has waited longest, and nil where all are of one user.
  func crowdingUser(_ sort: Sort?, with item: Item) -> UInt32? {
    guard places.contains(where: { $0.uid != item.facts.uid }) else { return nil }
    var counts = [item.facts.uid: 1]
    for place in places where sort?.means(place) ?? true { counts[place.uid, default: 0] += 1 }
    let most = counts.values.max()
    return oldest { counts[$0.uid] == most }?.uid
  }
}
