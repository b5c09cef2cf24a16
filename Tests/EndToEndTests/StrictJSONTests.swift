// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// Which texts count as JSON.
@Suite(.timeLimit(.minutes(hangs)))
struct StrictJSONTests {
  let daemon: RunningDaemon

  init() throws { daemon = try RunningDaemon() }

  @Test(arguments: refused)
  func `what is not strict JSON is refused and costs nothing else`(line: Line) throws {
    let client = try daemon.connect()

    try client.send(bytes: line.bytes + [10])

    let answer = try client.answer()
    #expect(answer["err"]["code"] == "json.invalid", "\(answer)")
    #expect(answer["err"]["msg"].string?.isEmpty == false)
    #expect(answer["id"] == .null)
    #expect(try client.ask(#"{"id":"behind","op":"ping"}"#)["ok"].isThere)
  }

  @Test(arguments: accepted)
  func `what is JSON is accepted`(line: Line) throws {
    let client = try daemon.connect()

    try client.send(bytes: line.bytes + [10])

    var answer = try client.answer()
    if answer["warn"].isThere { answer = try client.answer() }
    #expect(answer["id"] == 1)
    #expect(answer["ok"].isThere, "\(answer)")
  }

  @Test func `a request that is refused as JSON has no effect`() throws {
    let client = try daemon.connect()
    let last = try client.last()

    let answer = try client.publish(#"{"type":"announcement","text":"a","text":"b"}"#)

    #expect(answer["err"]["code"] == "json.invalid")
    #expect(try client.last() == last)
  }
}

extension StrictJSONTests {
  /// Bytes and what is special about them.
  struct Line: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

    init(_ name: String, _ bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }

    /// A valid request with bytes in a place where the daemon looks for nothing.
    init(_ name: String, field: [UInt8]) {
      let (start, end) = (#"{"id":1,"op":"ping","x":"#, "}")
      self.init(name, Array(start.utf8) + field + Array(end.utf8))
    }

    init(_ name: String, field: String) { self.init(name, field: Array(field.utf8)) }

    var testDescription: String { name }
  }

  /// Lists in lists; the object around them is the first level.
  private static func nested(_ depth: Int, around inside: String = "") -> String {
    String(repeating: "[", count: depth - 1) + inside + String(repeating: "]", count: depth - 1)
  }

