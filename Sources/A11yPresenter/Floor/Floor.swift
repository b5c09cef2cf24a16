// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The place from which one event at a time is spoken: its readers, the utterance that is with
/// them, and those that were cut off.
struct Floor: Sendable {
  var readers = Readers()
  var speaking: Speaking?
  var cuts: [Cut] = []
  var past = PastDeliveries()
  var outage = Outage()
  /// The users of whom an announcement was spoken while others waited, the longest ago first.
  var served: [UInt32] = []
  /// The utterance that the next delivery cuts.
  var pendingCut: Delivery.Cutting?
  var echoes = Echoes()
  /// The events that `repeat` delivers: the last text and the last place of the focus.
  var lastText: Item?
  var lastLabel: Item?

  /// The log has given a delivery its seq.
  mutating func assign(_ seq: Seq, to ticket: Int64) {
    if speaking?.ticket == ticket { speaking?.seq = seq }
    echoes.assign(seq, to: ticket)
    for index in cuts.indices where cuts[index].ticket == ticket { cuts[index].seq = seq }
    past.assign(seq, to: ticket)
  }

  func seq(of ticket: Int64) -> Seq? {
    if speaking?.ticket == ticket { return speaking?.seq }
    return cuts.first { $0.ticket == ticket }?.seq ?? past.seq(of: ticket)
  }

  /// Changes what is known of all events that were given to a reader.
  mutating func changeItems(_ change: (inout Item) -> Void) {
    if speaking != nil { change(&speaking!.item) }
    for index in cuts.indices { change(&cuts[index].item) }
    past.changeItems(change)
    echoes.changeItems(change)
    if lastText != nil { change(&lastText!) }
    if lastLabel != nil { change(&lastLabel!) }
  }

  /// Whether the focus was told last at the place that an item tells of.
  func toldLast(_ item: Item) -> Bool {
    guard let lastLabel else { return false }
    return lastLabel.app == item.app && lastLabel.facts.window == item.facts.window
      && lastLabel.facts.element == item.facts.element
  }
}

/// The last utterances, so that the user can ask for any of them again.
///
/// Words that the log does not have are not kept here either.
struct Echoes: Sendable {
  struct Echo: Sendable {
    var item: Item
    var ticket: Int64
    /// Its deliver entry, once the log has it.
    var seq: Seq?
  }

  /// The oldest first.
  private(set) var all: [Echo] = []
  private var bytes = 0

  mutating func keep(_ echo: Echo) {
    all.append(echo)
    bytes += echo.item.text.runs.count
    while all.count > Bounds.echoes || bytes > Bounds.echoBytes && all.count > 1 {
      bytes -= all.removeFirst().item.text.runs.count
    }
  }

  /// The log has given a delivery its seq.
  mutating func assign(_ seq: Seq, to ticket: Int64) {
    guard let place = all.lastIndex(where: { $0.ticket == ticket }) else { return }
    all[place].seq = seq
  }

  mutating func changeItems(_ change: (inout Item) -> Void) {
    for index in all.indices { change(&all[index].item) }
  }

  func item(of delivery: Seq) -> Item? { all.last { $0.seq == delivery }?.item }

  mutating func forget(_ isMeant: (Item) -> Bool) {
    all.removeAll { isMeant($0.item) }
    bytes = all.reduce(0) { $0 + $1.item.text.runs.count }
  }
}

/// A delivery that the bus has done with before its reader has: it was lost or cut, or it counts as
/// heard by an estimate.
struct PastDelivery: Sendable {
  var item: Item
  var ticket: Int64
  /// Its deliver entry, once the log has it.
  var seq: Seq?
  var since: Instant
  /// The reader has told how it has ended; if it has not, it may still be sounding.
  var isTold: Bool
  /// The event has its outcome, which nothing changes any more.
  var isOver = false

  init(_ speech: Speaking, isTold: Bool) {
    item = speech.item
    ticket = speech.ticket
    seq = speech.seq
    since = speech.since
    self.isTold = isTold
  }

  init(_ cut: Cut, isTold: Bool) {
    item = cut.item
    ticket = cut.ticket
    seq = cut.seq
    since = cut.since
    self.isTold = isTold
  }
}

/// The deliveries of which a late word still matters: that one was finished after all ends its
/// event, and one whose end nobody has told is silenced when the user stops all speech.
struct PastDeliveries: Sendable {
  /// The oldest first.
  private(set) var all: [PastDelivery] = []

  mutating func keep(_ delivery: PastDelivery) {
    guard !(delivery.isTold && delivery.isOver) else { return }
    all.append(delivery)
    // A reader that has been silent about so many is not going to speak of the oldest.
    if all.count > Bounds.pastDeliveries { all.removeFirst() }
  }

  mutating func assign(_ seq: Seq, to ticket: Int64) {
    for index in all.indices where all[index].ticket == ticket { all[index].seq = seq }
  }

