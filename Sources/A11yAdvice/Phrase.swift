// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A text whose words are found in its bytes as checks ask for them, without a copy.
struct Phrase: ~Escapable {
  let bytes: Span<UInt8>
  let language: Language

  /// A word, by offsets into the text's bytes.
  struct Word {
    /// The word with the punctuation around it.
    let start: Int
    let end: Int
    /// The word without that punctuation.
    let core: Range<Int>

    /// Whether punctuation behind the word ends a clause.
    var endsClause: Bool { core.upperBound < end }

    var whole: Range<Int> { start..<end }
  }

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, _ language: Language = .unknown) {
    self.bytes = bytes
    self.language = language
  }

  // MARK: Words

  var first: Word? { word(from: 0) }

  var last: Word? { word(to: bytes.count, notBefore: 0) }

  func word(after word: Word) -> Word? { self.word(from: word.end) }

  func word(before word: Word) -> Word? { self.word(to: word.start, notBefore: 0) }

  /// The word around the byte at `index`, which begins at `limit` or behind.
  func word(at index: Int, notBefore limit: Int) -> Word {
    var start = index
    while start > limit, bytes.spaceLength(before: start) == 0 { start -= 1 }
    return word(startingAt: start)
  }

  /// Whether there are more than `count` words.
  func hasMore(than count: Int) -> Bool {
    var left = count
    var next = first
    while let word = next, left > 0 {
      left -= 1
      next = self.word(after: word)
    }
    return next != nil
  }

  private func word(from index: Int) -> Word? {
    var start = index
    while start < bytes.count {
      let space = bytes.spaceLength(at: start)
      if space == 0 { return word(startingAt: start) }
      start += space
    }
    return nil
  }

  private func word(to index: Int, notBefore limit: Int) -> Word? {
    var end = index
    while end > limit {
      let space = bytes.spaceLength(before: end)
      if space == 0 { return word(at: end - 1, notBefore: limit) }
      end -= space
    }
    return nil
  }

  private func word(startingAt start: Int) -> Word {
    var end = start
    while end < bytes.count, bytes.spaceLength(at: end) == 0 { end += 1 }
    return Word(start: start, end: end, core: core(of: start..<end))
  }

  private func core(of word: Range<Int>) -> Range<Int> {
    let inner = bytes.extracting(word)
    var (start, end) = (0, inner.count)
    while start < end {
      let sign = inner.openingLength(at: start)
      if sign == 0 { break }
      start += sign
    }
    while end > start {
      let sign = inner.closingLength(before: end)
      if sign == 0 || end - sign < start { break }
      end -= sign
    }
    return word.lowerBound + start..<word.lowerBound + end
  }

  // MARK: The words themselves

  /// A word without the punctuation around it.
  @_lifetime(copy self)
  func core(_ word: Word) -> Span<UInt8> { bytes.extracting(word.core) }

  /// The signs behind a word's last letter.
  @_lifetime(copy self)
  func tail(_ word: Word) -> Span<UInt8> { bytes.extracting(word.core.upperBound..<word.end) }

  /// A word in small letters, by which tables know it.
  func key(_ word: Word) -> WordKey { WordKey(core(word)) }

  /// The key of a word that may be missing.
  func key(_ word: Word?) -> WordKey { word.map { key($0) } ?? .none }

  /// Whether a word that tables know has no capital.
  func isSmall(_ word: Word, _ key: WordKey) -> Bool { WordKey(asWritten: core(word)) == key }

  func startsSmall(_ word: Word) -> Bool {
    !word.core.isEmpty && bytes.scalar(at: word.core.lowerBound).scalar.isSmall
  }

  /// Whether these words follow each other, the first of them at `word`.
  func spells(_ words: [WordKey], at word: Word?) -> Bool {
    var next = word
    for wanted in words {
      guard let word = next, key(word) == wanted else { return false }
      next = self.word(after: word)
    }
    return true
  }

  // MARK: For messages

  /// The text as a message quotes it: short enough to be read aloud.
  var quoted: String { bytes.quoted }

  func quoted(_ range: Range<Int>) -> String { bytes.extracting(range).quoted }
}

extension Span<UInt8> {
  /// The most characters of a quote that are read aloud without being a burden.
  private static var longestQuote: Int { 40 }

  /// The text between quotes, cut off where it is long.
  var quoted: String {
    let end = offset(behindScalars: Self.longestQuote)
    return end == count ? "\"\(string)\"" : "\"\(extracting(0..<end).string)…\""
  }
}

extension String {
  /// The text between quotes, cut off where it is long.
  var quoted: String { utf8.span.quoted }
}
