// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire
import Foundation
import Testing

@testable import A11yPresenter

/// Each language has a page with all that is said in it, and with what that means in English again.
///
/// Whoever changes a word meets this test, and says again what the word means.
@Suite struct LanguagePageTests {
  /// The numbers that tell the forms of all our languages apart.
  private static let counts: [Int64] = [0, 1, 2, 5, 21, 101]

  private func apps(_ names: [String]) -> [AppKey] {
    names.map { AppKey(uid: 1_000, app: Name($0)) }
  }

  /// All that is said, each with a name.
  private func said(_ language: WordLanguage) -> [(name: String, words: String)] {
    let words = OwnWords.of(language)
    var rows: [(String, String)] = []
    for (group, part) in [
      ("role", Mirror(reflecting: words.roles)), ("state", .init(reflecting: words.states)),
    ] {
      for child in part.children {
        let name = "\(group) \(child.label ?? "")"
        if let text = child.value as? String { rows.append((name, text)) }
        for side in Mirror(reflecting: child.value).children {
          guard let text = side.value as? String, let label = side.label else { continue }
          rows.append(("\(name), \(label)", text))
        }
      }
    }
    for count in Self.counts {
      rows.append(("more \(count)", words.more(count, from: apps(["Mail"]))))
    }
    for count in Self.counts {
      rows.append(("missed \(count)", words.missed(count, of: apps(["Mail"]))))
    }
    for count in Self.counts { rows.append(("bullets \(count)", words.bullets(Int(count)))) }
    let many = ["Mail", "Chat", "Notes", "Music", "Clock"]
    rows.append(("more, of three apps", words.more(5, from: apps(Array(many.prefix(3))))))
    rows.append(("missed, of many apps", words.missed(5, of: apps(many))))
    return rows
  }

  @Test(arguments: WordLanguage.allCases)
  func `each page has what is said, and its meaning in English`(language: WordLanguage) throws {
    let page = try LanguagePage(language.rawValue)

    for (name, words) in said(language) {
      let row = page.rows.first { $0.name == name }
      #expect(
        row?.said == words,
        "docs/languages/\(language.rawValue).md lacks | \(name) | \(words) |"
      )
      #expect(row?.means.isEmpty == false, "\(name) has no meaning")
    }
  }

  @Test(arguments: WordLanguage.allCases)
  func `no two roles, and no two states, are the same word`(language: WordLanguage) {
    for group in ["role", "state"] {
      let words = said(language).filter { $0.name.hasPrefix(group + " ") }.map(\.words)
      let doubled = Set(words.filter { word in words.count { $0 == word } > 1 })
      #expect(doubled == [], "\(group)")
    }
  }

  /// Terminals and displays order a line themselves.
  ///
  /// A sign that orders it would be spelt by a voice, and take a cell in braille.
  @Test(arguments: WordLanguage.allCases)
  func `nothing that is said has signs of direction or other unseen ones`(language: WordLanguage) {
    for (name, words) in said(language) {
      let unseen = words.unicodeScalars.filter { scalar in
        [.format, .control, .surrogate, .privateUse, .unassigned]
          .contains(scalar.properties.generalCategory)
      }
      #expect(unseen.isEmpty, "\(name)")
    }
  }
}
