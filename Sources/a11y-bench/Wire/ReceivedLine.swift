// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The kind of a line that arrived, by its first bytes.
///
/// Eight bytes are one comparison, so that millions of lines a second can all be checked.
enum ReceivedLine {
  /// An entry of the log, or a request that the relay forwards in its place.
  case entry
  /// The answer `ok` to a request with the id 1.
  case success
  case mark
  case other

  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 16 else {
      self = .other
      return
    }
    switch bytes.loadUnaligned(as: UInt64.self) {
    case Self.request:
      switch bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self) {
      case Self.ok: self = .success
      case Self.op: self = .entry
      default: self = .other
      }
    case let head where head & Self.sevenBytes == Self.seq: self = .entry
    case let head where head == Self.markHead: self = .mark
    default: self = .other
    }
  }

  private static let sevenBytes: UInt64 = 0x00FF_FFFF_FFFF_FFFF
  private static let seq = eight(#"{"seq":"#)
  private static let request = eight(#"{"id":1,"#)
  private static let markHead = eight(#"{"mark":"#)
  private static let ok = UInt32(truncatingIfNeeded: eight(#""ok""#))
  private static let op = UInt32(truncatingIfNeeded: eight(#""op""#))
}

/// The bytes of `text`, at most eight, as a little-endian number padded with zeros.
private func eight(_ text: StaticString) -> UInt64 {
  text.withUTF8Buffer { bytes in
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// The place of `needle` in `bytes`.
func offset(of needle: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
  needle.withUTF8Buffer { wanted in
    var start = 0
    while start + wanted.count <= bytes.count {
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<start + wanted.count])
      if part.elementsEqual(wanted) { return start }
      start += 1
    }
    return nil
  }
}

/// The digits behind `name` in `bytes`, as a number.
func number(behind name: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
  guard let start = offset(of: name, in: bytes) else { return nil }
  let digits = bytes[(start + name.utf8CodeUnitCount)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
  guard !digits.isEmpty, digits.count < 19 else { return nil }
  return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
}

/// A line for a message: readable, and short.
func quote(_ bytes: UnsafeRawBufferPointer) -> String {
  let line = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
  return String(decoding: line.prefix(400), as: UTF8.self)
}
