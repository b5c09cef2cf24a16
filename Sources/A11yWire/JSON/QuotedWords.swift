// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Words of a fixed list, quoted once for all the lines that have one of them.
public struct QuotedWords: Sendable {
  fileprivate let all: [[UInt8]]

  /// Words with the numbers that they have in this list.
  public init(_ words: [String]) {
    all = words.map { word in
      var quoted = ByteBuffer(capacity: 64)
      quoted.append(json: word)
      return quoted.bytes.array
    }
  }
}

extension ByteBuffer {
  /// Appends the word with this number, in its quotes.
  public mutating func quote(_ words: QuotedWords, _ number: Int) {
    let word = words.all[number]
    append(word.span)
  }
}
