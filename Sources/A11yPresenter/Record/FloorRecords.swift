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
      since: 0,
      at: 0,
      result: nil,
      by: nil,
      rule: .interruption
    )
  }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.item)
    scribe.pass(&self.ticket)
    scribe.pass(&self.seq)
    scribe.pass(&self.since)
    scribe.pass(&self.at)
    scribe.pass(&self.result)
    scribe.pass(&self.by)
    scribe.pass(&self.rule)
  }
}

extension Speaking: Recorded {
  static var blank: Speaking { Speaking(item: .blank, ticket: 0, seq: nil, since: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.item)
    scribe.pass(&self.ticket)
    scribe.pass(&self.seq)
    scribe.pass(&self.since)
  }
}

extension Echoes.Echo: Recorded {
  static var blank: Echoes.Echo { Echoes.Echo(item: .blank, ticket: 0, seq: nil) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.item)
    scribe.pass(&self.ticket)
    scribe.pass(&self.seq)
  }
}

extension Readers.Listener: Recorded {
  static var blank: Readers.Listener { Readers.Listener(conn: 0, rank: 0, isReporting: false) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.conn)
    scribe.pass(&self.rank)
    scribe.pass(&self.isReporting)
  }
}

extension Readers: Recorded {
  static var blank: Readers { Readers() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.listening)
    scribe.pass(&self.isAwaited)
    scribe.pass(&self.status)
    scribe.pass(&self.speaker)
    scribe.pass(&self.isReading)
  }
}

extension Pause: Recorded {
  static var blank: Pause { Pause(conn: 0, app: .blank, count: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.conn)
    scribe.pass(&self.app)
    scribe.pass(&self.count)
  }
}

extension Disturbance: Recorded {
  static var blank: Disturbance { Disturbance() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.pass(&self.level)
    scribe.pass(&self.since)
    scribe.pass(&self.expired)
  }
}
