// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A point in time on the bus clock.
///
/// Instants and time spans count whole microseconds, as entries do; a bare number would not tell
/// one from the other, nor microseconds from the milliseconds of the wire.
public struct Instant: Hashable, Comparable, Sendable {
  public let microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

  public static func + (instant: Instant, span: TimeSpan) -> Instant {
    Instant(microseconds: instant.microseconds.clamped(plus: span.microseconds))
  }

  public static func - (instant: Instant, span: TimeSpan) -> Instant {
    Instant(microseconds: instant.microseconds.clamped(minus: span.microseconds))
  }

  /// The time from `earlier` to `later`; below zero if they are the other way round.
  public static func - (later: Instant, earlier: Instant) -> TimeSpan {
    TimeSpan(microseconds: later.microseconds.clamped(minus: earlier.microseconds))
  }

  public static func += (instant: inout Instant, span: TimeSpan) { instant = instant + span }

  public static func -= (instant: inout Instant, span: TimeSpan) { instant = instant - span }
}
