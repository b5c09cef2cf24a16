// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yExplain
import A11yWire

/// Runs of seqs in words.
enum SeqWords {
  /// “entry 7” or “entries 7 to 9”.
  static func entries(_ range: ClosedRange<Seq>) -> String {
    range.lowerBound == range.upperBound
      ? "entry \(range.lowerBound.number)"
      : "entries \(range.lowerBound.number) to \(range.upperBound.number)"
  }

  /// “entries 7 to 9, 12 and 20 to 21”.
  static func entries(_ ranges: [ClosedRange<Seq>]) -> String {
    guard ranges.count != 1 else { return entries(ranges[0]) }
    let parts = ranges.map { range in
      range.lowerBound == range.upperBound
        ? "\(range.lowerBound.number)"
        : "\(range.lowerBound.number) to \(range.upperBound.number)"
    }
    return "entries " + Sentences.listed(parts)
  }
}

extension BinaryInteger {
  /// “1 entry” or “7 entries”, and with a verb “1 text was” or “7 texts were”.
  func counted(_ noun: String, _ verb: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : Self.plural(noun))\(verb.map { " \(verbed($0))" } ?? "")"
  }

  /// “was” of one, “were” of several; likewise “is”, “has”, “says”, and “it” for “them”.
  func verbed(_ verb: String) -> String {
    self == 1 ? verb : Self.plurals[verb] ?? String(verb.dropLast())
  }

  private static var plurals: [String: String] {
    ["was": "were", "is": "are", "has": "have", "it": "them", "its": "their"]
  }

  /// The plural of a noun, which may stand before “of” or “at”, as in “change of layout”.
  private static func plural(_ noun: String) -> String {
    let ends = [" of ", " at "].compactMap { noun.firstRange(of: $0)?.lowerBound }
    let head = noun[..<(ends.min() ?? noun.endIndex)]
    let isY = head.hasSuffix("y") && !["ay", "ey", "oy"].contains(head.suffix(2))
    return (isY ? head.dropLast() + "ies" : head + "s") + noun[head.endIndex...]
  }
}

extension String {
  /// With a capital at the beginning of a sentence, for the bus's own words.
  var asSentence: String { asSentence(of: nil) }

  /// With a capital at the beginning of a sentence, unless that begins with an app's id, which is
  /// never changed.
  func asSentence(of app: String?) -> String {
    if let app, !app.isEmpty, hasPrefix(app) { return self }
    return prefix(1).uppercased() + dropFirst()
  }
}

/// Lengths of time in words that a person would use.
enum AgeWords {
  private static let units: [(seconds: Int64, name: String)] = [
    (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"),
  ]

  /// “2 minutes”, rounded down to the largest unit of which there are two, or one exactly.
  static func length(microseconds: Int64) -> String {
    let seconds = max(0, microseconds) / 1_000_000
    for unit in units where seconds >= 2 * unit.seconds || seconds == unit.seconds {
      return (seconds / unit.seconds).counted(unit.name)
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

/// An amount of bytes in words.
enum ByteSize {
  static func words(_ bytes: Int64) -> String {
    if bytes < 1_024 { return bytes.counted("byte") }
    // Not ten times the whole, which may be more than a number can be.
    var tenths = bytes / 1_024 * 10 + bytes % 1_024 * 10 / 1_024
    for unit in ["KiB", "MiB"] {
      if tenths < 10_240 { return "\(text(tenths)) \(unit)" }
      tenths /= 1_024
    }
    return "\(text(tenths)) GiB"
  }

  /// Tenths as a number, without a fraction from ten on.
  private static func text(_ tenths: Int64) -> String {
    tenths >= 100 || tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
