// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The values of an element's object, by the numbers of their fields in the schema.
struct GivenFields {
  private var places = [24 of Int32](repeating: 0)
  private(set) var redacted: LengthClass?

  init(_ object: JSONIndex, of line: JSONDocument, _ schema: Fields) {
    var key = object + 1
    while key < line.end(object) {
      if let number = schema.index(of: line.raw(key)) {
        places[number] = Int32(key + 1)
      } else if line.isKey(key, "redacted") {
        redacted = line.stringIfAny(key + 1).flatMap(LengthClass.init(rawValue:))
      }
      key = line.end(key + 1)
    }
  }

  subscript(number: Int) -> JSONIndex? {
    places[number] == 0 ? nil : JSONIndex(places[number])
  }
}

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

/// The edges of a frame, decoded because a touch of the screen asks all elements for theirs.
///
/// Edges that do not fit into 32 bits lie beyond any screen, and are clamped.
struct FrameBox: Equatable, Sendable {
  private var left: Int32 = 0
  private var top: Int32 = 0
  private var right: Int32 = 0
  private var bottom: Int32 = 0

  init() {}

  init(_ value: JSONIndex, of line: JSONDocument) {
    guard line.kind(value) == .list, line.count(value) == 4, let x = line.integer(value + 1),
      let y = line.integer(value + 2), let width = line.integer(value + 3),
      let height = line.integer(value + 4), width > 0, height > 0
    else { return }
    left = Int32(clamping: x)
    top = Int32(clamping: y)
    right = Int32(clamping: x.addingReportingOverflow(width).overflow ? .max : x + width)
    bottom = Int32(clamping: y.addingReportingOverflow(height).overflow ? .max : y + height)
  }

  func holds(_ x: Int64, _ y: Int64) -> Bool {
    x >= Int64(left) && x < Int64(right) && y >= Int64(top) && y < Int64(bottom)
  }
}
