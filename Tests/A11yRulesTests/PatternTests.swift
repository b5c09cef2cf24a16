// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import A11yWire
import Testing

/// The meaning of the star.
@Suite struct PatternTests {
  @Test(arguments: [
    ("org.gnome.Contacts", "org.gnome.Contacts"), ("*", ""), ("*", "all"), ("**", "a"),
    ("org.gnome.*", "org.gnome.Contacts"), ("org.gnome.*", "org.gnome."), ("*Mail", "eMail"),
    ("*Mail", "Mail"), ("a*b*c", "abc"), ("a*b*c", "a-bb-c"), ("*b*", "abc"), ("a*a", "aa"),
    ("*ab", "aab"), ("a*ab*b", "aabab"), ("größe*", "größenwahn"), ("*é", "café"),
  ])
  func `it matches`(pattern: String, text: String) {
    #expect(Pattern(pattern).matches(Name(text)))
  }

  @Test(arguments: [
    ("org.gnome.Contacts", "org.gnome.Contact"), ("org.gnome.Contacts", "org.gnome.Contacts2"),
    ("Mail", "mail"), ("org.gnome.*", "org.kde.Mail"), ("*Mail", "Mails"), ("a*a", "a"),
    ("a*b*c", "acb"), ("*b*", "ac"), ("ab*bc", "abc"),
    // One letter, and a letter with a mark of its own behind it.
    ("caf\u{e9}", "cafe\u{301}"),
  ])
  func `it does not match`(pattern: String, text: String) {
    #expect(!Pattern(pattern).matches(Name(text)))
  }

  @Test(arguments: [1, 2, 3])
  func `it matches what a plain search with going back matches`(seed: UInt64) {
    var dice = Dice(seed: seed)
    for _ in 0..<5_000 {
      let pattern = Self.letters(&dice, ["a", "b", "*"])
      let text = Self.letters(&dice, ["a", "b"])

      #expect(
        Pattern(pattern).matches(Name(text)) == Self.fits(pattern[...], text[...]),
        "seed \(seed): \(pattern) and \(text)"
      )
    }
  }

  private static func letters(_ dice: inout Dice, _ choices: [Character]) -> String {
    var text = ""
    for _ in 0..<dice.roll(0...6) { text.append(dice.pick(choices)) }
    return text
  }

  private static func fits(_ pattern: Substring, _ text: Substring) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" {
      if fits(pattern.dropFirst(), text) { return true }
      return !text.isEmpty && fits(pattern, text.dropFirst())
    }
    return text.first == first && fits(pattern.dropFirst(), text.dropFirst())
  }
}
