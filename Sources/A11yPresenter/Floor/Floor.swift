// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yRules
internal import A11yModel
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
