// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// One element as the log knows it, in few bytes more than its texts have.
///
/// An app may have a hundred thousand elements, and most of them are never asked for. So their
/// fields stay as the log has them, one behind the other in the schema's order: the number of the
/// field, the JSON text of its value, a zero. Only fields that decide about other elements are
/// decoded.
///
/// A text that the log does not have is not here either; only its length is, and which texts it may
/// be. So nothing that is made from an element can tell a secret.
struct KnownElement: Equatable, Sendable {
  private var fields: [UInt8] = []
  private var traits = WordBits()
  /// The fields that decide about the way through the tree.
  private(set) var flags: Flags = []
  /// The bytes of its texts as they are written: label, value, hint, language and the names of its
  /// actions.
  private(set) var bytes: Int32 = 0
  /// Whether its role is that of a text field, or of a dialog of one of the two kinds.
  private var isField = false
  private(set) var isDialog = false
  private var box = FrameBox()
  private var redacted: LengthClass?
  /// The texts for which `redacted` stands.
  private var withheld: Texts = []

  struct Texts: OptionSet, Sendable {
    let rawValue: UInt8

    static let label = Texts(rawValue: 1)
    static let value = Texts(rawValue: 2)
    static let hint = Texts(rawValue: 4)
    static let actions = Texts(rawValue: 8)
    static let all: Texts = [.label, .value, .hint, .actions]

    static let names: [(StaticString, Texts)] = [
      ("label", .label), ("value", .value), ("hint", .hint), ("actions", .actions),
    ]
  }

  /// Whether it has said what it is, by its traits.
  var isDescribed: Bool { !traits.isEmpty || role != nil }

  /// Whether its value is a secret, as that of a password field.
  var isSecure: Bool { !traits.isDisjoint(with: Self.secure) }

  /// Whether the names of its actions are a secret.
  var hidesActions: Bool { isSecure || withheld.contains(.actions) }

  private static let secure = WordBits("secure", from: .trait)
  private static let textField = WordBits("text-field", from: .trait)
  private static let selected = WordBits("selected", from: .trait)
  private static let notEnabled = WordBits("not-enabled", from: .trait)
  private static let summary = WordBits("summary-element", from: .trait)

  /// A field by its role is one by its traits, too.
  var traitBits: UInt32 { traits.bits | (isField ? Self.textField.bits : 0) }

  /// Whether it sums up its window.
  var isSummary: Bool { traits.contains(Self.summary) }

  var showing: Model.Showing {
    let spoken = self.spoken
    return Model.Showing(
      label: spoken.label,
      value: spoken.value,
      role: spoken.role,
      states: spoken.states,
      redacted: withheld.contains(.value) ? redacted : nil
    )
  }

  var language: [UInt8]? { text(Self.langField) }

  var role: [UInt8]? { text(Self.roleField) }

  var naming: Model.Naming {
    var naming = Model.Naming()
    naming.traits = traits.bits
    var rest = fields.span
    for number in Self.schema.all.indices {
      let value = Self.popField(number, from: &rest)
      guard value.count > 0 else { continue }
      switch number {
      case Self.labelField: naming.hasLabel = value.count > 2
      case Self.valueField: naming.hasValue = value.count > 2
      case Self.accessibleField: naming.isAccessible = value.equals("true")
      case Self.hiddenField: naming.isHidden = value.equals("true")
      case Self.langField:
        naming.lang = String(
          decoding: value.extracting(1..<value.count - 1).unescaped,
          as: UTF8.self
        )
      default: break
      }
    }
    if withheld.contains(.label) { naming.hasLabel = true }
    if withheld.contains(.value) { naming.hasValue = true }
    return naming
  }

  /// A text as JSON has it between its quotes; nil where there is none.
  private func text(_ field: Int) -> [UInt8]? {
    guard let value = written(field), value.count > 2 else { return nil }
    return Array(value[1..<value.count - 1])
  }

  /// The value of a field as JSON; nil where there is none.
  private func written(_ wanted: Int) -> [UInt8]? {
    var rest = fields.span
    for number in Self.schema.all.indices {
      let value = Self.popField(number, from: &rest)
      guard number == wanted else { continue }
      return value.count > 0 ? value.array : nil
    }
    return nil
  }

