// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yTestKit
import Testing

@testable import A11ySsip

/// Clients, bus and speech-dispatcher that do anything in any order.
@Suite struct RandomDoorTests {
  private static let lines = [
    "SPEAK\r\nTea is <mark name=\"a\"/>ready.\r\n.", "SPEAK\r\n.", "SPEAK\r\n \r\n.", "CHAR a",
    "KEY shift", "SOUND_ICON x", "CANCEL SELF", "CANCEL ALL", "STOP SELF", "STOP ALL", "STOP 2",
    "PAUSE SELF", "RESUME SELF", "PAUSE ALL", "RESUME ALL", "BLOCK BEGIN", "BLOCK END",
    "SET SELF PRIORITY text", "SET SELF PRIORITY message", "SET SELF PRIORITY progress",
    "SET ALL RATE 5", "SET SELF SSML_MODE on", "SET SELF CLIENT_NAME a:orca:b",
    "SET SELF CLIENT_NAME a:tea:b", "GET RATE", "GET OUTPUT_MODULE", "LIST OUTPUT_MODULES",
    "HISTORY GET CLIENT_ID", "\u{0}\u{1} \u{fffd}", "",
  ]

  /// The state of a run: what is under way at the bus and at speech-dispatcher.
  private struct Run {
    var trial = DoorTrial()
    var dice: Dice
    var clients: [Int] = []
    var here: Set<Int> = []
    /// Events that the bus has not answered, in their order.
    var offered: [(client: Int, ticket: Int64)] = []
    var recorded: [Int64] = []
    var deliveries: [(seq: Int64, of: Int64)] = []
    var calls: Set<Int> = []
    /// Messages at speech-dispatcher that have no end, by their lines.
    var spoken: [(line: Int, number: Int)] = []
    var hasText: Set<Int> = []
    var lastNumber = 0
    var isBusThere = true
    /// What each client was told, line by line.
    var told: [Int: [String]] = [:]

    init(seed: UInt64) { dice = Dice(seed: seed) }

    /// Takes what the door does, and plays the servers' parts.
    mutating func settle() {
      var isQuiet = false
      while !isQuiet {
        isQuiet = true
        trial.collect()
        for client in clients {
          let lines = trial.heard(by: client)
          if lines.isEmpty { continue }
          isQuiet = false
          told[client, default: []] += lines
          trial.door.sent(lines.joined(separator: "\r\n").utf8.count + 2, to: client, at: trial.now)
        }
        for act in trial.takeOthers() {
          isQuiet = false
          switch act {
          case .publish(let client, let event, let ticket):
            // A lost connection takes with it what is sent on it.
            if let ticket { offered.append((client, ticket)) }
            if ticket == nil, isBusThere, dice.once(in: 2) { end(try? JSON(event.json)) }
          case .leave(let client), .join(let client, _, _):
            offered.removeAll { $0.client == client }
          case .call(let line): calls.insert(line)
          case .hangUp(let line):
            calls.remove(line)
            hasText.remove(line)
            spoken.removeAll { $0.line == line }
          case .write(let line, let text): answer(text, on: line)
          case .send, .dismiss, .renew: break
          }
        }
      }
    }

    /// The bus obeys a withdrawal.
    private mutating func end(_ event: JSON?) {
      guard let seq = event?["of"].integer, recorded.contains(seq) else { return }
      recorded.removeAll { $0 == seq }
      try? trial.conclude(seq, "cancelled")
    }

    private mutating func answer(_ text: String, on line: Int) {
      for words in text.split(separator: "\r\n", omittingEmptySubsequences: false).dropLast() {
        if hasText.contains(line) {
          guard words == "." else { continue }
          hasText.remove(line)
          queue(on: line)
        } else if words == "SPEAK" {
          hasText.insert(line)
          trial.answer("230 OK RECEIVING DATA", on: line)
        } else if words.hasPrefix("CHAR") || words.hasPrefix("KEY") || words.hasPrefix("SOUND") {
          queue(on: line)
        } else if words.hasPrefix("GET") || words.hasPrefix("LIST") {
          trial.answer("251-x", "251 OK GET RETURNED", on: line)
        } else {
          trial.answer("200 OK", on: line)
          if words == "CANCEL SELF" { endAll(on: line) }
        }
      }
    }

    private mutating func queue(on line: Int) {
      lastNumber += 1
      spoken.append((line, lastNumber))
      trial.answer("225-\(lastNumber)", "225 OK MESSAGE QUEUED", on: line)
    }

    private mutating func endAll(on line: Int) {
      for one in spoken where one.line == line { tell(703, one) }
      spoken.removeAll { $0.line == line }
    }

    mutating func tell(_ code: Int, _ one: (line: Int, number: Int)) {
      trial.answer("\(code)-\(one.number)", "\(code)-1", "\(code) X", on: one.line)
    }

