// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What is written short or in figures, and sounds like something else.
enum Spelling {
  /// So many digits can only be a number that is told digit by digit.
  private static let identifier = 9
  /// How far before the digits a word says what they are.
  private static let reach = 3

  /// `canSpell` says whether the text could be given as runs, of which one is spelt.
  static func look(
    _ text: Phrase,
    _ field: String,
    canSpell: Bool,
    into list: inout AdviceList
  ) {
    if text.language.mayBe(.english), let (short, long) = abbreviation(in: text) {
      list.add(
        .textAbbreviation,
        field,
        "Write \(Phrase.quoted(short)) in words, as \(Phrase.quoted(long)); voices do not know it."
      )
    } else if let amount = text.words.first(where: { isTerseAmount($0.core) }) {
      list.add(
        .textAbbreviation,
        field,
        "Write \(Phrase.quoted(amount.core)) in words, with \"million\" and \"to\"; voices say each sign."
      )
    }
    if let digits = digits(in: text) {
      let how =
        canSpell
        ? "Give \(Phrase.quoted(digits)) as a run with spell"
        : "Put spaces between the digits of \(Phrase.quoted(digits))"
      list.add(.textDigits, field, "\(how); voices read it as one large number.")
    }
  }

  // MARK: Abbreviations

  /// “2+ bd”: a unit behind a number, or a word that is short everywhere.
  private static func abbreviation(in text: Phrase) -> (short: String, long: String)? {
    for (index, word) in text.words.enumerated() {
      if let meaning = Abbreviations.meaning(word.core) { return (String(word.core), meaning) }
      guard index > 0, let meaning = Abbreviations.unit(word.core) else { continue }
      let number = text.words[index - 1].whole
      guard isNumber(number) else { continue }
      let count = number.hasSuffix("+") ? "\(number.dropLast()) or more" : String(number)
      return ("\(number) \(word.core)", "\(count) \(meaning)")
    }
    return nil
  }

  private static func isNumber(_ word: Substring) -> Bool {
    guard let first = word.first, first.isASCII, first.isNumber else { return false }
    return word.allSatisfy { $0.isASCII && $0.isNumber || ".,+-–½".contains($0) }
  }

  /// “$0–1.3M”: a currency, and then a range or a letter for millions.
  private static func isTerseAmount(_ word: Substring) -> Bool {
    guard let sign = word.first, "$€£¥".contains(sign) else { return false }
    let rest = word.dropFirst()
    guard let first = rest.first, first.isASCII, first.isNumber else { return false }
    let hasRange = rest.contains { "-–—".contains($0) }
    let hasLetter = rest.last.map { "KkMB".contains($0) } ?? false
    let isPlain = rest.allSatisfy {
      $0.isASCII && $0.isNumber || ".,-–—KkMB$€£¥".contains($0)
    }
    return isPlain && (hasRange || hasLetter)
  }

  // MARK: Digits

  private static func digits(in text: Phrase) -> String? {
    for index in text.words.indices where isIdentifier(text, index) {
      return String(text.words[index].core)
    }
    return nil
  }

  /// “98110” and “Your code is 482913”, but not “15000 files”.
  private static func isIdentifier(_ text: Phrase, _ index: Int) -> Bool {
    let word = text.words[index]
    guard word.core.count >= TextScan.digits, word.core.allSatisfy({ $0.isASCII && $0.isNumber })
    else { return false }
    let before = text.words[..<index].suffix(reach)
    if before.contains(where: { Abbreviations.cues.contains($0.lower) }) { return true }
    if word.core.hasPrefix("0") { return true }
    if let last = before.last, Abbreviations.amounts.contains(last.lower) { return false }
    // What is counted follows.
    let isLast = index + 1 == text.words.count || word.endsClause
    guard isLast, !isRound(word.core) else { return false }
    if text.words.count == 1 || word.core.count >= identifier { return true }
    // “Bainbridge Island, WA 98110”
    guard let last = before.last, last.core.count == 2, index > 1 else { return false }
    return last.core.allSatisfy { $0.isASCII && $0.isUppercase }
      && text.words[index - 2].tail.hasSuffix(",")
  }

  private static func isRound(_ digits: Substring) -> Bool {
    digits.count < identifier && digits.hasSuffix("00")
  }
}