  /// The texts, traits and states, as readers are to say them.
  var spoken: Model.Spoken {
    var spoken = Model.Spoken(traits: traitBits)
    spoken.redacted = redacted
    spoken.lacksLabel = withheld.contains(.label)
    spoken.states.isSelected = traits.contains(Self.selected)
    spoken.states.isDisabled = traits.contains(Self.notEnabled)
    // All in one pass: each field has to be stepped over to come to the next.
    var rest = fields.span
    for number in Self.schema.all.indices {
      if rest.isEmpty { break }
      let written = Self.popField(number, from: &rest)
      guard written.count > 2 else { continue }
      let text = written.extracting(1..<written.count - 1)
      switch number {
      case Self.labelField: spoken.label = text.array
      case Self.valueField: spoken.value = isSecure ? nil : text.array
      case Self.hintField: spoken.hint = text.array
      case Self.langField: spoken.language = text.array
      case Self.roleField: spoken.role = text.array
      case Self.checkedField: spoken.states.checked = Model.Checked(written)
      case Self.expandedField: spoken.states.isExpanded = written.equals("true")
      case Self.requiredField: spoken.states.isRequired = written.equals("true")
      case Self.invalidField: spoken.states.isInvalid = written.equals("true")
      case Self.setField: spoken.place = Model.SetPlace(written)
      default: break
      }
    }
    return spoken
  }

  /// Whether it wants to hear of a gesture.
  func responds(to gesture: StaticString) -> Bool {
    guard let list = written(Self.respondsField) else { return false }
    return list.span.firstIndex(of: gesture) != nil
  }

  private static let labelField = index(of: "label")
  private static let valueField = index(of: "value")
  private static let hintField = index(of: "hint")
  private static let langField = index(of: "lang")
  private static let roleField = index(of: "role")
  private static let checkedField = index(of: "checked")
  private static let expandedField = index(of: "expanded")
  private static let requiredField = index(of: "required")
  private static let invalidField = index(of: "invalid")
  private static let setField = index(of: "set")
  private static let respondsField = index(of: "responds")
  private static let frameField = index(of: "frame")
  private static let actionsField = index(of: "actions")

  /// Left, top, width and height; nil where it has none.
  var frame: [Int64]? {
    guard let frame = written(Self.frameField) else { return nil }
    var numbers: [Int64] = []
    var start = 1
    let text = frame.span
    for at in 1..<text.count where text[at] == UInt8(ascii: ",") || at == text.count - 1 {
      numbers.append(text.extracting(start..<at).decimal ?? 0)
      start = at + 1
    }
    return numbers.count == 4 ? numbers : nil
  }

  /// Whether a point lies in its frame: left and top edge belong to it, the others do not.
  func holds(_ x: Int64, _ y: Int64) -> Bool { box.holds(x, y) }

  /// The words for its traits, in the schema's order.
  var traitWords: [String] { traits.words(from: .trait) }

  /// The custom actions, and the gestures that the element wants to hear of, as JSON lists.
  var actions: [UInt8]? { written(Self.actionsField) }
  var responds: [UInt8]? { written(Self.respondsField) }

  private static let schema = Schema.record(.element)
  private static let traitsField = index(of: "traits")
  private static let indexField = index(of: "index")
  /// For each field by its number, the text that can be withheld; empty for other fields.
  private static let spoken: [Texts] = schema.all.map { field in
    Texts.names.first { $0.0.description == field.name.description }?.1 ?? []
  }

  private static func index(of name: StaticString) -> Int {
    guard let index = schema.index(of: name) else {
      preconditionFailure("the schema has the field")
    }
    return index
  }

  /// The fields on which other elements depend, decoded.
  typealias Flags = Tree.Link.Flags

  var isModal: Bool { flags.contains(.modal) }

  private mutating func setFlags(_ given: borrowing GivenFields, of line: JSONDocument) {
    set(.hidden, given[Self.hiddenField], of: line)
    set(.modal, given[Self.modalField], of: line)
    if let frame = given[Self.frameField] {
      box = FrameBox(frame, of: line)
      if line.kind(frame) == .list { flags.insert(.framed) } else { flags.remove(.framed) }
    }
    guard let value = given[Self.accessibleField] else { return }
    set(.accessible, value, of: line)
    if line.kind(value) == .null { flags.remove(.decided) } else { flags.insert(.decided) }
  }

