// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The language of a text, as far as there are tables for it.
enum Language: Equatable {
  /// Nobody has said.
  case unknown
  case english, german
  /// One that nothing is known about here.
  case other

  /// By a tag such as `de-AT`.
  init(_ tag: String?) {
    guard let tag, !tag.isEmpty else {
      self = .unknown
      return
    }
    switch tag.prefix(while: { $0 != "-" && $0 != "_" }).lowercased() {
    case "en": self = .english
    case "de": self = .german
    case "und": self = .unknown
    default: self = .other
    }
  }

  /// Whether a text may be in a language: in one that is not named it may be in any.
  func mayBe(_ language: Language) -> Bool { self == language || self == .unknown }
}
