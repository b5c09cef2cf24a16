// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A hint that is no sentence, with a capital at its beginning and a full stop at its end.
enum HintSentence {
  static func checkHint(_ hint: borrowing Phrase, _ field: FieldPath, into list: inout AdviceList) {
    guard let first = hint.first, let last = hint.last else { return }
    let isSmall = hint.core(first).isSmallWord
    // A stop within the last word, as in “a.m.”, counts as the end, too.
    let isOpen = !hint.tail(last).hasSentenceEnd && hint.core(last).endsWithLatin
    guard isSmall || isOpen else { return }
    let what =
      isSmall && isOpen
      ? "Begin \(hint.quoted) with a capital and end it with a full stop"
      : isSmall ? "Begin \(hint.quoted) with a capital" : "End \(hint.quoted) with a full stop"
    list.add(.hintNoSentence, field.path, "\(what); a hint is a sentence.")
  }
}

extension Span<UInt8> {
  /// Whether the word is of small letters alone, the first one Latin: not so iPhone and notes.txt.
  fileprivate var isSmallWord: Bool {
    var index = 0
    var isFirst = true
    while index < count {
      let (letter, end) = scalar(at: index)
      guard letter.isSmall, letter.isLetter, !isFirst || letter.isLatin else { return false }
      index = end
      while index < count {
        let (mark, end) = scalar(at: index)
        guard mark.isMark else { break }
        if isFirst, !mark.isLatinMark { return false }
        index = end
      }
      isFirst = false
    }
    return !isFirst
  }

  /// Whether the last character is a letter or digit of a script that ends sentences with a stop.
  fileprivate var endsWithLatin: Bool {
    var index = count
    while index > 0 {
      index = scalarStart(before: index)
      let last = scalar(at: index).scalar
      if last.isLatinMark { continue }
      return last.isLatin && (last.isLetter || last.properties.numericType != nil)
    }
    return false
  }

  fileprivate var hasSentenceEnd: Bool {
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): return true
      // The last byte of “…”, which no other sign behind words has.
      case 0xa6: return true
      default: break
      }
    }
    return false
  }
}

/// A hint that names the control that it belongs to: the reader has just said it.
enum HintControl {
  static func checkHint(_ hint: borrowing Phrase, _ field: FieldPath, into list: inout AdviceList) {
    guard let control = pointedAt(in: hint) ?? opening(hint) else { return }
    list.add(
      .hintNamesControl,
      field.path,
      "Leave \(control.quoted) out of \(hint.quoted); readers have said it before the hint."
    )
  }

  /// “This button”, wherever it stands.
  private static func pointedAt(in hint: borrowing Phrase) -> String? {
    let isEnglish = hint.language.mayBe(.english)
    let isGerman = hint.language.mayBe(.german)
    var next = hint.first
    while let word = next {
      let key = hint.key(word)
      next = hint.word(after: word)
      if isEnglish, key == this {
        if let name = name(of: english, in: hint, at: next) { return "\(key.text) \(name)" }
      } else if isGerman, germanPointers.contains(key) {
        if let name = name(of: german, in: hint, at: next) { return "\(key.text) \(name)" }
      }
    }
    return nil
  }

  /// “Button that removes the contact”, “A link to the page”.
  private static func opening(_ hint: borrowing Phrase) -> String? {
    guard hint.language.mayBe(.english), var word = hint.first else { return nil }
    if articles.contains(hint.key(word)) {
      guard let next = hint.word(after: word) else { return nil }
      word = next
    }
    for name in english where hint.spells(name, at: word) {
      var next = hint.word(after: word)
      for _ in name.dropFirst() { next = next.flatMap { hint.word(after: $0) } }
      if relatives.contains(hint.key(next)) { return text(of: name) }
    }
    return nil
  }

  private static func name(
    of controls: [[WordKey]],
    in hint: borrowing Phrase,
    at word: Phrase.Word?
  ) -> String? {
    for name in controls where hint.spells(name, at: word) { return text(of: name) }
    return nil
  }

  private static func text(of name: [WordKey]) -> String {
    name.map(\.text).joined(separator: " ")
  }

  private static let this: WordKey = "this"
  private static let articles: WordTable = "a the"
  private static let relatives: WordTable = "that which to"
  private static let english: [[WordKey]] = [
    ["button"], ["link"], ["slider"], ["search", "field"], ["text", "field"], ["checkbox"],
    ["switch"],
  ]
  private static let german: [[WordKey]] = [
    ["button"], ["link"], ["knopf"], ["regler"], ["schaltfläche"], ["schalter"], ["schieberegler"],
    ["suchfeld"], ["taste"], ["textfeld"],
  ]
  private static let germanPointers: WordTable = "diese dieser dieses diesen diesem"
}

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
