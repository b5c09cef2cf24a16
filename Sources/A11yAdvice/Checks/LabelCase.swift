// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A label that starts with a small letter, where it is one of a control.
enum LabelCase {
  /// Longer ones are texts that somebody has written.
  private static let longest = 4

  static func look(
    _ label: Phrase,
    _ traits: TraitSet,
    _ field: String,
    into list: inout AdviceList
  ) {
    guard !traits.isDisjoint(with: .labelled), traits.isDisjoint(with: .keys),
      let first = label.words.first, label.words.count <= longest, isMistake(first, label)
    else { return }
    let better = label.text.prefix(1).uppercased() + label.text.dropFirst()
    list.add(
      .labelLowerCase,
      field,
      "Begin \(label.quoted) with a capital, as \(Phrase.quoted(better)); a label is a title."
    )
  }

  /// iPhone, eBay, notes.txt, vim, ada: what begins small may be called so.
  ///
  /// What controls do and are
  /// about is not.
  private static func isMistake(_ word: Phrase.Word, _ label: Phrase) -> Bool {
    word.core.first?.isLowercase ?? false && word.core == word.lower[...]
      && word.whole.startIndex == word.core.startIndex
      && InterfaceWords.isKnown(word.lower, label.language)
  }
}
