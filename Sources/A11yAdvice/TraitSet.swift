// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// Traits of an element, one bit each in the schema's order, as the model has them.
struct TraitSet: Equatable {
  private(set) var bits: UInt32

  init(bits: UInt32) { self.bits = bits }

  /// The traits that a list names.
  init(_ list: JSONIndex, of line: JSONDocument) {
    bits = 0
    guard line.kind(list) == .list else { return }
    let words = WordSet.trait.words
    var item = list + 1
    while item < line.end(list) {
      for bit in words.indices where line.isKey(item, words[bit]) { bits |= 1 << UInt32(bit) }
      item = line.end(item)
    }
  }

  init(named names: [String]) {
    bits = 0
    for (bit, word) in WordSet.trait.words.enumerated() where names.contains(word.description) {
      bits |= 1 << UInt32(bit)
    }
    precondition(bits.nonzeroBitCount == names.count, "the schema lists the traits")
  }

  func isDisjoint(with other: TraitSet) -> Bool { bits & other.bits == 0 }

  /// The number of traits in both sets.
  func count(of other: TraitSet) -> Int { (bits & other.bits).nonzeroBitCount }

  /// The names of the traits in both sets.
  func names(of other: TraitSet) -> [String] {
    WordSet.trait.words.enumerated()
      .filter { bits & other.bits & 1 << UInt32($0.offset) != 0 }.map(\.element.description)
  }

  /// Traits of which an element can have only one.
  static let kinds = TraitSet(named: ["button", "link", "static-text", "search-field"])
  /// Traits of elements that the user does something with.
  static let interactive = TraitSet(named: [
    "button", "link", "search-field", "keyboard-key", "adjustable", "text-field", "secure",
  ])
  /// Controls whose labels their developers write.
  ///
  /// Links are often words in a sentence.
  static let labelled = TraitSet(named: ["button", "search-field", "adjustable", "text-field"])
  /// Keys are labelled with what they type.
  static let keys = TraitSet(named: ["keyboard-key", "static-text", "link"])
}
