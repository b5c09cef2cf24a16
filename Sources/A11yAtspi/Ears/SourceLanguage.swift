// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The language of an object, by the locale that its program tells.
package enum SourceLanguage {
  private static let mostBytes = 35

  /// The tag of a locale, as in `de-AT`, if its language is another than that of the session.
  package static func foreign(_ locale: String, in session: String?) -> String? {
    let own = session.flatMap { Self.tag($0) } ?? "en"
    guard let tag = tag(locale), primary(tag[...]) != primary(own[...]) else { return nil }
    return tag
  }

  /// The tag of a locale such as `de_AT.UTF-8`; nil where it names no language.
  private static func tag(_ locale: String) -> String? {
    let name = locale.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
    let language = primary(name[...])
    guard (2...3).contains(language.utf8.count), name.utf8.count <= mostBytes,
      language.allSatisfy({ $0.isASCII && $0.isLetter }),
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }),
      !name.hasSuffix("-")
    else { return nil }
    return String(name)
  }

  private static func primary(_ tag: Substring) -> String {
    tag.prefix { $0 != "-" }.lowercased()
  }
}
