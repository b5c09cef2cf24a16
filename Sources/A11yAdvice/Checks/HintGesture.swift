// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A hint that names a gesture, which is another one on a keyboard or a Braille display.
enum HintGesture {
  static func checkHint(
    _ hint: borrowing Phrase,
    _ field: FieldPath,
    into list: inout AdviceList
  ) -> Bool {
    guard let gesture = gesture(in: hint) else { return false }
    list.add(
      .hintGesture,
      field.path,
      "Say what happens instead of \(gesture.quoted); how it is done differs from user to user."
    )
    return true
  }

  private static func gesture(in hint: borrowing Phrase) -> String? {
    let isEnglish = hint.language.mayBe(.english)
    let isGerman = hint.language.mayBe(.german)
    var next = hint.first
    while let word = next {
      let key = hint.key(word)
      if isEnglish, let gesture = english(hint, word, key) { return gesture }
      if isGerman, let gesture = german(hint, word, key) { return gesture }
      next = hint.word(after: word)
    }
    return nil
  }

  private static func english(
    _ hint: borrowing Phrase,
    _ word: Phrase.Word,
    _ key: WordKey
  ) -> String? {
    if GestureWords.gerunds.contains(key),
      GestureWords.tools.contains(hint.key(hint.word(before: word)))
    {
      return key.text
    }
    guard GestureWords.orderOpeners.contains(key) else { return nil }
    for order in GestureWords.orders where hint.spells(order, at: word) {
      var last = word
      for _ in order.dropFirst() { last = hint.word(after: last) ?? last }
      guard goesOn(hint, behind: last, with: GestureWords.follow),
        opensClause(hint, word) || isTool(hint, word)
      else { continue }
      return order.map(\.text).joined(separator: " ")
    }
    return nil
  }

  private static func german(
    _ hint: borrowing Phrase,
    _ word: Phrase.Word,
    _ key: WordKey
  ) -> String? {
    guard GestureWords.german.contains(key), opensClause(hint, word),
      goesOn(hint, behind: word, with: GestureWords.germanFollow)
    else { return nil }
    return key.text
  }

  /// Whether a clause ends with a word, or goes on with one of these.
  private static func goesOn(
    _ hint: borrowing Phrase,
    behind word: Phrase.Word,
    with words: WordTable
  ) -> Bool {
    guard !word.endsClause, let next = hint.word(after: word) else { return true }
    return words.contains(hint.key(next))
  }

  private static func opensClause(_ hint: borrowing Phrase, _ word: Phrase.Word) -> Bool {
    guard let before = hint.word(before: word) else { return true }
    return before.endsClause || GestureWords.clauseOpeners.contains(hint.key(before))
  }

  /// “With a swipe”.
  private static func isTool(_ hint: borrowing Phrase, _ word: Phrase.Word) -> Bool {
    guard let article = hint.word(before: word), hint.key(article) == "a" else { return false }
    return GestureWords.tools.contains(hint.key(hint.word(before: article)))
  }
}
