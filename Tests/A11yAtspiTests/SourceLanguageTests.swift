// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import Testing

/// The languages of sources.
@Suite(.timeLimit(.minutes(hangs))) struct SourceLanguageTests: EarsTrial {
  var ears = Ears()
  var now: Int64 = 1_000_000_000

  @Test(
    arguments: [
      ("de_AT.UTF-8", "en_GB.UTF-8", "de-AT"), ("fr", "en_GB.UTF-8", "fr"),
      ("en_US", "en_GB.UTF-8", nil), ("de", "de_DE@euro", nil), ("C", "de_DE", nil),
      ("fr", "C.UTF-8", "fr"), ("en", nil, nil), ("Name of 5", nil, nil), ("", nil, nil),
      ("zh-Hant-TW", "en", "zh-Hant-TW"), ("de-", "en", nil),
    ] as [(String, String?, String?)]
  )
  func `a language is told where it is another than that of the session`(
    locale: String,
    session: String?,
    tag: String?
  ) {
    #expect(SourceLanguage.foreign(locale, in: session) == tag)
  }

  @Test mutating func `a region and a control are spoken in their languages`() throws {
    try introduce()
    try teach(Self.region, SourceFacts(attributes: Self.polite, language: "fr"))
    let told = try hear(.inserted("Bonjour"))
    try hear(.focused, from: Self.button)
    let focus = try answer(
      SourceQuestion(.control, Self.button),
      .control(ControlFacts(SourceFacts(role: AtspiRole(43), name: "Fin", language: "fr")))
    )
    let note = try hear(.announcement("Fini", isAssertive: false), from: Self.frame)

    #expect(told.events[0]["text"]?.list?.first?["lang"]?.string == "fr")
    #expect(focus.events[0]["upsert"]?.list?.first?["lang"]?.string == "fr")
    #expect(note.events[0]["text"]?.list?.first?["lang"]?.string == "fr")
  }
}
