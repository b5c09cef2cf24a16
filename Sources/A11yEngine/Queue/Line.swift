// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The events that wait for their turn, in the order in which they came to it.
///
/// Of each there is as much as it takes to see which is next: in a flood all of them are looked at for
/// every event that comes.
struct Line: Sendable {
  struct Place: Sendable {
    let seq: Seq
    let rank: Int64
    let stage: Item.Stage
    let kind: Item.Kind
    /// Its priority, as a number.
    let weight: Int64
    let isAnnouncement: Bool
    let isFeedback: Bool
    let isSilent: Bool
    let isAgain: Bool
    let action: Seq?
    /// Tells apps apart, nearly always.
    let appMark: UInt64
    fileprivate(set) var isSummary: Bool

    fileprivate init(_ item: Item) {
      seq = item.seq
      rank = item.rank
      stage = item.stage
      kind = item.kind
      weight = item.priority.weight
      isAnnouncement = item.isAnnouncement
      isFeedback = item.isFeedback
      isSilent = item.isSilent
      isAgain = item.again != nil
      action = item.action
      appMark = item.app.mark
      isSummary = item.summary != nil
    }

    func isBefore(_ other: Place) -> Bool {
      rank != other.rank ? rank < other.rank : seq.number < other.seq.number
    }

    /// Whether it may be counted in the summary of another.
    func mayBeCounted(_ weight: Int64) -> Bool {
      isAnnouncement && self.weight == weight && !isAgain && stage != .held
    }
  }

  private(set) var places: [Place] = []

  mutating func join(_ item: Item) { places.append(Place(item)) }

  mutating func leave(_ seq: Seq) {
    let place = places.firstIndex { $0.seq.number == seq.number }
    if let place { places.remove(at: place) }
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

  func group(of app: UInt64, _ priority: Priority) -> Group {
    let weight = priority.weight
    var group = Group()
    var (summary, first, second) = (Int64.max, Int64.max, Int64.max)
    for place in places where place.mayBeCounted(weight) {
      group.all += 1
      guard place.appMark == app else { continue }
      let number = place.seq.number
      if place.isSummary { summary = min(summary, number) }
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

extension AppKey {
  /// A number that other apps nearly never have.
  var mark: UInt64 {
    var mark = UInt64(uid) &* 0x9e37_79b9_7f4a_7c15
    for unit in app.text.utf8 { mark = (mark ^ UInt64(unit)) &* 0x0000_0100_0000_01b3 }
    return mark
  }
}
