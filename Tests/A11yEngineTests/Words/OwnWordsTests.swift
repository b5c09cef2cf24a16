// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yEngine

/// What is said in our own words is said in the user's language.
@Suite struct OwnWordsTests {
  @Test(arguments: [
    ("en", "3 more from Mail"), ("de", "3 weitere von Mail"), ("de-AT", "3 weitere von Mail"),
    ("de_CH", "3 weitere von Mail"), ("den", "3 more from Mail"), ("", "3 more from Mail"),
  ])
  func `a language is known by its tag, and English is said where it is not`(
    tag: String,
    words: String
  ) {
    #expect(OwnWords.of(tag).more(3, from: "Mail") == words)
  }

  @Test func `one is told as one`() {
    #expect(OwnWords.of("en").missed(1) == "1 announcement was missed")
    #expect(OwnWords.of("en").missed(2) == "2 announcements were missed")
    #expect(OwnWords.of("de").missed(1) == "1 Ansage wurde verpasst")
    #expect(OwnWords.of("de").missed(2) == "2 Ansagen wurden verpasst")
  }
}
