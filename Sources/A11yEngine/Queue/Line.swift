// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The events that wait for their turn, in no order: which is next is told by their ranks and seqs.
///
/// Of each there is as much as it takes to see which is next: in a flood all of them are looked at for
/// every event that comes.
struct Line: Sendable {
  struct Place: Sendable {
    let seq: Seq
    let rank: Int64
    let stage: Item.Stage
    let kind: Item.Kind
    /// The number of its priority, if it may be counted in the summary of another.
    fileprivate let countedWeight: Int64?
    let isFeedback: Bool
    let isSilent: Bool
    let action: Seq?
    /// Tells apps apart, nearly always.
    let appMark: Int
    fileprivate(set) var isSummary: Bool

    fileprivate init(_ item: Item.Content) {
      seq = item.seq
      rank = item.rank
      stage = item.stage
      kind = item.kind
      let mayBeCounted = item.isAnnouncement && item.again == nil && item.stage != .held
      countedWeight = mayBeCounted ? item.priority.weight : nil
      isFeedback = item.isFeedback
      isSilent = item.isSilent
      action = item.action
      appMark = item.appMark
      isSummary = item.summary != nil
    }

    func isBefore(_ other: Place) -> Bool {
      rank != other.rank ? rank < other.rank : seq.number < other.seq.number
    }

    /// Whether it may be counted in the summary of another.
    func mayBeCounted(_ weight: Int64) -> Bool {
      countedWeight == weight
    }
  }

  private(set) var places: [Place] = []

  mutating func join(_ item: Item) { item.withContent { places.append(Place($0)) } }

  mutating func leave(_ seq: Seq) {
    let place = places.firstIndex { $0.seq.number == seq.number }
    guard let place else { return }
    places.swapAt(place, places.count - 1)
    places.removeLast()
  }

  /// One of those that wait has come to stand for others, too.
  mutating func noteSummary(_ seq: Seq) {
    if let place = places.firstIndex(where: { $0.seq == seq }) { places[place].isSummary = true }
  }

  // MARK: Asking

  /// The oldest of those that are meant; who came to the line first need not be it.
  func oldest(where isMeant: (Place) -> Bool) -> Place? {
    var oldest: Place?
    for place in places where isMeant(place) {
      if let known = oldest, known.seq.number < place.seq.number { continue }
      oldest = place
    }
    return oldest
  }

  /// Those of an app that may be counted in one summary.
  struct Group {
    /// How many there are, of other apps too.
    var all: Int64 = 0
    /// Has the summary, or gets it: the oldest.
    var carrier: Seq?
    /// The oldest that is not in it yet.
    var victim: Seq?
  }

  func group(of app: Int, _ priority: Priority) -> Group {
    let weight = priority.weight
    var group = Group()
    var (summary, first, second) = (Int64.max, Int64.max, Int64.max)
    for index in places.indices where places[index].mayBeCounted(weight) {
      group.all += 1
      guard places[index].appMark == app else { continue }
      let number = places[index].seq.number
      if places[index].isSummary { summary = min(summary, number) }
      if number < first {
        (first, second) = (number, first)
      } else {
        second = min(second, number)
      }
    }
    guard first < .max else { return group }
    let carrier = summary < .max ? summary : first
    let victim = carrier == first ? second : first
    group.carrier = Seq(carrier)
    if victim < .max { group.victim = Seq(victim) }
    return group
  }

  /// Of the apps that more than one waits of, the one that has waited longest.
  func crowd(_ priority: Priority) -> Group? {
    let weight = priority.weight
    let crowded = oldest { one in
      one.mayBeCounted(weight)
        && places.count { $0.appMark == one.appMark && $0.mayBeCounted(weight) } > 1
    }
    return crowded.map { group(of: $0.appMark, priority) }
  }
}
