// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The bus clock: the machine's uptime, moved so that it never goes back over the log's life.
///
/// Within one boot it goes on exactly, for the downtime is known. After another boot the wall clock
/// tells how long the machine was off; a wall clock that was set back counts as no time, and one
/// that was wrong by years as a day, so that no rule waits for ever.
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
    self.offset = last.mono + downtime - uptime
  }

  /// The offset that a header states; nil beyond all that one can be.
  package static func statedOffset(_ microseconds: Int64) -> Int64? {
    (-1 << 62...1 << 62).contains(microseconds) ? microseconds : nil
  }

  package func mono(uptime: Int64) -> Int64 { uptime + offset }
}
