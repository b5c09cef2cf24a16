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

  func look(_ model: Model, isWholeKnown: Bool, _ line: JSONDocument, into list: inout AdviceList) {
    for field in ["upsert", "replace"] as [StaticString] {
      guard let elements = line.member(field, of: event), line.kind(elements) == .list else {
        continue
      }
      var position = 0
      var element = elements + 1
      var hints = KnownHint()
      while element < line.end(elements), !list.isFull {
        let given = Given(element, of: line)
        // What replaces everything is all there is to know.
        look(
          given,
          "event.\(field)[\(position)]",
          model,
          isWholeKnown: isWholeKnown || field.description == "replace",
          line,
          &hints,
          into: &list
        )
        position += 1
        element = line.end(element)
      }
    }
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

  private func look(
    _ given: Given,
    _ field: @autoclosure () -> String,
    _ model: Model,
    isWholeKnown: Bool,
    _ line: JSONDocument,
    _ hints: inout KnownHint,
    into list: inout AdviceList
  ) {
    let label = isSensitive ? nil : text(given.label, line).flatMap { LabelScan(line, $0) }
    let hint = isSensitive ? nil : text(given.hint, line)
    let hasLabel = given.label.map { line.kind($0) == .string && line.raw($0).count > 0 } ?? false
    let mayMissLabel =
      !hasLabel && (given.traits != nil || given.accessible != nil || given.label != nil)
    let mayConflict = given.traits.map { TraitSet($0, of: line) }
    if let mayConflict, !mayConflict.isDisjoint(with: .kinds) {
      TraitsConflict.look(mayConflict, field() + ".traits", into: &list)
    }
    guard label != nil || hint != nil || mayMissLabel, let id = given.id.flatMap({ line.name($0) }),
      let known = model.naming(of: id, window: window, app: app)
    else { return }
    if mayMissLabel, isWholeKnown || given.label != nil {
      LabelMissing.look(known, id.text, field() + ".label", into: &list)
    }
    let language = Language(known.lang)
    let traits = TraitSet(bits: known.traits)
    if let label, label.isWorthALook(traits) {
      let phrase = Phrase(line.string(label.value), language)
      look(label, phrase, traits, field() + ".label", into: &list)
    }
    if let hint, !hints.isFine(line.raw(hint), language) {
      let before = list.all.count
      look(atHint: line.string(hint), language, field() + ".hint", into: &list)
      if list.all.count == before { hints.remember(line.raw(hint), language) }
    }
  }

  /// A text in which something may be found.
  private func text(_ value: JSONIndex?, _ line: JSONDocument) -> JSONIndex? {
    guard let value, line.kind(value) == .string, line.raw(value).count > 0 else { return nil }
    return value
  }

  private func look(
    _ scan: LabelScan,
    _ label: Phrase,
    _ traits: TraitSet,
    _ field: String,
    into list: inout AdviceList
  ) {
    LabelType.look(label, traits, field, into: &list)
    LabelCase.look(label, traits, field, into: &list)
    LabelStop.look(label, traits, field, into: &list)
    if scan.hasFigures { Spelling.look(label, field, canSpell: false, into: &list) }
  }

  private func look(
    atHint text: String,
    _ language: Language,
    _ field: String,
    into list: inout AdviceList
  ) {
    let hint = Phrase(text, language)
    HintSentence.look(hint, field, into: &list)
    HintControl.look(hint, field, into: &list)
    // “Tap to open” becomes another sentence altogether.
    if !HintGesture.look(hint, field, into: &list) { HintVerb.look(hint, field, into: &list) }
  }
}

/// The last hint that there was nothing to say about: the elements of a list have all the same.
private struct KnownHint {
  private var bytes: [UInt8] = []
  private var language = Language.unknown

  func isFine(_ hint: Span<UInt8>, _ language: Language) -> Bool {
    !bytes.isEmpty && self.language == language && hint.equals(bytes)
  }

  mutating func remember(_ hint: Span<UInt8>, _ language: Language) {
    bytes = hint.array
    self.language = language
  }
}
