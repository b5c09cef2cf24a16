// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The language of a text, as far as there are tables for it.
enum Language: Equatable {
  /// No language was named.
  case unknown
  case english, german
  /// A language without tables.
  case other

  /// The language of a tag such as `de-AT`.
  init(_ tag: Span<UInt8>) {
    var end = 0
    while end < tag.count, tag[end] != UInt8(ascii: "-"), tag[end] != UInt8(ascii: "_") { end += 1 }
    switch WordKey(tag.extracting(0..<end)) {
    case "en": self = .english
    case "de": self = .german
    case "und": self = .unknown
    default: self = tag.count == 0 ? .unknown : .other
    }
  }

  init(_ tag: String?) {
    guard let tag else {
      self = .unknown
      return
    }
    self.init(tag.utf8.span)
  }

  /// Whether a text may be in `language`; one of an unknown language may be in any.
  func mayBe(_ language: Language) -> Bool { self == language || self == .unknown }
}
