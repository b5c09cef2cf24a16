// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
  private static let articles: WordTable = ["a", "the"]
  private static let relatives: WordTable = ["that", "which", "to"]
  private static let english: [[WordKey]] = [
    ["button"], ["link"], ["slider"], ["search", "field"], ["text", "field"], ["checkbox"],
    ["switch"],
  ]
  private static let german: [[WordKey]] = [
    ["button"], ["link"], ["knopf"], ["regler"], ["schaltfläche"], ["schalter"], ["schieberegler"],
    ["suchfeld"], ["taste"], ["textfeld"],
  ]
  private static let germanPointers: WordTable = [
    "diese", "dieser", "dieses", "diesen", "diesem",
  ]
}
