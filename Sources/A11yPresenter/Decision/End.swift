// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

extension Presenter {
  /// Ends an event that does not wait any more: its outcome is decided.
  mutating func end(_ item: consuming Item, _ given: Ending) {
    if item.countsAsFeedback, let action = item.action {
      actions.endFeedback(of: action)
      mayRelease = true
    }
    pipeline.duplicates.retract(item)
    endCutter(item.seq)
    floor.outage.forget(item.seq)
    guard item.endsInOutcome else {
      floor.past.close { $0.seq == item.seq }
      return
    }
    if !floor.cuts.isEmpty || !floor.past.all.isEmpty { dropCuts(of: item.of) }
    let ending = answered(given, item)
    decide(.outcome(Outcome(consume item, ending)))
  }

  /// An ending with the answer to the wish of its event for the focus, if the event had one.
  private func answered(_ ending: Ending, _ item: borrowing Item) -> Ending {
    guard item.why.hasAnswer else { return ending }
    var why = ending.why
    if why.focus == nil { why.focus = item.why.focus }
    if let spot = item.why.suggestion { why.suggestion = suggests(spot, for: item) ? spot : nil }
    return Ending(ending.result, by: ending.by, rule: ending.rule, why)
  }

  /// Ends an event that waits somewhere.
  mutating func end(_ seq: Seq, _ ending: Ending) {
    guard let item = waiting.withdraw(seq) else { return }
    end(item, ending)
  }
}
