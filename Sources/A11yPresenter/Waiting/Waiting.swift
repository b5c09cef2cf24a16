// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The events that have no outcome yet and are not being spoken, with their alarms.
///
/// An event is parked at one place and withdrawn from it; between the two it is on its way.
struct Waiting: Sendable {
  private(set) var items: [Seq: Item] = [:]
  /// The events that wait for their turn, the oldest first.
  private(set) var line = Line()
  private(set) var tally = Tally()
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
    admit(item)
    if let deadline = item.deadline, standing != .speaking, !quiet.stopsTime(of: item) {
      alarms.set(.expiry(item.seq), at: deadline, by: item.seq)
    }
    let seq = item.seq
    items[seq] = consume item
  }

  /// Takes back an event whose alarms are there already.
  mutating func restore(_ item: Item) {
    admit(item)
    items[item.seq] = item
  }

  private mutating func admit(_ item: borrowing Item) {
    tally.count(item, 1)
    if item.isInLine { line.join(item) }
  }

  /// Takes an event from where it waits.
  mutating func withdraw(_ seq: Seq) -> Item? {
    guard var item = items.removeValue(forKey: seq) else { return nil }
    tally.count(item, -1)
    if item.kind == .status { hasStatusSettled = true }
    if item.isInLine { line.leave(seq) }
    if item.deadline != nil { alarms.cancel(.expiry(seq)) }
    if item.standing == .held { alarms.cancel(.release(seq)) }
    if item.again != nil { alarms.cancel(.again(seq)) }
    item.standing = .moving
    return item
  }

  // MARK: Asking

  subscript(seq: Seq) -> Item? { items[seq] }

  func holds(_ seq: Seq) -> Bool { items.index(forKey: seq) != nil }

  /// In their order.
  var seqs: [Seq] { items.keys.sorted() }

  /// The events that wait for their turn.
  var itemsInLine: [Item] { line.places.compactMap { items[$0.seq] } }

  /// The event of a key that waits for its turn, or for what comes before that, and has to give way
  /// to a newer one.
  func older(than item: Item, of key: Key) -> Seq? {
    guard item.again == nil else { return nil }
    let mark = item.appMark
    for place in line.places
    where place.kind == item.kind && place.appMark == mark && place.seq < item.seq {
      guard let other = items[place.seq], other.endsInOutcome, !other.isLastWord,
        item.isUrgent || !other.isUrgent, other.coalescingKey == key
      else { continue }
      return other.seq
    }
    return nil
  }

  // MARK: Changing where they stand

  /// Puts an event in the place of what it was before, where it waits for the same as before.
  mutating func replace(_ item: Item) {
    guard let old = items[item.seq] else { return }
    tally.count(old, -1)
    if old.isInLine { line.leave(old.seq) }
    restore(item)
    guard item.deadline != old.deadline, !quiet.stopsTime(of: item) else { return }
    alarms.cancel(.expiry(item.seq))
    if let deadline = item.deadline { alarms.set(.expiry(item.seq), at: deadline, by: item.seq) }
  }

  /// Changes what does not bear on the event's place.
  mutating func change(_ seq: Seq, _ body: (inout Item) -> Void) {
    guard let index = items.index(forKey: seq) else { return }
    body(&items.values[index])
  }

  /// Counts an event that waits no more in the summary that another one carries.
  mutating func summarise(_ item: Item, in carrier: Seq) {
    guard let index = items.index(forKey: carrier) else { return }
    if items.values[index].takeIn(item) { line.noteSummary(carrier) }
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
  mutating func count(
    _ item: consuming Item,
    into carrier: Seq,
    rule: String,
    _ why: consuming Why
  ) {
    summarise(item, in: carrier)
    letEnd(item, Ending(.summarised, by: carrier, rule: rule, why))
  }

  var departed: Int { departures.count }

  mutating func takeDeparture(at index: Int) -> Departure? {
    guard index < departures.count else { return nil }
    var departure: Departure?
    swap(&departure, &departures[index])
    return departure
  }

  mutating func forgetDepartures(from start: Int) {
    // Mostly it is one, and to take it out costs less than to empty an array of any size.
    while departures.count > start { departures.removeLast() }
  }
}

extension Item {
  /// The numbers that an outcome at `now` gives.
  func waited(until now: Instant) -> Why {
    var why = self.why
    why.waited = now - self.mono
    return why
  }
}
