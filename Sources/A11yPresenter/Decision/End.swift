// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

extension Presenter {
  /// Ends an event that does not wait any more: its outcome is decided.
  mutating func end(_ item: consuming Item, _ given: consuming Ending) {
    if item.countsAsFeedback, let action = item.action {
      actions.endFeedback(of: action)
      mayRelease = true
    }
    pipeline.duplicates.retract(item)
    endCutter(item.seq)
    guard item.endsInOutcome else { return }
    if !floor.cuts.isEmpty { dropCuts(of: item.of) }
    var ending = given
    if ending.why.focus == nil { ending.why.focus = item.why.focus }
    if let spot = item.why.suggestion {
      ending.why.suggestion = suggests(spot, for: item) ? spot : nil
    }
    decide(
      .outcome(
        Outcome(
          of: item.of,
          app: item.app,
          window: item.facts.window,
          element: item.facts.element,
          priority: item.kind == .announcement ? item.priority : nil,
          result: ending.result,
          by: ending.by,
          rule: ending.rule,
          why: ending.why
        )
      )
    )
  }

  /// Ends an event that waits somewhere.
  mutating func end(_ seq: Seq, _ ending: consuming Ending) {
    guard let item = waiting.withdraw(seq) else { return }
    end(item, ending)
  }
}
