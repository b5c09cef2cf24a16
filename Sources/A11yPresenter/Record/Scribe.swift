// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// Writes values down one behind the other, or reads them back in the same order.
///
/// One description of the parts of a type serves both ways, so that the two cannot differ.
struct Scribe: ~Copyable {
  private enum Atom {
    case nothing
    case number(Int64)
    case text(String)
  }

  private var written = ByteBuffer(capacity: 512)
  private var atoms: [Atom] = []
  private var next = 0
  let isReading: Bool
  /// An atom is not of the kind that its place wants.
  var isBad = false

  /// The rules by which events that are read are treated.
  let rules: RuleSet

  /// A scribe that writes.
  init() {
    isReading = false
    rules = .defaults
  }

  /// A scribe that reads a list.
  init(_ list: JSONIndex, of line: JSONDocument, under rules: RuleSet) {
    isReading = true
    self.rules = rules
    guard line.kind(list) == .list else {
      isBad = true
      return
    }
    var item = list + 1
    while item < line.end(list) {
      switch line.kind(item) {
      case .null: atoms.append(.nothing)
      case .string: atoms.append(.text(line.string(item)))
      case .number:
        if let number = line.integer(item) { atoms.append(.number(number)) } else { isBad = true }
      case .object, .list, .yes, .no: isBad = true
      }
      item = line.end(item)
    }
  }

  /// Whether everything was read, and as it should be.
  var isDone: Bool { !isBad && next == atoms.count }

  func appendList(to out: inout ByteBuffer) {
    out.append("[")
    out.append(written.bytes)
    out.append("]")
  }

  private mutating func separate() {
    if !written.isEmpty { written.append(byte: UInt8(ascii: ",")) }
  }

  private mutating func nextAtom() -> Atom {
    guard next < atoms.count else {
      isBad = true
      return .nothing
    }
    next += 1
    return atoms[next - 1]
  }

  // MARK: Atoms

  mutating func number(_ value: inout Int64) {
    guard isReading else {
      separate()
      written.append(decimal: value)
      return
    }
    if case .number(let number) = nextAtom() { value = number } else { isBad = true }
  }

  mutating func flag(_ value: inout Bool) {
    guard isReading else {
      separate()
      written.append(byte: value ? UInt8(ascii: "1") : UInt8(ascii: "0"))
      return
    }
    if case .number(let number) = nextAtom() { value = number != 0 } else { isBad = true }
  }

  mutating func string(_ value: inout String) {
    guard isReading else {
      separate()
      written.append(json: value)
      return
    }
    if case .text(let text) = nextAtom() { value = text } else { isBad = true }
  }

  mutating func string(_ value: inout [UInt8]) {
    guard isReading else {
      separate()
      written.append(json: value.span)
      return
    }
    var text = ""
    string(&text)
    value = Array(text.utf8)
  }

  // MARK: Values

  mutating func transcribe<Value: Recorded>(_ value: inout Value) { value.record(&self) }

  /// The next value of what is read.
  mutating func read<Value: Recorded>() -> Value {
    var value = Value.blank
    transcribe(&value)
    return value
  }

  mutating func transcribe<A: Recorded, B: Recorded>(_ a: inout A, _ b: inout B) {
    transcribe(&a)
    transcribe(&b)
  }

  mutating func transcribe<A: Recorded, B: Recorded, C: Recorded>(
    _ a: inout A,
    _ b: inout B,
    _ c: inout C
  ) {
    transcribe(&a, &b)
    transcribe(&c)
  }

  mutating func transcribe<A: Recorded, B: Recorded, C: Recorded, D: Recorded>(
    _ a: inout A,
    _ b: inout B,
    _ c: inout C,
    _ d: inout D
  ) {
    transcribe(&a, &b)
    transcribe(&c, &d)
  }

  mutating func transcribe(_ bytes: inout [UInt8]?) {
    var isThere = bytes != nil
    transcribe(&isThere)
    guard isThere else {
      bytes = nil
      return
    }
    var known = bytes ?? []
    string(&known)
    bytes = known
  }
}

/// A value of the record.
protocol Recorded: Sendable {
  /// Stands in the place of the value until it is read.
  static var blank: Self { get }

  /// Passes each part to the scribe, which writes it down, or puts another in its place.
  mutating func record(_ scribe: inout Scribe)
}

// MARK: Atoms

