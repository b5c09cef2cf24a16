// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

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
  private(set) var losses: [Loss] = []

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

  mutating func putBack(_ loss: Loss) { losses.append(loss) }
}

extension Presenter {
  /// The reader's voice has failed: the event is offered again, but not forever.
  mutating func lose(_ speech: Speaking, _ reason: String?, isTold: Bool) {
    endSpeaking()
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
    var why = item.waited(until: now)
    why.ttl = item.deadline.map { $0 - item.mono }
    end(item, Ending(.undeliverable, by: nil, rule: .reader, why))
  }
}

extension Item {
  /// Readers were given it, and have lost it.
  var isLost: Bool {
    guard self.lost > 0, let again = self.again else { return false }
    return again.by == nil
  }
}
