// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yRules
import A11yTestKit
import A11yWire
import Foundation
import Testing

/// Decisions that are made anew, beside those on record.
@Suite struct ReplayTests {
  private static let script = [
    #"{"mono":0,"conn":"A","hello":{"app":"mail"}}"#,
    #"{"mono":0,"conn":"B","hello":{"app":"chat"}}"#,
    #"{"mono":1000,"conn":"A","event":{"type":"announcement","text":"One"}}"#,
    #"{"mono":2000,"conn":"B","event":{"type":"announcement","text":"Two","priority":"low"}}"#,
    #"{"mono":3000000,"conn":"A","event":{"type":"announcement","text":"Three"}}"#,
  ]

  private let lines: [String]

  init() { lines = Performance(Self.script, rules: .defaults, reader: .auto).lines }

  /// The outcome of playing lines, from their first.
  private struct Outcome {
    var divergence: Replay.Divergence?
    var compared: Int64
    var believed: Int64
  }

  private func play(_ lines: [String]) -> Outcome {
    var replay = Replay()
    for line in lines {
      if let divergence = replay.take(Array(line.utf8).span) {
        return Outcome(
          divergence: divergence,
          compared: replay.compared,
          believed: replay.believed
        )
      }
    }
    return Outcome(divergence: nil, compared: replay.compared, believed: replay.believed)
  }

  private func sealed(_ body: some StringProtocol) -> String {
    let digits = String(Checksum.value(of: body.utf8), radix: 16)
    return "\(body),\"crc\":\"\(String(repeating: "0", count: 8 - digits.count))\(digits)\"}"
  }

  /// The same line with other words in it.
  private func changed(_ line: String, _ old: String, _ new: String) throws -> String {
    let seal = try #require(line.range(of: ",\"crc\":"))
    return sealed(line[..<seal.lowerBound].replacing(old, with: new))
  }