  private mutating func set(_ flag: Flags, _ value: JSONIndex?, of line: JSONDocument) {
    guard let value else { return }
    if line.kind(value) == .yes { flags.insert(flag) } else { flags.remove(flag) }
  }

  private static let hiddenField = index(of: "hidden")
  private static let modalField = index(of: "modal")
  private static let accessibleField = index(of: "accessible")

  // MARK: Merging

  /// Sets the fields that `object` gives, and removes those that it gives as null.
  ///
  /// A `redacted` stands for every text that the object could have given and does not: the log does
  /// not tell which of them it was, and an old text in the place of a new one would be wrong. In an
  /// event that is not sensitive, only the value can have been withheld.
  mutating func merge(
    _ object: JSONIndex,
    of line: JSONDocument,
    isSensitive: Bool,
    _ scratch: inout ByteBuffer
  ) {
    let given = GivenFields(object, of: line, Self.schema)
    setFlags(given, of: line)
    if let role = given[Self.roleField] {
      let isWord = line.kind(role) == .string
      isField = isWord && line.isKey(role, "text-field")
      isDialog = isWord && (line.isKey(role, "dialog") || line.isKey(role, "alert-dialog"))
    }
    if let list = given[Self.traitsField] { traits = WordBits(list, of: line, from: .trait) }
    var taken: Texts = []
    if let length = given.redacted {
      redacted = length
      taken = isSensitive ? .all : .value
    }
    withheld.formUnion(taken)

    scratch.clear()
    bytes = 0
    flags.subtract([.labelled, .responds])
    let before = fields
    var old = before.span
    for number in Self.schema.all.indices where Self.isKept(number) {
      let known = Self.popField(number, from: &old)
      let text = Self.spoken[number]
      if let value = given[number] {
        withheld.subtract(text)
        if line.kind(value) == .null { continue }
        writeField(number, value, of: line, into: &scratch)
      } else if known.count > 0, taken.isDisjoint(with: text) {
        keepField(number, known, in: &scratch)
      }
    }
    if withheld.isEmpty { redacted = nil }
    fields = scratch.bytes.array
  }

  /// Whether a field is kept as text; id, parent and traits are kept elsewhere.
  private static func isKept(_ number: Int) -> Bool { number > 1 && number != traitsField }

  private mutating func writeField(
    _ number: Int,
    _ value: JSONIndex,
    of line: JSONDocument,
    into out: inout ByteBuffer
  ) {
    let start = out.count
    out.append(byte: UInt8(number))
    if case .list(.oneOf(let set)) = Self.schema.all[number].shape {
      WordBits(value, of: line, from: set).writeList(from: set, into: &out)
    } else {
      line.copyAll(value, into: &out)
    }
    out.append(byte: 0)
    withholdSecret(number, from: start, in: &out)
    countField(number, out.count - start)
  }

  private mutating func keepField(_ number: Int, _ known: Span<UInt8>, in out: inout ByteBuffer) {
    let start = out.count
    out.append(byte: UInt8(number))
    out.append(known)
    out.append(byte: 0)
    withholdSecret(number, from: start, in: &out)
    countField(number, out.count - start)
  }

  /// Counts a field of `length` bytes, its number, its end and its quotes included.
  private mutating func countField(_ number: Int, _ length: Int) {
    let text = length - 4
    guard text > 0 else { return }
    if Self.isWeighed[number] { bytes += Int32(text) }
    if number == Self.labelField { flags.insert(.labelled) }
    if number == Self.respondsField { flags.insert(.responds) }
  }

  /// The bytes by which an object would make its texts longer.
  func growth(_ object: JSONIndex, of line: JSONDocument) -> Int {
    let given = GivenFields(object, of: line, Self.schema)
    var growth = 0
    var rest = fields.span
    for number in Self.schema.all.indices where Self.isKept(number) {
      let known = Self.popField(number, from: &rest)
      guard Self.isWeighed[number], let value = given[number] else { continue }
      growth += Self.length(value, of: line) - max(0, known.count - 2)
    }
    return growth
  }

