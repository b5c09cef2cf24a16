// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// Checks a text to be spoken: a string, or runs with their attributes.
enum TextCheck {
  /// Checks for a text too long to be spoken, which its number of bytes nearly always rules out.
  static func checkLoss(_ event: borrowing WireEvent, into list: inout AdviceList) {
    guard let text = event.member(.text) else { return }
    let line = event.line
    switch line.kind(text) {
    case .string:
      guard line.raw(text).count > TextLength.longest else { return }
      TextLength.checkLoss(line.scalarCount(text), into: &list)
    case .list:
      var characters = 0
      var run = text + 1
      while run < line.end(text) {
        if let words = line.member("text", of: run), line.kind(words) == .string {
          characters += line.scalarCount(words)
        }
        run = line.end(run)
      }
      TextLength.checkLoss(characters, into: &list)
    case .object, .number, .yes, .no, .null: break
    }
  }

  /// Checks the style of a text.
  ///
  /// `isAnnouncement` says whether it should be one sentence, which a message between people need
  /// not be.
  static func checkStyle(
    _ event: borrowing WireEvent,
    isAnnouncement: Bool,
    into list: inout AdviceList
  ) {
    guard let text = event.member(.text) else { return }
    // A secret is not quoted, not even to its publisher.
    let isSensitive = event.flag(.sensitive)
    let isString = event.line.kind(text) == .string
    if !isString, !isSensitive { checkRuns(text, event.line, into: &list) }
    event.line.withText(text) { bytes in
      TextLength.checkLength(bytes, into: &list)
      guard !isSensitive else { return }
      let phrase = Phrase(bytes)
      if isAnnouncement { SentenceCount.checkSentences(phrase, into: &list) }
      guard isString else { return }
      Spelling(in: phrase).advise(on: phrase, .text, canSpell: true, into: &list)
    }
  }

  /// Checks each run by itself, because it may be in a language of its own.
  private static func checkRuns(
    _ text: JSONIndex,
    _ line: JSONDocument,
    into list: inout AdviceList
  ) {
    guard line.kind(text) == .list else { return }
    var position = 0
    var run = text + 1
    while run < line.end(text) {
      if let words = line.member("text", of: run), !line.saysHow(run) {
        let language = line.language(of: run)
        line.withText(words) { bytes in
          let phrase = Phrase(bytes, language)
          Spelling(in: phrase).advise(on: phrase, .run(position), canSpell: true, into: &list)
        }
      }
      position += 1
      run = line.end(run)
    }
  }
}

extension JSONDocument {
  fileprivate func scalarCount(_ value: JSONIndex) -> Int {
    isEscaped(value) ? raw(value).unescaped.span.scalarCount : raw(value).scalarCount
  }

  fileprivate func language(of run: JSONIndex) -> Language {
    guard let tag = member("lang", of: run), kind(tag) == .string else { return .unknown }
    return Language(raw(tag))
  }

  /// Whether a run states its own pronunciation.
  fileprivate func saysHow(_ run: JSONIndex) -> Bool {
    if let spell = member("spell", of: run), kind(spell) == .yes { return true }
    return member("ipa", of: run) != nil
  }
}

/// Texts that take long to speak.
enum TextLength {
  /// Characters of half a minute at a usual pace.
  static let long = 500
  /// The most characters that are spoken at all.
  static let longest = 4_000

  static func checkLoss(_ characters: Int, into list: inout AdviceList) {
    guard characters > longest else { return }
    list.add(
      .textTruncated,
      "event.text",
      "Shorten the text to \(longest) characters; of its \(characters) the rest is not spoken."
    )
  }

  static func checkLength(_ text: Span<UInt8>, into list: inout AdviceList) {
    // Nearly always the bytes are so few that the characters need not be counted.
    guard text.count > long else { return }
    let characters = text.scalarCount
    guard characters > long, characters <= longest else { return }
    list.add(
      .textLong,
      "event.text",
      "Shorten the text to \(long) characters; it has \(characters), and nobody can go back in it."
    )
  }
}

/// An announcement of more than one sentence, in which nobody can go back.
enum SentenceCount {
  /// The fewest letters of a word before a stop; shorter ones are abbreviations: Dr., St., a.m.
  private static let letters = 4

  static func checkSentences(_ text: borrowing Phrase, into list: inout AdviceList) {
    let bytes = text.bytes
    /// The end of the last word that was looked at.
    var end = 0
    var index = 0
    while let stop = bytes.firstIndex(of: UInt8(ascii: "."), from: index) {
      index = stop + 1
      guard index < bytes.count else { return }
      guard bytes.spaceLength(at: index) > 0 else { continue }
      let word = text.word(at: stop, notBefore: end)
      end = index
      if endsSentence(word, in: text) {
        list.add(
          .announcementLong,
          "event.text",
          "Announce one sentence; who hears \(text.quoted) cannot go back in it."
        )
        return
      }
    }
  }