    /// Does one thing.
    mutating func step() throws {
      switch dice.roll(0...13) {
      case 0 where clients.count < 6:
        let id = trial.visit(dice.once(in: 2) ? "tea" : "orca")
        clients.append(id)
        here.insert(id)
      case 1...5:
        guard let client = here.sorted().randomElement(using: &dice) else { return }
        trial.say(RandomDoorTests.lines.randomElement(using: &dice) ?? "", from: client)
      case 6, 7: try answerOffer()
      case 8:
        guard let seq = recorded.randomElement(using: &dice) else { return }
        deliveries.append((try trial.deliver(seq), seq))
      case 9:
        guard let one = deliveries.randomElement(using: &dice) else { return }
        let states = [#""state":"started""#, #""state":"progress","mark":"a""#]
        try trial.report(states.randomElement(using: &dice) ?? "", of: one.seq)
      case 10:
        guard let seq = recorded.randomElement(using: &dice) else { return }
        recorded.removeAll { $0 == seq }
        let results = ["heard", "interrupted", "undeliverable", "summarised"]
        try trial.conclude(seq, results.randomElement(using: &dice) ?? "heard")
      case 11: changeBus()
      case 12: moveLines()
      default:
        guard let client = here.sorted().randomElement(using: &dice), dice.once(in: 3) else {
          return
        }
        here.remove(client)
        trial.door.close(client, at: trial.now)
      }
      settle()
    }

    private mutating func answerOffer() throws {
      guard isBusThere, !offered.isEmpty else { return }
      let offer = offered.removeFirst()
      if dice.once(in: 8) {
        trial.door.refused(offer.ticket, of: offer.client, at: trial.now)
      } else {
        recorded.append(trial.record(offer.ticket, of: offer.client))
      }
    }

    private mutating func changeBus() {
      switch dice.roll(0...3) {
      case 0:
        isBusThere = false
        (offered, recorded, deliveries) = ([], [], [])
        trial.door.busLeft(at: trial.now)
      case 1:
        guard let client = clients.randomElement(using: &dice) else { return }
        trial.door.linkLost(client, at: trial.now)
      default:
        isBusThere = true
        trial.door.busCame(epoch: "e", at: trial.now)
      }
    }

    private mutating func moveLines() {
      if let line = calls.sorted().randomElement(using: &dice) {
        calls.remove(line)
        if dice.once(in: 4) { return trial.door.lineClosed(line, at: trial.now) }
        return trial.openLine(line)
      }
      guard let one = spoken.randomElement(using: &dice) else { return }
      if dice.once(in: 3) { return tell(701, one) }
      spoken.removeAll { $0.number == one.number }
      tell(dice.once(in: 2) ? 702 : 703, one)
    }

    /// Lets everything that is under way come to its end.
    mutating func finish() throws {
      for client in here.sorted() { trial.say("BLOCK END", "RESUME ALL", from: client) }
      for _ in 0..<2_000 {
        settle()
        try answerOffer()
        for seq in recorded { try trial.conclude(seq, "heard") }
        recorded = []
        for line in calls.sorted() {
          calls.remove(line)
          trial.openLine(line)
        }
        settle()
        let waiting = spoken
        spoken = []
        for one in waiting { tell(702, one) }
        settle()
        let isQuiet = offered.isEmpty && recorded.isEmpty && calls.isEmpty && spoken.isEmpty
        if isQuiet || !isBusThere && offered.isEmpty && calls.isEmpty && spoken.isEmpty { return }
      }
    }
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `whatever happens, each message has its number first and exactly one end`(
    seed: UInt64
  ) throws {
    var run = Run(seed: seed)
    for _ in 0..<300 { try run.step() }
    try run.finish()
    for client in run.here.sorted() {
      let lines = run.told[client] ?? []
      // The first line of an event names the message, and the second the client.
      let events = zip(lines, lines.dropFirst()).filter { first, second in
        first.dropFirst(3).first == "-" && second == "\(first.prefix(3))-\(client)"
      }
      var known: Set<String> = []
      var ended: Set<String> = []
      for line in lines where line.hasPrefix("225-") { known.insert(String(line.dropFirst(4))) }
      for (first, _) in events {
        let (code, message) = (first.prefix(3), String(first.dropFirst(4)))
        guard "700" <= code, code <= "705" else { continue }
        #expect(known.contains(message))
        #expect(!ended.contains(message), "seed \(seed): \(first) behind the end")
        if code == "702" || code == "703" { ended.insert(message) }
      }
      let left = run.trial.door.guests[client]?.messages.map { "\($0.id) \($0.place)" } ?? []
      #expect(ended == known, "seed \(seed), client \(client): \(left)")
    }
  }
}
