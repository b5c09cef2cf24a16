// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The time of a turn of the loop, which all its entries bear.
package struct Stamp: Equatable, Sendable {
  /// Wall clock, microseconds since 1970, for people.
  package let time: Int64
  /// Bus clock, microseconds; never goes back, and the only time that rules use.
  package let mono: Int64

  package init(time: Int64, mono: Int64) {
    self.time = time
    self.mono = mono
  }

  /// The stamp that a line states; nil where no clock can have shown it.
  package init?(statedTime time: Int64?, mono: Int64?) {
    guard let time = time.flatMap(Self.stated), let mono = mono.flatMap(Self.stated)
    else { return nil }
    self.init(time: time, mono: mono)
  }

  /// Microseconds that a line states; nil where no clock of a bus can have shown them.
  package static func stated(_ microseconds: Int64) -> Int64? {
    instants.contains(microseconds) ? microseconds : nil
  }

  /// The last instant there is, after 146,000 years.
  fileprivate static let end: Int64 = (1 << 62) - 1

  private static let instants: ClosedRange<Int64> = 0...end
}

/// The bus clock: the machine's uptime, moved so that it never goes back over the log's life.
///
/// Within one boot it goes on exactly, for the downtime is known. After another boot the wall clock
/// tells how long the machine was off; a wall clock that was set back counts as no time, and one
/// that was wrong by years as a day, so that no rule waits for ever. At the last instant it stands
/// still: a log that states such a time is forged, and what is written behind it stays readable.
package struct BusClock: Equatable, Sendable {
  /// The microseconds that are added to the machine's clock.
  package let offset: Int64

  package init(offset: Int64) { self.offset = offset }

  /// The clock that goes on from the last entry of a log.
  package init(
    after last: Stamp,
    offset: Int64,
    sameBoot: Bool,
    uptime: Int64,
    wall: Int64
  ) {
    if sameBoot, uptime + offset >= last.mono {
      self.offset = offset
      return
    }
    let day: Int64 = 86_400_000_000
    let (difference, overflow) = wall.subtractingReportingOverflow(last.time)
    let downtime = overflow ? 0 : min(max(difference, 0), day)
    self.offset = min(last.mono + downtime, Stamp.end) - uptime
  }

  /// The offset that a header states; nil beyond all that one can be.
  package static func statedOffset(_ microseconds: Int64) -> Int64? {
    (-1 << 62...1 << 62).contains(microseconds) ? microseconds : nil
  }

  package func mono(uptime: Int64) -> Int64 { min(uptime + offset, Stamp.end) }
}
