// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yTestKit
import A11yWire
import Testing

/// Some things hold for all that clients send, and a decision is the same in a replay.
@Suite struct RandomScriptTests {
  private enum Step {
    case connect(Role, uid: UInt32)
    case say(Int, String)
    case leave(Int)
    case commit(after: Int64)
    case degrade(Bool)
  }

  @Test func `after every line the log is dense and whole, and who asked is answered`() throws {
    var dice = Dice()
    for _ in 0..<60 {
      let bus = HandDriven()
      var sessions: [Session] = []
      var verified = 0
      var next: Int64 = 1

      for step in script(&dice) {
        switch step {
        case .connect(let role, let uid): sessions.append(bus.connect(uid: uid, role: role))
        case .leave(let index): bus.leave(sessions[index])
        case .say(let index, let line):
          let answers = bus.say(sessions[index], line)
          try check(answers, to: line, seed: dice.seed)
        case .commit(let time):
          bus.commit(after: time)
          verified = 0
        case .degrade(let isSo): bus.degrade(isSo)
        }
        let entries = bus.entries
        for entry in entries.dropFirst(verified) {
          try check(entry, seq: next, mono: bus.mono, seed: dice.seed)
          next += 1
        }
        verified = entries.count
        #expect(bus.checksums.count == entries.count, "seed \(dice.seed)")
        #expect(bus.last == next - 1, "seed \(dice.seed)")
      }
      bus.commit()
      let seqs = try bus.log.map { try JSON($0)["seq"].integer }
      #expect(seqs == (1..<next).map { $0 }, "seed \(dice.seed)")
    }
  }

  @Test func `the same inputs lead to the same bytes`() {
    var dice = Dice()
    for _ in 0..<30 {
      let script = script(&dice)

      let once = play(script)
      let again = play(script)

      #expect(once == again, "seed \(dice.seed)")
    }
  }

  @Test func `what a connection is told does not depend on how its lines fall into turns`() {
    var dice = Dice()
    for _ in 0..<30 {
      let lines = (0..<40).map { _ in line(&dice) }

      let apart = replies(to: lines, commitAfterEach: true)
      let together = replies(to: lines, commitAfterEach: false)

      #expect(apart == together, "seed \(dice.seed)")
    }
  }

  // MARK: What always holds

  private func check(_ entry: String, seq: Int64, mono: Int64, seed: UInt64) throws {
    let where_ = Comment(rawValue: "seed \(seed): \(entry)")
    let body = entry.utf8.dropLast(19)
    #expect(entry.hasSuffix(",\"crc\":\"\(Checksum.text(of: body))\"}\n"), where_)
    let line = try JSON(entry)
    #expect(line["seq"].integer == seq, where_)
    #expect(line["mono"].integer == mono, where_)
    #expect(line["time"].integer == HandDriven.wall + mono, where_)
    #expect(line["event"]["type"].string != nil, where_)
    let known: Set = ["seq", "time", "mono", "app", "uid", "conn", "dedupe", "event", "crc"]
    #expect(line.names.isSubset(of: known), where_)
    // Strictly, as the daemon itself will read it again.
    try JSONReader(limit: Limits.answerBytes).read(Array(entry.utf8).span)
  }

  private func check(_ answers: [String], to line: String, seed: UInt64) throws {
    let where_ = Comment(rawValue: "seed \(seed): \(line) → \(answers)")
    let asked = (try? JSON(line)) ?? .absent
    let isRead = (try? JSONReader(limit: 65_536).read(Array(line.utf8).span)) != nil
    let id = isRead ? asked["id"] : .absent
    if answers == ["stats"] { return }
    let parsed = try answers.map { try JSON($0) }
    let replies = parsed.filter { !$0["warn"].isThere }
    #expect(replies.count <= 1, where_)
    #expect(parsed.last.map { $0 == replies.last || replies.isEmpty } ?? true, where_)
    if id.string != nil || id.integer != nil {
      #expect(replies.count == 1, where_)
    }
    for reply in replies {
      #expect(reply["ok"].isThere != reply["err"].isThere, where_)
      if reply["id"] == .null {
        #expect(reply["err"].isThere, where_)
      } else {
        #expect(reply["id"] == id, where_)
      }
      guard reply["err"].isThere else { continue }
      let code = reply["err"]["code"].string.flatMap(RefusalCode.init(rawValue:))
      #expect(code != nil && code != .internal, where_)
      #expect(reply["err"]["msg"].string?.isEmpty == false, where_)
    }
  }

