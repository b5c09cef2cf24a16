// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// Decisions that were not written down yet.

/// An outcome in the record; `Outcome` itself is a class, which cannot be put in its own place.
struct RecordedOutcome: Recorded {
  private(set) var outcome: Outcome

  init(_ outcome: Outcome) { self.outcome = outcome }

  static var blank: RecordedOutcome {
    RecordedOutcome(
      Outcome(
        of: .none,
        app: .blank,
        window: nil,
        element: nil,
        priority: nil,
        ending: Ending(.heard, by: nil, rule: "")
      )
    )
  }

  mutating func record(_ scribe: inout Scribe) {
    var (of, app, window) = (outcome.of, outcome.app, outcome.window)
    var (element, priority, result) = (outcome.element, outcome.priority, outcome.result)
    var (by, rule, why) = (outcome.by, outcome.rule, outcome.why)
    scribe.transcribe(&of)
    scribe.transcribe(&app)
    scribe.transcribe(&window)
    scribe.transcribe(&element)
    scribe.transcribe(&priority)
    scribe.transcribe(&result)
    scribe.transcribe(&by)
    scribe.transcribe(&rule)
    scribe.transcribe(&why)
    outcome = Outcome(
      of: of,
      app: app,
      window: window,
      element: element,
      priority: priority,
      ending: Ending(result, by: by, rule: rule, why)
    )
  }
}

extension FocusMove: Recorded {
  static var blank: FocusMove {
    FocusMove(app: nil, window: nil, element: nil, by: nil, reason: MoveReason.blank, cause: nil)
  }

  mutating func record(_ scribe: inout Scribe) {
    var (app, window, element) = (self.app, self.window, self.element)
    var (by, reason, cause) = (self.by, self.reason ?? .blank, self.cause)
    scribe.transcribe(&app)
    scribe.transcribe(&window)
    scribe.transcribe(&element)
    scribe.transcribe(&by)
    scribe.transcribe(&reason)
    scribe.transcribe(&cause)
    self = FocusMove(
      app: app,
      window: window,
      element: element,
      by: by,
      reason: reason,
      cause: cause
    )
  }
}

extension Gesture: Recorded {
  static var blank: Gesture {
    Gesture(
      ticket: 0,
      action: .none,
      app: .blank,
      window: nil,
      element: nil,
      name: "",
      redacted: nil
    )
  }

  mutating func record(_ scribe: inout Scribe) {
    var (action, app, name) = (self.action, self.app, self.name)
    var (window, element, ticket) = (self.window, self.element, self.ticket)
    var redacted = self.redacted
    scribe.transcribe(&ticket)
    scribe.transcribe(&action)
    scribe.transcribe(&app)
    scribe.transcribe(&window)
    scribe.transcribe(&element)
    scribe.transcribe(&name)
    scribe.transcribe(&redacted)
    self = Gesture(
      ticket: ticket,
      action: action,
      app: app,
      window: window,
      element: element,
      name: name,
      redacted: redacted
    )
  }
}
