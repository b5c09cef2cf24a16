// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import a11yctl

/// Names of voices, languages and synthesizers that are typed.
struct VoiceNamesTests {
  private static let many = ["English", "French", "German", "Greek", "Irish", "Italian", "Latin"]
  private let voices = VoiceNames(
    of: "voice",
    from: "espeak-ng",
    many + ["Polish", "Welsh"] + ["German+Adam", "German+Germaine"]
  )
  private let languages = VoiceNames(of: "language", from: "espeak-ng", ["de", "en-GB", "en-US"])

  @Test func `a name that is there is taken, another is answered with the nearest`() {
    #expect(voices.has("German"))
    #expect(voices.has("German+Adam"))
    #expect(!voices.has("Germen"))
    #expect(
      voices.refusal(of: "Germen")
        == "espeak-ng has no voice Germen; did you mean German? a11yctl voice list tells all."
    )
    #expect(
      voices.refusal(of: "Xyzzy") == "espeak-ng has no voice Xyzzy. a11yctl voice list tells all."
    )
  }

  @Test func `a few names are all told`() {
    let names = VoiceNames(of: "synthesizer", from: "speech-dispatcher", ["espeak-ng", "rhv"])

    #expect(
      names.refusal(of: "espeak")
        == "speech-dispatcher has no synthesizer espeak; did you mean espeak-ng?"
        + " It has espeak-ng and rhv."
    )
  }

  @Test(arguments: [("de", true), ("de-AT", true), ("EN_us", true), ("en", true), ("xx", false)])
  func `a language is known by a longer or a shorter name, too`(name: String, isKnown: Bool) {
    #expect(languages.has(name) == isKnown)
  }
}