  /// The bytes of a text, or of a list of names, as written between its quotes or brackets.
  private static func length(_ value: JSONIndex, of line: JSONDocument) -> Int {
    guard line.kind(value) == .list else {
      return line.kind(value) == .string ? line.raw(value).count : 0
    }
    var length = 0
    var item = value + 1
    while item < line.end(value) {
      length += line.raw(item).count + 3
      item = line.end(item)
    }
    return max(0, length - 1)
  }

  /// By the fields' numbers, whether a field counts to the bytes that an app may keep.
  private static let isWeighed = schema.all.indices.map {
    [labelField, valueField, hintField, langField, actionsField].contains($0)
  }

  /// Takes the value of a secure element out again: known before, it is a secret from now on.
  private mutating func withholdSecret(_ number: Int, from start: Int, in out: inout ByteBuffer) {
    guard isSecure, Self.spoken[number] == .value else { return }
    // The text between the quotes, which stand between the number and the zero.
    let length = Self.characters(out.bytes.extracting(start + 2..<out.count - 2))
    guard length > 0 else { return }
    out.truncate(to: start)
    redacted = LengthClass(characters: length)
    withheld.insert(.value)
  }

  /// The characters of a JSON string, escaped or not.
  private static func characters(_ string: Span<UInt8>) -> Int {
    var count = 0
    var at = 0
    while at < string.count {
      if string[at] == UInt8(ascii: "\\"), at + 1 < string.count {
        at += string[at + 1] == UInt8(ascii: "u") ? 6 : 2
      } else {
        at += 1
        while at < string.count, string[at] & 0xc0 == 0x80 { at += 1 }
      }
      count += 1
    }
    return count
  }

  /// Takes the value of a field off the front; empty if another field comes next.
  @_lifetime(copy fields)
  private static func popField(_ number: Int, from fields: inout Span<UInt8>) -> Span<UInt8> {
    guard fields.count > 0, Int(fields[0]) == number, let end = fields.firstIndex(of: 0, from: 1)
    else { return fields.extracting(first: 0) }
    let value = fields.extracting(1..<end)
    fields = fields.extracting(end + 1..<fields.count)
    return value
  }

  // MARK: Writing

  /// Appends the element with all its fields, ready to be merged into an empty one.
  func writeRecord(_ id: Name, parent: Name?, into out: inout ByteBuffer) {
    out.object { out in
      writeFields(id, parent: parent, leavingOut: nil, into: &out)
      guard let redacted else { return }
      out.append(member: "redacted", redacted.rawValue)
      out.array("withheld") { out in
        for (name, text) in Texts.names where withheld.contains(text) {
          out.separate()
          out.append(quoted: name)
        }
      }
    }
  }

  /// Appends the element as an app would publish it, without its index: siblings come in their
  /// order.
  func writeRetold(_ id: Name, parent: Name?, into out: inout ByteBuffer) {
    out.object { writeFields(id, parent: parent, leavingOut: Self.indexField, into: &$0) }
  }

  private func writeFields(
    _ id: Name,
    parent: Name?,
    leavingOut omitted: Int?,
    into out: inout ByteBuffer
  ) {
    out.append(member: "id", id.text)
    if let parent { out.append(member: "parent", parent.text) }
    var rest = fields.span
    for number in Self.schema.all.indices {
      let name = Self.schema.all[number].name
      if number == Self.traitsField, !traits.isEmpty {
        out.append(member: name)
        traits.writeList(from: .trait, into: &out)
      }
      let value = Self.popField(number, from: &rest)
      guard value.count > 0, number != omitted else { continue }
      out.append(member: name)
      out.append(value)
    }
  }

  /// Reads an element that `writeRecord` has written.
  init(_ object: JSONIndex, of line: JSONDocument, _ scratch: inout ByteBuffer) {
    merge(object, of: line, isSensitive: false, &scratch)
    guard let list = line.member("withheld", of: object) else { return }
    redacted = line.string("redacted", of: object).flatMap(LengthClass.init(rawValue:))
    withheld = []
    var item = list + 1
    while item < line.end(list) {
      for (name, text) in Texts.names where line.isKey(item, name) { withheld.insert(text) }
      item = line.end(item)
    }
  }

  init() {}

  /// The part of an element that outlives a `replace`: a secure one stays secure until an event
  /// says otherwise.
  var remainder: KnownElement {
    var element = KnownElement()
    if isSecure { element.traits = Self.secure }
    return element
  }
}
