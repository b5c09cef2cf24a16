// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
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
    ("de_CH", "3 weitere von Mail"), ("den", "3 more from Mail"), ("", "3 more from Mail"),
  ])
  func `a language is known by its tag, and English is said where it is not`(
    tag: String,
    words: String
  ) {
    #expect(OwnWords.of(tag).more(3, from: apps("Mail")) == words)
  }

  @Test func `one is told as one`() {
    let (english, german) = (OwnWords.of("en"), OwnWords.of("de"))

    #expect(english.missed(1, of: apps("Mail")) == "1 announcement from Mail was missed")
    #expect(english.missed(2, of: apps("Mail")) == "2 announcements from Mail were missed")
    #expect(german.missed(1, of: apps("Mail")) == "1 Ansage von Mail wurde verpasst")
    #expect(german.missed(2, of: apps("Mail")) == "2 Ansagen von Mail wurden verpasst")
  }

  @Test func `apps are named, each once, and of many some`() {
    #expect(OwnWords.of("en").more(2, from: apps("A", "B")) == "2 more from A and B")
    #expect(OwnWords.of("de").more(3, from: apps("A", "B", "C")) == "3 weitere von A, B und C")
    #expect(
      OwnWords.of("en").more(9, from: apps("A", "B", "C", "D", "E"))
        == "9 more from A, B, C, D and other apps"
    )
    #expect(OwnWords.of("en").more(2, from: apps("A", "A")) == "2 more from A")
  }
}
