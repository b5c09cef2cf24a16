// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yWire

/// An event of type `elements`, element by element.
struct ElementsEvent {
  private let event: JSONIndex
  private let app: AppKey
  private let window: Name
  private let isSensitive: Bool

  init(_ event: JSONIndex, of line: JSONDocument, _ app: AppKey) {
    self.event = event
    self.app = app
    window = line.name("window", of: event) ?? Name("")
    isSensitive = line.member("sensitive", of: event).map { line.kind($0) == .yes } ?? false
  }

  func advise(
    by model: Model,
    isWholeKnown: Bool,
    _ line: JSONDocument,
    into list: inout AdviceList
  ) {
    adviseOnList("upsert", model, isWholeKnown: isWholeKnown, line, into: &list)
    // A `replace` describes the whole window, so that nothing it leaves out is known from before.
    adviseOnList("replace", model, isWholeKnown: true, line, into: &list)
  }

  private func adviseOnList(
    _ name: StaticString,
    _ model: Model,
    isWholeKnown: Bool,
    _ line: JSONDocument,
    into list: inout AdviceList
  ) {
    guard let elements = line.member(name, of: event), line.kind(elements) == .list else { return }
    var position = 0
    var element = elements + 1
    var hint = KnownHint()
    while element < line.end(elements), !list.isFull {
      let place = Place(list: name, position: position)
      adviseOnElement(
        Given(element, of: line),
        place,
        model,
        isWholeKnown: isWholeKnown,
        line,
        &hint,
        into: &list
      )
      position += 1
      element = line.end(element)
    }
  }

  /// An element, by the list that it stands in.
  private struct Place {
    let list: StaticString
    let position: Int

    func callAsFunction(_ member: StaticString) -> FieldPath { .element(list, position, member) }
  }

  /// The fields of one element that are looked at.
  private struct Given {
    var id: JSONIndex?
    var label: JSONIndex?
    var hint: JSONIndex?
    var traits: JSONIndex?
    var accessible: JSONIndex?

    init(_ element: JSONIndex, of line: JSONDocument) {
      guard line.kind(element) == .object else { return }
      var key = element + 1
      while key < line.end(element) {
        switch line.raw(key).count {
        case 2: if line.isKey(key, "id") { id = key + 1 }
        case 4: if line.isKey(key, "hint") { hint = key + 1 }
        case 5: if line.isKey(key, "label") { label = key + 1 }
        case 6: if line.isKey(key, "traits") { traits = key + 1 }
        case 10: if line.isKey(key, "accessible") { accessible = key + 1 }
        default: break
        }
        key = line.end(key + 1)
      }
    }
  }

  private func adviseOnElement(
    _ given: Given,
    _ place: Place,
    _ model: Model,
    isWholeKnown: Bool,
    _ line: JSONDocument,
    _ known: inout KnownHint,
    into list: inout AdviceList
  ) {
    let label = isSensitive ? nil : text(given.label, line)
    let hint = isSensitive ? nil : text(given.hint, line)
    var scan: LabelScan?
    if let label { line.withText(label) { scan = LabelScan($0) } }
    let hasLabel = given.label.map { line.kind($0) == .string && line.raw($0).count > 0 } ?? false
    let mayMissLabel =
      !hasLabel && (given.traits != nil || given.accessible != nil || given.label != nil)
    if let traits = given.traits {
      TraitsConflict.checkTraits(TraitSet(traits, of: line), place("traits"), into: &list)
    }
    guard scan != nil || hint != nil || mayMissLabel, let id = given.id.flatMap({ line.name($0) }),
      let naming = model.naming(of: id, window: window, app: app)
    else { return }
    if mayMissLabel, isWholeKnown || given.label != nil {
      LabelMissing.checkNaming(naming, id.text, place("label"), into: &list)
    }
    let language = Language(naming.lang)
    let traits = TraitSet(bits: naming.traits)
    if let label, let scan, scan.isWorthALook(traits) {
      line.withText(label) { bytes in
        adviseOnLabel(Phrase(bytes, language), scan, traits, place("label"), into: &list)
      }
    }
    if let hint, !known.isFine(hint, language, line) {
      let before = list.all.count
      line.withText(hint) { bytes in
        adviseOnHint(Phrase(bytes, language), place("hint"), into: &list)
      }
      if list.all.count == before { known = KnownHint(hint: hint, language: language) }
    }
  }

  /// The value if it is a text that is not empty.
  private func text(_ value: JSONIndex?, _ line: JSONDocument) -> JSONIndex? {
    guard let value, line.kind(value) == .string, line.raw(value).count > 0 else { return nil }
    return value
  }

  private func adviseOnLabel(
    _ label: borrowing Phrase,
    _ scan: LabelScan,
    _ traits: TraitSet,
    _ field: FieldPath,
    into list: inout AdviceList
  ) {
    LabelType.checkLabel(label, traits, field, into: &list)
    LabelCase.checkLabel(label, traits, field, into: &list)
    LabelStop.checkLabel(label, traits, field, into: &list)
    scan.spelling.advise(on: label, field, canSpell: false, into: &list)
  }

  private func adviseOnHint(
    _ hint: borrowing Phrase,
    _ field: FieldPath,
    into list: inout AdviceList
  ) {
    HintSentence.checkHint(hint, field, into: &list)
    HintControl.checkHint(hint, field, into: &list)
    // A hint such as “Tap to open” becomes another sentence altogether.
    if !HintGesture.checkHint(hint, field, into: &list) {
      HintVerb.checkHint(hint, field, into: &list)
    }
  }
}

/// The last hint without advice, because the elements of a list often share one hint.
private struct KnownHint {
  var hint: JSONIndex?
  var language = Language.unknown

  func isFine(_ other: JSONIndex, _ language: Language, _ line: JSONDocument) -> Bool {
    guard let hint, self.language == language else { return false }
    return line.raw(hint).equals(line.raw(other))
  }
}

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

/// Traits by which an element is two things at once.
enum TraitsConflict {
  static func checkTraits(_ traits: TraitSet, _ field: FieldPath, into list: inout AdviceList) {
    guard traits.count(of: .kinds) > 1 else { return }
    let kinds = traits.names(of: .kinds)
    let listed = kinds.dropLast().joined(separator: ", ") + " and " + (kinds.last ?? "")
    list.add(
      .traitsConflict,
      field.path,
      "Choose one of \(listed); readers say each of them, and an element is only one."
    )
  }
}
