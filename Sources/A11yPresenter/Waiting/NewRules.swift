// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// New rules reach what waits: an event that has no end yet is treated as if it had come under them,
// with its own age. What is behind it stays behind it: the leading edge, the quiet time, the hold
// and the comparison with what was said before.
extension Presenter {
  mutating func takeRules(_ event: borrowing WireEvent) {
    guard let content = event.member(.content),
      let rules = RuleSet(event.line, content)
    else { return }
    self.rules = rules
    pace.take(event)
    treatSpoken()
    // What waits for a rate waits for the new one, with what was spent of the old one.
    pipeline.rate.clearWaiting(&waiting.alarms)
    var limited: [Item] = []
    for seq in waiting.seqs {
      guard let old = waiting[seq] else { continue }
      var item = old
      if let ending = treatAnew(&item) {
        floor.silenceUntold(&decisions, context) { $0.seq == seq }
        end(seq, ending)
      } else if item.standing == .limited {
        if waiting.withdraw(seq) != nil { limited.append(item) }
      } else {
        putBack(item, as: old)
      }
    }
    for item in limited.sorted(by: { $0.place < $1.place }) { limit(item) }
  }

  /// What a reader was given stays as it is, unless it is not to be presented any more.
  private mutating func treatSpoken() {
    if var item = floor.speaking?.item {
      if let ending = treatAnew(&item) {
        stopSpeaking(.inhibited, by: nil, rule: ending.rule)
      }
    }
    let table = rules
    floor.changeItems { $0.treatment = table.treatment(of: $0.facts) }
  }

  /// Gives an event the treatment of the rules in force; its end, if they have it end.
  private mutating func treatAnew(_ item: inout Item) -> Ending? {
    item.facts.priority = item.given
    if rules.looksAtTexts, item.facts.text == nil { item.facts.text = item.text.written }
    item.treatment = treatment(of: &item.facts)
    // A high one may have been lent the mode of its class.
    if item.ownMode == nil, !item.isUrgent { item.mode = item.treatment.mode.value }
    if item.treatment.present.value == .sound {
      pipeline.duplicates.keepPrint(of: item)
      item.becomeSound()
    }
    return Admission.ending(of: &item, by: context)
  }

  /// Lets an event wait on where it is, in the place that the new rules give it there.
  private mutating func putBack(_ given: Item, as old: Item) {
    var item = given
    // What was begun has started in time.
    let isBegun = item.again != nil && !item.isLost
    item.deadline = isBegun ? old.deadline : item.timeToStart(inPlaceOf: old)
    let seq = item.seq
    if item.standing == .queued, item.again == nil, item.priority != old.priority,
      item.kind == .announcement || item.kind == .layout
    {
      if waiting.withdraw(seq) != nil { enqueue(item) }
    } else {
      waiting.replace(item)
      if item.standing == .coalescing { pipeline.coalesce.reconsider(item, as: old, &waiting) }
    }
    guard let deadline = waiting[seq]?.deadline, deadline <= now else { return }
    expire(seq)
  }

  /// Sends an event through the rate once more.
  private mutating func limit(_ given: Item) {
    var item = given
    item.ahead = nil
    item.isGranted = false
    item.why.rate = nil
    item.why.due = nil
    item.blamed = nil
    present(item, from: .rate)
  }
}

extension Item {
  /// The time to start by the rules in force, counted from where the old ones have counted from.
  fileprivate func timeToStart(inPlaceOf old: Item) -> Instant? {
    guard self.ownTTL == nil else { return old.deadline }
    guard let life = self.life else { return nil }
    guard let end = old.deadline, let before = old.life else {
      return self.mono + life
    }
    return end + (life - before)
  }
}
