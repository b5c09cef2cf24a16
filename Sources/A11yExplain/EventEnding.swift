// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
package import A11yPresenter
package import A11yWire

/// The end of an event, as its outcome states it.
package struct EventEnding: Sendable, Equatable {
  package var seq: Seq
  package var mono: Int64
  package var result: String
  package var by: Seq?
  package var rule: String
  package var why: Why

  package init(seq: Seq, mono: Int64, result: String, by: Seq?, rule: String, why: Why) {
    self.seq = seq
    self.mono = mono
    self.result = result
    self.by = by
    self.rule = rule
    self.why = why
  }

  /// Reads the end off an outcome.
  package init?(_ entry: JSONDocument, _ seq: Seq) {
    let envelope = EntryView(of: entry)
    guard let event = envelope.event, let result = entry.string("result", of: event),
      let mono = envelope.mono
    else { return nil }
    self.init(
      seq: seq,
      mono: mono,
      result: result,
      by: entry.seq("by", of: event),
      rule: entry.string("rule", of: event) ?? "",
      why: Why(entry, event)
    )
  }

  /// The rule, where it is one of the bus's own, which no file can change.
  package var ownRule: OwnRule? { OwnRule(rawValue: rule) }

  /// The reason of the end, or else of the denied wish for the focus.
  package var denialReason: Reason? { why.reason ?? why.focus?.reason }

  /// The part that was heard; nil for an action of the user.
  ///
  /// Of a result that only a newer bus knows, nothing counts as heard.
  package var heardPart: HeardPart? {
    known.map { $0.heardPart(after: why.heard) } ?? .nothing
  }

  /// The result, where this version knows it.
  package var known: Result? { Result(rawValue: result) }
}

extension Why {
  /// Reads the reasons off an outcome, as far as it states them.
  init(_ entry: JSONDocument, _ event: JSONIndex) {
    self.init()
    guard let value = entry.member("why", of: event), entry.kind(value) == .object else { return }
    func length(_ name: StaticString) -> TimeSpan? {
      // More than anything lasts, and small enough for sums.
      guard let stated = entry.integer(name, of: value), (0...1 << 50).contains(stated) else {
        return nil
      }
      return .milliseconds(stated)
    }
    waited = length("waited_ms")
    window = length("window_ms")
    ttl = length("ttl_ms")
    due = entry.integer("due", of: value).map(Instant.init(microseconds:))
    heard = length("heard_ms")
    rate = entry.string("rate", of: value).flatMap(Why.Rate.init)
    isEstimated = entry.says("estimated", value)
    isElsewhere = entry.says("elsewhere", value)
    isBehindOthers = entry.string("behind", of: value) == "other-speech"
    isSilent = entry.says("silent", value)
    isSensitive = entry.says("sensitive", value)
    reason = entry.string("reason", of: value).map(Reason.init)
    heldBy = entry.string("held_by", of: value).flatMap(Obstacle.init)
    isFromEvent = entry.string("from", of: value) == "event"
    count = entry.integer("count", of: value)
    if let focus = entry.member("focus", of: value), entry.kind(focus) == .object,
      let result = entry.string("result", of: focus).flatMap(FocusAnswer.Result.init)
    {
      self.focus = FocusAnswer(
        result,
        reason: entry.string("reason", of: focus).map(Reason.init),
        seq: entry.seq("seq", of: focus)
      )
    }
    if let place = entry.member("suggestion", of: value), let app = entry.appKey(event),
      let window = entry.name("window", of: place), let element = entry.name("element", of: place)
    {
      suggestion = Model.Spot(app: app, window: window, element: element)
    }
  }
}
