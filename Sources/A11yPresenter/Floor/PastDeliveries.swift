// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

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
