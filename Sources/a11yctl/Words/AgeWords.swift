// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Lengths of time in words that a person would use.
enum AgeWords {
  private static let units: [(seconds: Int64, one: String, many: String)] = [
    (86_400, "day", "days"), (3_600, "hour", "hours"), (60, "minute", "minutes"),
    (1, "second", "seconds"),
  ]

  /// “2 minutes”, rounded down to the largest unit of which there are two, or one exactly.
  static func length(microseconds: Int64) -> String {
    let seconds = max(0, microseconds) / 1_000_000
    for unit in units where seconds >= 2 * unit.seconds || seconds == unit.seconds {
      return SeqWords.count(seconds / unit.seconds, unit.one, unit.many)
    }
    return "less than a second"
  }

  /// The time until `end`, rounded up to whole minutes where it is more than two.
  static func left(until end: Int64, now: Int64) -> String {
    let seconds = (max(0, end - now) + 999_999) / 1_000_000
    let rounded = seconds > 120 ? (seconds + 59) / 60 * 60 : seconds
    return length(microseconds: rounded * 1_000_000)
  }

  /// “2 minutes ago”.
  static func age(of time: Int64, now: Int64) -> String {
    // The clock may have been set back since.
    now - time < 1_000_000 ? "just now" : "\(length(microseconds: now - time)) ago"
  }

  /// “until 13:05:07”, with the day where that is another one.
  static func until(_ time: Int64, now: Int64) -> String {
    ClockTime.day(time) == ClockTime.day(now)
      ? "until \(ClockTime.local(time))" : "until \(ClockTime.dayAndTime(time))"
  }
}
