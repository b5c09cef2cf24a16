// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The rows of the stages.

extension Busy: Recorded {
  static var blank: Busy { Busy(until: .blank, rule: "") }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.pending)
    scribe.transcribe(&self.until)
    scribe.transcribe(&self.rule)
  }
}

extension Storm: Recorded {
  static var blank: Storm { Storm(element: .blank, at: .blank, rule: "") }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.element)
    scribe.transcribe(&self.lastAt)
    scribe.transcribe(&self.since)
    scribe.transcribe(&self.collected)
    var elements = self.elements.sorted { $0.text < $1.text }
    scribe.transcribe(&elements)
    self.elements = Set(elements)
    scribe.transcribe(&self.rule)
  }
}

extension Burst: Recorded {
  static var blank: Burst { Burst(lastAt: .blank, pending: nil, since: nil) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.lastAt)
    scribe.transcribe(&self.pending)
    scribe.transcribe(&self.since)
  }
}

extension Memory.Statement: Recorded {
  static var blank: Memory.Statement {
    Memory.Statement(seq: .none, at: .blank, print: .blank, action: nil)
  }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.seq)
    scribe.transcribe(&self.at)
    scribe.transcribe(&self.print)
    scribe.transcribe(&self.action)
  }
}

extension Memory: Recorded {
  static var blank: Memory { Memory() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.delivered)
    scribe.transcribe(&self.pending)
  }
}

extension Bucket: Recorded {
  static var blank: Bucket { Bucket(full: .blank, interval: .blank, burst: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.full)
    scribe.transcribe(&self.interval)
    scribe.transcribe(&self.burst)
    var waiting = Array(self.waiting.seqs)
    scribe.transcribe(&waiting)
    self.waiting = SeqQueue(waiting)
  }
}

extension Actions.Action: Recorded {
  static var blank: Actions.Action {
    Actions.Action(seq: .none, mono: .blank, app: .blank, window: nil, element: nil)
  }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.seq)
    scribe.transcribe(&self.mono)
    scribe.transcribe(&self.app)
    scribe.transcribe(&self.window)
    scribe.transcribe(&self.element)
    scribe.transcribe(&self.hadFeedback)
    scribe.transcribe(&self.feedback)
  }
}
