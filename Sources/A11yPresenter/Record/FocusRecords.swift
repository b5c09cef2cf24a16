// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The ways of gestures.

extension Route.Stop: Recorded {
  static var blank: Route.Stop { Route.Stop() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.window)
    scribe.transcribe(&self.element)
  }
}

extension Route: Recorded {
  static var blank: Route { Route(action: .none, app: .blank, name: "", ticket: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.action)
    scribe.transcribe(&self.app)
    scribe.transcribe(&self.name)
    scribe.transcribe(&self.redacted)
    scribe.transcribe(&self.rest)
    scribe.transcribe(&self.ticket)
    scribe.transcribe(&self.seq)
    scribe.transcribe(&self.endsInOutcome)
    scribe.transcribe(&self.isAnsweredByEvents)
  }
}
