// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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

  /// A value that may be absent, behind a number that says whether it is there.
  mutating func transcribe<Value: Recorded>(_ value: inout Value?) {
    var isThere = value != nil
    transcribe(&isThere)
    guard isThere else {
      value = nil
      return
    }
    var known = value ?? .blank
    transcribe(&known)
    if isReading { value = known }
  }

  /// Values behind their number.
  mutating func transcribe<Value: Recorded>(_ values: inout [Value]) {
    var count = Int64(values.count)
    number(&count)
    if isReading {
      values = []
      while Int64(values.count) < count, !isBad {
        var value = Value.blank
        transcribe(&value)
        values.append(value)
      }
    } else {
      for index in values.indices { transcribe(&values[index]) }
    }
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
