// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yPlay
import A11yRules
import A11yTestKit
import A11yWire
import Testing

/// Entries and marks of bustling days, against the schemas that strangers read.
@Suite struct LineSchemaTests {
  private let schemas: String = {
    var out = ByteBuffer(capacity: 0)
    out.object { AnswerSchemas.writeAnswer(Quotas(), into: &$0) }
    return out.bytes.string
  }()

  /// Scripts from dice, and one with all that they never say.
  private func days() -> [[String]] {
    var dice = Dice(for: "bustling days")
    return [Self.rest]
      + (0..<12).map { _ in
        var maker = ScriptMaker(Dice(seed: dice.next()))
        return maker.script(150)
      }
  }

  private static let rest = [
    #"{"mono":0,"conn":"A","hello":{"app":"shop","client":"shop 1.0","advice":true}}"#,
    #"{"mono":0,"conn":"U","hello":{"app":"seat","role":"control"}}"#,
    #"{"mono":1,"conn":"A","dedupe":"k","event":{"type":"window","window":"w","state":"active"}}"#,
    #"{"mono":2,"conn":"A","event":{"type":"elements","window":"w","upsert":[{"id":"a","#
      + #""label":"A","lang":"de"},{"id":"p","value":"secret","traits":["secure"]}]}}"#,
    #"{"mono":3,"conn":"U","event":{"type":"action","action":"first"}}"#,
    #"{"mono":9000000,"conn":"U","event":{"type":"action","action":"last"}}"#,
    #"{"mono":19000000,"conn":"U","event":{"type":"action","action":"next"}}"#,
    #"{"mono":20000000,"conn":"U","event":{"type":"action","action":"custom","name":"Show","#
      + #""element":"p"}}"#,
    #"{"mono":21000000,"seat":{"uids":[1000],"people":[1000]}}"#,
    #"{"mono":29000000,"conn":"A","event":{"type":"announcement","text":[{"text":"98110","#
      + #""spell":true,"punctuation":true,"ipa":"a","lang":"en","pitch":1.5}]}}"#,
    #"{"mono":39000000,"conn":"A","event":{"type":"announcement","text":"x","sensitive":true}}"#,
    #"{"mono":49000000,"conn":"A","event":{"type":"announcement","text":""#
      + String(repeating: "long ", count: 1_000) + #""}}"#,
    #"{"mono":349000000,"conn":"A","event":{"type":"announcement","text":7}}"#,
  ]

  @Test func `every line of bustling days is as describe says`() throws {
    let lines = days().flatMap { Performance($0, rules: .defaults, reader: .auto).lines }

    let check = try LineCheck(lines, schemas: schemas)

    #expect(check.faults.prefix(3) == [])
    #expect(lines.count > 2_000)
    let known = check.unseen.filter { member in
      !Self.unseen.contains { member.hasPrefix($0) }
    }
    #expect(known.sorted() == [], "a schema has members that no line has")
  }

  /// Members that a day in virtual time does not have.
  private static let unseen = [
    // Rules of other files, settings of the reader, damage, readers that report otherwise.
    "entry rules: content.", "entry rules: reader.", "entry opened: recovery.",
    "entry outcome: why.elsewhere", "entry outcome: why.sensitive", "entry outcome: why.estimated",
    "entry outcome: why.behind",
    "entry client: reports",
    "mark refused: err.",
  ]

  @Test func `marks of entries that do not come are as describe says`() throws {
    let gaps = [Mark.GapReason.retention, .corruption, .storage].map {
      Mark.gap(from: Seq(1), to: Seq(9), reason: $0)
    }
    let lines = (gaps + [.skipped(count: 3)]).map { mark in
      var out = ByteBuffer(capacity: 64)
      mark.write(into: &out)
      return out.bytes.string
    }

    #expect(try LineCheck(lines, schemas: schemas).faults == [])
  }

  @Test(arguments: [
    #"{"seq":1,"time":1,"mono":1,"app":"a11yd","uid":0,"conn":0,"event":{"type":"closed","x":1},"#
      + #""crc":"00000000"}"#,
    #"{"seq":1,"time":1,"mono":1,"app":"a11yd","uid":0,"conn":0,"event":{"type":"closed"},"#
      + #""crc":"00000000","more":true}"#,
    #"{"seq":1,"time":1,"mono":1,"app":"a11yd","uid":0,"conn":0,"event":{"type":"dawn"},"#
      + #""crc":"00000000"}"#,
    #"{"seq":1,"time":1,"mono":1,"app":"x","uid":0,"conn":1,"event":{"type":"announcement","#
      + #""text":"a","foo":1},"crc":"00000000"}"#,
    #"{"mark":"caught-up","cursor":"0:0"}"#,
    #"{"mark":"caught-up"}"#,
    #"{"mark":"sunrise"}"#,
    #"{"id":1,"err":{"code":"bad.luck","msg":"a"}}"#,
    #"{"id":1,"ok":{}}"#,
    #"{"op":"publish","event":{"type":"announcement","text":"a","priority":"urgent"}}"#,
  ])
  func `a line that is otherwise is told`(line: String) throws {
    #expect(try LineCheck([line], schemas: schemas).faults != [])
  }

  @Test func `a line that is no object is told, unless it was sent and refused`() throws {
    let refusal = #"← {"id":null,"err":{"code":"json.invalid","msg":"expected one object"}}"#

    #expect(try LineCheck(["→ []", refusal], schemas: schemas).faults == [])
    #expect(
      try LineCheck(["[1]", refusal], schemas: schemas).faults
        == ["line 1: a line that is no object: [1]"]
    )
  }
}
