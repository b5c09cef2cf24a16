// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
