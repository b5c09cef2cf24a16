// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yTestKit
import Testing

@Suite(.timeLimit(.minutes(hangs))) struct PlainTextTests {
  @Test(arguments: [
    ("Build <b>done</b> &amp; shipped", "Build done & shipped"),
    ("a &lt; b &#38; c &#x3e; d", "a < b & c > d"),
    ("one<br/>two<p>three</p>", "one two three"),
    (#"<a href="https://example.org/?a=b">Open</a> it"#, "Open it"),
    (#"<img src="x.png" alt="A cat"/> sleeps"#, "A cat sleeps"),
    ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
    ("AT&T & friends &unknown; <", "AT&T & friends &unknown; <"),
    ("line one\n  line two\t\u{7}end", "line one line two end"),
    ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
    ("", ""),
  ])
  func `markup goes, words stay`(markup: String, words: String) {
    #expect(PlainText.of(markup: markup) == words)
  }

  @Test func `signs that begin no tag cost no more than letters`() {
    let start = ContinuousClock.now
    let words = PlainText.of(markup: String(repeating: "<a", count: 8_192))
    #expect(words.count == 16_384)
    // It was the square of them: 0.7 s in a release build, on a day without other work.
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test func `a letter with any number of marks is cut, too`() {
    let letter = "a" + String(repeating: "\u{301}", count: 30_000)
    #expect(AtspiSignal.plain(letter).utf8.count < 8_193)
    #expect(SourceFacts(attributes: ["placeholder-text": letter]).attributes.isEmpty)
  }
}