  private static func nestedObjects(_ depth: Int) -> String {
    String(repeating: #"{"a":"#, count: depth - 1) + "1" + String(repeating: "}", count: depth - 1)
  }

  private static func quoted(_ bytes: [UInt8]) -> [UInt8] { [34] + bytes + [34] }

  static let refused: [Line] = [
    Line("a key twice", #"{"id":1,"op":"ping","op":"ping"}"#),
    Line("a key twice, once escaped", #"{"id":1,"op":"ping","\u006fp":"ping"}"#),
    Line("an unknown key twice", #"{"id":1,"op":"ping","x":1,"x":1}"#),
    Line("a key twice, nested", field: #"{"a":1,"a":2}"#),
    Line("a key twice, nested in a list", field: #"[0,{"a":1,"b":2,"a":3}]"#),
    Line("a key twice, nested and escaped", field: #"{"y":{"é":1,"\u00e9":2}}"#),
    Line("a key twice, as a surrogate pair", field: #"{"😀":1,"\ud83d\ude00":2}"#),
    Line("a key twice, far apart", field: manyKeys),
    Line("a byte order mark", [0xef, 0xbb, 0xbf] + Array(#"{"id":1,"op":"ping"}"#.utf8)),
    Line("UTF-16", Array(#"{"id":1,"op":"ping"}"#.utf16.flatMap { [UInt8(0), UInt8($0)] })),
    Line("a byte that UTF-8 never has", field: quoted([0xff])),
    Line("a continuation byte alone", field: quoted([0x80])),
    Line("a character cut short", field: quoted([0xe2, 0x82])),
    Line("an overlong slash", field: quoted([0xc0, 0xaf])),
    Line("an overlong null", field: quoted([0xc0, 0x80])),
    Line("a surrogate in UTF-8", field: quoted([0xed, 0xa0, 0x80])),
    Line("beyond U+10FFFF", field: quoted([0xf4, 0x90, 0x80, 0x80])),
    Line("invalid UTF-8 in a key", field: Array(#"{"a"#.utf8) + [0xff] + Array(#"":1}"#.utf8)),
    Line("a lone high surrogate", field: #""\ud800""#),
    Line("a lone low surrogate", field: #""\udc00""#),
    Line("a high surrogate before a letter", field: #""\ud83dA""#),
    Line("a high surrogate before another escape", field: #""\ud83d\u0041""#),
    Line("two high surrogates", field: #""\ud83d\ud83d""#),
    Line("surrogates the wrong way round", field: #""\ude00\ud83d""#),
    Line("a lone surrogate in a key", field: #"{"\ud800":1}"#),
    Line("U+0000 raw in a string", field: quoted([0])),
    Line("U+0000 raw between tokens", field: [0x31, 0]),
    Line("U+0000 escaped", field: #""a\u0000b""#),
    Line("U+0000 escaped in a key", field: #"{"\u0000":1}"#),
    Line("a raw tab in a string", field: quoted([9])),
    Line("a raw control character in a string", field: quoted([1])),
    Line("a raw carriage return in a string", field: quoted([13])),
    Line("33 levels of lists", field: nested(33)),
    Line("33 levels of objects", field: nestedObjects(33)),
    Line("a thousand levels", field: nested(1000)),
    Line("ten thousand open brackets", field: String(repeating: "[", count: 10_000)),
    Line("1e999", field: "1e999"),
    Line("-1e999", field: "-1e999"),
    Line("1e309", field: "1e309"),
    Line("an integer of 400 digits", field: String(repeating: "9", count: 400)),
    Line("NaN", field: "NaN"),
    Line("Infinity", field: "Infinity"),
    Line("-Infinity", field: "-Infinity"),
    Line("a leading zero", field: "01"),
    Line("a plus sign", field: "+1"),
    Line("no digit before the point", field: ".5"),
    Line("no digit behind the point", field: "1."),
    Line("no digit in the exponent", field: "1e"),
    Line("hexadecimal", field: "0x10"),
    Line("a minus alone", field: "-"),
    Line("a comma at the end of an object", #"{"id":1,"op":"ping",}"#),
    Line("a comma at the end of a list", field: "[1,]"),
    Line("two commas", field: "[1,,2]"),
    Line("no comma", field: "[1 2]"),
    Line("no colon", #"{"id":1,"op" "ping"}"#),
    Line("single quotes", #"{'id':1,'op':'ping'}"#),
    Line("a key without quotes", #"{id:1,"op":"ping"}"#),
    Line("a comment", #"{"id":1,"op":"ping"/* */}"#),
    Line("TRUE", field: "TRUE"),
    Line("tru", field: "tru"),
    Line("undefined", field: "undefined"),
    Line("an escape that JSON does not have", field: #""\x41""#),
    Line("a short escape", field: #""\u12""#),
    Line("an escape that is no number", field: #""\u12g4""#),
    Line("a string without its end", #"{"id":1,"op":"ping"#),
    Line("an object without its end", #"{"id":1,"op":"ping""#),
    Line("brackets that do not match", field: "[1}"),
    Line("a form feed between tokens", field: [12, 49]),
    Line("a no-break space between tokens", field: [0xc2, 0xa0, 49]),
    Line("something behind the object", #"{"id":1,"op":"ping"} x"#),
    Line("a closing brace too many", #"{"id":1,"op":"ping"}}"#),
    Line("a comma behind the object", #"{"id":1,"op":"ping"},"#),
    Line("two objects on a line", #"{"id":1,"op":"ping"}{"id":2,"op":"ping"}"#),
    Line("two objects on a line, with space", #"{"id":1,"op":"ping"} {"id":2,"op":"ping"}"#),
    Line("a list", #"[{"id":1,"op":"ping"}]"#),
    Line("an empty list", "[]"),
    Line("a string", #""ping""#),
    Line("a number", "1"),
    Line("true", "true"),
    Line("null", "null"),
    Line("a word", "ping"),
    Line("an HTTP request", "GET / HTTP/1.1"),
  ]

  static let accepted: [Line] = [
    Line("32 levels of lists", field: nested(32)),
    Line("32 levels of lists around a number", field: nested(32, around: "1")),
    Line("32 levels of objects", field: nestedObjects(32)),
    Line("many lists beside each other", field: "[" + String(repeating: "[],", count: 100) + "1]"),
    Line("a surrogate pair", field: #""\ud83d\ude00""#),
    Line("all short escapes", field: #""\"\\\/\b\f\n\r\t""#),
    Line("an escaped control character", field: #""\u0001""#),
    Line("U+FFFF", field: #""\uffff""#),
    Line("U+10FFFF", field: quoted([0xf4, 0x8f, 0xbf, 0xbf])),
    Line("the largest double", field: "1.7976931348623157e308"),
    Line("a number too small to be told from zero", field: "1e-999"),
    Line("an integer beyond 64 bits", field: "123456789012345678901234567890"),
    Line("zero with a sign", field: "-0"),
    Line("an exponent with a sign", field: "1E+2"),
    Line("tabs and spaces between tokens", "\t{ \"id\" :\t1 , \"op\":\"ping\" } \t"),
    Line("an empty key", field: #"{"":1}"#),
    Line("the same key in different objects", field: #"[{"a":1},{"a":{"a":2}}]"#),
    Line("keys that differ in case", field: #"{"a":1,"A":2}"#),
    Line("keys that only look the same", field: #"{"é":1,"e\u0301":2}"#),
    Line("an escaped key", #"{"id":1,"\u006fp":"ping"}"#),
  ]

  private static var manyKeys: String {
    let keys = (0..<200).map { #""key\#($0)":\#($0)"# } + [#""key7":0"#]
    return "{" + keys.joined(separator: ",") + "}"
  }
}
