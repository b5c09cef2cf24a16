// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing
import A11yPosix

struct VisibleTextTests {
  @Test(arguments: [
    ("", ""),
    ("Item was added", "Item was added"),
    ("Grüße, 東京, שלום, 🙂", "Grüße, 東京, שלום, 🙂"),
    ("\u{1B}[2J\u{1B}]0;x\u{7}", "<U+001B>[2J<U+001B>]0;x<U+0007>"),
    ("a\nb\r\tc", "a<U+000A>b<U+000D><U+0009>c"),
    ("a\r\nb", "a<U+000D><U+000A>b"),
    ("\u{7F}\u{80}\u{9B}31m", "<U+007F><U+0080><U+009B>31m"),
    ("a\u{202E}b\u{202C}", "a<U+202E>b<U+202C>"),
    ("\u{2066}x\u{2069}", "<U+2066>x<U+2069>"),
    ("\u{61C}\u{200E}\u{200F}", "<U+061C><U+200E><U+200F>"),
    ("a\u{2028}b\u{2029}c\u{85}", "a<U+2028>b<U+2029>c<U+0085>"),
    ("a\u{200B}b\u{2060}c\u{FEFF}\u{AD}", "a<U+200B>b<U+2060>c<U+FEFF><U+00AD>"),
    ("a\u{200D}b\u{200C}", "a<U+200D>b<U+200C>"),
    ("x\u{E0041}\u{E0100}\u{3164}", "x<U+E0041><U+E0100><U+3164>"),
    // Persian needs its non-joiner, a family its joiners, a heart its colour.
    ("می\u{200C}خواهم", "می\u{200C}خواهم"),
    ("👩\u{200D}👧", "👩\u{200D}👧"),
    ("❤\u{FE0F}", "❤\u{FE0F}"),
    ("a\u{FE0F}", "a<U+FE0F>"),
  ])
  func `what cannot be seen is shown by its number`(text: String, shown: String) {
    #expect(VisibleText.of(text) == shown)
  }
}
