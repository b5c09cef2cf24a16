// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A hint that gives an order, as in “Remove the contact”, where it should say what happens.
enum HintVerb {
  /// Hints that end with an infinitive are as short as this; longer ones may be anything.
  private static let longestInfinitive = 4

  static func look(_ hint: Phrase, _ field: String, into list: inout AdviceList) {
    guard let (wrong, right) = english(hint) ?? german(hint) else { return }
    list.add(
      .hintVerbForm,
      field,
      "Say what happens, with \(Phrase.quoted(right)) instead of \(Phrase.quoted(wrong));"
        + " a hint gives no orders."
    )
  }

  private static func english(_ hint: Phrase) -> (wrong: String, right: String)? {
    guard hint.language.mayBe(.english), let first = hint.words.first, first.tail.isEmpty,
      hint.words.count > 1, let verb = HintVerbs.english[first.lower]
    else { return nil }
    let next = hint.words[1].lower
    guard !verb.isDoubtful || HintVerbs.articles.contains(next) else { return nil }
    // “Select all” and “Add button” are names of controls, which a hint may tell of.
    guard !["and", "or", "is", "are", "was", "mode"].contains(next) else { return nil }
    return (String(first.core), verb.third)
  }

  private static func german(_ hint: Phrase) -> (wrong: String, right: String)? {
    guard hint.language.mayBe(.german), let first = hint.words.first, let last = hint.words.last,
      hint.words.count > 1
    else { return nil }
    if let right = HintVerbs.german[first.lower], hint.words[1].core == "Sie" {
      return ("\(first.core) Sie", right)
    }
    guard hint.words.count <= longestInfinitive, let right = HintVerbs.german[last.lower],
      last.core == last.lower[...], !hint.lower.dropLast().contains(where: isHelper)
    else { return nil }
    return (String(last.core), right)
  }

  private static func isHelper(_ word: String) -> Bool { HintVerbs.germanHelpers.contains(word) }
}
