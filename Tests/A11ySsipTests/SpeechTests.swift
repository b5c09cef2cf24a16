// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Testing

@testable import A11ySsip

/// The texts of clients as texts of the bus.
@Suite struct SpeechTests {
  private func voice(_ settings: SsipSetting...) -> SsipVoice {
    var voice = SsipVoice()
    for setting in settings { _ = voice.take(setting) }
    return voice
  }

  // MARK: Markup

  @Test(arguments: [
    ("plain", "plain"),
    ("<speak>a &amp; b &lt;c&gt; &#65;&#x42; &unknown; &</speak>", "a & b <c> AB &unknown; &"),
    ("<b>bold</b> <i class='x'>words</i>", "bold words"),
    ("1 < 2 and <3 hearts", "1 < 2 and <3 hearts"),
    ("<!-- no --><?xml?><!DOCTYPE x>yes", "yes"),
    ("broken <mark name=", "broken <mark name="),
    ("broken <!-- never ends <!-- twice", "broken <!-- never ends <!-- twice"),
    ("</never><a><b>open", "open"),
    ("quotes <a x='>'>in</a> values", "quotes in values"),
  ])
  func `words stay, tags go, and broken markup is text`(markup: String, words: String) {
    #expect(SsipMarkup(markup).stretches.map(\.words).joined() == words)
  }

  @Test func `languages and spelling hold within their elements`() {
    let stretches = SsipMarkup(
      "<speak xml:lang='en'>a <s xml:lang='de'>b <say-as interpret-as=\"characters\">c</say-as>"
        + "</s> d"
        + "</speak>"
    ).stretches
    #expect(stretches.map(\.words) == ["a ", "b ", "c", " d"])
    #expect(stretches.map(\.language) == ["en", "de", "de", "en"])
    #expect(stretches.map(\.isSpelled) == [false, false, true, false])
  }

  @Test func `elements that are nested deeply cost no more than their words`() {
    let many =
      String(repeating: "<a>", count: 10_000) + "x" + String(repeating: "</a>", count: 10_000)
    #expect(SsipMarkup(many).stretches.map(\.words) == ["x"])
  }

  // MARK: Parts

  @Test func `a text of 4,000 characters is one, and a longer one begins anew behind a sentence`() {
    let sentence = "This is a sentence of forty characters. "
    let whole = String(repeating: sentence, count: 100)
    #expect(SsipSpeech(.text(whole), voice()).parts.count == 1)

    let longer = SsipSpeech(.text(whole + "And one more."), voice()).parts
    #expect(longer.map(\.text.text) == [whole, "And one more."])
    let words = SsipSpeech(.text(String(repeating: "word ", count: 1_000)), voice()).parts
    #expect(words.map { $0.text.text.count } == [4_000, 1_000])
    let unbroken = SsipSpeech(.text(String(repeating: "x", count: 9_000)), voice()).parts
    #expect(unbroken.map { $0.text.text.count } == [4_000, 4_000, 1_000])
  }

  @Test func `marks in many parts are neither lost nor told twice`() {
    let text = (0..<3_000).map { "<mark name=\"\($0)\"/>word " }.joined()
    let parts = SsipSpeech(.text(text), voice(.ssml(true))).parts
    #expect(parts.count > 3)
    #expect(parts.flatMap(\.marks).flatMap { $0 } == (0..<3_000).map(String.init))
    #expect(parts.flatMap(\.runs).compactMap(\.mark) == (0..<3_000).map(String.init))
    for part in parts {
      #expect(part.text.text.count <= 4_000)
      #expect(Event.announcement(part.text).json.utf8.count < 65_000)
    }
  }

  @Test func `control characters and quotation marks have room in a line`() {
    let text = (0..<4_000).map { "<mark name=\"\($0)\"/>\u{1}" }.joined()
    let parts = SsipSpeech(.text(text), voice(.ssml(true))).parts
    for part in parts { #expect(Event.announcement(part.text).json.utf8.count < 65_000) }
  }
}
