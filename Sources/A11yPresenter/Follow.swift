// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
public import A11yWire

// Going over a log that a presenter has written already.
extension Presenter {
  /// Takes the log's next entry, be it a decision or what led to one.
  ///
  /// Entries on record have happened, whatever this presenter would have decided: where entries are
  /// lost, it may come to something else. Its last decisions that the log does not have are still
  /// to be written.
  public mutating func follow(_ entry: JSONDocument) {
    guard let seq = entry.seq("seq", of: entry.root),
      let mono = EntryView(of: entry).mono.map(Instant.init(microseconds:)),
      let event = entry.member("event", of: entry.root),
      let type = entry.string("type", of: event)
    else { return }
    if entry.integer("conn", of: entry.root) == 0, Decision.isDecision(type.utf8Span.span) {
      while !hasDecided, let due, due <= mono { ring() }
      recall(entry, event, type, seq)
      return
    }
    switch EventType.Own(type.utf8Span.span) {
    case .opened:
      // Decisions that were not written any more come behind it.
      take(entry)
    case .closed, .rules, .seat, .client, .forgot, .forgotten, .deliver, .silence, .outcome,
      .gesture,
      .focus, nil:
      while let due, due <= mono { ring() }
      // The log has lost these, or they were decided otherwise.
      while let decision = pop(as: .none) { miss(decision) }
      take(entry)
    }
  }

  /// Finds among what was decided what the log has on record.
  private mutating func recall(
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ type: String,
    _ seq: Seq
  ) {
    let of = entry.seq("of", of: event)
    while let decision = pop(as: seq) {
      guard isSame(decision, type, of) else {
        miss(decision)
        continue
      }
      break
    }
    if type == EventType.Own.outcome.rawValue, let of {
      model.apply(entry)
      drop(of)
    }
    if type == EventType.Own.focus.rawValue || type == EventType.doNotDisturb.rawValue {
      take(entry)
    }
  }

  private func isSame(_ decision: Decision, _ type: String, _ of: Seq?) -> Bool {
    guard decision.type == type else { return false }
    if case .outcome(let outcome) = decision { return outcome.of == of }
    return true
  }

  /// The log does not have what was decided here; should it not come later either, the next start
  /// writes it down, for every event has an end.
  private mutating func miss(_ decision: Decision) {
    switch decision {
    case .outcome(let outcome): decisions.miss(outcome)
    case .calm: waiting.alarms.set(.disturbance, at: now, by: cause)
    case .deliver, .silence, .focus, .gesture: break
    }
  }

  /// An event has its outcome: nothing of it waits any more.
  private mutating func drop(_ seq: Seq) {
    decisions.find(seq)
    dropCuts(of: seq)
    focus.gestures.removeAll { $0.action == seq }
    waiting.alarms.cancel(.gesture(seq))
    if let item = waiting.withdraw(seq) { pipeline.duplicates.retract(item) }
    floor.outage.forget(seq)
    if floor.speaking?.item.of == seq, floor.speaking?.item.endsInOutcome ?? false { endSpeaking() }
  }
}
