// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The ways of gestures.

extension Route.Stop: Recorded {
  static var blank: Route.Stop { Route.Stop() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.window)
    scribe.pass(&self.element)
  }
}

extension Route: Recorded {
  static var blank: Route { Route(action: .none, app: .blank, name: "", ticket: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.action)
    scribe.pass(&self.app)
    scribe.pass(&self.name)
    scribe.pass(&self.rest)
    scribe.pass(&self.ticket)
    scribe.pass(&self.seq)
    scribe.pass(&self.endsInOutcome)
    scribe.pass(&self.isAnsweredByEvents)
  }
}
