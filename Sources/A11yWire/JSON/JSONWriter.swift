// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension ByteBuffer {
  /// Appends `text` as a JSON string with its quotes.
  public mutating func append(json text: String) { append(json: text.utf8Span.span) }

  /// Appends a text in UTF-8 as a JSON string with its quotes.
  public mutating func append(json units: Span<UInt8>) {
    // A text that needs no escape, as nearly all, is copied in one piece.
    if quote(units) { return }
    append(byte: UInt8(ascii: "\""))
    var start = 0
    for index in units.indices where Self.isEscaped(units[index]) {
      append(units.extracting(start..<index))
      start = index + 1
      append(escaped: units[index])
    }
    append(units.extracting(start..<units.count))
    append(byte: UInt8(ascii: "\""))
  }

  private static func isEscaped(_ unit: UInt8) -> Bool {
    unit < 32 || unit == 127 || unit == UInt8(ascii: "\"") || unit == UInt8(ascii: "\\")
  }

  private mutating func append(escaped unit: UInt8) {
    switch unit {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case UInt8(ascii: "\n"): append("\\n")
    case UInt8(ascii: "\t"): append("\\t")
    default:
      append("\\u00")
      append(byte: unit >> 4 == 0 ? 48 : unit >> 4 == 1 ? 49 : 55)
      append(byte: unit & 15 < 10 ? 48 + unit & 15 : 87 + unit & 15)
    }
  }

  /// Appends the name of a member that is no literal of the code, with its comma and colon.
  public mutating func append(memberText name: String) {
    if let last = lastByte, last != UInt8(ascii: "{") { append(",") }
    append(json: name)
    append(":")
  }

  public mutating func append(member name: StaticString, _ words: [String]) {
    array(name, of: words) { $0.append(json: $1) }
  }

  public mutating func append(member name: StaticString, _ value: Int64) {
    append(member: name)
    append(decimal: value)
  }

  public mutating func append(member name: StaticString, _ value: String) {
    append(member: name)
    append(json: value)
  }

  public mutating func append(member name: StaticString, _ value: Bool) {
    append(member: name)
    append(value ? "true" : "false")
  }

  private var lastByte: UInt8? { isEmpty ? nil : bytes[count - 1] }
}

// Objects and arrays of JSON, written as they nest, so that no brace is left open.
extension ByteBuffer {
  /// Appends an object with the members that `body` appends.
  @inlinable @inline(__always)
  public mutating func object<E: Error>(
    _ body: (inout ByteBuffer) throws(E) -> Void
  ) throws(E) {
    append(byte: UInt8(ascii: "{"))
    try body(&self)
    append(byte: UInt8(ascii: "}"))
  }

  /// Appends a member that is an object.
  @inlinable @inline(__always)
  public mutating func object<E: Error>(
    _ name: StaticString,
    _ body: (inout ByteBuffer) throws(E) -> Void
  ) throws(E) {
    append(member: name)
    try object(body)
  }

  /// Appends an object as the next value of an array.
  @inlinable @inline(__always)
  public mutating func nextObject<E: Error>(
    _ body: (inout ByteBuffer) throws(E) -> Void
  ) throws(E) {
    separate()
    try object(body)
  }

  /// Appends an array with the values that `body` appends, each behind a call of `separate`.
  @inlinable @inline(__always)
  public mutating func array<E: Error>(_ body: (inout ByteBuffer) throws(E) -> Void) throws(E) {
    append(byte: UInt8(ascii: "["))
    try body(&self)
    append(byte: UInt8(ascii: "]"))
  }

  /// Appends a member that is an array with the values that `body` appends, each behind a call of
  /// `separate`.
  @inlinable @inline(__always)
  public mutating func array<E: Error>(
    _ name: StaticString,
    _ body: (inout ByteBuffer) throws(E) -> Void
  ) throws(E) {
    append(member: name)
    try array(body)
  }

  /// Appends the comma before the next value of an array; nothing before the first.
  @inlinable @inline(__always)
  public mutating func separate() {
    if bytes[count - 1] != UInt8(ascii: "[") { append(byte: UInt8(ascii: ",")) }
  }

  /// Appends an array with a value for each of `elements`, which `body` appends.
  @inlinable @inline(__always)
  public mutating func array<Elements: Sequence, E: Error>(
    of elements: Elements,
    _ body: (inout ByteBuffer, Elements.Element) throws(E) -> Void
  ) throws(E) {
    try array { (out) throws(E) in
      for element in elements {
        out.separate()
        try body(&out, element)
      }
    }
  }

  /// Appends a member that is an array with a value for each of `elements`.
  @inlinable @inline(__always)
  public mutating func array<Elements: Sequence, E: Error>(
    _ name: StaticString,
    of elements: Elements,
    _ body: (inout ByteBuffer, Elements.Element) throws(E) -> Void
  ) throws(E) {
    append(member: name)
    try array(of: elements, body)
  }
}

/// Words of a fixed list, quoted once for all the lines that have one of them.
public struct QuotedWords: Sendable {
  /// All of them, one behind the other, and where each begins and ends.
  fileprivate let bytes: [UInt8]
  fileprivate let bounds: [Int]

  /// Words with the numbers that they have in this list.
  public init(_ words: [String]) {
    var quoted = ByteBuffer(capacity: 64)
    var bounds = [0]
    for word in words {
      quoted.append(json: word)
      bounds.append(quoted.count)
    }
    bytes = quoted.bytes.array
    self.bounds = bounds
  }
}

extension ByteBuffer {
  /// Appends the word with this number, in its quotes.
  public mutating func quote(_ words: QuotedWords, _ number: Int) {
    append(words.bytes.span.extracting(words.bounds[number]..<words.bounds[number + 1]))
  }
}
