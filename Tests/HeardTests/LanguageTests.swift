// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// Our own words beside texts that are in a language of their own.
@Suite struct LanguageTests {
  private func speak(_ element: JSON) throws -> JSON {
    var script = Script([button("z", "End"), element])
    script.at(0, user("focus", ["element": "b"]))
    return try #require(try script.run().entries("deliver").last)["event"]["speak"]
  }

  @Test func `an element in a language that we know has all of it in that one`() throws {
    let shown = button("b", "Enviar", ["lang": "es-MX", "hint": "Manda el mensaje."])

    #expect(try speak(shown) == [["text": "Enviar, botón. Manda el mensaje.", "lang": "es-MX"]])
  }

  @Test func `in a language without words our own stand in a run of the user's language`() throws {
    let shown = button("b", "送信", ["lang": "ja", "hint": "送ります。"])

    #expect(
      try speak(shown) == [
        ["text": "送信", "lang": "ja"], ["text": ", button"],
        ["text": ". 送ります。", "lang": "ja"],
      ]
    )
    #expect(
      try speak(["id": "b", "accessible": true, "traits": ["button"], "lang": "ja"])
        == [["text": "button"]]
    )
    #expect(try speak(element("b", "送信", ["lang": "ja"])) == [["text": "送信", "lang": "ja"]])
  }

  @Test func `a change is told in the language of its element`() throws {
    for (lang, word) in [
      ("fr", ["text": ", sélectionné", "lang": "fr"]), ("ja", ["text": ", selected"]),
    ]
      as [(String, JSON)]
    {
      var script = Script([element("b", "Un", ["lang": .string(lang)]), button("z", "End")])
      script.at(0, user("focus", ["element": "b"]))
      let change: [String: JSON] = ["id": "b", "value": "5", "traits": ["selected"]]
      script.at(5_000, changes(change))

      let told = try script.run().entries("deliver").last?["event"]["speak"]

      #expect(told == [["text": "5", "lang": .string(lang)], word])
    }
  }
}
