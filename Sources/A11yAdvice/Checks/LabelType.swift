// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A label that names its own type: readers say “button” themselves, after every “Delete button”.
enum LabelType {
  static func look(
    _ label: Phrase,
    _ traits: TraitSet,
    _ field: String,
    into list: inout AdviceList
  ) {
    for role in RoleWord.all where !traits.isDisjoint(with: role.traits) {
      guard label.language.mayBe(role.language), isNamed(role, in: label) else { continue }
      let word = Phrase.quoted(role.word)
      list.add(
        .labelNamesType,
        field,
        "Leave \(word) out of \(label.quoted); readers say what an element is by its traits."
      )
      return
    }
  }

  private static func isNamed(_ role: RoleWord, in label: Phrase) -> Bool {
    let parts = role.parts
    guard label.words.count <= RoleWord.longest + parts.count else { return false }
    if role.kind == .opening {
      return label.words.count > parts.count && starts(label, with: parts)
    }
    guard ends(label, with: parts) else { return false }
    if role.kind == .plain { return true }
    return isControl(role, in: label)
  }

  private static func starts(_ label: Phrase, with parts: [String]) -> Bool {
    label.lower.prefix(parts.count).elementsEqual(parts)
  }

  private static func ends(_ label: Phrase, with parts: [String]) -> Bool {
    guard let last = label.words.last, label.words.count >= parts.count else { return false }
    guard parts.count == 1 else {
      return label.lower.suffix(parts.count).elementsEqual(parts)
    }
    return last.lower == parts[0] || last.lower.hasSuffix("-\(parts[0])")
  }

  /// Whether a word that has other meanings means the control here.
  private static func isControl(_ role: RoleWord, in label: Phrase) -> Bool {
    guard label.words.count <= RoleWord.longest, let last = label.words.last else { return false }
    var before = label.lower.dropLast()
    // “Löschen-Button” is two words as well.
    if last.lower != role.word[...] {
      before.append(String(last.lower.dropLast(role.word.count + 1)))
    }
    guard let first = before.first, let nearest = before.last else {
      // Nothing but the word: with a capital it is somebody's name.
      return last.core.first?.isLowercase ?? false
    }
    guard !before.contains(where: RoleWord.articles.contains) else { return false }
    let isAction = InterfaceWords.isAction(first, label.language)
    let isSmall = last.core.first?.isLowercase ?? false
    if last.lower != role.word { return isAction }
    if role.kind == .object { return isSmall && !isAction }
    return isAction || isSmall && !RoleWord.isThing(nearest, of: role.trait)
  }
}
