// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

// The parts of the floor.

extension Cut: Recorded {
  static var blank: Cut {
    Cut(
      item: .blank,
      ticket: 0,
      seq: nil,
      since: .blank,
      at: .blank,
      result: nil,
      by: nil,
      rule: ""
    )
  }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.item)
    scribe.transcribe(&self.ticket)
    scribe.transcribe(&self.seq)
    scribe.transcribe(&self.since)
    scribe.transcribe(&self.at)
    scribe.transcribe(&self.result)
    scribe.transcribe(&self.by)
    scribe.transcribe(&self.rule)
  }
}

extension PastDelivery: Recorded {
  static var blank: PastDelivery { PastDelivery(Speaking.blank, isTold: false) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.item)
    scribe.transcribe(&self.ticket)
    scribe.transcribe(&self.seq)
    scribe.transcribe(&self.since)
    scribe.transcribe(&self.isTold)
    scribe.transcribe(&self.isOver)
  }
}

extension Outage.Loss: Recorded {
  static var blank: Outage.Loss { Outage.Loss(seq: .none, next: .blank) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.seq)
    scribe.transcribe(&self.next)
  }
}

extension Speaking: Recorded {
  static var blank: Speaking { Speaking(item: .blank, ticket: 0, seq: nil, since: .blank) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.item)
    scribe.transcribe(&self.ticket)
    scribe.transcribe(&self.seq)
    scribe.transcribe(&self.since)
  }
}

extension Echoes.Echo: Recorded {
  static var blank: Echoes.Echo { Echoes.Echo(item: .blank, ticket: 0, seq: nil) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.item)
    scribe.transcribe(&self.ticket)
    scribe.transcribe(&self.seq)
  }
}

extension Readers.Listener: Recorded {
  static var blank: Readers.Listener { Readers.Listener(conn: 0, rank: 0, isReporting: false) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.conn)
    scribe.transcribe(&self.rank)
    scribe.transcribe(&self.isReporting)
  }
}

extension Readers: Recorded {
  static var blank: Readers { Readers() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.listening)
    scribe.transcribe(&self.isAwaited)
    scribe.transcribe(&self.status)
    scribe.transcribe(&self.speaker)
    scribe.transcribe(&self.isReading)
  }
}

extension Pause: Recorded {
  static var blank: Pause { Pause(conn: 0, app: .blank, count: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.conn)
    scribe.transcribe(&self.app)
    scribe.transcribe(&self.count)
  }
}

extension Disturbance: Recorded {
  static var blank: Disturbance { Disturbance() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.level)
    scribe.transcribe(&self.since)
    scribe.transcribe(&self.expired)
  }
}
