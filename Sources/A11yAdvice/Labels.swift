// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yWire

/// An element that readers stop at without a name for it.
enum LabelMissing {
  /// `known` is the element after this event.
  static func checkNaming(
    _ known: Model.Naming,
    _ id: String,
    _ field: FieldPath,
    into list: inout AdviceList
  ) {
    let traits = TraitSet(bits: known.traits)
    guard !known.hasLabel, !known.isHidden, known.isAccessible != false else { return }
    if traits.isDisjoint(with: .interactive) {
      // The element says itself that it is a stop, and its value may be its name.
      guard known.isAccessible == true, !known.hasValue else { return }
    } else if known.isAccessible == nil, known.hasChildren {
      // The element may be a frame around other stops.
      return
    }
    list.add(
      .labelMissing,
      field.path,
      "Give \(id.quoted) a label; readers stop at it and have nothing to say."
    )
  }
}

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

/// A label that ends with a full stop: it is a name and no sentence.
enum LabelStop {
  /// The most words of a label; longer ones are somebody's texts.
  private static let longest = 4
  /// The fewest letters of a word before a stop; shorter ones are abbreviations.
  private static let letters = 4

  static func checkLabel(
    _ label: borrowing Phrase,
    _ traits: TraitSet,
    _ field: FieldPath,
    into list: inout AdviceList
  ) {
    guard !traits.isDisjoint(with: .labelled), traits.isDisjoint(with: .keys),
      label.language != .other, isMistake(label)
    else { return }
    list.add(
      .labelFullStop,
      field.path,
      "End \(label.quoted) without the full stop; a label is a name, and voices pause at the stop."
    )
  }

  private static func isMistake(_ label: borrowing Phrase) -> Bool {
    guard let last = label.last, label.tail(last).equals("."), !label.hasMore(than: longest) else {
      return false
    }
    let key = label.key(last)
    guard
      label.core(last).isWord(ofLetters: letters, areLatin: true)
        || InterfaceWords.isAction(key, label.language),
      !Abbreviations.stopped.contains(key), !label.core(last).isStreet
    else { return false }
    // A label in which somebody speaks, or one sentence follows another, is a message.
    if speakers.contains(key) { return false }
    var before = label.word(before: last)
    while let word = before {
      if word.endsClause || speakers.contains(label.key(word)) { return false }
      before = label.word(before: word)
    }
    return true
  }

  private static let speakers: WordTable = """
    i i'm i’m me you we he she they it us is are was were ich du wir er sie es ihr mir dir uns ist
    sind war
    """
}

extension Span<UInt8> {
  /// Whether the word is an abbreviated street, as “Hauptstr.”, whose stop is its own.
  fileprivate var isStreet: Bool {
    count >= 3 && WordKey(extracting(count - 3..<count)) == "str"
  }
}

/// A label that names its own type: readers say “button” themselves, after every “Delete button”.
enum LabelType {
  static func checkLabel(
    _ label: borrowing Phrase,
    _ traits: TraitSet,
    _ field: FieldPath,
    into list: inout AdviceList
  ) {
    guard !traits.isDisjoint(with: RoleWord.traits), let last = label.last else { return }
    for role in RoleWord.all where !traits.isDisjoint(with: role.traits) {
      guard label.language.mayBe(role.language), isNamed(role, by: last, in: label) else {
        continue
      }
      list.add(
        .labelNamesType,
        field.path,
        "Leave \(role.word.quoted) out of \(label.quoted); readers say what an element is by its "
          + "traits."
      )
      return
    }
  }

  private static func isNamed(
    _ role: RoleWord,
    by last: Phrase.Word,
    in label: borrowing Phrase
  ) -> Bool {
    let parts = role.parts
    if role.kind == .opening {
      return label.spells(parts, at: label.first) && label.hasMore(than: parts.count)
        && !label.hasMore(than: RoleWord.longest + parts.count)
    }
    guard let ending = ending(of: label, by: last, with: parts),
      !label.hasMore(than: RoleWord.longest + parts.count)
    else { return false }
    return role.kind == .plain || isControl(role, last, ending, in: label)
  }

  /// The way in which a label ends with the words of a role.
  private enum Ending {
    case words
    /// The word that a hyphen binds to the role, as in “Löschen-Button”.
    case bound(WordKey)
  }

