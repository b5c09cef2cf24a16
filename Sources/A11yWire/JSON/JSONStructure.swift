// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
