// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A label that names its own type: readers say “button” themselves, after every “Delete button”.
enum LabelType {
  static func checkLabel(
    _ label: borrowing Phrase,
    _ traits: TraitSet,
    _ field: FieldPath,
    into list: inout AdviceList
  ) {
    guard !traits.isDisjoint(with: RoleWord.traits), let last = label.last else { return }
    for role in RoleWord.all where !traits.isDisjoint(with: role.traits) {
      guard label.language.mayBe(role.language), isNamed(role, by: last, in: label) else {
        continue
      }
      list.add(
        .labelNamesType,
        field.path,
        "Leave \(role.word.quoted) out of \(label.quoted); readers say what an element is by its "
          + "traits."
      )
      return
    }
  }

  private static func isNamed(
    _ role: RoleWord,
    by last: Phrase.Word,
    in label: borrowing Phrase
  ) -> Bool {
    let parts = role.parts
    if role.kind == .opening {
      return label.spells(parts, at: label.first) && label.hasMore(than: parts.count)
        && !label.hasMore(than: RoleWord.longest + parts.count)
    }
    guard let ending = ending(of: label, by: last, with: parts),
      !label.hasMore(than: RoleWord.longest + parts.count)
    else { return false }
    return role.kind == .plain || isControl(role, last, ending, in: label)
  }

  /// The way in which a label ends with the words of a role.
  private enum Ending {
    case words
    /// The word that a hyphen binds to the role, as in “Löschen-Button”.
    case bound(WordKey)
  }

  private static func ending(
    of label: borrowing Phrase,
    by last: Phrase.Word,
    with parts: [WordKey]
  ) -> Ending? {
    if parts.count == 1, label.key(last) != parts[0] {
      let core = label.core(last)
      guard let hyphen = core.lastHyphen,
        WordKey(core.extracting(hyphen + 1..<core.count)) == parts[0]
      else { return nil }
      return .bound(WordKey(core.extracting(0..<hyphen)))
    }
    var next: Phrase.Word? = last
    for part in parts.reversed() {
      guard let word = next, label.key(word) == part else { return nil }
      next = label.word(before: word)
    }
    return .words
  }

  /// Whether a word that has other meanings means the control here.
  private static func isControl(
    _ role: RoleWord,
    _ last: Phrase.Word,
    _ ending: Ending,
    in label: borrowing Phrase
  ) -> Bool {
    guard !label.hasMore(than: RoleWord.longest) else { return false }
    let isSmall = label.startsSmall(last)
    var word = label.word(before: last)
    let nearest: WordKey
    var isBound = false
    switch ending {
    case .words:
      // The word alone: with a capital it is somebody's name.
      guard let word else { return isSmall }
      nearest = label.key(word)
    case .bound(let key):
      nearest = key
      isBound = true
    }
    guard !RoleWord.articles.contains(nearest) else { return false }
    var first = nearest
    while let before = word {
      first = label.key(before)
      if RoleWord.articles.contains(first) { return false }
      word = label.word(before: before)
    }
    let isAction = InterfaceWords.isAction(first, label.language)
    if isBound { return isAction }
    if role.kind == .object { return isSmall && !isAction }
    return isAction || isSmall && !RoleWord.isThing(nearest, of: role.trait)
  }
}

extension Span<UInt8> {
  fileprivate var lastHyphen: Int? {
    indices.last { self[$0] == UInt8(ascii: "-") }
  }
}
