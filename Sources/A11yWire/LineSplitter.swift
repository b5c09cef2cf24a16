// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
