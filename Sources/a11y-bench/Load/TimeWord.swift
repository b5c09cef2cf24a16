// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A moment as a word, which travels in a text to be spoken.
///
/// Sixteen letters stand for sixteen hexadecimal digits; the sign before them occurs nowhere else
/// in a line, so that one `memchr` finds it.
enum TimeWord {
  private static let sign = UInt8(ascii: "@")
  private static let letters = 16

  static func text(_ nanoseconds: Int) -> String {
    var word = "@"
    for digit in (0..<letters).reversed() {
      let value = UInt8(truncatingIfNeeded: nanoseconds >> (4 * digit)) & 15
      word.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + value))
    }
    return word
  }

  static func nanoseconds(in line: UnsafeRawBufferPointer) throws(BenchFailure) -> Int {
    guard let base = line.baseAddress,
      let hit = memchr(base, Int32(sign), line.count),
      hit - UnsafeMutableRawPointer(mutating: base) + letters < line.count
    else { throw BenchFailure("an event has lost its text: \(quote(line))") }
    return (1...letters).reduce(0) { value, place in
      value << 4 | Int(hit.load(fromByteOffset: place, as: UInt8.self) &- UInt8(ascii: "a"))
    }
  }
}
