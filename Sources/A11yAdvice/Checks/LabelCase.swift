// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A control's label that starts with a small letter.
enum LabelCase {
  /// The most words of a label; longer ones are somebody's texts.
  private static let longest = 4

  static func checkLabel(
    _ label: borrowing Phrase,
    _ traits: TraitSet,
    _ field: FieldPath,
    into list: inout AdviceList
  ) {
    guard !traits.isDisjoint(with: .labelled), traits.isDisjoint(with: .keys),
      let first = label.first, isMistake(first, label), !label.hasMore(than: longest)
    else { return }
    let text = label.bytes.string
    let better = text.prefix(1).uppercased() + text.dropFirst()
    list.add(
      .labelLowerCase,
      field.path,
      "Begin \(label.quoted) with a capital, as \(better.quoted); a label is a title."
    )
  }

  /// Whether the word is one of interfaces, and small by mistake: iPhone, eBay, notes.txt, vim and
  /// ada are called so.
  private static func isMistake(_ word: Phrase.Word, _ label: borrowing Phrase) -> Bool {
    let key = label.key(word)
    return word.start == word.core.lowerBound && label.isSmall(word, key)
      && InterfaceWords.isKnown(key, label.language)
  }
}
