// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The rows of the stages.

extension Busy: Recorded {
  static var blank: Busy { Busy(until: 0, rule: "") }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.pending)
    scribe.pass(&self.until)
    scribe.pass(&self.rule)
  }
}

extension Storm: Recorded {
  static var blank: Storm { Storm(element: .blank, at: 0, rule: "") }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.element)
    scribe.pass(&self.lastAt)
    scribe.pass(&self.since)
    scribe.pass(&self.collected)
    var elements = self.elements.sorted { $0.text < $1.text }
    scribe.pass(&elements)
    self.elements = Set(elements)
    scribe.pass(&self.rule)
  }
}

extension Burst: Recorded {
  static var blank: Burst { Burst(lastAt: 0, pending: nil, since: nil) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.lastAt)
    scribe.pass(&self.pending)
    scribe.pass(&self.since)
  }
}

extension Memory.Statement: Recorded {
  static var blank: Memory.Statement {
    Memory.Statement(seq: .none, at: 0, print: .blank, action: nil)
  }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.seq)
    scribe.pass(&self.at)
    scribe.pass(&self.print)
    scribe.pass(&self.action)
  }
}

extension Memory: Recorded {
  static var blank: Memory { Memory() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.delivered)
    scribe.pass(&self.pending)
  }
}

extension Bucket: Recorded {
  static var blank: Bucket { Bucket(full: 0, interval: 0, burst: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.full)
    scribe.pass(&self.interval)
    scribe.pass(&self.burst)
    scribe.pass(&self.waiting)
  }
}

extension Actions.Action: Recorded {
  static var blank: Actions.Action {
    Actions.Action(seq: .none, mono: 0, app: .blank, window: nil, element: nil)
  }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.seq)
    scribe.pass(&self.mono)
    scribe.pass(&self.app)
    scribe.pass(&self.window)
    scribe.pass(&self.element)
    scribe.pass(&self.hadFeedback)
    scribe.pass(&self.feedback)
  }
}
