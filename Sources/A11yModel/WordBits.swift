// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A set of the words that the schema lists for a field, one bit each, by their order there.
struct WordBits: Equatable, Sendable {
  private(set) var bits: UInt32 = 0

  init() {}

  /// The words of a list; a word that stands there twice counts once.
  init(_ list: JSONIndex, of line: JSONDocument, from set: WordSet) {
    guard line.kind(list) == .list else { return }
    let words = set.words
    var item = list + 1
    while item < line.end(list) {
      for bit in words.indices where line.isKey(item, words[bit]) { bits |= 1 << UInt32(bit) }
      item = line.end(item)
    }
  }

  /// One word alone.
  init(_ word: StaticString, from set: WordSet) {
    guard let bit = set.words.firstIndex(where: { $0.description == word.description }) else {
      preconditionFailure("the schema lists the word")
    }
    bits = 1 << UInt32(bit)
  }

  var isEmpty: Bool { bits == 0 }

  func isDisjoint(with other: WordBits) -> Bool { bits & other.bits == 0 }

  func contains(_ other: WordBits) -> Bool { bits & other.bits == other.bits }

  /// The words, in the schema's order.
  func words(from set: WordSet) -> [String] {
    set.words.enumerated().filter { bits & 1 << UInt32($0.offset) != 0 }
      .map(\.element.description)
  }

  /// Appends the words as a list, in the schema's order.
  func writeList(from set: WordSet, into out: inout ByteBuffer) {
    let words = set.words
    out.array { out in
      for bit in words.indices where bits & 1 << UInt32(bit) != 0 {
        out.separate()
        out.append(quoted: words[bit])
      }
    }
  }
}