  private static func endsSentence(_ word: Phrase.Word, in text: borrowing Phrase) -> Bool {
    guard text.tail(word).equals("."), text.core(word).isWord(ofLetters: letters),
      !Abbreviations.stopped.contains(text.key(word)), let next = text.word(after: word)
    else { return false }
    return opensSentence(text.bytes, at: next.start)
  }

  private static func opensSentence(_ text: Span<UInt8>, at index: Int) -> Bool {
    let (first, end) = text.scalar(at: index)
    guard first.isASCII, UInt8(first.value).isDigit else { return first.isCapital }
    // A digit with a mark on it is an emoji: 1️⃣
    return end == text.count || !text.scalar(at: end).scalar.isMark
  }
}

/// Abbreviations, amounts and identifiers in a text, which sound like something else.
///
/// All of them have a figure or a sign in them, so that only these are searched for.
struct Spelling {
  /// The fewest digits in a row that may be an identifier.
  private static let digits = 5
  /// The fewest digits in a row that can only be an identifier.
  private static let identifier = 9
  /// The most words before the digits among which a cue is looked for.
  private static let reach = 3

  /// A word such as “w/o”, or a unit with the number before it.
  private var abbreviation: (number: Phrase.Word?, word: Phrase.Word)?
  private var amount: Phrase.Word?
  private var identifier: Phrase.Word?

  var isEmpty: Bool { abbreviation == nil && amount == nil && identifier == nil }

  /// Finds the first of each kind in a text.
  init(in text: borrowing Phrase) {
    let bytes = text.bytes
    /// The end of the last word that was looked at.
    var end = 0
    var index = 0
    while let figure = bytes.firstFigure(from: index) {
      guard bytes.isWorthALook(at: figure) else {
        index = figure + 1
        continue
      }
      let word = text.word(at: figure, notBefore: end)
      examine(word, in: text)
      (index, end) = (word.end, word.end)
    }
  }

  private mutating func examine(_ word: Phrase.Word, in text: borrowing Phrase) {
    let core = text.core(word)
    if abbreviation == nil { abbreviation = Self.abbreviation(at: word, in: text) }
    if amount == nil, core.isTerseAmount { amount = word }
    if identifier == nil, core.count >= Self.digits, core.isDigits,
      Self.isIdentifier(word, in: text)
    {
      identifier = word
    }
  }

  /// `canSpell` says whether the text may be given as runs, of which one is spelt.
  func advise(
    on text: borrowing Phrase,
    _ field: FieldPath,
    canSpell: Bool,
    into list: inout AdviceList
  ) {
    if text.language.mayBe(.english), let (number, word) = abbreviation {
      let (short, long) = Self.wording(number, word, in: text)
      list.add(
        .textAbbreviation,
        field.path,
        "Write \(short.quoted) in words, as \(long.quoted); voices do not know it."
      )
    } else if let amount {
      list.add(
        .textAbbreviation,
        field.path,
        "Write \(text.quoted(amount.core)) in words,"
          + " with \"million\" and \"to\"; voices say each sign."
      )
    }
    guard let identifier else { return }
    let number = text.quoted(identifier.core)
    list.add(
      .textDigits,
      field.path,
      canSpell
        ? "Give \(number) as a run with spell; voices read it as one large number."
        : "Put spaces between the digits of \(number); voices read it as one large number."
    )
  }

  // MARK: Abbreviations

  /// A unit behind a number, as in “2+ bd”, or a word that is an abbreviation everywhere.
  private static func abbreviation(
    at word: Phrase.Word,
    in text: borrowing Phrase
  ) -> (number: Phrase.Word?, word: Phrase.Word)? {
    if Abbreviations.meaning(text.core(word)) != nil { return (nil, word) }
    guard text.bytes.extracting(word.whole).isNumber, let unit = text.word(after: word),
      Abbreviations.unit(text.core(unit)) != nil
    else { return nil }
    return (word, unit)
  }

  private static func wording(
    _ number: Phrase.Word?,
    _ word: Phrase.Word,
    in text: borrowing Phrase
  ) -> (short: String, long: String) {
    let short = text.core(word).string
    guard let number else { return (short, Abbreviations.meaning(text.core(word)) ?? short) }
    let meaning = Abbreviations.unit(text.core(word)) ?? short
    let figures = text.bytes.extracting(number.whole).string
    let count = figures.hasSuffix("+") ? "\(figures.dropLast()) or more" : figures
    return ("\(figures) \(short)", "\(count) \(meaning)")
  }

