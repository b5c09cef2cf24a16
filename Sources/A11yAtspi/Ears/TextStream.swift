// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A text that grows by words, such as an assistant's answer, on its way to the ear in whole
/// sentences.
struct TextStream {
  let source: SourceObject
  let facts: SourceFacts
  /// Sentences that are complete and wait for those before them to be spoken.
  private var sentences = ""
  /// The beginning of a sentence.
  private var beginning = ""
  /// The time at which the text has rested.
  private var rest: Int64 = 0
  /// The time at which the words that were told have about been spoken.
  private var free: Int64

  /// The rest after which half a sentence is told.
  private static let pause: Int64 = 1_000_000
  /// The same for a line of a terminal, which tells no end of a line.
  private static let linePause: Int64 = 150_000
  /// With more it is told at once, to wait at the bus.
  private static let mostCharacters = 4_000
  /// The time in which a character is spoken: sentences that come faster are told together, so that
  /// a long answer is few messages.
  private static let perCharacter: Int64 = 50_000

  /// A text of which this much was told at a time.
  init(_ source: SourceObject, _ facts: SourceFacts, told: Int = 0, at time: Int64 = 0) {
    (self.source, self.facts) = (source, facts)
    free = time + Int64(told) * Self.perCharacter
  }

  mutating func grow(by text: String, at now: Int64) {
    beginning += text
    rest = now + (facts.role == .terminal ? Self.linePause : Self.pause)
    if let end = Self.endOfSentences(in: beginning) {
      sentences += beginning[..<end]
      beginning = String(beginning[end...])
    }
    if sentences.count + beginning.count >= Self.mostCharacters { rest = now }
  }

  /// The time at which there is something to tell.
  var due: Int64 { sentences.isEmpty ? rest : min(rest, free) }

  /// Whether a sentence or a line has begun and was not told.
  var isOpen: Bool { !beginning.isEmpty }

  /// Whether everything has been told.
  var isTold: Bool { sentences.isEmpty && beginning.isEmpty }

  /// Whether the words that were told have about been spoken.
  func isSpoken(at now: Int64) -> Bool { now >= free }

  /// Takes what is to be told now: the sentences that are complete, or all after a rest.
  mutating func take(at now: Int64) -> String {
    guard now >= due else { return "" }
    if now >= rest { (sentences, beginning) = (sentences + beginning, "") }
    let words = AtspiSignal.plain(sentences)
    sentences = ""
    free = now + Int64(words.count) * Self.perCharacter
    return words
  }

  private static let stops: Set<Character> = [".", "!", "?", "…", "。", "！", "？", "\n"]
  private static let closings: Set<Character> = ["\"", "'", ")", "]", "”", "’", "»"]

  /// The place behind the last sentence that is complete.
  ///
  /// A stop ends one if a space follows, or nothing; behind a digit it may stand within a number.
  private static func endOfSentences(in text: String) -> String.Index? {
    var end: String.Index?
    var isBehindStop = false
    var last: Character = " "
    for index in text.indices {
      let sign = text[index]
      let isPart = closings.contains(sign) || stops.contains(sign)
      let isApart = sign.isWhitespace || last.isNewline || !(isPart || last.isASCII)
      if isBehindStop, isApart { end = index }
      isBehindStop = stops.contains(sign) || (isBehindStop && isPart)
      last = sign
    }
    let isNumber = text.dropLast().last?.isNumber ?? false
    return isBehindStop && !(isNumber && last == ".") ? text.endIndex : end
  }
}
