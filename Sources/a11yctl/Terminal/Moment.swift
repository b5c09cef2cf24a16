// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Glibc

/// A moment, as a person types it.
enum Moment {
  /// The accepted forms, for a complaint.
  static let accepted = """
    "10 min", "2 days ago", "14:30", "today", "yesterday", "yesterday 18:00", "2026-11-21", \
    "2026-11-21 13:05" or "2026-11-21T13:05:07Z"
    """

  /// Lengths of time and moments that a shell offers.
  static let lengths = ["1 hour", "10 min"]
  static let examples = ["today", "yesterday"] + lengths

  /// The accepted forms, for the help.
  static let notes = """
    TIME is "10 min" or "2 days ago", "14:30", which is the last such time, "today", "yesterday",
    "yesterday 18:00", "2026-11-21", "2026-11-21 13:05" or, as RFC 3339 has it,
    "2026-11-21T13:05:07Z".
    """

  /// The moment in microseconds since 1970; nil for words in no accepted form.
  static func parse(_ words: String, now: Int64) -> Int64? {
    let text = words.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    switch text {
    case "now": return now
    default: return ago(text, now) ?? onDay(text, now) ?? stated(text)
    }
  }

  // MARK: Counted back from now

  private static let units: [(names: [String], seconds: Int64)] = [
    (["s", "sec", "secs", "second", "seconds"], 1),
    (["m", "min", "mins", "minute", "minutes"], 60),
    (["h", "hr", "hrs", "hour", "hours"], 3_600),
    (["d", "day", "days"], 86_400),
    (["w", "week", "weeks"], 604_800),
  ]

  private static func ago(_ text: String, _ now: Int64) -> Int64? {
    let length = text.hasSuffix(" ago") ? text.dropLast(4) : text[...]
    return microseconds(length).map { now - $0 }
  }

  /// A length of time, as a person types it: `45 min`, `1 hour`, `1.5 h`; nil for other words.
  static func length(_ words: String) -> Duration? {
    let text = words.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return Quantity.duration(text) ?? microseconds(text[...]).map { .microseconds($0) }
  }

  /// The microseconds in a number and the name of its unit.
  private static func microseconds(_ amount: Substring) -> Int64? {
    let digits = amount.prefix { $0.isASCII && $0.isNumber }
    let unit = amount.dropFirst(digits.count).drop { $0 == " " }
    // A thousand years of seconds, which cannot overflow.
    guard let number = Int64(digits), number <= 31_536_000_000,
      let seconds = units.first(where: { $0.names.contains(String(unit)) })?.seconds
    else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: seconds * 1_000_000)
    return overflow ? nil : product
  }

  /// `yesterday`, `today 9:30` or `14:30`, which is yesterday's where today's has not come yet.
  private static func onDay(_ text: String, _ now: Int64) -> Int64? {
    let words = text.split(separator: " ")
    switch words.first {
    case "today": return onDay(words.dropFirst(), daysAgo: 0, now)
    case "yesterday": return onDay(words.dropFirst(), daysAgo: 1, now)
    case _? where words.count == 1:
      let today = onDay(words[...], daysAgo: 0, now)
      return today.map { $0 > now } == true ? onDay(words[...], daysAgo: 1, now) : today
    default: return nil
    }
  }

  /// The time of day in the words, or else midnight, of a day of this place.
  private static func onDay(
    _ words: ArraySlice<Substring>,
    daysAgo: Int32,
    _ now: Int64
  ) -> Int64? {
    var seconds = time_t(now / 1_000_000)
    var parts = tm()
    guard words.count <= 1, localtime_r(&seconds, &parts) != nil else { return nil }
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
    var fraction: Int64 = 0
    if var rest = words.first {
      // “9:30” has one digit.
      if rest.dropFirst().first == ":" { rest = "0\(rest)" }
      guard let clock = timeOfDay(&rest, &parts), rest.isEmpty else { return nil }
      fraction = clock
    }
    parts.tm_mday -= daysAgo
    // mktime finds out whether summer time was in force.
    parts.tm_isdst = -1
    return Int64(mktime(&parts)) * 1_000_000 + fraction
  }

  // MARK: Dates

  /// `2026-11-21`, with a time of day and a time zone if they are given.
  private static func stated(_ text: String) -> Int64? {
    var rest = text[...]
    guard let year = number(4, &rest), skip("-", &rest), let month = number(2, &rest),
      skip("-", &rest), let day = number(2, &rest)
    else { return nil }
    var parts = tm()
    parts.tm_year = Int32(year - 1_900)
    parts.tm_mon = Int32(month - 1)
    parts.tm_mday = Int32(day)
    var fraction: Int64 = 0
    var offset: Int64?
    if !rest.isEmpty {
      guard skip(" ", &rest) || skip("t", &rest),
        let clock = timeOfDay(&rest, &parts),
        zone(&rest, &offset), rest.isEmpty
      else { return nil }
      fraction = clock
    }
    guard let seconds = seconds(parts, offset) else { return nil }
    return seconds * 1_000_000 + fraction
  }

  /// Parses `13:05`, `13:05:07` or `13:05:07.25`, and returns the fraction in microseconds.
  private static func timeOfDay(_ rest: inout Substring, _ parts: inout tm) -> Int64? {
    guard let hour = number(2, &rest), hour < 24, skip(":", &rest),
      let minute = number(2, &rest), minute < 60
    else { return nil }
    (parts.tm_hour, parts.tm_min) = (Int32(hour), Int32(minute))
    guard skip(":", &rest) else { return 0 }
    // A minute may have a leap second.
    guard let second = number(2, &rest), second <= 60 else { return nil }
    parts.tm_sec = Int32(second)
    guard skip(".", &rest) else { return 0 }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    guard !digits.isEmpty else { return nil }
    return Int64((digits.prefix(6) + "000000").prefix(6))
  }

  /// Parses `z` or `+01:00`, if there is one; false for anything else.
  private static func zone(_ rest: inout Substring, _ offset: inout Int64?) -> Bool {
    if skip("z", &rest) {
      offset = 0
      return true
    }
    let sign: Int64 = skip("+", &rest) ? 1 : skip("-", &rest) ? -1 : 0
    guard sign != 0 else { return true }
    guard let hours = number(2, &rest), hours < 24, skip(":", &rest),
      let minutes = number(2, &rest), minutes < 60
    else { return false }
    offset = sign * (hours * 3_600 + minutes * 60)
    return true
  }

  /// The seconds since 1970; nil for a day that its month does not have.
  private static func seconds(_ wanted: tm, _ offset: Int64?) -> Int64? {
    var parts = wanted
    parts.tm_isdst = -1
    let seconds = Int64(offset == nil ? mktime(&parts) : timegm(&parts))
    var day = wanted
    (day.tm_hour, day.tm_min, day.tm_sec) = (0, 0, 0)
    _ = timegm(&day)
    guard day.tm_mday == wanted.tm_mday, day.tm_mon == wanted.tm_mon else { return nil }
    return seconds - (offset ?? 0)
  }

  private static func number(_ width: Int, _ rest: inout Substring) -> Int64? {
    let digits = rest.prefix(width)
    guard digits.count == width, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(width)
    return Int64(digits)
  }

  private static func skip(_ sign: Character, _ rest: inout Substring) -> Bool {
    guard rest.first == sign else { return false }
    rest = rest.dropFirst()
    return true
  }
}

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
    let clock = text(hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
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
