// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

/// Secrets that must not be written down, and what the log has instead.
@Suite struct SecrecyTests {
  @Test(
    arguments: [
      (1, .short), (8, .short), (9, .medium), (32, .medium), (33, .long), (30_000, .long),
    ] as [(Int, LengthClass)]
  )
  func `a hidden text has one of three lengths`(characters: Int, length: LengthClass) {
    #expect(LengthClass(characters: characters) == length)
  }

  @Test(arguments: [("a", "1-8"), ("12345678", "1-8"), ("123456789", "9-32"), ("🙂🙂🙂🙂🙂🙂🙂🙂", "1-8")])
  func `a sensitive announcement keeps no text`(text: String, length: String) throws {
    let stored = try Stored(
      #"{"sensitive":true,"text":"\#(text)","type":"announcement","priority":"high","key":"k"}"#
    )

    #expect(
      stored.text
        == #"{"type":"announcement","priority":"high","key":"k","#
        + #""sensitive":true,"redacted":"\#(length)"}"#
    )
  }

  @Test func `runs of a sensitive announcement are hidden whole, with all their attributes`() throws
  {
    let stored = try Stored(
      """
      {"type":"announcement","sensitive":true,"text":[{"text":"12345","ipa":"secret"},\
      {"text":"6789","lang":"de"}]}
      """
    )

    #expect(stored.text == #"{"type":"announcement","sensitive":true,"redacted":"9-32"}"#)
  }

  @Test(arguments: [
    #"{"type":"layout-changed","text":"T0PSECRET","sensitive":true}"#,
    #"{"type":"screen-changed","text":"T0PSECRET","sensitive":true}"#,
    #"{"type":"page-scrolled","text":"T0PSECRET","sensitive":true}"#,
    #"{"type":"window","window":"w","title":"T0PSECRET","sensitive":true}"#,
    #"{"type":"elements","window":"w","upsert":[{"id":"a","label":"T0PSECRET"}],"sensitive":true}"#,
    #"{"type":"elements","window":"w","upsert":[{"id":"a","value":"T0PSECRET"}],"sensitive":true}"#,
    #"{"type":"elements","window":"w","replace":[{"id":"a","hint":"T0PSECRET"}],"sensitive":true}"#,
    #"{"type":"announcement","text":"\u00540PSECRET","sensitive":true}"#,
  ])
  func `no text of a sensitive event is stored`(event: String) throws {
    let stored = try Stored(event).text

    #expect(!stored.contains("0PSECRET"))
    #expect(stored.contains(#""redacted":"9-32""#))
    #expect(stored.contains(#""sensitive":true"#))
  }

  @Test func `of a sensitive element only the texts are hidden, counted together`() throws {
    let stored = try Stored(
      """
      {"type":"elements","window":"w","sensitive":true,"upsert":[{"id":"a","label":"12345",\
      "value":"6789","hint":"","traits":["button"]},{"id":"b","frame":[1,2,3,4]}]}
      """
    )

    #expect(
      stored.text == """
        {"type":"elements","upsert":[{"id":"a","hint":"","traits":["button"],"redacted":"9-32"},\
        {"id":"b","frame":[1,2,3,4]}],"window":"w","sensitive":true}
        """
    )
  }

  @Test(arguments: ["true", "false"])
  func `the value of a secure element is hidden, whatever its sender says`(flag: String) throws {
    let event = """
      {"type":"elements","window":"w","sensitive":\(flag),"upsert":[\
      {"id":"a","value":"hunter2","traits":["text-field","secure"]},\
      {"value":"hunter2hunter2","traits":["s\\u0065cure"],"id":"b"}]}
      """

    let stored = try Stored(event).text

    #expect(!stored.contains("hunter2"))
    #expect(stored.contains(#""redacted":"1-8""#))
    #expect(stored.contains(#""redacted":"9-32""#))
  }

  @Test func `a secure element's label and hint, and its neighbours, are stored`() throws {
    let stored = try Stored(
      """
      {"type":"elements","window":"w","upsert":[{"id":"a","label":"Password","value":"x",\
      "hint":"8 or more","traits":["secure"]},{"id":"b","value":"y"}]}
      """
    )

    #expect(
      stored.text == """
        {"type":"elements","upsert":[{"id":"a","label":"Password","hint":"8 or more",\
        "traits":["secure"],"redacted":"1-8"},{"id":"b","value":"y"}],"window":"w"}
        """
    )
  }

  @Test(arguments: [
    (
      #"{"id":"a","value":"hunter2"}"#,
      #"{"id":"a","redacted":"1-8"}"#
    ),
    (
      #"{"id":"a","value":"hunter2","traits":["button"]}"#,
      #"{"id":"a","traits":["button"],"redacted":"1-8"}"#
    ),
    (
      #"{"id":"a","value":"hunter2","traits":null}"#,
      #"{"id":"a","traits":null,"redacted":"1-8"}"#
    ),
    (#"{"id":"\u0061","value":"hunter2"}"#, #"{"id":"\u0061","redacted":"1-8"}"#),
    (#"{"id":"a","label":"Password"}"#, #"{"id":"a","label":"Password"}"#),
    (#"{"id":"a","value":""}"#, #"{"id":"a","value":""}"#),
    (#"{"id":"b","value":"plain"}"#, #"{"id":"b","value":"plain"}"#),
  ])
  func `an element that was secure before needs not say so again`(
    given: String,
    stored: String
  ) throws {
    for field in ["upsert", "replace"] {
      let event = #"{"type":"elements","window":"w","\#(field)":[\#(given)]}"#

      let text = try Stored(event, secure: ["a"]).text

      #expect(text == #"{"type":"elements","\#(field)":[\#(stored)],"window":"w"}"#)
    }
  }

  @Test(arguments: [
    #""upsert":[{"id":"a","value":"hunter2"},{"id":"a","traits":["secure"]}]"#,
    #""upsert":[{"id":"a","traits":["secure"]},{"id":"\u0061","value":"hunter2"}]"#,
    #""upsert":[{"id":"a","value":"hunter2"}],"replace":[{"id":"a","traits":["secure"]}]"#,
    #""upsert":[{"id":"a","traits":["s\u0065cure"]},{"id":"a","value":"hunter2","traits":[]}]"#,
  ])
  func `an element that is secure anywhere in an event is so everywhere in it`(lists: String) throws
  {
    let stored = try Stored(#"{"type":"elements","window":"w",\#(lists)}"#).text

    #expect(!stored.contains("hunter2"))
    #expect(stored.contains(#""redacted":"1-8""#))
  }

  @Test(arguments: ["label", "value", "hint"])
  func `taking a text away is no secret`(field: String) throws {
    let stored = try Stored(
      #"{"type":"elements","window":"w","sensitive":true,"upsert":[{"id":"a","\#(field)":null}]}"#
    )

    #expect(
      stored.text
        == #"{"type":"elements","upsert":[{"id":"a","\#(field)":null}],"#
        + #""window":"w","sensitive":true}"#
    )
  }

  @Test(arguments: [
    (#"{"type":"announcement","text":"","sensitive":true}"#, "text"),
    (#"{"type":"announcement","text":[{"text":"a","spell":1}],"sensitive":true}"#, "text[0].spell"),
    (#"{"type":"announcement","sensitive":true}"#, "text"),
    (#"{"type":"window","window":"w","title":7,"sensitive":true}"#, "title"),
    (
      #"{"type":"elements","window":"w","upsert":[{"id":"a","label":7}],"sensitive":true}"#,
      "upsert[0].label"
    ),
  ])
  func `hidden texts are checked like others`(event: String, field: String) throws {
    #expect(try Stored.refusal(of: event)?.field == field)
  }

  @Test func `no random secret is ever stored`() throws {
    var dice = Dice()
    for _ in 0..<300 {
      let secret = (0..<dice.roll(6...40)).map { _ in dice.pick(["S", "3", "K", "7"]) }.joined()
      let text = dice.pick(["\"\(secret)\"", #"[{"text":"a"},{"text":"\#(secret)"}]"#])
      let label = dice.pick(["label", "value", "hint"])
      let event = dice.pick([
        #"{"type":"announcement","text":\#(text),"sensitive":true}"#,
        #"{"sensitive":true,"text":\#(text),"type":"page-scrolled"}"#,
        #"{"type":"elements","window":"w","sensitive":true,"upsert":[{"\#(label)":"\#(secret)","#
          + #""id":"a"}]}"#,
        #"{"type":"elements","window":"w","upsert":[{"value":"\#(secret)","id":"a","#
          + #""traits":["secure"]}]}"#,
      ])

      let stored = try Stored(event).text

      #expect(!stored.contains(secret), "seed \(dice.seed)")
    }
  }
}
