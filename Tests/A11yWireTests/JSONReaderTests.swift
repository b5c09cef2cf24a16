// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

@Suite struct JSONReaderTests {
  let reader = JSONReader(limit: 65_536)

  private func refusal(_ bytes: [UInt8]) -> String? {
    do throws(JSONFault) { try reader.read(bytes.span) } catch { return error.words }
    return nil
  }

  private static func nested(
    _ depth: Int,
    in open: String,
    _ close: String,
    around: String
  ) -> String {
    String(repeating: open, count: depth) + around + String(repeating: close, count: depth)
  }

  @Test(arguments: [
    "{}", " { } ", "\t{\r\n}\r", #"{"a":1}"#, #"{ "a" : 1 , "b" : [ ] }"#, #"{"":""}"#,
    #"{"a":{"a":{"a":1}}}"#, #"{"a":0,"b":-0,"c":-1,"d":0.5,"e":1e5,"f":1E+5,"g":1.5e-5}"#,
    #"{"a":1e308,"b":-1e308,"c":1e-400,"d":123456789012345678901234567890}"#,
    #"{"a":"\"\\\/\b\f\n\r\t\u0041"}"#, #"{"a":"\ud83d\ude42"}"#, #"{"a":"\uD83D\uDE42"}"#,
    #"{"a":"🙂ß"}"#, "{\"a\":\"\u{7f}\u{80}\u{2028}\"}", #"{"a":[true,false,null,[],{}]}"#,
    #"{"a":"\u0001"}"#, #"{"A":1,"a":2}"#, #"{"a":"\uffff"}"#,
    nested(31, in: #"{"a":"#, "}", around: "{}"),
    #"{"a":"# + nested(31, in: "[", "]", around: "1") + "}",
    nested(32, in: #"{"a":"#, "}", around: "1"),
  ])
  func `one object in strict JSON is read`(line: String) {
    #expect(refusal(Array(line.utf8)) == nil)
  }

  @Test(arguments: [
    "", " ", "null", "1", "\"a\"", "[]", "[{}]", "{", "}", "{}}", "{}{}", "{} x", "{},", "{}]",
    #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1 "b":2}"#, #"{"a" 1}"#, #"{"a"::1}"#,
    #"{a:1}"#, #"{'a':1}"#, #"{1:1}"#, #"{"a":1"#, #"{"a":"b}"#, #"{"a":"b""#, #"{"a":'b'}"#,
    #"{"a":[1,]}"#, #"{"a":[,1]}"#, #"{"a":[1 2]}"#, #"{"a":[1}"#, #"{"a":[1}]"#, #"{"a":]}"#,
    #"{"a":"b":1}"#, #"{"a":"b":{}}"#, #"{"a":"b":"c"}"#, #"{"a":["b":1]}"#, #"{"a":["b":{}]}"#,
    #"{"a":"b":{"c":[}}}"#, #"{"a":1:2}"#, #"{"a":null:2}"#, #"{"a":{}:2}"#, #"{"a":[]:2}"#,
    #"{"a":tru}"#, #"{"a":truee}"#, #"{"a":True}"#, #"{"a":nul}"#, #"{"a":nulll}"#, #"{"a":nan}"#,
    #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":-Infinity}"#, #"{"a":undefined}"#,
    #"{"a":01}"#, #"{"a":-01}"#, #"{"a":+1}"#, #"{"a":.5}"#, #"{"a":1.}"#, #"{"a":1.e5}"#,
    #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":-}"#, #"{"a":--1}"#, #"{"a":0x1}"#, #"{"a":1_000}"#,
    #"{"a":1e309}"#, #"{"a":-1e309}"#, #"{"a":1e99999}"#, #"{"a":1a}"#, #"{"a":1 1}"#,
    #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\U0041"}"#, #"{"a":"\"}"#,
    #"{"a":"\u0000"}"#, #"{"\u0000":1}"#, "{\"a\":\"\u{0}\"}", "{\"a\":1}\u{0}", "{\u{0}\"a\":1}",
    "{\"a\":\"\u{1}\"}", "{\"a\":\"\n\"}", "{\"a\":\"\t\"}", "{\"a\t\":1}", "{\"a\":\u{c}1}",
    "{\u{a0}\"a\":1}", "\u{feff}{}", "{}\u{feff}", "{\"a\":\u{feff}1}",
    #"{"a":"\ud83d"}"#, #"{"a":"\ude42"}"#, #"{"a":"\ude42\ud83d"}"#,
    #"{"a":"\ud83d\ud83d\ude42"}"#,
    #"{"a":"\ud83dx\ude42"}"#, #"{"a":"\ud83d\n"}"#, #"{"\ud83d":1}"#,
    #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"":1,"":2}"#, #"{"x":{"a":1,"b":2,"a":3}}"#,
    #"{"x":[{"a":1},{"a":1,"a":2}]}"#, #"{"é":1,"\u00e9":2}"#, #"{"/":1,"\/":2}"#,
    "/**/{}", "{}//", "{/**/}", nested(33, in: #"{"a":"#, "}", around: "1"),
    nested(32, in: #"{"a":"#, "}", around: "{}"),
    #"{"a":"# + nested(32, in: "[", "]", around: "") + "}",
    #"{"a":"# + nested(5_000, in: "[", "]", around: "") + "}",
    nested(10_000, in: "[", "", around: ""),
  ])
  func `anything else is refused, in words`(line: String) throws {
    let words = try #require(refusal(Array(line.utf8)), "\(line) was read")

    #expect(!words.isEmpty)
  }

  @Test(arguments: [
    [0x80], [0xc3], [0xc0, 0xaf], [0xe0, 0x80, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80],
    [0xff], [0xf0, 0x9f, 0x99], [0xf8, 0x88, 0x80, 0x80, 0x80],
  ])
  func `bytes that are no UTF-8 are refused wherever they stand`(bytes: [UInt8]) {
    #expect(refusal(Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)) != nil)
    #expect(refusal(Array("{\"".utf8) + bytes + Array("\":1}".utf8)) != nil)
    #expect(refusal(bytes + Array("{}".utf8)) != nil)
    #expect(refusal(Array("{}".utf8) + bytes) != nil)
  }

  @Test(arguments: [2, 16, 17, 200, 3_000])
  func `among any number of keys one that comes twice is found`(count: Int) {
    let members = (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",")

    #expect(refusal(Array("{\(members)}".utf8)) == nil)
    for again in [0, count / 2, count - 1] {
      #expect(refusal(Array("{\(members),\"k\(again)\":0}".utf8)) != nil)
      #expect(refusal(Array("{\(members),\"\\u006b\(again)\":0}".utf8)) != nil)
    }
  }

  @Test func `keys that begin and end alike are not the same key`() {
    #expect(refusal(Array(#"{"abc":1,"aXc":2,"ac":3,"a":4,"aa":5,"":6}"#.utf8)) == nil)
    #expect(refusal(Array(#"{"abc":1,"aXc":2,"ac":3,"a":4,"aa":5,"":6,"abc":7}"#.utf8)) != nil)
    #expect(refusal(Array(#"{"":1,"":2}"#.utf8)) != nil)
    #expect(refusal(Array(#"{"é":1,"\u00e9":2}"#.utf8)) != nil)
  }

  @Test func `a line at the reader's limit is read, a longer one refused`() {
    let reader = JSONReader(limit: 20)
    let words = { (count: Int) -> String? in
      let line = Array("{\"a\":\"\(String(repeating: "b", count: count - 8))\"}".utf8)
      do throws(JSONFault) { try reader.read(line.span) } catch { return error.words }
      return nil
    }

    #expect(words(20) == nil)
    #expect(words(21) != nil)
  }

  @Test func `a refused line leaves nothing behind for the next`() throws {
    #expect(refusal(Array(#"{"a":1,"a":2}"#.utf8)) != nil)
    #expect(refusal(Array(#"{"b":[1,2]"#.utf8)) != nil)

    try reader.read(Array(#"{"c":3}"#.utf8).span)

    let new = reader.document.integer("c", of: 0)
    let old = reader.document.member("a", of: 0)
    let end = reader.document.end(0)

    #expect(new == 3)
    #expect(old == nil)
    #expect(end == 3)
  }

  @Test func `a list without an end does not go on in a longer line before it`() {
    #expect(refusal(Array("{\"op\":\"\(String(repeating: ",", count: 200))\"}".utf8)) == nil)
    #expect(refusal(Array(#"{"x":[{"k":"v"}"#.utf8)) != nil)

    // Behind the short line, the long one goes on as the short one might have.
    let long = #"{"a":[{"k":"v"},{"b":"w"},{"c":"x"}],"d":{"e":["f",{"g":1}]}}"#
    for length in 1..<long.utf8.count {
      #expect(refusal(Array(long.utf8)) == nil)
      #expect(refusal(Array(long.utf8.prefix(length))) != nil)
    }
  }

  @Test func `tokens point at the bytes as they were written`() throws {
    try reader.read(
      Array(#" {"a" : [ -1.50 , "x\ty" ,true] , "é\n":{ "b":null } , "c": 12 } "#.utf8).span
    )
    let document = reader.document

    // Object, a, list, -1.50, string, true, é\n, object, b, null, c, 12.
    let kinds = (0..<12).map { document.kind($0) }
    #expect(
      kinds
        == [
          .object, .string, .list, .number, .string, .yes, .string, .object, .string, .null,
          .string, .number,
        ]
    )
    let written = [1, 3, 4, 5, 6, 8, 9, 10, 11].map { document.raw($0).string }
    #expect(written == ["a", "-1.50", #"x\ty"#, "true", #"é\n"#, "b", "null", "c", "12"])
    let ends = (0..<12).map { document.end($0) }
    #expect(ends == [12, 2, 6, 4, 5, 6, 7, 10, 9, 10, 11, 12])
    let counts = [0, 2, 7].map { document.count($0) }
    #expect(counts == [3, 3, 1])
  }

  @Test func `members are found by their unescaped names`() throws {
    try reader.read(Array(#"{"x":{"a":1},"\u0061":"v","b":7,"n":1.0}"#.utf8).span)
    let document = reader.document

    let strings = [document.string("a", of: 0), document.string("b", of: 0)]
    let integers = [document.integer("b", of: 0), document.integer("n", of: 0)]
    let text = document.integer("a", of: 0)
    let nothing = document.member("c", of: 0)

    #expect(strings == ["v", nil])
    #expect(integers == [7, nil])
    #expect(text == nil)
    #expect(nothing == nil)
    let scalar = document.member("b", of: 0)
    let inside = scalar.flatMap { document.member("a", of: $0) }
    #expect(inside == nil)
  }

  @Test(
    arguments: [
      ("1", 1), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("1.0", nil), ("1e2", nil), ("\"1\"", nil), ("null", nil),
    ] as [(String, Int64?)]
  )
  func `an integer is digits that fit, and no other way to write one`(
    text: String,
    value: Int64?
  ) throws {
    try reader.read(Array("{\"a\":\(text)}".utf8).span)

    let integer = reader.document.integer("a", of: 0)

    #expect(integer == value)
  }

  @Test(arguments: [
    (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t"),
    (#"\u0001\u007f\u0080\u07ff\u0800\uffff"#, "\u{1}\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}"),
    (#"\ud800\udc00 \udbff\udfff"#, "\u{10000} \u{10ffff}"),
    (#"\uD83D\uDE42🙂\u00DF\u00df"#, "🙂🙂ßß"),
    (#"a\u0301"#, "a\u{301}"), (#"\\u0041"#, #"\u0041"#), (#"\\\u0041"#, #"\A"#),
  ])
  func `escapes are read as the characters that they stand for`(
    written: String,
    meaning: String
  ) throws {
    try reader.read(Array("{\"a\":\"\(written)\",\"\(written)\":1}".utf8).span)
    let document = reader.document

    let isEscaped = document.isEscaped(2)
    let raw = document.raw(2).string
    let value = document.string(2)
    let count = document.byteCount(2)
    let key = document.string(3)

    #expect(isEscaped)
    #expect(raw == written)
    #expect(Array(value.utf8) == Array(meaning.utf8))
    #expect(count == meaning.utf8.count)
    #expect(Array(key.utf8) == Array(meaning.utf8))
  }

  @Test(arguments: [
    (#""""#, ""), (#""Saved""#, "Saved"), (#""a\"\u00e9🙂""#, "a\"é🙂"), ("[]", ""), ("7", nil),
    ("{}", nil),
    (#"[{"text":"Item "},{"lang":"de","text":"w\u0061r"},{"icon":1},{"text":""}]"#, "Item war"),
    (#"[{"text":7},{"text":"b"}]"#, "b"),
  ])
  func `a text is a string, or the texts of its runs one behind the other`(
    written: String,
    meaning: String?
  ) throws {
    try reader.read(Array("{\"a\":\(written)}".utf8).span)

    var shown: [String] = []
    reader.document.withText(2) { shown.append($0.string) }

    #expect(shown == (meaning.map { [$0] } ?? []))
  }

  @Test func `a long text with escapes is shown as a short one`() throws {
    let word = #"\u00e4\n"#
    try reader.read(Array("{\"a\":\"\(String(repeating: word, count: 500))\"}".utf8).span)

    var shown = ""
    reader.document.withText(2) { shown = $0.string }

    #expect(shown == String(repeating: "ä\n", count: 500))
  }
}
