// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// A value as it stands in a file of rules or in an entry.
///
/// Both write values alike, so that one place knows what they mean.
public indirect enum RuleValue: Equatable, Sendable {
  case text(String)
  case integer(Int64)
  case flag(Bool)
  case list([RuleValue])
  /// A value of a kind that no key of a rule takes.
  case other
}

/// The reason for which a value does not fit its key.
public struct Misfit: Error, Equatable {
  /// The words behind “expected”.
  public let expected: String
  /// Words that could have been meant.
  public let choices: [String]
  /// The value that came instead; within a list, the item.
  public let got: RuleValue
  /// The item's index in the list.
  public internal(set) var item: Int?

  init(_ expected: String, choices: [String], got: RuleValue) {
    self.expected = expected
    self.choices = choices
    self.got = got
  }
}

extension RuleValue {
  /// Reads one value, or each item of a list.
  func list<Value>(
    _ read: (RuleValue) throws(Misfit) -> Value
  ) throws(Misfit) -> [Value] {
    guard case .list(let items) = self else { return [try read(self)] }
    guard 1...Rule.listed ~= items.count else {
      throw Misfit("a value, or a list of 1 to \(Rule.listed)", choices: [], got: self)
    }
    var values: [Value] = []
    for (place, item) in items.enumerated() {
      do throws(Misfit) {
        values.append(try read(item))
      } catch {
        var misfit = error
        misfit.item = place
        throw misfit
      }
    }
    return values
  }

  func word<Word: RawRepresentable & CaseIterable>(
    _: Word.Type
  ) throws(Misfit) -> Word where Word.RawValue == String {
    if case .text(let text) = self, let word = Word(rawValue: text) { return word }
    throw misfit(oneOf: Word.allCases.map(\.rawValue))
  }

  func misfit(oneOf words: [String]) -> Misfit {
    Misfit("one of \(words.joined(separator: ", "))", choices: words, got: self)
  }

  func flag() throws(Misfit) -> Bool {
    if case .flag(let flag) = self { return flag }
    throw Misfit("true or false", choices: [], got: self)
  }

  func integer(_ range: ClosedRange<Int64>) throws(Misfit) -> Int64 {
    if case .integer(let integer) = self, range.contains(integer) { return integer }
    throw Misfit(
      "an integer from \(range.lowerBound) to \(range.upperBound)",
      choices: [],
      got: self
    )
  }

  func pattern() throws(Misfit) -> Pattern {
    if case .text(let text) = self, 1...Pattern.bytes ~= text.utf8.count { return Pattern(text) }
    throw Misfit(
      "a text of 1 to \(Pattern.bytes) bytes, in which * stands for anything",
      choices: [],
      got: self
    )
  }

  /// A class; any word, because unknown ones may come to mean something.
  func className() throws(Misfit) -> String {
    try word("a class", choices: SpeechClass.known.map(\.word))
  }

  func originName() throws(Misfit) -> String { try word("an origin", choices: []) }

  private func word(_ what: String, choices: [String]) throws(Misfit) -> String {
    if case .text(let text) = self, 1...32 ~= text.utf8.count,
      text.utf8.allSatisfy({ 97...122 ~= $0 || $0 == UInt8(ascii: "-") })
    {
      return text
    }
    throw Misfit("\(what): 1 to 32 of the characters a to z and -", choices: choices, got: self)
  }
}

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

/// The bounds of times in rules.
public enum Times {
  /// A day: as long as an event may wait for its turn at all.
  public static let longest = TimeSpan.minutes(24 * 60)
}

/// A number of events in a period.
public struct Rate: Hashable, Sendable {
  public let count: Int64
  public let period: TimeSpan

  public init(count: Int64, period: TimeSpan) {
    precondition(count > 0 && period > .zero, "a rate lets something pass")
    self.count = count
    self.period = period
  }

  /// Bounds within which no sum of the presenter overflows.
  public static let counts: ClosedRange<Int64> = 1...1_000_000
  public static let periods: ClosedRange<TimeSpan> = .milliseconds(1)...Times.longest

  /// The time between two events.
  public var interval: TimeSpan { max(.microseconds(1), period / count) }
}

extension Rate {
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int64(parts[0]), Self.counts.contains(count) else {
      return nil
    }
    let time = String(parts[1])
    let isUnit = Quantity.durationUnits.contains { $0.name == time }
    guard let microseconds = Quantity.microseconds(isUnit ? "1" + time : time),
      Self.periods.contains(.microseconds(microseconds))
    else { return nil }
    self.init(count: count, period: .microseconds(microseconds))
  }

  /// The rate as rules have it: “4/s”, “1/10 s”.
  public var text: String {
    let time = Quantity.text(microseconds: period.microseconds)
    return "\(count)/\(time.hasPrefix("1 ") ? String(time.dropFirst(2)) : time)"
  }
}

/// A language that the bus has words of its own in, with its tag.
public enum WordLanguage: String, Sendable, CaseIterable {
  case english = "en"
  case german = "de"
  case french = "fr"
  case spanish = "es"
  case italian = "it"
  case portuguese = "pt"
  case dutch = "nl"
  case polish = "pl"
  case russian = "ru"
  case arabic = "ar"
  case swedish = "sv"

  /// The language of a tag such as `de-AT`, or of a locale such as `de_AT.UTF-8`; nil where the
  /// bus has no words for it.
  public init?(tag: Span<UInt8>) {
    guard tag.count == 2 || tag.count > 2 && !Self.isLetter(tag[2]) else { return nil }
    // One bit tells the capitals of ASCII from its small letters.
    let letters = [tag[0], tag[1]].map { Unicode.Scalar($0 | 0x20) }
    self.init(rawValue: String(String.UnicodeScalarView(letters)))
  }

  /// The language of a session, by the first variable of its environment that tells one; English
  /// where the bus has no words in it.
  public static func ofSession(_ environment: (String) -> String?) -> WordLanguage {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment)
      .first { !$0.isEmpty }
    return locale.flatMap { WordLanguage(tag: $0.utf8.span) } ?? .english
  }

  /// The English name of the language of a tag; the tag where the bus has no words in it.
  public static func name(of tag: String) -> String {
    guard let language = WordLanguage(tag: tag.utf8.span) else { return tag }
    // The cases have these names.
    let name = "\(language)"
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }
}
