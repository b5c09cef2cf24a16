// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Glibc

/// An entry's line, taken apart by the judge's own hand.
///
/// The envelope is compared byte by byte with the form that the contract gives it; the reader of
/// JSON that all share is asked for what stands inside the event alone.
struct EntryLine {
  let seq: Int64
  let time: Int64
  let mono: Int64
  let app: String
  let uid: Int64
  let conn: Int64
  let dedupe: String?
  /// The event's own text.
  let event: ArraySlice<UInt8>

  /// Takes a line without its newline; nil where it is not an entry to the last byte.
  init?(_ line: [UInt8]) {
    guard Checksum.isRight(line[...]) else { return nil }
    var rest = Scanner(line.prefix(line.count - Checksum.width))
    guard rest.skip("{\"seq\":"), let seq = rest.number(), rest.skip(",\"time\":"),
      let time = rest.number(), rest.skip(",\"mono\":"), let mono = rest.number(),
      rest.skip(",\"app\":\""), let app = rest.plainString(), rest.skip(",\"uid\":"),
      let uid = rest.number(), rest.skip(",\"conn\":"), let conn = rest.number()
    else { return nil }
    var dedupe: String?
    if rest.skip(",\"dedupe\":\"") {
      guard let key = rest.plainString() else { return nil }
      dedupe = key
    }
    guard rest.skip(",\"event\":"), rest.left.first == UInt8(ascii: "{") else { return nil }
    self.seq = seq
    self.time = time
    self.mono = mono
    self.app = app
    self.uid = uid
    self.conn = conn
    self.dedupe = dedupe
    event = rest.left
  }

  /// Takes what is left of an entry that was forgotten; nil where the line is something else.
  init?(tombstone line: [UInt8]) {
    guard Checksum.isRight(line[...]) else { return nil }
    var rest = Scanner(line.prefix(line.count - Checksum.width))
    guard rest.skip("{\"seq\":"), let seq = rest.number(), rest.skip(",\"time\":"),
      let time = rest.number(), rest.skip(",\"mono\":"), let mono = rest.number(),
      rest.skip(",\"event\":")
    else { return nil }
    self.seq = seq
    self.time = time
    self.mono = mono
    app = ""
    uid = 0
    conn = 0
    dedupe = nil
    event = rest.left
    guard line == tombstone else { return nil }
  }

  /// The line that is left of it when it is forgotten.
  var tombstone: [UInt8] {
    let text =
      "{\"seq\":\(seq),\"time\":\(time),\"mono\":\(mono),\"event\":{\"type\":\"forgotten\"}"
    let digits = String(Checksum.value(of: Array(text.utf8)[...]), radix: 16)
    let crc = String(repeating: "0", count: 8 - digits.count) + digits
    return Array("\(text),\"crc\":\"\(crc)\"}".utf8)
  }

  /// The seq that stands at the front of a line; nil where none does.
  static func seq(of line: ArraySlice<UInt8>) -> Int64? {
    var rest = Scanner(line)
    guard rest.skip("{\"seq\":"), let seq = rest.number(), rest.left.first == UInt8(ascii: ",")
    else { return nil }
    return seq
  }
}

/// Goes through bytes from the front.
struct Scanner {
  private(set) var left: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { left = bytes }

  mutating func skip(_ text: StaticString) -> Bool {
    guard left.count >= text.utf8CodeUnitCount else { return false }
    let start = left.startIndex
    for index in 0..<text.utf8CodeUnitCount where left[start + index] != text.utf8Start[index] {
      return false
    }
    left = left.dropFirst(text.utf8CodeUnitCount)
    return true
  }

  mutating func number() -> Int64? {
    var value: Int64 = 0
    var end = left.startIndex
    let isNegative = left.first == UInt8(ascii: "-")
    if isNegative { end += 1 }
    let start = end
    while end < left.endIndex, case 48...57 = left[end], end - start < 18 {
      value = value * 10 + Int64(left[end] - 48)
      end += 1
    }
    guard end > start else { return nil }
    left = left[end...]
    return isNegative ? -value : value
  }

  /// The rest of a string without escapes, and its quote.
  mutating func plainString() -> String? {
    guard let end = left.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let text = left[left.startIndex..<end]
    guard !text.contains(UInt8(ascii: "\\")) else { return nil }
    left = left[(end + 1)...]
    return String(decoding: text, as: UTF8.self)
  }
}

/// CRC-32C from a table that is made here: the judge does not borrow the scales of who is judged.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { remainder, _ in
      remainder & 1 == 1 ? remainder >> 1 ^ 0x82f6_3b78 : remainder >> 1
    }
  }

  static func value(of bytes: ArraySlice<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      bytes.withUnsafeBufferPointer { bytes in
        var remainder: UInt32 = 0xffff_ffff
        for byte in bytes {
          remainder = remainder >> 8 ^ table[Int((remainder ^ UInt32(byte)) & 0xff)]
        }
        return ~remainder
      }
    }
  }

  /// The bytes of `,"crc":"`, eight digits and `"}`.
  static let width = 18
  static let opening = Array(",\"crc\":\"".utf8)

  /// Whether a line without its newline ends in its own checksum.
  static func isRight(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count > width else { return false }
    let body = line.prefix(line.count - width)
    let tail = Array(line.suffix(width))
    guard Array(tail[0..<8]) == opening, tail[16] == UInt8(ascii: "\""),
      tail[17] == UInt8(ascii: "}")
    else { return false }
    var stated: UInt32 = 0
    for digit in tail[8..<16] {
      switch digit {
      case 48...57: stated = stated << 4 | UInt32(digit - 48)
      case 97...102: stated = stated << 4 | UInt32(digit - 87)
      default: return false
      }
    }
    return stated == value(of: body)
  }
}

extension [UInt8] {
  /// The place at which `wanted` stands first, at or behind `start`.
  func find(_ wanted: [UInt8], from start: Int) -> Int? {
    guard let opening = wanted.first else { return nil }
    return withUnsafeBytes { bytes in
      wanted.withUnsafeBytes { wanted in
        guard let base = bytes.baseAddress, let word = wanted.baseAddress else { return nil }
        var at = start
        while at + wanted.count <= bytes.count {
          let room = bytes.count - wanted.count - at + 1
          guard let found = memchr(base + at, Int32(opening), room) else { return nil }
          at = UnsafeRawPointer(found) - base
          if memcmp(base + at, word, wanted.count) == 0 { return at }
          at += 1
        }
        return nil
      }
    }
  }

  func contains(_ wanted: [UInt8]) -> Bool { find(wanted, from: 0) != nil }
}