  private static func ending(
    of label: borrowing Phrase,
    by last: Phrase.Word,
    with parts: [WordKey]
  ) -> Ending? {
    if parts.count == 1, label.key(last) != parts[0] {
      let core = label.core(last)
      guard let hyphen = core.lastHyphen,
        WordKey(core.extracting(hyphen + 1..<core.count)) == parts[0]
      else { return nil }
      return .bound(WordKey(core.extracting(0..<hyphen)))
    }
    var next: Phrase.Word? = last
    for part in parts.reversed() {
      guard let word = next, label.key(word) == part else { return nil }
      next = label.word(before: word)
    }
    return .words
  }

  /// Whether a word that has other meanings means the control here.
  private static func isControl(
    _ role: RoleWord,
    _ last: Phrase.Word,
    _ ending: Ending,
    in label: borrowing Phrase
  ) -> Bool {
    guard !label.hasMore(than: RoleWord.longest) else { return false }
    let isSmall = label.startsSmall(last)
    var word = label.word(before: last)
    let nearest: WordKey
    var isBound = false
    switch ending {
    case .words:
      // The word alone: with a capital it is somebody's name.
      guard let word else { return isSmall }
      nearest = label.key(word)
    case .bound(let key):
      nearest = key
      isBound = true
    }
    guard !RoleWord.articles.contains(nearest) else { return false }
    var first = nearest
    while let before = word {
      first = label.key(before)
      if RoleWord.articles.contains(first) { return false }
      word = label.word(before: before)
    }
    let isAction = InterfaceWords.isAction(first, label.language)
    if isBound { return isAction }
    if role.kind == .object { return isSmall && !isAction }
    return isAction || isSmall && !RoleWord.isThing(nearest, of: role.trait)
  }
}

extension Span<UInt8> {
  fileprivate var lastHyphen: Int? {
    indices.last { self[$0] == UInt8(ascii: "-") }
  }
}

/// A first look at the bytes of a label, before the checks look at its words.
///
/// A window may have thousands of labels, and nearly all of them are right. The scan may suspect
/// too many, but never too few.
struct LabelScan {
  let spelling: Spelling
  private let startsSmall: Bool
  private let endsWithStop: Bool
  private let mayNameType: Bool

  /// Nil for a label about which no check can have advice.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return nil }
    let (first, last) = (bytes[0], bytes[bytes.count - 1])
    spelling = Spelling(in: Phrase(bytes))
    startsSmall = first >= 97 && first <= 122 || first >= 0x80
    endsWithStop = last == 0x2e
    // The last word may stand in quotes, or have a stop behind it.
    let isLetter = last | 0x20 >= 97 && last | 0x20 <= 122
    mayNameType = !isLetter && !last.isDigit || Self.namesType(bytes)
    guard !spelling.isEmpty || startsSmall || endsWithStop || mayNameType else { return nil }
  }

  func isWorthALook(_ traits: TraitSet) -> Bool {
    if !spelling.isEmpty { return true }
    if mayNameType, !traits.isDisjoint(with: RoleWord.traits) { return true }
    return (startsSmall || endsWithStop) && !traits.isDisjoint(with: .labelled)
  }

  private static func namesType(_ bytes: Span<UInt8>) -> Bool {
    for end in ends where bytes.matches(end, from: bytes.count - end.utf8CodeUnitCount) {
      return true
    }
    // “Image of”, “Bild von”
    return bytes.matches("image", from: 0) || bytes.matches("bild", from: 0)
  }

  /// The endings of the words for roles.
  private static let ends: [StaticString] = [
    "button", "slider", "key", "link", "field", "box", "bar", "knopf", "che", "feld", "leiste",
    "regler",
  ]
}

extension Span<UInt8> {
  /// Whether `letters` stand at `start`, large or small.
  fileprivate func matches(_ letters: StaticString, from start: Int) -> Bool {
    let length = letters.utf8CodeUnitCount
    guard start >= 0, start + length <= count else { return false }
    let small = unsafe letters.utf8Start
    for offset in 0..<length {
      guard unsafe self[start + offset] | 0x20 == small[offset] else { return false }
    }
    return true
  }
}
