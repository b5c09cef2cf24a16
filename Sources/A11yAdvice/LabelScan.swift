// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A first look at the bytes of a label, before the checks look at its words.
///
/// A window may have thousands of labels, and nearly all of them are right. The scan may suspect
/// too many, but never too few.
struct LabelScan {
  let spelling: Spelling
  private let startsSmall: Bool
  private let endsWithStop: Bool
  private let mayNameType: Bool

  /// Nil for a label about which no check can have advice.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return nil }
    let (first, last) = (bytes[0], bytes[bytes.count - 1])
    spelling = Spelling(in: Phrase(bytes))
    startsSmall = first >= 97 && first <= 122 || first >= 0x80
    endsWithStop = last == 0x2e
    // The last word may stand in quotes, or have a stop behind it.
    let isLetter = last | 0x20 >= 97 && last | 0x20 <= 122
    mayNameType = !isLetter && !last.isDigit || Self.namesType(bytes)
    guard !spelling.isEmpty || startsSmall || endsWithStop || mayNameType else { return nil }
  }

  func isWorthALook(_ traits: TraitSet) -> Bool {
    if !spelling.isEmpty { return true }
    if mayNameType, !traits.isDisjoint(with: RoleWord.traits) { return true }
    return (startsSmall || endsWithStop) && !traits.isDisjoint(with: .labelled)
  }

  private static func namesType(_ bytes: Span<UInt8>) -> Bool {
    for end in ends where bytes.matches(end, from: bytes.count - end.utf8CodeUnitCount) {
      return true
    }
    // “Image of”, “Bild von”
    return bytes.matches("image", from: 0) || bytes.matches("bild", from: 0)
  }

  /// The endings of the words for roles.
  private static let ends: [StaticString] = [
    "button", "slider", "key", "link", "field", "box", "bar", "knopf", "che", "feld", "leiste",
    "regler",
  ]
}

extension Span<UInt8> {
  /// Whether `letters` stand at `start`, large or small.
  fileprivate func matches(_ letters: StaticString, from start: Int) -> Bool {
    let length = letters.utf8CodeUnitCount
    guard start >= 0, start + length <= count else { return false }
    let small = unsafe letters.utf8Start
    for offset in 0..<length {
      guard unsafe self[start + offset] | 0x20 == small[offset] else { return false }
    }
    return true
  }
}
