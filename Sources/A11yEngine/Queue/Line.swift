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
    /// Tells apps apart, nearly always.
    let appMark: Int
    let action: Seq?
    let stage: Item.Stage
    let kind: Item.Kind
    /// Its priority, if it may be counted in the summary of another.
    fileprivate let counted: Priority?
    let isFeedback: Bool
    let isSilent: Bool
    fileprivate(set) var isSummary: Bool

    fileprivate init(_ item: borrowing Item) {
      seq = item.seq
      rank = item.rank
      appMark = item.appMark
      action = item.action
      stage = item.stage
      kind = item.kind
      let mayBeCounted = item.isAnnouncement && item.again == nil && item.stage != .held
      counted = mayBeCounted ? item.priority : nil
      isFeedback = item.isFeedback
      isSilent = item.isSilent
      isSummary = item.summary != nil
    }

    func isBefore(_ other: Place) -> Bool {
      rank != other.rank ? rank < other.rank : seq.number < other.seq.number
    }

    /// Whether it may be counted in the summary of another.
    func mayBeCounted(_ priority: Priority) -> Bool {
      counted == priority
    }
  }

  private(set) var places: [Place] = []
  /// How many may be counted, of all apps.
  private var countable = PerPriority()

  mutating func join(_ item: Item) {
    let place = Place(item)
    if let priority = place.counted { countable[priority] += 1 }
    var index = places.count
    // Nearly all of them come in their order.
    while index > 0, places[index - 1].seq.number > place.seq.number { index -= 1 }
    if index == places.count { places.append(place) } else { places.insert(place, at: index) }
  }

  mutating func leave(_ seq: Seq) {
    guard let index = index(of: seq) else { return }
    let place = places.remove(at: index)
    if let priority = place.counted { countable[priority] -= 1 }
  }

  /// One of those that wait has come to stand for others, too.
  mutating func noteSummary(_ seq: Seq) {
    if let index = index(of: seq) { places[index].isSummary = true }
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

  func countable(_ priority: Priority) -> Int { countable[priority] }

  /// Those of an app that may be counted in one summary.
  struct Group {
    /// Has the summary, or gets it: the oldest.
    var carrier: Seq?
    /// The oldest that is not in it yet.
    var victim: Seq?
  }

  func group(of app: Int, _ priority: Priority) -> Group {
    var summary: Seq?
    var first: Seq?
    var second: Seq?
    let places = self.places.span
    for index in places.indices
    where places[index].appMark == app && places[index].mayBeCounted(priority) {
      let seq = places[index].seq
      if places[index].isSummary, summary == nil { summary = seq }
      if first == nil { first = seq } else if second == nil { second = seq }
      if summary != nil, second != nil { break }
    }
    let carrier = summary ?? first
    return Group(carrier: carrier, victim: carrier == first ? second : first)
  }

  /// Of the apps that more than one waits of, the one that has waited longest.
  func crowd(_ priority: Priority) -> Group? {
    let crowded = oldest { one in
      one.mayBeCounted(priority)
        && places.count { $0.appMark == one.appMark && $0.mayBeCounted(priority) } > 1
    }
    return crowded.map { group(of: $0.appMark, priority) }
  }

  private struct PerPriority {
    private var low = 0
    private var `default` = 0
    private var high = 0

    subscript(priority: Priority) -> Int {
      get {
        switch priority {
        case .low: low
        case .default: `default`
        case .high: high
        }
      }
      set {
        switch priority {
        case .low: low = newValue
        case .default: `default` = newValue
        case .high: high = newValue
        }
      }
    }
  }
}