extension Int64: Recorded {
  static var blank: Int64 { 0 }

  mutating func record(_ scribe: inout Scribe) { scribe.number(&self) }
}

extension String: Recorded {
  static var blank: String { "" }

  mutating func record(_ scribe: inout Scribe) { scribe.string(&self) }
}

extension Bool: Recorded {
  static var blank: Bool { false }

  mutating func record(_ scribe: inout Scribe) { scribe.flag(&self) }
}

extension Seq: Recorded {
  static var blank: Seq { .none }

  mutating func record(_ scribe: inout Scribe) {
    var number = self.number
    scribe.number(&number)
    self = Seq(number)
  }
}

extension Instant: Recorded {
  static var blank: Instant { Instant(microseconds: 0) }

  mutating func record(_ scribe: inout Scribe) {
    var count = microseconds
    scribe.number(&count)
    self = Instant(microseconds: count)
  }
}

extension TimeSpan: Recorded {
  static var blank: TimeSpan { .zero }

  mutating func record(_ scribe: inout Scribe) {
    var count = microseconds
    scribe.number(&count)
    self = TimeSpan(microseconds: count)
  }
}

extension Name: Recorded {
  static var blank: Name { Name("") }

  mutating func record(_ scribe: inout Scribe) {
    var text = self.text
    scribe.string(&text)
    // Making a name takes longer than writing it.
    if scribe.isReading { self = Name(text) }
  }
}

extension UInt64: Recorded {
  static var blank: UInt64 { 0 }

  mutating func record(_ scribe: inout Scribe) {
    var number = Int64(bitPattern: self)
    scribe.number(&number)
    self = UInt64(bitPattern: number)
  }
}

extension UInt32: Recorded {
  static var blank: UInt32 { 0 }

  mutating func record(_ scribe: inout Scribe) {
    var number = Int64(self)
    scribe.number(&number)
    self = UInt32(truncatingIfNeeded: number)
  }
}

/// A value that may be absent, behind a number that says whether it is there.
extension Optional: Recorded where Wrapped: Recorded {
  static var blank: Self { nil }

  mutating func record(_ scribe: inout Scribe) {
    var isThere = self != nil
    scribe.transcribe(&isThere)
    guard isThere else {
      self = nil
      return
    }
    var value: Wrapped = self ?? .blank
    scribe.transcribe(&value)
    if scribe.isReading { self = value }
  }
}

/// Values behind their number.
extension Array: Recorded where Element: Recorded {
  static var blank: Self { [] }

  mutating func record(_ scribe: inout Scribe) {
    var count = Int64(self.count)
    scribe.number(&count)
    if scribe.isReading {
      self = []
      while Int64(self.count) < count, !scribe.isBad { append(scribe.read()) }
    } else {
      for index in indices { scribe.transcribe(&self[index]) }
    }
  }
}

// MARK: Words

/// A word out of a list, written as its text.
protocol RecordedWord: Recorded, RawRepresentable where RawValue == String {}

extension RecordedWord {
  mutating func record(_ scribe: inout Scribe) {
    var text = rawValue
    scribe.string(&text)
    guard scribe.isReading else { return }
    if let word = Self(rawValue: text) { self = word } else { scribe.isBad = true }
  }
}

extension Item.Kind: RecordedWord { static var blank: Self { .announcement } }
extension Item.Standing: RecordedWord { static var blank: Self { .moving } }
extension Readers.Reading: RecordedWord { static var blank: Self { .byHand } }
extension Item.Earcon: RecordedWord { static var blank: Self { .screen } }
extension Mode: RecordedWord { static var blank: Self { .all } }
extension Priority: RecordedWord { static var blank: Self { .default } }
extension Topic: RecordedWord { static var blank: Self { .announcement } }
extension Causation: RecordedWord { static var blank: Self { .auto } }
extension WordLanguage: RecordedWord { static var blank: Self { .english } }
extension Result: RecordedWord { static var blank: Self { .heard } }
extension Obstacle: RecordedWord { static var blank: Self { .turn } }
extension OwnRule: RecordedWord { static var blank: Self { .interruption } }
extension Reason: RecordedWord { static var blank: Self { .reader } }
extension MoveReason: RecordedWord { static var blank: Self { .repair } }
extension FocusAnswer.Result: RecordedWord { static var blank: Self { .kept } }
