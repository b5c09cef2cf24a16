// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// Writes values down one behind the other, or reads them back in the same order.
///
/// One description of what a type consists of serves both ways, so that the two cannot differ.
struct Scribe: ~Copyable {
  private enum Atom {
    case nothing
    case number(Int64)
    case text(String)
  }

  private var written = ByteBuffer(capacity: 512)
  /// What there is to be read.
  private var atoms: [Atom] = []
  private var next = 0
  let isReading: Bool
  /// What was read is not what was to be read.
  private(set) var isBad = false

  /// A scribe that writes.
  init() { isReading = false }

  /// A scribe that reads a list.
  init(_ list: JSONIndex, of line: JSONDocument) {
    isReading = true
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

  func write(into out: inout ByteBuffer) {
    out.append("[")
    out.append(written.bytes)
    out.append("]")
  }

  private mutating func separate() {
    if !written.isEmpty { written.append(byte: UInt8(ascii: ",")) }
  }

  private mutating func read() -> Atom {
    guard next < atoms.count else {
      isBad = true
      return .nothing
    }
    next += 1
    return atoms[next - 1]
  }

  // MARK: Values

  mutating func pass(_ value: inout Int64) {
    guard isReading else {
      separate()
      written.append(decimal: value)
      return
    }
    if case .number(let number) = read() { value = number } else { isBad = true }
  }

  mutating func pass(_ value: inout String) {
    guard isReading else {
      separate()
      written.append(json: value)
      return
    }
    if case .text(let text) = read() { value = text } else { isBad = true }
  }

  mutating func pass(_ value: inout Bool) {
    var number: Int64 = value ? 1 : 0
    pass(&number)
    value = number != 0
  }

  mutating func pass(_ value: inout Seq) {
    var number = value.number
    pass(&number)
    value = Seq(number)
  }

  mutating func pass(_ value: inout Name) {
    var text = value.text
    pass(&text)
    value = Name(text)
  }

  mutating func pass(_ value: inout [UInt8]) {
    guard isReading else {
      separate()
      written.append(json: value.span)
      return
    }
    var text = ""
    pass(&text)
    value = Array(text.utf8)
  }

  mutating func pass(_ value: inout UInt64) {
    var number = Int64(bitPattern: value)
    pass(&number)
    value = UInt64(bitPattern: number)
  }

  mutating func pass(_ value: inout UInt32) {
    var number = Int64(value)
    pass(&number)
    value = UInt32(truncatingIfNeeded: number)
  }

  mutating func pass<Word: RawRepresentable>(_ value: inout Word) where Word.RawValue == String {
    var text = value.rawValue
    pass(&text)
    if let word = Word(rawValue: text) { value = word } else { isBad = true }
  }

  /// A value that may be absent; `some` is put in its place while it is read.
  mutating func pass<Value>(
    _ value: inout Value?,
    _ some: Value,
    _ inside: (inout Scribe, inout Value) -> Void
  ) {
    var isThere = value != nil
    pass(&isThere)
    guard isThere else {
      value = nil
      return
    }
    var known = value ?? some
    inside(&self, &known)
    value = known
  }

  mutating func pass(_ value: inout Int64?) { pass(&value, 0) { $0.pass(&$1) } }

  mutating func pass(_ value: inout Seq?) { pass(&value, .none) { $0.pass(&$1) } }

  mutating func pass(_ value: inout String?) { pass(&value, "") { $0.pass(&$1) } }

  mutating func pass(_ value: inout Bool?) { pass(&value, false) { $0.pass(&$1) } }

  mutating func pass(_ value: inout Name?) { pass(&value, Name("")) { $0.pass(&$1) } }

  mutating func pass<Value>(
    _ values: inout [Value],
    _ some: Value,
    _ inside: (inout Scribe, inout Value) -> Void
  ) {
    var count = Int64(values.count)
    pass(&count)
    if isReading {
      values = []
      while Int64(values.count) < count, !isBad {
        var value = some
        inside(&self, &value)
        values.append(value)
      }
    } else {
      for index in values.indices { inside(&self, &values[index]) }
    }
  }
}
