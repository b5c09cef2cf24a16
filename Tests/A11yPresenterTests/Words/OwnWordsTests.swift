// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yWire
import Testing

@testable import A11yPresenter

/// Our own words are in the user's language.
@Suite struct OwnWordsTests {
  private func apps(_ names: String...) -> [AppKey] {
    names.map { AppKey(uid: 1_000, app: Name($0)) }
  }

  @Test(arguments: [
    ("en", "3 more from Mail"), ("de", "3 weitere von Mail"), ("de-AT", "3 weitere von Mail"),
    ("DE_CH", "3 weitere von Mail"), ("fr.UTF-8", "3 autres de Mail"), ("den", nil), ("ja", nil),
    ("d", nil), ("", nil), ("ä", nil),
  ])
  func `a language is known by its tag`(tag: String, words: String?) {
    #expect(OwnWords.of(tag: Array(tag.utf8))?.more(3, from: apps("Mail")) == words)
  }

  @Test(
    arguments: [
      (.english, 1, "1 announcement from Mail was missed"),
      (.english, 2, "2 announcements from Mail were missed"),
      (.german, 1, "1 Ansage von Mail wurde verpasst"),
      (.german, 2, "2 Ansagen von Mail wurden verpasst"),
      (.french, 1, "1 annonce de Mail manquée"), (.french, 2, "2 annonces de Mail manquées"),
      (.polish, 1, "Pominięto 1 komunikat z aplikacji Mail"),
      (.polish, 22, "Pominięto 22 komunikaty z aplikacji Mail"),
      (.polish, 12, "Pominięto 12 komunikatów z aplikacji Mail"),
      (.russian, 21, "Пропущено 21 сообщение от Mail"),
      (.russian, 3, "Пропущено 3 сообщения от Mail"),
      (.russian, 11, "Пропущено 11 сообщений от Mail"),
      (.arabic, 1, "فاتك إعلان واحد من Mail"), (.arabic, 2, "فاتك إعلانان من Mail"),
      (.arabic, 3, "فاتتك 3 إعلانات من Mail"), (.arabic, 11, "فاتك 11 إعلانًا من Mail"),
      (.arabic, 100, "فاتك 100 إعلان من Mail"),
    ] as [(WordLanguage, Int64, String)]
  )
  func `a number is told as its language tells it`(
    language: WordLanguage,
    count: Int64,
    words: String
  ) {
    #expect(OwnWords.of(language).missed(count, of: apps("Mail")) == words)
  }

  @Test func `apps are named, each once, and of many some`() {
    let english = OwnWords.of(.english)

    #expect(english.more(2, from: apps("A", "B")) == "2 more from A and B")
    #expect(
      OwnWords.of(.german).more(3, from: apps("A", "B", "C")) == "3 weitere von A, B und C"
    )
    #expect(
      english.more(9, from: apps("A", "B", "C", "D", "E"))
        == "9 more from A, B, C, D and other apps"
    )
    #expect(english.more(2, from: apps("A", "A")) == "2 more from A")
    #expect(english.more(2, from: apps("{count}")) == "2 more from {count}")
  }

  /// Words that are the same in English and another language.
  private static let loans: Set<String> = ["cell", "image", "link"]

  @Test(arguments: WordLanguage.allCases.filter { $0 != .english })
  func `every word is translated`(language: WordLanguage) {
    let english = Self.texts(.english)
    let own = Self.texts(language)

    #expect(own.count == english.count)
    for (name, text) in own {
      #expect(!text.isEmpty && text == text.trimmed, "\(name)")
      if !Self.loans.contains(text.lowercased()) { #expect(text != english[name], "\(name)") }
    }
  }

  /// The words of a language by their names, without sentences that have a number in them.
  private static func texts(_ language: WordLanguage) -> [String: String] {
    let words = OwnWords.of(language)
    var texts: [String: String] = ["otherApps": words.appList.otherApps]
    texts["and"] = words.appList.and.trimmed
    for part in [Mirror(reflecting: words.roles), Mirror(reflecting: words.states)] {
      for child in part.children { texts[child.label ?? ""] = child.value as? String }
    }
    return texts
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
