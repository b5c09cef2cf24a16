// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A hint that gives an order, as in “Remove the contact”, where it should say what happens.
enum HintVerb {
  /// The most words of a hint whose last one is taken for an infinitive.
  private static let longestInfinitive = 4

  static func checkHint(_ hint: borrowing Phrase, _ field: FieldPath, into list: inout AdviceList) {
    guard let first = hint.first, let second = hint.word(after: first),
      let (wrong, right) = english(hint, first, second) ?? german(hint, first, second)
    else { return }
    list.add(
      .hintVerbForm,
      field.path,
      "Say what happens, with \(right.quoted) instead of \(wrong.quoted); a hint gives no orders."
    )
  }

  private static func english(
    _ hint: borrowing Phrase,
    _ first: Phrase.Word,
    _ second: Phrase.Word
  ) -> (wrong: String, right: String)? {
    guard hint.language.mayBe(.english), !first.endsClause,
      let verb = HintVerbs.english[hint.key(first)]
    else { return nil }
    let next = hint.key(second)
    guard !verb.isDoubtful || HintVerbs.articles.contains(next) else { return nil }
    // “Select all” and “Add button” are names of controls, which a hint may tell of.
    guard !HintVerbs.predicates.contains(next) else { return nil }
    return (hint.core(first).string, verb.third)
  }

  private static func german(
    _ hint: borrowing Phrase,
    _ first: Phrase.Word,
    _ second: Phrase.Word
  ) -> (wrong: String, right: String)? {
    guard hint.language.mayBe(.german), let last = hint.last else { return nil }
    if hint.core(second).equals("Sie"), let right = HintVerbs.german[hint.key(first)] {
      return ("\(hint.core(first).string) Sie", right)
    }
    let infinitive = hint.key(last)
    guard let right = HintVerbs.german[infinitive], hint.isSmall(last, infinitive),
      !hint.hasMore(than: longestInfinitive), !hasHelper(hint, before: last)
    else { return nil }
    return (hint.core(last).string, right)
  }

  private static func hasHelper(_ hint: borrowing Phrase, before last: Phrase.Word) -> Bool {
    var next = hint.word(before: last)
    while let word = next {
      if HintVerbs.germanHelpers.contains(hint.key(word)) { return true }
      next = hint.word(before: word)
    }
    return false
  }
}
