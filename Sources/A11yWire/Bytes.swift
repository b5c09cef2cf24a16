// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import CBytes

/// Comparisons, searches and numbers, for spans that point into a line.
extension Span<UInt8> {
  public func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return true }
      return unsafe a11y_equal(base, text.utf8Start, bytes.count) != 0
    }
  }

  public func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { others in
        guard let base = bytes.baseAddress, let start = others.baseAddress else { return true }
        return unsafe a11y_equal(base, start, bytes.count) != 0
      }
    }
  }

  /// Whether the bytes begin with `text`.
  public func begins(with text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount && extracting(0..<text.utf8CodeUnitCount).equals(text)
  }

  public func equals(_ other: [UInt8]) -> Bool { equals(other.span) }

  /// The offset of the first `byte` at or behind `start`.
  public func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    precondition(start <= count, "a search begins within the bytes")
    let length = count - start
    guard length > 0 else { return nil }
    let offset = unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return length }
      return unsafe a11y_find(base + start, byte, length)
    }
    return offset == length ? nil : start + offset
  }

  /// The offset of the first place where `text` stands.
  public func firstIndex(of text: StaticString) -> Int? {
    unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      let offset = unsafe a11y_find_text(
        base,
        bytes.count,
        text.utf8Start,
        text.utf8CodeUnitCount
      )
      return offset == bytes.count ? nil : offset
    }
  }

  /// CRC-32C of all bytes.
  public var checksum: UInt32 {
    unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe a11y_crc32c(0, base, bytes.count)
    }
  }

  /// The number written as `-?digits`; nil where the bytes are none, or it does not fit.
  public var decimal: Int64? {
    let negative = count > 0 && self[0] == UInt8(ascii: "-")
    let first = negative ? 1 : 0
    guard count > first, count <= 20 else { return nil }
    // Nearly all numbers are so short that none of their digits can overflow.
    if count - first <= Self.safeDigits {
      var value: Int64 = 0
      for index in first..<count {
        let digit = Int64(self[index]) &- 48
        guard digit >= 0, digit <= 9 else { return nil }
        value = value &* 10 &+ digit
      }
      return negative ? -value : value
    }
    var value: Int64 = 0
    for index in first..<count {
      let digit = Int64(self[index]) - 48
      guard digit >= 0, digit <= 9 else { return nil }
      let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
      let (next, carry) = scaled.subtractingReportingOverflow(digit)
      // Counted downwards, because the smallest number has no positive twin.
      guard !overflow, !carry else { return nil }
      value = next
    }
    if negative { return value }
    return value == .min ? nil : -value
  }

  /// Every number of so many digits fits into 64 bits.
  private static var safeDigits: Int { 18 }

  /// The number written as eight lower-case hex digits.
  public var hexWord: UInt32? {
    guard count == 8 else { return nil }
    let digits = unsafe withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt64.self) }
    return HexWord.word(of: UInt64(littleEndian: digits))
  }

  /// The offset of the first digit, slash or beginning of a currency's sign at or behind `start`.
  ///
  /// Some other signs begin as `£`, `¥` and `€` do, and are found as well.
  public func firstFigure(from start: Int = 0) -> Int? {
    precondition(start <= count, "a search begins within the bytes")
    let length = count - start
    let offset = unsafe withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return length }
      return unsafe a11y_find_figure(base + start, length)
    }
    return offset == length ? nil : start + offset
  }

  /// Whether a JSON string has to escape any of the bytes.
  public var needsEscapes: Bool {
    unsafe withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return false }
      return unsafe a11y_needs_escapes(base, bytes.count) != 0
    }
  }

  /// The number of Unicode scalars in the bytes, read as UTF-8.
  public var scalarCount: Int {
    unsafe withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe a11y_scalars(base, bytes.count)
    }
  }

  /// The bytes as text, with the replacement character for those that are not UTF-8.
  public var string: String {
    unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// So many bytes are put together on the stack before they are copied.
  private static var copiedAtOnce: Int { 1_024 }

  public var array: [UInt8] { array(between: "", "") }

  /// A copy with `opening` before and `closing` behind the bytes.
  public func array(between opening: StaticString, _ closing: StaticString) -> [UInt8] {
    // The initializers that give an array its size are not specialised: they look for the type of
    // its memory at run time, which takes longer than the copy. Appended in one piece, because each
    // piece is checked for room and for being shared.
    let length = count + opening.utf8CodeUnitCount + closing.utf8CodeUnitCount
    var all: [UInt8] = []
    guard length <= Self.copiedAtOnce else {
      all.reserveCapacity(length)
      unsafe all.append(contentsOf: opening.units)
      unsafe withUnsafeBufferPointer { unsafe all.append(contentsOf: $0) }
      unsafe all.append(contentsOf: closing.units)
      return all
    }
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.copiedAtOnce) { copy in
      guard let base = copy.baseAddress else { return }
      unsafe a11y_copy(base, opening.utf8Start, opening.utf8CodeUnitCount)
      let text = unsafe base + opening.utf8CodeUnitCount
      unsafe withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return }
        unsafe a11y_copy(text, start, bytes.count)
      }
      unsafe a11y_copy(text + count, closing.utf8Start, closing.utf8CodeUnitCount)
      unsafe all.append(contentsOf: UnsafeBufferPointer(start: base, count: length))
    }
    return all
  }
}

extension StaticString {
  fileprivate var units: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}

/// Cuts the bytes of a stream into lines, and never keeps more of a line than its limit.
///
/// The bytes stay where they are; the splitter says which of them are a line. A line over the
/// limit is announced once, as soon as that is certain, and passed over up to its end.
public struct LineSplitter {
  public enum Step: Equatable {
    /// The bytes of a line without its end, and where the next one begins.
    case line(Range<Int>, next: Int)
    /// A line over the limit; the next step begins at `next`.
    case tooLong(next: Int)
    /// No whole line from here on; the caller keeps these bytes.
    case incomplete(from: Int)
  }

  private let limit: Int
  private var passingOver = false

  public init(limit: Int) { self.limit = limit }

  /// The next step from `start` on.
  public mutating func step(_ bytes: Span<UInt8>, from start: Int) -> Step {
    var start = start
    if passingOver {
      guard let newline = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) else {
        return .incomplete(from: bytes.count)
      }
      passingOver = false
      start = newline + 1
    }
    guard let newline = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) else {
      // The last byte may be half of a `\r\n`.
      guard bytes.count - start > limit + 1 else { return .incomplete(from: start) }
      passingOver = true
      return .tooLong(next: bytes.count)
    }
    var end = newline
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    guard end - start <= limit else { return .tooLong(next: newline + 1) }
    return .line(start..<end, next: newline + 1)
  }
}