  func seq(of ticket: Int64) -> Seq? { all.first { $0.ticket == ticket }?.seq }

  /// Takes out a delivery of which a reader has told that it was finished.
  mutating func take(_ seq: Seq) -> PastDelivery? {
    all.firstIndex { $0.seq == seq }.map { all.remove(at: $0) }
  }

  /// A reader has told that a delivery does not sound any more.
  mutating func noteEnd(_ seq: Seq) {
    guard let index = all.firstIndex(where: { $0.seq == seq }) else { return }
    all[index].isTold = true
    if all[index].isOver { all.remove(at: index) }
  }

  /// The events that are meant have their outcome: of their deliveries only sound can be left.
  mutating func close(where isMeant: (Item) -> Bool) {
    guard !all.isEmpty else { return }
    for index in all.indices where isMeant(all[index].item) { all[index].isOver = true }
    all.removeAll { $0.isOver && $0.isTold }
  }

  mutating func changeItems(_ change: (inout Item) -> Void) {
    for index in all.indices { change(&all[index].item) }
  }

  mutating func remove(where isMeant: (Item) -> Bool) { all.removeAll { isMeant($0.item) } }
}

/// The losses of a reader since something was heard from it last.
///
/// However often an event is lost in one outage, it counts once: it was not the event's fault, and
/// it has a chance again when the voice is back. Meanwhile it is offered now and then.
struct Outage: Sendable {
  struct Loss: Sendable {
    var seq: Seq
    /// It is not offered before.
    var next: Instant
  }

  /// Of each event that waits to be offered once more.
  var losses: [Loss] = []

  /// Notes that an event was lost; true where it is the first time in this outage.
  mutating func note(_ seq: Seq, next: Instant) -> Bool {
    if let index = losses.firstIndex(where: { $0.seq == seq }) {
      losses[index].next = next
      return false
    }
    losses.append(Loss(seq: seq, next: next))
    return true
  }

  /// The instant at which an event may be offered once more.
  func next(of seq: Seq) -> Instant? {
    losses.isEmpty ? nil : losses.first { $0.seq == seq }?.next
  }

  /// An event has ended.
  mutating func forget(_ seq: Seq) {
    if !losses.isEmpty { losses.removeAll { $0.seq == seq } }
  }
}

extension Presenter {
  /// The reader's voice has failed: the event is offered again, but not forever.
  mutating func lose(_ speech: Speaking, _ reason: String?, isTold: Bool) {
    floor.endSpeaking(&waiting.alarms, context)
    floor.past.keep(PastDelivery(speech, isTold: isTold))
    var item = speech.item
    item.why.reason = reason.map(Reason.init) ?? .noReport
    let next = speech.since + Bounds.offer
    if floor.outage.note(item.seq, next: next) {
      item.lost += 1
      let life = item.life ?? Bounds.outage
      // Its time to start may be over, for it had begun; it is offered once more all the same.
      let end = item.mono + life
      item.deadline = end > now ? end : now + Bounds.comeback
    }
    guard item.lost < Bounds.deliveries, item.deadline.map({ $0 > now }) ?? true else {
      item.why.count = item.lost
      endLost(item)
      return
    }
    if next > now { waiting.alarms.set(.offer(item.seq), at: next, by: item.seq) }
    item.again = Item.Again(by: nil)
    item.rankOverride = item.offerRank
    waiting.park(item, at: .queued)
  }

  /// Whether an event waits for the next time that it may be offered to a reader that has lost it.
  func rests(_ item: Item) -> Bool {
    item.lost > 0 && floor.outage.next(of: item.seq).map { $0 > now } ?? false
  }

  /// Something is heard: the voice is there again.
  mutating func endOutage() {
    for loss in floor.outage.losses { waiting.alarms.cancel(.offer(loss.seq)) }
    floor.outage = Outage()
  }

  /// The time of an event is over in which its reader could have spoken it.
  mutating func endLost(_ item: consuming Item) {
    item.noteWait(until: now)
    item.why.ttl = item.deadline.map { $0 - item.mono }
    end(item, Ending(.undeliverable, by: nil, rule: .reader))
  }
}

extension Item {
  /// Readers were given it, and have lost it.
  var isLost: Bool {
    guard self.lost > 0, let again = self.again else { return false }
    return again.by == nil
  }
}

extension PastDelivery: Recorded {
  static var blank: PastDelivery { PastDelivery(Speaking.blank, isTold: false) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.item, &self.ticket, &self.seq, &self.since)
    scribe.transcribe(&self.isTold, &self.isOver)
  }
}

extension Outage.Loss: Recorded {
  static var blank: Outage.Loss { Outage.Loss(seq: .none, next: .blank) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.seq, &self.next)
  }
}

extension Echoes.Echo: Recorded {
  static var blank: Echoes.Echo { Echoes.Echo(item: .blank, ticket: 0, seq: nil) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.item, &self.ticket, &self.seq)
  }
}