  // MARK: Digits

  /// Whether digits are an identifier, as in “Your code is 482913”, but not in “15000 files”.
  private static func isIdentifier(_ word: Phrase.Word, in text: borrowing Phrase) -> Bool {
    let nearest = text.word(before: word)
    var before = nearest
    for _ in 0..<reach {
      guard let cue = before else { break }
      if Abbreviations.cues.contains(text.key(cue)) { return true }
      before = text.word(before: cue)
    }
    let digits = text.core(word)
    if digits[0] == UInt8(ascii: "0") { return true }
    if Abbreviations.amounts.contains(text.key(nearest)) { return false }
    // An amount is followed by the noun that it counts, an identifier ends its clause.
    let isLast = text.word(after: word) == nil
    guard isLast || word.endsClause, digits.count >= identifier || !digits.endsWithZeros else {
      return false
    }
    if digits.count >= identifier { return true }
    guard let nearest else { return isLast }
    // “Bainbridge Island, WA 98110”
    guard text.core(nearest).isState, let place = text.word(before: nearest) else { return false }
    return place.endsClause && text.bytes[place.end - 1] == UInt8(ascii: ",")
  }
}

extension Span<UInt8> {
  /// Whether the byte found at `index` begins a figure; nearly all other signs do not.
  fileprivate func isWorthALook(at index: Int) -> Bool {
    switch self[index] {
    // £ ¥ €
    case 0xc2:
      return index + 1 < count && (self[index + 1] == 0xa3 || self[index + 1] == 0xa5)
    case 0xe2: return index + 2 < count && self[index + 1] == 0x82 && self[index + 2] == 0xac
    case UInt8(ascii: "/"): return index > 0 && self[index - 1] == UInt8(ascii: "w")
    default: return true
    }
  }

  /// Whether the bytes are digits, with the signs that may stand between and behind them.
  fileprivate var isNumber: Bool {
    guard count > 0, self[0].isDigit else { return false }
    var index = 1
    while index < count {
      switch self[index] {
      case 48...57, UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "+"), UInt8(ascii: "-"):
        index += 1
      // ½
      case 0xc2 where index + 1 < count && self[index + 1] == 0xbd: index += 2
      case 0xe2 where dash(at: index) == 0x93: index += 3
      default: return false
      }
    }
    return true
  }

  /// Whether the bytes are a currency with a range or a letter for millions, as “$0–1.3M”.
  fileprivate var isTerseAmount: Bool {
    var index = currencyLength(at: 0)
    guard index > 0, index < count, self[index].isDigit else { return false }
    var isTerse = false
    while index < count {
      let byte = self[index]
      let currency = currencyLength(at: index)
      if currency > 0 {
        index += currency
      } else if byte == UInt8(ascii: "-") || dash(at: index) != nil {
        isTerse = true
        index += byte == UInt8(ascii: "-") ? 1 : 3
      } else if byte == UInt8(ascii: "K") || byte == UInt8(ascii: "k") || byte == UInt8(ascii: "M")
        || byte == UInt8(ascii: "B")
      {
        index += 1
        if index == count { isTerse = true }
      } else if byte.isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") {
        index += 1
      } else {
        return false
      }
    }
    return isTerse
  }

  private func currencyLength(at index: Int) -> Int {
    guard index < count else { return 0 }
    switch self[index] {
    case UInt8(ascii: "$"): return 1
    case 0xc2: return isWorthALook(at: index) ? 2 : 0
    case 0xe2: return isWorthALook(at: index) ? 3 : 0
    default: return 0
    }
  }

  /// The last byte of an en dash or an em dash at `index`.
  private func dash(at index: Int) -> UInt8? {
    guard index + 2 < count, self[index] == 0xe2, self[index + 1] == 0x80 else { return nil }
    let last = self[index + 2]
    return last == 0x93 || last == 0x94 ? last : nil
  }

  fileprivate var endsWithZeros: Bool {
    count >= 2 && self[count - 1] == UInt8(ascii: "0") && self[count - 2] == UInt8(ascii: "0")
  }

  /// Whether the bytes are two capitals, as “WA”.
  fileprivate var isState: Bool { count == 2 && self[0].isCapital && self[1].isCapital }
}

/// A layout-changed with a text, where it may only have an element to go to.
enum LayoutText {
  static func warn(into list: inout AdviceList) {
    list.add(
      .layoutText,
      "event.text",
      "Publish the text as an announcement; a layout-changed bears an element or nothing."
    )
  }
}
