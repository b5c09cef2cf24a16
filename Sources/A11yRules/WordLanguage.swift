// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A language that the bus has words of its own in, with its tag.
public enum WordLanguage: String, Sendable, CaseIterable {
  case english = "en"
  case german = "de"
  case french = "fr"
  case spanish = "es"
  case italian = "it"
  case portuguese = "pt"
  case dutch = "nl"
  case polish = "pl"
  case russian = "ru"
  case arabic = "ar"

  /// The language of a tag such as `de-AT`, or of a locale such as `de_AT.UTF-8`; nil where the
  /// bus has no words for it.
  public init?(tag: Span<UInt8>) {
    guard tag.count == 2 || tag.count > 2 && !Self.isLetter(tag[2]) else { return nil }
    // One bit tells the capitals of ASCII from its small letters.
    let letters = [tag[0], tag[1]].map { Unicode.Scalar($0 | 0x20) }
    self.init(rawValue: String(String.UnicodeScalarView(letters)))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }
}
