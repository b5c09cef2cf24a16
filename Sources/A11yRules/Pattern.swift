// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// A text in which each `*` stands for any run of characters, an empty one too.
///
/// Compared byte by byte, as names are; nothing stands for a `*` itself.
public struct Pattern: Hashable, Sendable {
  public let text: String
  /// The texts between the stars, in order; a single one where there is no star.
  private let parts: [[UInt8]]

  /// The longest pattern: the longest name, with as many bytes again for stars.
  public static let bytes = 2 * Limits.nameBytes

  public init(_ text: String) {
    self.text = text
    parts = Array(text.utf8)
      .split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// Whether it stands for one text alone.
  var isLiteral: Bool { parts.count == 1 }

  public static func == (a: Pattern, b: Pattern) -> Bool {
    a.text.utf8.elementsEqual(b.text.utf8)
  }

  public func hash(into hasher: inout Hasher) { Name(text).hash(into: &hasher) }

  public func matches(_ name: Name) -> Bool { matches(name.text.utf8Span.span) }

  public func matches(_ bytes: Span<UInt8>) -> Bool {
    let last = parts.count - 1
    if last == 0 { return bytes.equals(parts[0]) }
    var place = parts[0].count
    let end = bytes.count - parts[last].count
    guard place <= end, Self.stands(parts[0], in: bytes, at: 0),
      Self.stands(parts[last], in: bytes, at: end)
    else { return false }
    // The first place of a part leaves the most room for the parts behind it.
    for part in parts[1..<last] where !part.isEmpty {
      guard let found = Self.place(of: part, in: bytes, from: place, to: end) else { return false }
      place = found + part.count
    }
    return true
  }

  private static func stands(_ part: [UInt8], in bytes: Span<UInt8>, at place: Int) -> Bool {
    for index in part.indices where bytes[place + index] != part[index] { return false }
    return true
  }

  private static func place(
    of part: [UInt8],
    in bytes: Span<UInt8>,
    from start: Int,
    to end: Int
  ) -> Int? {
    var place = start
    while place + part.count <= end {
      if stands(part, in: bytes, at: place) { return place }
      place += 1
    }
    return nil
  }
}
