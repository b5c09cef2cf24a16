// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yRules
import A11yTestKit
import A11yToml
import A11yWire
import Testing

@testable import A11yDaemon

/// Questions that only the log can answer go round by users.
@Suite struct ErrandTests {
  private let hand: HandBus

  init() throws {
    hand = try HandBus(on: MemoryDisk())
    let app = hand.connect()
    app.say(#"{"op":"hello","app":"org.x"}"#)
    for _ in 0..<50 {
      app.say(#"{"op":"publish","event":{"type":"announcement","text":"Saved"}}"#)
      hand.settle()
    }
  }

  /// Clients of a user, each with a question about the state at an earlier entry.
  private func ask(_ count: Int, uid: UInt32) -> [HandLink] {
    let links = (0..<count).map { _ in hand.connect(uid: uid, role: .publish) }
    for link in links { link.say(#"{"id":1,"op":"subscribe","from":"start","state":true}"#) }
    hand.settle()
    return links
  }

  /// How many slices the log works until a client has an answer.
  private func slices(until link: HandLink) -> Int? {
    for slices in 0..<10_000 {
      if !link.takeLines().isEmpty { return slices }
      guard hand.bus.hasErrands else { return nil }
      hand.bus.tendLog()
      hand.settle()
    }
    return nil
  }

  @Test func `whoever asks from many connections holds up himself alone`() throws {
    let crowd = ask(40, uid: 65_534)
    let operating = hand.connect(role: .control)
    operating.say(#"{"id":1,"op":"explain","seq":4}"#)
    hand.settle()

    let slices = try #require(self.slices(until: operating))

    // Its own slices, and those of one question of the crowd.
    #expect(slices < 20)
    #expect(crowd.filter { $0.takeLines().contains { $0.contains("state") } }.count <= 2)
    while hand.bus.hasErrands { hand.bus.tendLog() }
    hand.settle()
    #expect(crowd.dropFirst(2).allSatisfy { $0.takeLines().contains { $0.contains("state") } })
  }

  @Test func `a question takes no room until its turn comes, and none when its client has gone`() {
    let crowd = ask(40, uid: 65_534)
    hand.bus.tendLog()

    let waiting = hand.bus.errands.users.flatMap(\.errands).filter {
      if case .past(let past, _) = $0.work { !past.hasBegun } else { false }
    }

    #expect(waiting.count == 39)
    let uids = hand.bus.errands.users.map(\.uid)
    for _ in crowd { hand.bus.endNewest(of: 65_534, Refusal(.quotaExceeded, "no room")) }
    #expect(uids == [65_534])
    #expect(hand.bus.errands.isEmpty)
  }
}

/// The operation `reload`: the bus knows who has asked, and the test reads the files.
@Suite struct ReloadingTests {
  let hand: HandBus

  init() throws { hand = try HandBus(on: MemoryDisk()) }

  private static let quiet: RuleSet = {
    var rule = Rule("quiet")
    rule.settings.burst = 1
    return RuleSet(RuleSet.defaults.rules + [rule])
  }()

  private static let mistake = Complaint("/etc/a11yd/a11yd.toml", line: 3, column: 7, "expected 1")

  /// The seqs of the entries of a type.
  private func entries(_ type: String) throws -> [Int64] {
    let link = hand.connect()
    link.say(#"{"op":"subscribe","from":"start","filter":{"types":["\#(type)"]}}"#)
    hand.settle()
    return try link.takeLines().compactMap { try JSON($0)["seq"].integer }
  }

  @Test func `it is answered when the rules are in force, with their entry`() throws {
    let link = hand.connect()
    link.say(#"{"id":"r","op":"reload"}"#)
    hand.settle()
    #expect(hand.bus.wantsReload)
    #expect(link.takeLines() == [])

    hand.bus.apply(rules: Self.quiet)
    #expect(link.takeLines() == [])
    hand.bus.answerReloads([])

    #expect(!hand.bus.wantsReload)
    let rules = try entries("rules")
    #expect(rules.count == 2)
    #expect(
      try link.takeLines().map { try JSON($0) }
        == [["id": "r", "ok": ["rules": .integer(rules[1]), "problems": []]]]
    )
  }

  @Test func `rules that stay the same stay with their entry`() throws {
    let link = hand.connect()
    for id in 1...2 {
      link.say(#"{"id":\#(id),"op":"reload"}"#)
      hand.settle()
      hand.bus.apply(rules: .defaults)
      hand.bus.answerReloads([])
    }

    let rules = try entries("rules")
    #expect(rules.count == 1)
    #expect(try link.takeLines().map { try JSON($0)["ok"]["rules"].integer } == rules + rules)
  }

  @Test func `mistakes are told with file, line and column, and the old rules with their entry`()
    throws
  {
    let link = hand.connect()
    link.say(#"{"id":1,"op":"reload"}"#)
    hand.settle()
    hand.bus.answerReloads([Self.mistake, Complaint("/etc/a11yd/rules.d", "cannot be read")])

    let answer = try JSON(try #require(link.takeLines().last))["ok"]
    #expect(answer["rules"].integer.map { [$0] } == (try entries("rules")))
    #expect(
      answer["problems"] == [
        ["file": "/etc/a11yd/a11yd.toml", "line": 3, "column": 7, "msg": "expected 1"],
        ["file": "/etc/a11yd/rules.d", "msg": "cannot be read"],
      ]
    )
  }

  @Test func `the answer fits into a line, whatever stands in a file`() throws {
    let link = hand.connect()
    let long = Complaint("a.toml", line: 1, column: 1, String(repeating: "\"", count: 300_000))
    for mistakes in [
      [Complaint](repeating: Self.mistake, count: 101), [Complaint](repeating: long, count: 200),
    ] {
      link.say(#"{"id":1,"op":"reload"}"#)
      hand.settle()
      hand.bus.answerReloads(mistakes)

      let line = try #require(link.takeLines().last)
      #expect(line.utf8.count < 131_072)
      let answer = try JSON(line)["ok"]
      let told = try #require(answer["problems"].list).count
      #expect(1...100 ~= told)
      #expect(answer["more_problems"].integer == Int64(mistakes.count - told))
    }
  }

  @Test func `replies stay in the order of the requests, and later ones meet the new rules`()
    throws
  {
    let link = hand.connect()
    link.say(
      #"{"id":1,"op":"publish","ack":"synced","event":{"type":"announcement","text":"a"}}"#,
      #"{"id":2,"op":"reload"}"#,
      #"{"id":3,"op":"rules"}"#,
      #"{"id":4,"op":"reload","foo":1}"#,
      #"{"id":5,"op":"ping"}"#
    )
    hand.settle()
    #expect(link.takeLines() == [])
    hand.bus.apply(rules: Self.quiet)
    hand.bus.answerReloads([])
    hand.settle()
    #expect(hand.bus.wantsReload)
    hand.bus.answerReloads([])
    hand.settle()
    hand.syncing.complete()
    hand.bus.takeSyncAnswer()

    let answers = try link.takeLines().map { try JSON($0) }
    #expect(answers.map(\.["id"].integer) == [1, 2, 3, 4, 4, 5])
    #expect(answers[2]["ok"]["hash"].string == Self.quiet.hash)
    #expect(answers[3] == ["warn": ["fields": ["foo"]], "id": 4])
    #expect(answers[1]["ok"] == answers[4]["ok"])
  }

  @Test func `all who have asked until then are answered by one, and others go on meanwhile`()
    throws
  {
    let links = (0..<5).map { _ in hand.connect() }
    for (id, link) in links.enumerated() { link.say(#"{"id":\#(id),"op":"reload"}"#) }
    hand.settle()
    let other = hand.connect()
    other.say(#"{"id":1,"op":"ping"}"#)
    hand.settle()
    #expect(other.takeLines().count == 1)

    hand.bus.answerReloads([])

    #expect(!hand.bus.wantsReload)
    for (id, link) in links.enumerated() {
      #expect(try link.takeLines().map { try JSON($0)["id"].integer } == [Int64(id)])
    }
  }

  @Test func `without an id success is silent, and the files are read all the same`() throws {
    let link = hand.connect()
    link.say(#"{"op":"reload"}"#, #"{"id":1,"op":"ping"}"#)
    hand.settle()
    #expect(hand.bus.wantsReload)
    hand.bus.answerReloads([Self.mistake])
    hand.settle()

    #expect(try link.takeLines().map { try JSON($0)["id"].integer } == [1])
  }

  @Test func `a client that says no more is answered, and then let go`() throws {
    let link = hand.connect()
    link.say(#"{"id":1,"op":"reload"}"#)
    link.end()
    hand.settle()
    #expect(hand.bus.connections.count == 1)

    hand.bus.answerReloads([])

    #expect(link.takeLines().count == 1)
    #expect(hand.bus.connections.isEmpty)
  }

  @Test func `a client that has gone has the files read all the same, and is let go`() throws {
    let link = hand.connect()
    link.say(#"{"id":1,"op":"reload"}"#)
    link.close()
    hand.settle()
    #expect(hand.bus.wantsReload)

    hand.bus.apply(rules: Self.quiet)
    hand.bus.answerReloads([])

    #expect(!hand.bus.wantsReload)
    #expect(hand.bus.connections.isEmpty)
    #expect(hand.bus.broker.rules == Self.quiet)
  }

  @Test func `a bus that is being stopped says so in the place of an answer`() throws {
    let link = hand.connect()
    link.say(#"{"id":1,"op":"reload"}"#)
    hand.settle()

    hand.bus.close()

    let lines = try link.takeLines().map { try JSON($0) }
    #expect(lines.map(\.["bye"]["code"].string) == ["shutting-down"])
  }
}
