// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

struct XMLEntityTests {
  @Test(arguments: [
    ("&amp;amp", "&", "amp"), ("&nbsp;", " ", ""), ("&#228;", "ä", ""), ("&#xe4;;", "ä", ";"),
    ("&#XE4;", "ä", ""), ("&#x0001F6AA;", "🚪", ""),
  ])
  func `an entity is a sign`(text: String, sign: Character, rest: String) {
    var text = text[...]

    #expect(XMLEntity.take(&text) == sign)
    #expect(text == rest)
  }

  @Test(arguments: [
    "&", "&;", "& ", "&amp", "&AMP;", "&#0;", "&#xD800;", "&#x00000001F6AA;", "&x41;",
  ])
  func `what is no entity stays as it is`(text: String) {
    var rest = text[...]

    #expect(XMLEntity.take(&rest) == nil)
    #expect(rest == text)
  }
}
