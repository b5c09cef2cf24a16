// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A length of time on the bus clock, in whole microseconds.
public struct TimeSpan: Hashable, Comparable, Sendable {
  public let microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  public static var zero: TimeSpan { TimeSpan(microseconds: 0) }

  public static func microseconds(_ count: Int64) -> TimeSpan { TimeSpan(microseconds: count) }

  public static func milliseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(microseconds: count.clamped(times: 1_000))
  }

  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(microseconds: count.clamped(times: 1_000_000))
  }

  public static func minutes(_ count: Int64) -> TimeSpan { seconds(count.clamped(times: 60)) }

  /// Whole milliseconds, as the wire has them; a part of one is dropped.
  public var wholeMilliseconds: Int64 { microseconds / 1_000 }

  public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.microseconds < b.microseconds }

  public static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(microseconds: a.microseconds.clamped(plus: b.microseconds))
  }

  public static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(microseconds: a.microseconds.clamped(minus: b.microseconds))
  }

  public static func * (span: TimeSpan, count: Int64) -> TimeSpan {
    TimeSpan(microseconds: span.microseconds.clamped(times: count))
  }

  public static func * (count: Int64, span: TimeSpan) -> TimeSpan { span * count }

  public static func / (span: TimeSpan, parts: Int64) -> TimeSpan {
    TimeSpan(microseconds: span.microseconds / parts)
  }

  /// The number of times that `b` fits into `a`.
  public static func / (a: TimeSpan, b: TimeSpan) -> Int64 { a.microseconds / b.microseconds }

  public static func += (a: inout TimeSpan, b: TimeSpan) { a = a + b }

  public static func -= (a: inout TimeSpan, b: TimeSpan) { a = a - b }
}

/// Sums of times end at what can be counted: the times of a log are what somebody has written.
extension Int64 {
  func clamped(plus other: Int64) -> Int64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? (other < 0 ? .min : .max) : sum
  }

  func clamped(minus other: Int64) -> Int64 {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return isOver ? (other < 0 ? .max : .min) : difference
  }

  func clamped(times other: Int64) -> Int64 {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

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
