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

    func isBefore(_ other: Place) -> Bool {
      rank != other.rank ? rank < other.rank : order.number < other.order.number
    }

    fileprivate mutating func becomeSummary() {
      isSummary = true
      isKeyed = false
    }
  }

  private(set) var places: [Place] = []
  /// How many may be counted, of all apps.
  private var countable = Counts()

  mutating func join(_ item: Item) {
    let place = Place(item)
    countable[place] += 1
    var index = places.count
    // Nearly all of them come in their order.
    while index > 0, places[index - 1].seq.number > place.seq.number { index -= 1 }
    if index == places.count { places.append(place) } else { places.insert(place, at: index) }
  }

  mutating func leave(_ seq: Seq) {
    guard let index = index(of: seq) else { return }
    let place = places.remove(at: index)
    countable[place] -= 1
  }

  /// One of those that wait has come to stand for others, too.
  mutating func noteSummary(_ seq: Seq) {
    guard let index = index(of: seq) else { return }
    countable[places[index]] -= 1
    places[index].becomeSummary()
    countable[places[index]] += 1
  }

  private func index(of seq: Seq) -> Int? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].seq.number < seq.number { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].seq.number == seq.number ? low : nil
  }

  // MARK: Asking

  func oldest(where isMeant: (Place) -> Bool) -> Place? { places.first(where: isMeant) }

  /// The events that one summary may tell: of a priority, the last values of keys or all else.
  struct Sort: Equatable {
    let priority: Priority
    let isKeyed: Bool

    fileprivate var number: Int {
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
  func count(_ sort: Sort) -> Int { countable[sort] }

  /// How many of a sort wait of an app.
  func count(_ sort: Sort, of app: Int) -> Int {
    guard countable[sort] > 0 else { return 0 }
    return places.count { $0.appMark == app && sort.means($0) }
  }

  /// Those that may be counted in one summary.
  struct Group {
    /// Has the summary, or gets it: the oldest.
    var carrier: Seq
    /// The oldest that is not in it yet; nil where there is none.
    var victim: Seq?
  }

  /// Those of a sort and an app, or of all apps; nil where there are none.
  func group(_ sort: Sort, of app: Int?) -> Group? {
    var summary: Seq?
    var first: Seq?
    var second: Seq?
    let places = self.places.span
    for index in places.indices {
      if let app, places[index].appMark != app { continue }
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

  /// The app that most of a sort wait of, if that is more than one; of several the one that has
  /// waited longest.
  func crowd(_ sort: Sort) -> Int? {
    var most: (app: Int, count: Int)?
    for place in places where sort.means(place) && place.appMark != most?.app {
      let count = places.count { $0.appMark == place.appMark && sort.means($0) }
      if count > max(1, most?.count ?? 1) { most = (place.appMark, count) }
    }
    return most?.app
  }

  /// How many there are of each sort.
  private struct Counts {
    private var counts = [Int](repeating: 0, count: 2 * Priority.allCases.count)

    subscript(sort: Sort) -> Int { counts[sort.number] }

    /// The count of the sort of a place; an event that cannot be counted is of no sort.
    subscript(place: Place) -> Int {
      get { place.countable.map { self[Sort(priority: $0, isKeyed: place.isKeyed)] } ?? 0 }
      set {
        guard let priority = place.countable else { return }
        counts[Sort(priority: priority, isKeyed: place.isKeyed).number] = newValue
      }
    }
  }
}
