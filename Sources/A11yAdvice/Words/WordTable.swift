// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Words that mean the same to a check, found by their keys with about one comparison.
struct WordTable: Sendable, ExpressibleByArrayLiteral {
  private let places: [WordKey]
  private let shift: UInt64

  init(_ words: [WordKey]) {
    var bits: UInt64 = 2
    while 1 << bits < 2 * words.count { bits += 1 }
    var places = [WordKey](repeating: .none, count: 1 << bits)
    for word in words {
      var place = Int(word.spread &>> (64 - bits))
      while places[place] != .none { place = (place + 1) & (places.count - 1) }
      places[place] = word
    }
    self.places = places
    shift = 64 - bits
  }

  init(arrayLiteral words: WordKey...) { self.init(words) }

  func contains(_ word: WordKey) -> Bool {
    guard word != .none else { return false }
    var place = Int(word.spread &>> shift)
    while places[place] != .none {
      if places[place] == word { return true }
      place = (place + 1) & (places.count - 1)
    }
    return false
  }
}
