// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import A11yWire
import Testing

@testable import A11yPresenter

/// The text to be spoken, in runs, as readers get them.
@Suite struct SpokenTextTests {
  @Test func `a string is one run, as it was written`() throws {
    let text = try text(#"{"text":"Caf\u00e9 \"x\""}"#)
    #expect(runs(text) == #"{"text":"Caf\u00e9 \"x\""}"#)
    #expect(text.length == 8)
    #expect(!text.isRedacted)
  }

  @Test func `runs keep what they say of themselves, without the space between`() throws {
    let text = try text(
      #"{"text":[ {"text":"98110", "spell":true}, {"lang":"de","text":"Größe"} ]}"#
    )
    #expect(runs(text) == #"{"text":"98110","spell":true},{"lang":"de","text":"Größe"}"#)
    #expect(text.length == 10)
  }

  @Test func `lengths count characters of all runs, not bytes`() throws {
    #expect(try text(#"{"text":"e\u0301\ud83d\ude00"}"#).length == 3)
    #expect(try text(#"{"text":"é😀"}"#).length == 2)
    #expect(try text(#"{"text":[{"text":"é"},{"text":"😀😀"}]}"#).length == 3)
  }

  @Test func `an event that says nothing has nothing to be spoken`() throws {
    #expect(try text(#"{"type":"layout-changed"}"#).isEmpty)
  }

  @Test func `a text that is not on the log is as long as it can be, and like no other`() throws {
    for (word, most) in [("1-8", 8), ("9-32", 32), ("33+", 4_000)] {
      let text = try text(#"{"redacted":"\#(word)"}"#)
      #expect(text.isRedacted)
      #expect(text.length == most)
      #expect(text.print == nil)
      #expect(runs(text) == #"{"redacted":"\#(word)"}"#)
    }
  }

  // MARK: Fingerprints

  @Test(
    arguments: [
      (#"{"text":"é"}"#, #"{"text":"\u00e9"}"#),
      (#"{"text":"a/b\t"}"#, #"{"text":"a\/b\u0009"}"#),
      (#"{"text":"😀"}"#, #"{"text":"\uD83D\ude00"}"#),
      (#"{"text":"ab"}"#, #"{"text":[{"text":"a"},{"text":"\u0062"}]}"#),
      (#"{"text":"98110"}"#, #"{"text":[{"text":"98110","spell":true}]}"#),
    ]
  )
  func `the same words are the same text, however they are written`(
    _ a: String,
    _ b: String
  ) throws {
    #expect(try text(a).print == text(b).print)
    #expect(try text(a).print != nil)
    #expect(try text(a).length == text(b).length)
  }

  @Test func `values are the same text, too, however they are written`() {
    let plain = SpokenText(written: "50 % é".utf8Span.span, language: nil)
    let escaped = SpokenText(written: #"50 % \u00e9"#.utf8Span.span, language: nil)
    #expect(plain.print == escaped.print)
    #expect(escaped.length == 6)
    #expect(plain.length == 6)

    var first = SpokenText.nothing
    first.append(plain)
    first.append(SpokenText("selected"))
    var second = SpokenText.nothing
    second.append(escaped)
    second.append(SpokenText("selected"))
    #expect(first.print == second.print)
    #expect(first.length == 14)
    #expect(runs(second) == #"{"text":"50 % \u00e9"},{"text":"selected"}"#)
  }

  @Test func `a text in a language of its own is as long as what it says`() {
    let plain = SpokenText(written: "Grüße".utf8Span.span, language: Array("de".utf8))
    let escaped = SpokenText(written: #"Gr\u00fc\u00dfe"#.utf8Span.span, language: Array("de".utf8))

    #expect(plain.length == 5)
    #expect(escaped.length == 5)
    #expect(plain.print == escaped.print)
    #expect(runs(escaped) == #"{"text":"Gr\u00fc\u00dfe","lang":"de"}"#)
    #expect(escaped.shortened(to: 3).length == 3)
  }

  @Test func `what stands behind a secret is no less secret`() throws {
    var text = try text(#"{"redacted":"9-32"}"#)
    text.append(SpokenText("selected"))
    #expect(text.print == nil)
    #expect(text.isRedacted)
    #expect(text.length == 40)
  }

  @Test func `texts that differ in one character are told apart`() throws {
    var prints: Set<Fingerprint> = []
    for number in 0..<20_000 {
      prints.insert(try #require(SpokenText("Item \(number)").print))
    }
    #expect(prints.count == 20_000)
  }

  // MARK: Too long

  @Test func `a text that is short enough stays as it is`() throws {
    let text = try text(#"{"text":[{"text":"ab"},{"text":"cd"}]}"#)
    #expect(runs(text.shortened(to: 4)) == runs(text))
  }

  @Test func `one that is too long ends behind a whole character`() throws {
    #expect(
      runs(try text(#"{"text":"a\u00e9\ud83d\ude00z"}"#).shortened(to: 3)) == #"{"text":"aé😀"}"#
    )
    #expect(runs(try text(#"{"text":"\"\n\"x"}"#).shortened(to: 2)) == #"{"text":"\"\n"}"#)
  }

  @Test func `runs behind the end go, the one at the end keeps what it says of itself`() throws {
    let text = try text(
      #"{"text":[{"text":"ab","spell":true},{"lang":"de","text":"cdé"},{"text":"f"}]}"#
    )
    let short = text.shortened(to: 3)
    #expect(runs(short) == #"{"text":"ab","spell":true},{"lang":"de","text":"c"}"#)
    #expect(short.length == 3)
    #expect(runs(text.shortened(to: 2)) == #"{"text":"ab","spell":true}"#)
  }

  @Test func `whatever the text and the bound, what is left is its beginning`() throws {
    var dice = Dice()
    let letters = ["a", "é", "e\u{301}", "😀", "\"", "\\", "\n", "ß"]
    for _ in 0..<200 {
      var parts: [String] = []
      for _ in 0..<dice.roll(1...5) {
        var part = ""
        for _ in 0..<dice.roll(0...6) { part += dice.pick(letters) }
        parts.append(part)
      }
      var out = ByteBuffer(capacity: 0)
      out.append("{\"text\":[")
      for (index, part) in parts.enumerated() {
        if index > 0 { out.append(",") }
        out.append("{")
        out.append(member: "text", part)
        out.append("}")
      }
      out.append("]}")
      let whole = parts.joined().unicodeScalars
      let limit = dice.roll(1...12)
      let short = try text(out.bytes.string).shortened(to: Int64(limit))
      let said = try JSON("[\(runs(short))]").list?.compactMap { $0["text"].string }.joined()
      #expect(
        said?.unicodeScalars.elementsEqual(whole.prefix(limit)) == true,
        "seed \(dice.seed): \(parts) to \(limit)"
      )
      #expect(short.length == Int64(min(limit, whole.count)), "seed \(dice.seed)")
    }
  }

  private func text(_ event: String) throws -> SpokenText {
    let reader = JSONReader(limit: Limits.answerBytes)
    try reader.read(Array(event.utf8).span)
    return SpokenText(of: WireEvent(reader.document.root, of: reader.document))
  }

  private func runs(_ text: SpokenText) -> String { text.runs.span.string }
}
