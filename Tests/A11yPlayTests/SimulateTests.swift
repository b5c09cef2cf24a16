// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yRules
import A11yTestKit
import A11yWire
import Foundation
import Testing

/// The output of scripts.
@Suite struct SimulateTests {
  private let hello = #"{"mono":0,"conn":"A","hello":{"app":"mail"}}"#

  private func say(
    _ text: String,
    at mono: Int64,
    by conn: String = "A",
    label: String? = nil,
    _ more: String = ""
  ) -> String {
    let name = label.map { #""label":"\#($0)","# } ?? ""
    return #"{"mono":\#(mono),"conn":"\#(conn)",\#(name)"event":{"type":"announcement","#
      + #""text":"\#(text)"\#(more)}}"#
  }

  // MARK: The beginning

  @Test func `a log begins with what a start writes, at the zero of both clocks`() throws {
    let log = try Played([], reader: .none)

    #expect(log.types == ["opened", "rules"])
    #expect(log.entries.map { $0["seq"].integer } == [1, 2])
    #expect(log.entries.allSatisfy { $0["time"].integer == 0 && $0["mono"].integer == 0 })
    #expect(log.exitCode == 0)
  }

  @Test func `two runs of a script are the same, byte for byte`() throws {
    let script = [hello, say("One", at: 0), say("Two", at: 1_000_000)]

    #expect(try Played(script).lines == Played(script).lines)
  }

  @Test func `the reader is there before the first line`() throws {
    let log = try Played([hello])
    let clients = log.entries("client").map { $0["event"] }

    #expect(clients.map { $0["app"].string } == ["reader", "reader", "mail"])
    #expect(clients.map { $0["state"].string } == ["joined", "listening", "joined"])
  }

  @Test func `a text takes as long as the characters that it says, however it is written`() throws {
    func heard(_ element: String) throws -> Int64? {
      let log = try Played([
        hello,
        #"{"mono":0,"conn":"A","event":{"type":"elements","window":"w","replace":[\#(element)]}}"#,
        #"{"mono":0,"conn":"A","event":{"type":"window","window":"w","state":"active"}}"#,
      ])
      return log.entries("outcome").first?["event"]["why"]["heard_ms"].integer
    }

    #expect(try heard(#"{"id":"a","label":"Grüße","lang":"de"}"#) == 250)
    #expect(try heard(#"{"id":"a","label":"Gr\u00fc\u00dfe","lang":"de"}"#) == 250)
    #expect(try heard(#"{"id":"a","label":"Gr\u00fc\u00dfe"}"#) == 250)
  }

  @Test func `rules over the shipped ones are in the entry that says which are in force`() throws {
    var rule = Rule("nothing from mail")
    try rule.set(.app, .text("mail"))
    try rule.set(.present, .text("log"))
    let rules = RuleSet(RuleSet.defaults.rules + [rule])
    let log = try Played([hello, say("One", at: 0)], rules: rules)

    let content = log.entries("rules")[0]["event"]["content"].list
    #expect(content?.last?["name"].string == "nothing from mail")
    #expect(log.entries("outcome")[0]["event"]["rule"].string == "nothing from mail")
  }

  // MARK: Time

  @Test func `every entry's time is its mono`() throws {
    let log = try Played([hello, say("One", at: 70), say("Two", at: 4_000_000)])

    #expect(log.entries.allSatisfy { $0["time"] == $0["mono"] })
  }

  @Test func `a line comes behind all that is due by its instant`() throws {
    let log = try Played([
      hello, say("Hello", at: 0), say("World", at: 250_000, label: "w"),
    ])
    let at = log.entries.filter { $0["mono"].integer == 250_000 }

    // Five characters take a quarter of a second.
    #expect(at.first?["event"]["state"].string == "finished")
    #expect(at.dropFirst().first?["event"]["type"].string == "outcome")
    #expect(at.dropFirst(2).first?["label"].string == "w")
  }

  @Test func `what is due is stamped with when it was, and the clock runs on to the end`() throws {
    let log = try Played([
      hello, #"{"mono":0,"conn":"V","event":{"type":"voiceover-status","running":true}}"#,
    ])

    #expect(log.entries("deliver")[0]["mono"].integer == 250_000)
  }

  @Test func `the reader says that it has begun before another line of the same instant`() throws {
    let log = try Played([hello, say("One", at: 0), say("Two", at: 0, label: "two")])
    let started = log.entries.firstIndex { $0["event"]["state"].string == "started" }
    let second = log.entries.firstIndex { $0["label"].string == "two" }

    #expect(try #require(started) < #require(second))
  }

  // MARK: The reader

  @Test func `a character takes 50 ms, and an accent of its own is one`() throws {
    let log = try Played([hello, say(#"e\u0301t"#, at: 1_000)])
    let reports = log.entries("speech")

    #expect(reports.map { $0["mono"].integer } == [1_000, 151_000])
    #expect(reports.map { $0["event"]["state"].string } == ["started", "finished"])
  }

  @Test(arguments: [
    ("secret", 8), ("a longer secret", 32), (String(repeating: "s", count: 40), 4_000),
  ])
  func `of what is not in the log it speaks as much as there can be`(
    text: String,
    characters: Int
  ) throws {
    let log = try Played([hello, say(text, at: 0, #","sensitive":true"#)])

    #expect(log.entries("speech").last?["mono"].integer == Int64(characters) * 50_000)
  }

  @Test func `it says how far it came where another cuts it`() throws {
    let log = try Played([
      hello, say("A long text", at: 0), say("Short", at: 123_456),
    ])
    let cut = log.entries("speech").first { $0["event"]["state"].string == "interrupted" }

    #expect(cut?["mono"].integer == 123_456)
    #expect(cut?["event"]["heard_ms"].integer == 123)
  }

  @Test func `it stops when it is told to`() throws {
    let log = try Played([
      hello, say("A long text", at: 0),
      #"{"mono":200000,"conn":"U","event":{"type":"action","action":"stop"}}"#,
    ])

    #expect(log.entries("silence").count == 1)
    #expect(log.entries("speech").last?["event"]["state"].string == "interrupted")
    #expect(log.entries("speech").last?["event"]["heard_ms"].integer == 200)
  }

  @Test func `it says nothing of what has nothing to speak`() throws {
    let log = try Played([
      hello, #"{"mono":0,"conn":"V","event":{"type":"voiceover-status","running":true}}"#,
    ])

    #expect(log.entries("deliver").count == 1)
    #expect(log.entries("speech").isEmpty)
  }

  @Test func `without it nothing is heard, and a reader of the script's own may come`() throws {
    let alone = try Played([hello, say("One", at: 0)], reader: .none)
    #expect(alone.entries("outcome")[0]["event"]["result"].string == "undeliverable")

    let log = try Played(
      [
        #"{"mono":0,"conn":"R","hello":{"app":"orca","role":"reader"}}"#, hello,
        say("One", at: 0, label: "one"),
        #"{"mono":10,"conn":"R","event":{"type":"speech","of":"deliver:@one","state":"started"}}"#,
        #"{"mono":20,"conn":"R","event":{"type":"speech","of":"deliver:@one","state":"finished"}}"#,
      ],
      reader: .none
    )
    #expect(log.exitCode == 0)
    #expect(
      log.entries("client").map { $0["event"]["state"].string } == [
        "joined", "listening", "joined",
      ]
    )
    #expect(log.entries("outcome")[0]["mono"].integer == 20)
    #expect(log.entries("outcome")[0]["event"]["result"].string == "heard")
  }

  // MARK: Connections

  @Test func `who says nothing of himself is called by his uid, as on the bus`() throws {
    let log = try Played([
      say("One", at: 0), #"{"mono":1,"conn":"B","uid":7,"event":{"type":"resume"}}"#,
    ])

    #expect(log.entries("announcement")[0]["app"].string == "uid:1000")
    #expect(log.entries("resume")[0]["app"].string == "uid:7")
    #expect(log.entries("resume")[0]["uid"].integer == 7)
  }

  @Test func `whoever goes may come again, as somebody else`() throws {
    let gone = #"{"mono":1,"conn":"A","gone":true}"#
    let log = try Played([hello, gone, #"{"mono":2,"conn":"A","hello":{"app":"chat"}}"#, gone])

    // The last line is too early, and by then nobody has gone.
    #expect(log.marks.count == 1)
    let clients = log.entries("client").dropFirst(2).map { $0["event"] }
    #expect(clients.map { $0["state"].string } == ["joined", "left", "joined"])
    #expect(clients[0]["conn"] != clients[2]["conn"])
  }

  @Test(arguments: [
    ("publish", #"{"type":"action","action":"next"}"#),
    ("publish", #"{"type":"speech","reading":true,"state":"started"}"#),
    ("reader", #"{"type":"announcement","text":"A"}"#),
    ("control", #"{"type":"announcement","text":"A"}"#),
  ])
  func `a role stands for the socket, which does not let everybody say everything`(
    role: String,
    event: String
  ) throws {
    let log = try Played([
      #"{"mono":0,"conn":"X","hello":{"app":"x","role":"\#(role)"}}"#,
      #"{"mono":0,"conn":"X","event":\#(event)}"#,
    ])

    #expect(log.marks.map { $0["err"]["code"].string } == ["role.denied"])
    #expect(log.exitCode == 65)
  }

  @Test(arguments: [("true", true), ("false", true), ("7", false)])
  func `advice may stand beside the role`(value: String, isTaken: Bool) throws {
    let log = try Played([
      #"{"mono":0,"conn":"X","hello":{"app":"x","role":"publish","advice":\#(value)}}"#
    ])

    #expect(log.marks.map { $0["err"]["field"].string } == (isTaken ? [] : ["advice"]))
  }

  // MARK: Labels

  @Test func `an entry bears its line's label, under a checksum that is right`() throws {
    let log = try Played([hello, say("One", at: 0, label: "o\\\"ne")])
    let line = try #require(log.lines.first { $0.contains("label") })
    let seal = try #require(line.range(of: ",\"crc\":\""))

    #expect(log["o\"ne"]["event"]["text"].string == "One")
    let digits = line[seal.upperBound...].prefix(8)
    #expect(UInt32(digits, radix: 16) == Checksum.value(of: line[..<seal.lowerBound].utf8))
    #expect(line.hasSuffix("\(digits)\"}"))
    #expect(log.entries.count { $0["label"].isThere } == 1)
  }

  @Test func `a label stands for the seq of its line`() throws {
    let log = try Played([
      hello,
      #"{"mono":0,"conn":"U","label":"a1","event":{"type":"action","action":"activate","#
        + #""app":"mail"}}"#,
      say("Done", at: 9_000, label: "done", #","cause":"@a1""#),
      #"{"mono":9500,"conn":"A","event":{"type":"cancel","of":"@done"}}"#,
    ])

    #expect(log.exitCode == 0)
    #expect(log["done"]["event"]["cause"] == log["a1"]["seq"])
    #expect(log.entries("cancel")[0]["event"]["of"] == log["done"]["seq"])
    #expect(
      log.entries("outcome").first { $0["event"]["of"] == log["done"]["seq"] }?["event"]["result"]
        .string == "cancelled"
    )
  }

  @Test func `a label stands for the last gesture of its line, and for where the focus is`() throws
  {
    let log = try Played([
      hello,
      #"{"mono":0,"conn":"A","event":{"type":"elements","window":"w","upsert":[{"id":"b","#
        + #""label":"Clear","traits":["button"],"responds":["escape"]}]}}"#,
      #"{"mono":0,"conn":"A","event":{"type":"window","window":"w","state":"active"}}"#,
      #"{"mono":5000000,"conn":"U","label":"a1","event":{"type":"action","action":"escape"}}"#,
      #"{"mono":5100000,"conn":"A","event":{"type":"handled","of":"gesture:@a1","handled":true}}"#,
      say("Cleared", at: 5_200_000, label: "c", #","basis":"focus""#),
    ])

    #expect(log.marks == [])
    #expect(log.entries("handled")[0]["event"]["of"] == log.entries("gesture")[0]["seq"])
    #expect(log["c"]["event"]["basis"] == log.entries("focus").last?["seq"])
  }

  @Test func `a repeated key is the first line once more`() throws {
    let line =
      #"{"mono":0,"conn":"A","label":"L","dedupe":"k","event":{"type":"announcement","text":"A"}}"#
    let log = try Played([
      hello, line.replacing("\"L\"", with: "\"one\""), line.replacing("\"L\"", with: "\"two\""),
      #"{"mono":1,"conn":"A","event":{"type":"cancel","of":"@two"}}"#,
    ])

    #expect(log.entries("announcement").count == 1)
    #expect(log.entries("cancel")[0]["event"]["of"] == log["one"]["seq"])
  }

  // MARK: Refusals

  @Test(arguments: [
    ("nonsense", "json.invalid", nil), ("[]", "json.invalid", nil), ("7", "json.invalid", nil),
    (#"{"conn":"A","gone":true}"#, "field.missing", "mono"),
    (#"{"mono":"0","conn":"A","gone":true}"#, "field.invalid", "mono"),
    (#"{"mono":0.5,"conn":"A","gone":true}"#, "field.invalid", "mono"),
    (#"{"mono":-1,"conn":"A","gone":true}"#, "field.invalid", "mono"),
    (#"{"mono":9223372036854775807,"conn":"A","gone":true}"#, "field.invalid", "mono"),
    (#"{"mono":10,"conn":"A","gone":true}"#, "field.invalid", "mono"),
    (#"{"mono":100,"gone":true}"#, "field.missing", "conn"),
    (#"{"mono":100,"conn":7,"gone":true}"#, "field.invalid", "conn"),
    (#"{"mono":100,"conn":"","gone":true}"#, "field.invalid", "conn"),
    (#"{"mono":100,"conn":"B","gone":true}"#, "field.invalid", "conn"),
    (#"{"mono":100,"conn":"A","gone":false}"#, "field.invalid", "gone"),
    (#"{"mono":100,"conn":"A"}"#, "field.missing", "event"),
    (#"{"mono":100,"conn":"A","gone":true,"event":{"type":"resume"}}"#, "field.invalid", "gone"),
    (#"{"mono":100,"conn":"A","event":7}"#, "field.invalid", "event"),
    (#"{"mono":100,"conn":"A","event":{}}"#, "field.missing", "event.type"),
    (#"{"mono":100,"conn":"A","event":{"type":"deliver"}}"#, "role.denied", "event.type"),
    (#"{"mono":100,"conn":"A","event":{"type":"singing"}}"#, "type.unknown", "event.type"),
    (#"{"mono":100,"conn":"A","event":{"type":"announcement"}}"#, "field.missing", "event.text"),
    (#"{"mono":100,"conn":"A","event":{"type":"cancel","of":999}}"#, "seq.unknown", "event.of"),
    (#"{"mono":100,"conn":"A","event":{"type":"cancel","of":"@x"}}"#, "seq.unknown", "event.of"),
    (
      #"{"mono":100,"conn":"A","event":{"type":"cancel","of":"deliver:@first"}}"#, "seq.unknown",
      "event.of"
    ),
    (
      #"{"mono":100,"conn":"A","event":{"type":"handled","of":"gesture:@first","handled":true}}"#,
      "seq.unknown", "event.of"
    ),
    (
      #"{"mono":100,"conn":"A","event":{"type":"cancel","of":"silence:@first"}}"#, "field.invalid",
      "event.of"
    ),
    (
      #"{"mono":100,"conn":"A","event":{"type":"announcement","text":"A","basis":"focus"}}"#,
      "seq.unknown", "event.basis"
    ),
    (
      #"{"mono":100,"conn":"A","event":{"type":"announcement","text":"A","cause":"@first"}}"#,
      "field.invalid", "event.cause"
    ),
    (
      #"{"mono":100,"conn":"A","label":"first","event":{"type":"resume"}}"#, "field.invalid",
      "label"
    ),
    (#"{"mono":100,"conn":"A","label":7,"event":{"type":"resume"}}"#, "field.invalid", "label"),
    (#"{"mono":100,"conn":"A","uid":7,"event":{"type":"resume"}}"#, "field.invalid", "uid"),
    (#"{"mono":100,"conn":"B","uid":-7,"event":{"type":"resume"}}"#, "field.invalid", "uid"),
    (#"{"mono":100,"conn":"B","hello":7}"#, "field.invalid", "hello"),
    (#"{"mono":100,"conn":"B","hello":{"app":""}}"#, "field.invalid", "app"),
    (#"{"mono":100,"conn":"B","hello":{"role":"king"}}"#, "field.invalid", "hello.role"),
    (#"{"mono":100,"conn":"A","hello":{"app":"B"}}"#, "field.invalid", "op"),
    (#"{"mono":100,"conn":"A","ack":"never","event":{"type":"resume"}}"#, "field.invalid", "ack"),
    (#"{"mono":100,"conn":"A","mono":101,"gone":true}"#, "json.invalid", nil),
  ])
  func `a line that cannot be is refused in its place, and the others are not`(
    line: String,
    code: String,
    field: String?
  ) throws {
    let log = try Played([
      hello, #"{"mono":50,"conn":"A","label":"first","event":{"type":"resume"}}"#, "", line,
      #"{"mono":200,"conn":"A","label":"behind","event":{"type":"resume"}}"#,
    ])

    #expect(log.marks.count == 1)
    #expect(log.marks[0]["mark"].string == "refused")
    #expect(log.marks[0]["line"].integer == 4)
    #expect(log.marks[0]["err"]["code"].string == code)
    #expect(log.marks[0]["err"]["field"].string == field)
    #expect(log.marks[0]["err"]["msg"].string?.isEmpty == false)
    #expect(log["behind"].isThere)
    #expect(log.all.firstIndex { $0["mark"].isThere } == log.all.count - 2)
    #expect(log.exitCode == 65)
  }

  @Test func `a line that is too long is one line`() throws {
    let log = try Played([hello, say(String(repeating: "x", count: 70_000), at: 0), "nonsense"])

    #expect(log.marks.map { $0["err"]["code"].string } == ["line.too-long", "json.invalid"])
    #expect(log.marks.map { $0["line"].integer } == [2, 3])
  }
}