  @Test(arguments: [
    (#""text":"One","redacted":"1-8""#, #"{"text":"One"}"#),
    (#""redacted":[],"text":"One","priority":"low""#, #"{"text":"One"}"#),
    (#""text":[{"spell":true,"pitch":2,"text":"One"}]"#, #"{"text":"One","spell":true,"pitch":2}"#),
    (#""text":[{"text":"One","loud":true}]"#, #"{"text":"One"}"#),
    (#""text":"One","sensitive":true"#, #"{"redacted":"1-8"}"#),
  ])
  func `nothing is heard of an event but what is stored of it`(_ members: String, _ speak: String) {
    let event = #"{"type":"announcement",\#(members)}"#
    let script = [
      #"{"mono":0,"conn":"A","hello":{"app":"mail"}}"#,
      #"{"mono":1000,"conn":"A","event":\#(event)}"#,
    ]

    let lines = Performance(script, rules: .defaults, reader: .auto).lines

    #expect(lines.contains { $0.contains(#""speak":[\#(speak)]"#) })
    #expect(play(lines).divergence == nil)
  }

  @Test func `every decision of a log follows from what is on record`() {
    let outcome = play(lines)

    #expect(outcome.divergence == nil)
    #expect(outcome.compared == 6)
    #expect(outcome.believed == 0)
  }

  @Test func `a decision that is another one is found, with both lines`() throws {
    let place = try #require(lines.firstIndex { $0.contains(#""result":"heard""#) })
    var lines = lines
    lines[place] = try changed(lines[place], #""heard""#, #""expired""#)
    let divergence = try #require(play(lines).divergence)

    #expect(divergence.seq.number == Int64(place + 1))
    #expect(divergence.recorded == Array(lines[place].utf8))
    #expect(divergence.decided == Array(self.lines[place].utf8))
  }

  @Test func `a decision that should be there is missed`() throws {
    let place = try #require(lines.firstIndex { $0.contains(#""type":"deliver""#) })
    let next = try changed(
      lines[place + 1],
      "{\"seq\":\(place + 2),",
      "{\"seq\":\(place + 1),"
    )
    let divergence = try #require(play(lines[..<place] + [next]).divergence)

    #expect(divergence.recorded == Array(next.utf8))
    #expect(divergence.decided == Array(lines[place].utf8))
  }

  @Test func `a decision that nothing has led to is found`() throws {
    let place = try #require(lines.firstIndex { $0.contains(#""type":"deliver""#) })
    let twice = try changed(
      lines[place],
      "{\"seq\":\(place + 1),",
      "{\"seq\":\(place + 2),"
    )
    let divergence = try #require(play(lines[...place] + [twice]).divergence)

    #expect(divergence.recorded == Array(twice.utf8))
    #expect(divergence.decided == nil)
  }

  @Test func `behind a gap the log is believed`() throws {
    let place = try #require(lines.firstIndex { $0.contains(#""text":"Two""#) })
    var lines = lines
    lines.remove(at: place)
    let outcome = play(lines)

    #expect(outcome.divergence == nil)
    #expect(outcome.compared + outcome.believed == 6)
    #expect(outcome.believed > 0)
  }

  @Test func `behind something forgotten the log is believed`() throws {
    let place = try #require(lines.firstIndex { $0.contains(#""text":"Two""#) })
    let words = lines[place].components(separatedBy: #""event":"#)
    var lines = lines
    lines[place] = sealed(words[0] + #""event":{"type":"forgotten"}"#)
    let outcome = play(lines)

    #expect(outcome.divergence == nil)
    #expect(outcome.believed > 0)
  }

  @Test func `a log that begins in the middle is believed where nothing is known`() {
    let outcome = play(Array(lines.dropFirst(6)))

    #expect(outcome.divergence == nil)
    #expect(outcome.compared == 0)
  }

  // MARK: Other rules

  private func differences(_ rules: RuleSet) -> [Difference] {
    var test = BackTest(.only(rules), presenter: nil, after: .none, since: 0)
    for line in lines { test.take(Array(line.utf8).span) }
    test.finish()
    return test.differences
  }

  private func quiet(_ app: String) throws -> Rule {
    var rule = Rule("quiet")
    try rule.set(.app, .text(app))
    try rule.set(.present, .text("log"))
    return rule
  }

  @Test func `with the same rules nothing is another matter`() {
    #expect(differences(.defaults) == [])
  }

  @Test func `what ends alike by a rule of another name is no other matter`() throws {
    var rule = Rule("the same by another name")
    try rule.set(.type, .text("announcement"))
    try rule.set(.ttl, .text("10 s"))
    try rule.set(.dedupe, .text("1 s"))
    try rule.set(.rate, .text("1/s"))
    let rules = RuleSet(RuleSet.defaults.rules + [rule])

    #expect(differences(rules) == [])
    var test = BackTest(.recordedAnd([rule]), presenter: nil, after: .none, since: 0)
    for line in lines { test.take(Array(line.utf8).span) }
    test.finish()
    #expect(test.changes == [])
  }

  @Test func `with other rules those events are told that end otherwise`() throws {
    let found = differences(RuleSet(RuleSet.defaults.rules + [try quiet("chat")]))
    var out = ByteBuffer(capacity: 256)
    try #require(found.first).write(into: &out)
    let line = try JSON(out.bytes.string)

    #expect(found.count == 1)
    let place = try #require(lines.firstIndex { $0.contains(#""text":"Two""#) })
    #expect(line["seq"].integer == Int64(place + 1))
    #expect(line["was"]["result"].string == "heard")
    #expect(line["now"]["result"].string == "inhibited")
    #expect(line["now"]["rule"].string == "quiet")
  }

  @Test func `a trial counts by app what would not have been heard any more`() throws {
    var test = BackTest(.recordedAnd([try quiet("mail")]), presenter: nil, after: .none, since: 0)
    for line in lines { test.take(Array(line.utf8).span) }
    test.finish()

    let mail = try #require(test.tallies.first { $0.app == "mail" })
    #expect((mail.type, mail.heard, mail.removed, mail.added) == ("announcement", 2, 2, 0))
    #expect(test.tallies.first { $0.app == "chat" }?.removed == 0)
    #expect(test.changes.count { $0.isRemoved } == 2)
  }

  @Test func `a trial counts what is said at the focus, for the app that it is said of`() throws {
    let list = #"[{"id":"a","label":"A"},{"id":"b","label":"B"}]"#
    let script = [
      #"{"mono":0,"conn":"A","hello":{"app":"mail"}}"#,
      #"{"mono":0,"conn":"A","event":{"type":"elements","window":"w","replace":\#(list)}}"#,
      #"{"mono":0,"conn":"A","event":{"type":"window","window":"w","state":"active"}}"#,
      #"{"mono":5000000,"conn":"U","event":{"type":"action","action":"next"}}"#,
    ]
    var test = BackTest(.recordedAnd([try quiet("mail")]), presenter: nil, after: .none, since: 0)
    for line in Performance(script, rules: .defaults, reader: .auto).lines {
      test.take(Array(line.utf8).span)
    }
    test.finish()

    let tally = try #require(test.tallies.first { $0.type == "focus" })
    #expect((tally.app, tally.heard, tally.removed) == ("mail", 2, 2))
  }

  @Test func `a trial counts nothing that came before its time`() throws {
    var test = BackTest(
      .recordedAnd([try quiet("mail")]),
      presenter: nil,
      after: .none,
      since: 2_000_000
    )
    for line in lines { test.take(Array(line.utf8).span) }
    test.finish()

    #expect(test.tallies.map(\.removed) == [1])
  }
}
