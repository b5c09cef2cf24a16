// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A hint that names a gesture: who works with a keyboard or a Braille display has another.
enum HintGesture {
  static func look(_ hint: Phrase, _ field: String, into list: inout AdviceList) -> Bool {
    guard let gesture = gesture(in: hint) else { return false }
    list.add(
      .hintGesture,
      field,
      "Say what happens instead of \(Phrase.quoted(gesture)); how it is done differs from user to user."
    )
    return true
  }

  private static func gesture(in hint: Phrase) -> String? {
    let words = hint.lower
    for index in words.indices {
      if hint.language.mayBe(.english), let gesture = english(hint, words, index) { return gesture }
      if hint.language.mayBe(.german), let gesture = german(hint, words, index) { return gesture }
    }
    return nil
  }

  private static func english(_ hint: Phrase, _ words: [String], _ index: Int) -> String? {
    if Gestures.gerunds.contains(words[index]), index > 0, Gestures.tools.contains(words[index - 1])
    {
      return words[index]
    }
    for order in Gestures.orders {
      guard words[index...].starts(with: order) else { continue }
      let last = index + order.count - 1
      let isEnd = hint.words[last].endsClause || last + 1 == words.count
      let goesOn = isEnd || Gestures.follow.contains(words[last + 1])
      guard goesOn, opensClause(hint, words, index) || isTool(words, index) else { continue }
      return order.joined(separator: " ")
    }
    return nil
  }

  private static func german(_ hint: Phrase, _ words: [String], _ index: Int) -> String? {
    guard Gestures.german.contains(words[index]), opensClause(hint, words, index) else {
      return nil
    }
    let isEnd = hint.words[index].endsClause || index + 1 == words.count
    return isEnd || Gestures.germanFollow.contains(words[index + 1]) ? words[index] : nil
  }

  private static func opensClause(_ hint: Phrase, _ words: [String], _ index: Int) -> Bool {
    index == 0 || hint.words[index - 1].endsClause
      || Gestures.clauseOpeners.contains(words[index - 1])
  }

  /// “With a swipe”.
  private static func isTool(_ words: [String], _ index: Int) -> Bool {
    index > 1 && words[index - 1] == "a" && Gestures.tools.contains(words[index - 2])
  }
}
