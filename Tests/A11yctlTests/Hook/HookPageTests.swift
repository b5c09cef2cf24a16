// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import Testing

@testable import a11yctl

/// The sentences of hooks stand on the page of their language, with their meaning in English again.
@Suite struct HookPageTests {
  @Test(arguments: WordLanguage.allCases)
  func `each page has the sentences of hooks`(language: WordLanguage) throws {
    let page = try LanguagePage(language.rawValue)
    let words = HookWords.of(language)
    let said = [
      ("hook asks permission", words.asksPermission("Codex", "make")),
      ("hook asks", words.asks("Codex", nil)),
      ("hook waits", words.waits("Codex")),
      ("hook done", words.done("Codex", nil)),
      ("hook failed", words.failed("Codex", nil)),
      ("hook refused", words.refused("Codex", nil)),
      ("command ended", words.commandEnd(0, after: "12 s")),
      ("command ended with a code", words.commandEnd(2, after: "12 s")),
      ("command ended by a signal", words.commandEnd(137, after: "12 s")),
    ]

    for (name, words) in said {
      let row = page.rows.first { $0.name == name }
      #expect(
        row?.said == words,
        "docs/languages/\(language.rawValue).md lacks | \(name) | \(words) |"
      )
      #expect(row?.means.isEmpty == false, "\(name) has no meaning")
    }
  }
}
