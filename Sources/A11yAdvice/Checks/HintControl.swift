// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A hint that names the control that it belongs to: the reader has just said it.
enum HintControl {
  static func look(_ hint: Phrase, _ field: String, into list: inout AdviceList) {
    guard let control = control(in: hint) else { return }
    list.add(
      .hintNamesControl,
      field,
      "Leave \(Phrase.quoted(control)) out of \(hint.quoted); readers have said it before the hint."
    )
  }

  private static func control(in hint: Phrase) -> String? {
    let words = hint.lower
    for index in words.indices {
      let points = hint.language.mayBe(.english) && words[index] == "this"
      let zeigt = hint.language.mayBe(.german) && germanPointers.contains(words[index])
      guard points || zeigt, index + 1 < words.count else { continue }
      let rest = words[(index + 1)...]
      for name in points ? english : german where rest.starts(with: name) {
        return "\(words[index]) \(name.joined(separator: " "))"
      }
    }
    return opening(words, hint.language)
  }

  /// “Button that removes the contact”, “A link to the page”.
  private static func opening(_ words: [String], _ language: Language) -> String? {
    guard language.mayBe(.english) else { return nil }
    let rest = words.first == "a" || words.first == "the" ? words.dropFirst() : words[...]
    for name in english where rest.starts(with: name) {
      guard let next = rest.dropFirst(name.count).first, ["that", "which", "to"].contains(next)
      else {
        continue
      }
      return name.joined(separator: " ")
    }
    return nil
  }

  private static let english: [[String]] = [
    ["button"], ["link"], ["slider"], ["search", "field"], ["text", "field"], ["checkbox"],
    ["switch"],
  ]
  private static let german: [[String]] = [
    ["button"], ["link"], ["knopf"], ["regler"], ["schaltfläche"], ["schalter"], ["schieberegler"],
    ["suchfeld"], ["taste"], ["textfeld"],
  ]
  private static let germanPointers: Set<String> = [
    "diese", "dieser", "dieses", "diesen", "diesem",
  ]
}
