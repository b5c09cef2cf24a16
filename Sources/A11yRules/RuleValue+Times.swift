// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

// Times, and settings made of times.
extension RuleValue {
  private var time: TimeSpan? {
    let time: TimeSpan? =
      switch self {
      // Longer times are refused anyway, and up to there the product fits.
      case .integer(let count) where 0...Times.longest.wholeMilliseconds ~= count:
        .milliseconds(count)
      case .text(let text): Quantity.microseconds(text).map(TimeSpan.init(microseconds:))
      case .integer, .flag, .list, .other: nil
      }
    guard let time, TimeSpan.zero...Times.longest ~= time else { return nil }
    return time
  }

  func duration() throws(Misfit) -> TimeSpan {
    if let time { return time }
    throw Misfit(Self.expectedTime, choices: [], got: self)
  }

  /// A time, or the word that stands for none.
  func duration(or word: String) throws(Misfit) -> TimeSpan? {
    if self == .text(word) { return nil }
    if let time { return time }
    throw Misfit("\(Self.expectedTime), or \"\(word)\"", choices: [word], got: self)
  }

  /// The time of a hold; true stands for the usual one, false for none.
  func hold() throws(Misfit) -> TimeSpan {
    switch self {
    case .flag(let flag): return flag ? Rule.hold : .zero
    case .text, .integer, .list, .other: break
    }
    if let time { return time }
    throw Misfit("\(Self.expectedTime), true or false", choices: [], got: self)
  }

  func dedupe() throws(Misfit) -> Treatment.Dedupe? {
    if self == .text("equal") { return .whileEqual }
    if self == .text("none") { return nil }
    if let time { return time == .zero ? nil : .time(time) }
    throw Misfit(
      "\(Self.expectedTime), \"equal\" or \"none\"",
      choices: ["equal", "none"],
      got: self
    )
  }

  /// “4/s”, “1/10 s”, or “none”.
  func rate() throws(Misfit) -> Rate? {
    if self == .text("none") { return nil }
    if case .text(let text) = self, let rate = Rate(text) { return rate }
    throw Misfit(
      "so many in so long a time, such as \"4/s\" or \"1/10 s\", or \"none\"",
      choices: ["none"],
      got: self
    )
  }

  private static var expectedTime: String {
    "at most a day, in milliseconds or with a unit such as \"1.5 s\""
  }

  /// A time in the largest unit that leaves no fraction.
  init(time: TimeSpan) { self = .text(Quantity.text(microseconds: time.microseconds)) }
}
