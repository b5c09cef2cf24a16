// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Moments as the user's clock and calendar show them.
enum ClockTime {
  /// A moment, in microseconds since 1970, as `12:03:04` of this place.
  static func local(_ microseconds: Int64) -> String {
    guard let parts = parts(microseconds) else { return "--:--:--" }
    return text(hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }

  static func text(hour: Int, minute: Int, second: Int) -> String {
    [hour, minute, second].map { twoDigits($0) }.joined(separator: ":")
  }

  /// The day of a moment as `2026-11-21` of this place.
  static func day(_ microseconds: Int64) -> String {
    parts(microseconds).map(date) ?? "----------"
  }

  /// The moment as `2026-11-21 12:03:04` of this place.
  static func dayAndTime(_ microseconds: Int64) -> String {
    "\(day(microseconds)) \(local(microseconds))"
  }

  /// The moment as RFC 3339 has it, with its microseconds, in universal time.
  static func universal(_ microseconds: Int64) -> String {
    var (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    if fraction < 0 { (seconds, fraction) = (seconds - 1, fraction + 1_000_000) }
    var time = time_t(seconds)
    var parts = tm()
    guard gmtime_r(&time, &parts) != nil else { return "1970-01-01T00:00:00.000000Z" }
    let clock = text(
      hour: Int(parts.tm_hour),
      minute: Int(parts.tm_min),
      second: Int(parts.tm_sec)
    )
    let digits = String(fraction)
    let padding = String(repeating: "0", count: 6 - digits.count)
    return "\(date(parts))T\(clock).\(padding)\(digits)Z"
  }

  private static func parts(_ microseconds: Int64) -> tm? {
    var seconds = time_t(microseconds / 1_000_000)
    var parts = tm()
    return localtime_r(&seconds, &parts) == nil ? nil : parts
  }

  private static func date(_ parts: tm) -> String {
    let year = String(Int(parts.tm_year) + 1_900)
    let padding = String(repeating: "0", count: max(0, 4 - year.count))
    return "\(padding)\(year)-\(twoDigits(Int(parts.tm_mon) + 1))-\(twoDigits(Int(parts.tm_mday)))"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