  // MARK: Playing

  private func play(_ script: [Step]) -> [String] {
    let bus = HandDriven()
    var sessions: [Session] = []
    var seen: [String] = []
    for step in script {
      switch step {
      case .connect(let role, let uid): sessions.append(bus.connect(uid: uid, role: role))
      case .leave(let index): bus.leave(sessions[index])
      case .say(let index, let line): seen += bus.say(sessions[index], line)
      case .commit(let time):
        seen += bus.entries
        bus.commit(after: time)
      case .degrade(let isSo): bus.degrade(isSo)
      }
    }
    return seen + bus.entries
  }

  private func replies(to lines: [String], commitAfterEach: Bool) -> [String] {
    let bus = HandDriven()
    let session = bus.connect()
    return lines.flatMap { line in
      let answers = bus.say(session, line)
      if commitAfterEach { bus.commit() }
      return answers
    }
  }

  // MARK: Making

  private func script(_ dice: inout Dice) -> [Step] {
    var steps: [Step] = [.connect(.bus, uid: 1_000)]
    var count = 1
    for _ in 0..<80 {
      switch dice.roll(1...20) {
      case 1:
        steps.append(.connect(dice.pick(Role.allCases), uid: dice.pick([1, 1_000, 4_000_000_000])))
        count += 1
      case 2: steps.append(.leave(dice.roll(0...count - 1)))
      case 3, 4: steps.append(.commit(after: Int64(dice.roll(0...400_000_000))))
      case 5: steps.append(.degrade(dice.once(in: 2)))
      default: steps.append(.say(dice.roll(0...count - 1), line(&dice)))
      }
    }
    return steps
  }

  private func line(_ dice: inout Dice) -> String {
    let id = dice.pick([
      "", "", #""id":1,"#, #""id":"x\u0041","#, #""id":null,"#, #""id":-9,"#, #""id":1.5,"#,
    ])
    let ack = dice.pick(["", "", #""ack":"synced","#, #""ack":"now","#, #""foo":1,"#])
    let dedupe = dice.pick(["", "", #""dedupe":"\#(dice.roll(1...3))","#, #""dedupe":"","#])
    let seq = dice.roll(0...40)
    let event = dice.pick([
      #"{"type":"announcement","text":"a\n\u00e9🙂"}"#, #"{"type":"announcement","text":""}"#,
      #"{"type":"cancel","of":\#(seq)}"#, #"{"type":"pause","cause":\#(seq),"bar":[1]}"#,
      #"{"type":"elements","window":"w","upsert":[{"id":"a","value":"b","traits":["secure"]}]}"#,
      #"{"type":"announcement","text":"secret","sensitive":true}"#, #"{"type":"opened"}"#,
      #"{"type":"speech","state":"started"}"#, #"{"type":"do-not-disturb","level":5}"#, "[]",
    ])
    return dice.pick([
      "{\(id)\(ack)\(dedupe)\"op\":\"publish\",\"event\":\(event)}",
      "{\(id)\(dedupe)\"event\":\(event),\"op\":\"publish\"}",
      "{\(id)\(ack)\"op\":\"publish\",\"event\":\(event)}",
      "{\(id)\"op\":\"ping\"}", "{\(id)\"op\":\"state\"}", "{\(id)\"op\":\"stats\"}",
      "{\(id)\"op\":\"describe\"}",
      "{\(id)\"op\":\"hello\",\"app\":\"app-\(dice.roll(1...3))\"}",
      "{\(id)\"op\":\"subscribe\","
        + "\"from\":\"\(dice.pick(["now", "start", "x", HandDriven.epoch + ":1"]))\"}",
      "{\(id)\"op\":\"unsubscribe\"}", "{\(id)\"op\":\"dance\"}", "{\(id)\"op\":7}", "", "  ",
      "nonsense", "{\"a\":1,\"a\":1}",
    ])
  }
}
