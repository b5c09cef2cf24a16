// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient
import A11ySpeech

/// What a client has spoken, as texts of the bus.
///
/// A text that is too long for one announcement is several, and each begins where a voice may take
/// breath.
package struct SsipSpeech: Equatable, Sendable {
  /// A text for one announcement, with the names of the places in it.
  package struct Part: Equatable, Sendable {
    package fileprivate(set) var runs: [SpeechText.Run] = []
    /// The names of the places before each run, and behind the last one.
    package fileprivate(set) var marks: [[String]] = [[]]

    package var text: SpeechText { SpeechText(runs: runs) }

    /// Whether there is anything to be said; blanks alone are nothing.
    package var hasWords: Bool {
      runs.contains { run in
        run.utterance != nil || run.text.unicodeScalars.contains { !$0.properties.isWhitespace }
      }
    }

    /// The place behind a mark that the voice has passed, counted in runs; nil for another's mark.
    func place(of mark: String, from start: Int) -> Int? {
      runs.indices.dropFirst(start).first { runs[$0].mark == mark }
    }

    /// What is left from a run on.
    mutating func removeRuns(before place: Int) {
      runs.removeFirst(place)
      marks.removeFirst(place)
    }

    /// Makes other words of it that sound the same.
    ///
    /// The bus says the same words of the same program within a second once only.
    mutating func makeAnew() {
      if let last = runs.indices.last { runs[last].text += " " }
    }

    fileprivate mutating func append(_ run: SpeechText.Run) {
      runs.append(run)
      marks.append([])
    }

    fileprivate mutating func append(marks names: [String]) {
      marks[marks.count - 1] += names
    }
  }

  package private(set) var parts: [Part]

  /// The longest text of an announcement, in characters.
  static let longest = 4_000
  /// The bytes of runs for which a line of the bus has room beside the rest of the event.
  static let mostBytes = 60_000

  /// The texts of a message in a manner.
  package init(_ content: SsipContent, _ voice: SsipVoice) {
    var manner = Self.manner(of: voice)
    switch content {
    case .word(let kind, let word):
      manner.text = word
      manner.utterance =
        switch kind {
        case .character: .character
        case .key: .key
        case .icon: .icon
        }
      var part = Part()
      part.append(manner)
      parts = [part]
    case .text(let text):
      parts = [Part()]
      manner.spell = voice.spelling ? true : nil
      guard voice.ssml else {
        append(text, [], manner)
        return
      }
      for stretch in SsipMarkup(text).stretches {
        var run = manner
        if let language = stretch.language { run.lang = language }
        if stretch.isSpelled { run.spell = true }
        append(stretch.words, stretch.marks, run)
      }
    }
  }

  /// Adds words behind marks, in as many parts as they need.
  private mutating func append(_ words: String, _ marks: [String], _ manner: SpeechText.Run) {
    var names = marks
    var rest = words[...]
    while !rest.isEmpty {
      let room = Self.longest - characters
      let piece = Self.prefix(of: rest, atMost: room, isFresh: characters == 0)
      var run = manner
      run.text = String(piece)
      run.mark = names.last { !$0.isEmpty && $0.utf8.count <= Self.longestMark }
      let size = Self.size(of: run)
      guard !piece.isEmpty, characters == 0 || bytes + size <= Self.mostBytes else {
        beginPart()
        continue
      }
      parts[parts.count - 1].append(marks: names)
      parts[parts.count - 1].append(run)
      characters += piece.unicodeScalars.count
      bytes += size
      rest = rest[piece.endIndex...]
      names = []
      // Where a text is cut, there is no room for a few words more.
      if !rest.isEmpty { beginPart() }
    }
    parts[parts.count - 1].append(marks: names)
  }

  private mutating func beginPart() {
    parts.append(Part())
    (characters, bytes) = (0, 0)
  }

  /// The length of the last part, in characters and at most in bytes.
  private var characters = 0
  private var bytes = 0
  /// The longest name of a mark that the bus takes; the client is told of it with its neighbours.
  private static let longestMark = 128

  /// The longest beginning of a text that has room; it ends behind a sentence or a word, where
  /// there is one in the second half of a part.
  private static func prefix(of text: Substring, atMost room: Int, isFresh: Bool) -> Substring {
    let scalars = text.unicodeScalars
    guard
      let end = scalars.index(scalars.startIndex, offsetBy: room, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    let whole = text[..<end]
    if let sentence = lastEnd(in: whole, { ".!?\n".contains($0) }) { return whole[..<sentence] }
    if let word = lastEnd(in: whole, { _ in true }) { return whole[..<word] }
    return isFresh ? whole : text[..<text.startIndex]
  }

  /// The place behind the last blank that follows such a character.
  private static func lastEnd(
    in text: Substring,
    _ isEnd: (Character) -> Bool
  ) -> Substring.Index? {
    var place = text.endIndex
    var distance = 0
    while place > text.startIndex, distance < longest / 2 {
      let before = text.index(before: place)
      if text[before].isWhitespace, before > text.startIndex {
        if text[before].isNewline || isEnd(text[text.index(before: before)]) { return place }
      }
      place = before
      distance += 1
    }
    return nil
  }

  /// The bytes of a run in a line of the bus, or somewhat more.
  private static func size(of run: SpeechText.Run) -> Int {
    let words = [run.text, run.lang, run.voice, run.mark].compactMap { $0 }
    // A quotation mark takes two bytes, and a control character six.
    let text = words.reduce(0) { sum, word in
      word.utf8.reduce(sum) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5c ? 2 : 1) }
    }
    let numbers = [run.rate, run.pitch, run.pitchRange, run.volume].compactMap { $0 }
    let digits = numbers.reduce(0) { $0 + "\($1)".utf8.count }
    let others = [run.spell != nil, run.punctuation != nil, run.capitals != nil].count { $0 }
    return text + words.count * 10 + digits + numbers.count * 16 + others * 22
  }

  // MARK: Manner

  /// A run without words in the manner that a client has set; all that it has not set is the
  /// person's own.
  private static func manner(of voice: SsipVoice) -> SpeechText.Run {
    var run = SpeechText.Run("")
    run.lang = voice.language.flatMap { ["c", "posix"].contains($0) ? nil : $0 }
    run.rate = voice.rate.map(SsipScale.relative.factor)
    run.pitch = voice.pitch.map(SsipScale.relative.factor)
    run.pitchRange = voice.pitchRange.map(SsipScale.relative.factor)
    run.volume = voice.volume.map(SsipScale.volume.factor)
    run.voice = voice.synthesisVoice ?? voice.voiceType?.rawValue
    run.punctuation = voice.punctuation.flatMap { .init(rawValue: $0.rawValue) }
    run.capitals = voice.capitals.flatMap { .init(rawValue: $0.rawValue) }
    return run
  }
}
