// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import CBytes

/// A buffer that is filled and emptied again, turn after turn, in one allocation.
///
/// An array checks on every append whether it is shared; this buffer cannot be shared, so that an
/// append is a bounds check and a copy. The appends of literals are inlined in all rooms: there the
/// length of a literal is known, so that its copy is an instruction or two.
@safe
public struct ByteBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutableRawPointer
  @usableFromInline var capacity: Int
  @usableFromInline var length = 0

  @inlinable public var count: Int { length }

  /// The address of buffers without memory, at which nothing is read or written.
  private nonisolated(unsafe) static let nowhere = UnsafeMutableRawPointer.allocate(
    byteCount: 1,
    alignment: 16
  )

  /// A buffer with room for so many bytes; one without room takes no memory.
  public init(capacity: Int) {
    self.capacity = capacity > 0 ? max(capacity, 64) : 0
    unsafe base =
      capacity > 0
      ? UnsafeMutableRawPointer.allocate(byteCount: self.capacity, alignment: 16) : Self.nowhere
  }

  deinit { if capacity > 0 { unsafe base.deallocate() } }

  public var isEmpty: Bool { count == 0 }

  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let start = unsafe UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
      let span = unsafe Span(_unsafeStart: start, count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes by their address, for system calls.
  public borrowing func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Lets a system call write up to `room` bytes behind the end; `body` says how many came.
  public mutating func append<E: Error>(
    room: Int,
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) {
    reserve(room)
    let free = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: room)
    let written = try unsafe body(free)
    precondition(written >= 0 && written <= room, "no more is written than there was room for")
    length += written
  }

  public mutating func clear() { length = 0 }

  /// Clears the buffer and overwrites what was in it, for good.
  public mutating func wipe() {
    length = 0
    unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
  }

  public mutating func truncate(to length: Int) {
    precondition(length <= count, "truncating does not lengthen")
    self.length = length
  }

  /// Forgets the first `gone` bytes and moves the rest to the front.
  public mutating func removeFirst(_ gone: Int) {
    precondition(gone <= count, "no more is removed than there is")
    unsafe base.copyMemory(from: base + gone, byteCount: count - gone)
    length -= gone
  }

  /// Gives back the memory that a rare large content took.
  public mutating func shrink(to room: Int) {
    guard capacity > room, count <= room else { return }
    move(to: room)
  }

  public mutating func append(_ more: Span<UInt8>) {
    reserve(more.count)
    let target = unsafe base + count
    unsafe more.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe a11y_copy(target, start, source.count)
    }
    length += more.count
  }

  @inlinable @inline(__always)
  public mutating func append(_ text: StaticString) {
    let more = text.utf8CodeUnitCount
    reserve(more)
    unsafe a11y_copy(base + length, text.utf8Start, more)
    length += more
  }

  /// Appends a copy of bytes of the buffer itself.
  public mutating func copyWithin(_ range: Range<Int>) {
    precondition(range.upperBound <= count, "what is copied is there")
    reserve(range.count)
    unsafe (base + count).copyMemory(from: base + range.lowerBound, byteCount: range.count)
    length += range.count
  }

  @inlinable @inline(__always)
  public mutating func append(byte: UInt8) {
    reserve(1)
    unsafe base.storeBytes(of: byte, toByteOffset: length, as: UInt8.self)
    length += 1
  }

  public mutating func append(text: String) {
    var text = text
    text.withUTF8 { bytes in
      reserve(bytes.count)
      guard let start = bytes.baseAddress else { return }
      unsafe a11y_copy(base + count, start, bytes.count)
      length += bytes.count
    }
  }

  /// Appends a text between two quotes if JSON escapes nothing in it; false where it does.
  @inline(__always)
  mutating func quote(_ text: Span<UInt8>) -> Bool {
    reserve(text.count + 2)
    let target = unsafe base + count
    let isQuoted = unsafe text.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe a11y_quote(target, start, bytes.count) != 0
    }
    if isQuoted { length += text.count + 2 }
    return isQuoted
  }

  /// Appends bytes between two quotes.
  mutating func append(quoted more: Span<UInt8>) {
    reserve(more.count + 2)
    let target = unsafe base + count
    unsafe target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    unsafe more.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe a11y_copy(target + 1, start, source.count)
    }
    unsafe target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: more.count + 1, as: UInt8.self)
    length += more.count + 2
  }

  /// Appends a literal between two quotes.
  @inlinable @inline(__always)
  public mutating func append(quoted text: StaticString) {
    append(byte: UInt8(ascii: "\""))
    append(text)
    append(byte: UInt8(ascii: "\""))
  }

  public mutating func append(decimal number: Int64) {
    reserve(Self.numberRoom)
    if number < 0 {
      unsafe base.storeBytes(of: UInt8(ascii: "-"), toByteOffset: count, as: UInt8.self)
      length += 1
    }
    unsafe length += a11y_decimal(base + count, number.magnitude)
  }

  /// Appends `,"name":` or, right behind an opening brace, `"name":`.
  @inlinable @inline(__always)
  public mutating func append(member name: StaticString) {
    let more = name.utf8CodeUnitCount
    reserve(more + 4)
    var end = unsafe base + length
    if length > 0, unsafe (end - 1).load(as: UInt8.self) != UInt8(ascii: "{") {
      unsafe end.storeBytes(of: UInt8(ascii: ","), as: UInt8.self)
      unsafe end += 1
    }
    unsafe end.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    unsafe a11y_copy(end + 1, name.utf8Start, more)
    unsafe end += more + 1
    unsafe end.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    unsafe (end + 1).storeBytes(of: UInt8(ascii: ":"), as: UInt8.self)
    unsafe length = base.distance(to: end) + 2
  }

  /// Room for the twenty characters of the least `Int64`.
  private static var numberRoom: Int { 24 }

  /// Eight lower-case hex digits.
  public mutating func append(hex word: UInt32) {
    reserve(8)
    let digits = HexWord.digits(of: word).littleEndian
    unsafe (base + count).storeBytes(of: digits, as: UInt64.self)
    length += 8
  }

  /// CRC-32C of all bytes from `start` to the end.
  public func checksum(from start: Int) -> UInt32 {
    precondition(start <= count, "the checksum begins within the bytes")
    return unsafe a11y_crc32c(0, base + start, count - start)
  }

  @inlinable @inline(__always)
  mutating func reserve(_ more: Int) {
    if length + more > capacity { move(to: max(capacity * 2, length + more)) }
  }

  @usableFromInline
  @inline(never)
  mutating func move(to room: Int) {
    let target = UnsafeMutableRawPointer.allocate(byteCount: max(room, 64), alignment: 16)
    unsafe target.copyMemory(from: base, byteCount: count)
    if capacity > 0 { unsafe base.deallocate() }
    unsafe base = target
    capacity = max(room, 64)
  }
}
