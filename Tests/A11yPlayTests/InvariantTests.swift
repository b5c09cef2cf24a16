// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yModel
import A11yPlay
import A11yRules
import A11yTestKit
import A11yWire
import Foundation
import Testing

/// The invariants of every script.
///
/// `A11Y_SEED` chooses the dice, `A11Y_SCRIPTS` how many scripts, and
/// `A11Y_SCRIPT` a file that gets the first one that shows a fault, for `a11yctl simulate`.
@Suite struct InvariantTests {
  private static let scripts =
    ProcessInfo.processInfo.environment["A11Y_SCRIPTS"].flatMap { Int($0) } ?? 40

  /// Plays scripts from dice, and tells of the first that is not right, by the seed that makes it.
  private func play(_ test: String, _ judge: ([String], inout Dice) throws -> [String]) throws {
    var dice = Dice(for: test)
    for number in 0..<Self.scripts {
      let seed = number == 0 ? dice.seed : dice.next()
      var maker = ScriptMaker(Dice(seed: seed))
      let script = maker.script(maker.dice.roll(5...120))
      let faults = try judge(script, &maker.dice)
      guard faults.isEmpty else {
        if let path = ProcessInfo.processInfo.environment["A11Y_SCRIPT"] {
          let text = script.joined(separator: "\n") + "\n"
          try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        Issue.record("A11Y_SEED=\(seed): \(faults.prefix(3).joined(separator: "; "))")
        return
      }
    }
  }

  @Test func `every event ends once, as the rules have it`() throws {
    try play(#function) { script, dice in
      let reader: Simulation.Reader = dice.once(in: 4) ? .none : .auto
      return try Judge(Played(script, reader: reader).entries).faults
    }
  }

  @Test func `what was played comes to the same again`() throws {
    try play(#function) { script, _ in
      let lines = Performance(script, rules: .defaults, reader: .auto).lines
      return Self.divergence(lines, from: Replay()).map { [$0] } ?? []
    }
  }

  @Test func `what was written down at any place goes on as if nothing had been`() throws {
    try play(#function) { script, dice in
      let lines = Performance(script, rules: .defaults, reader: .auto).lines.filter {
        $0.hasPrefix("{\"seq\"")
      }
      for _ in 0..<4 {
        let place = dice.roll(0...lines.count)
        if let fault = Self.restored(lines, at: place) { return ["after \(place): \(fault)"] }
      }
      return []
    }
  }

  @Test func `the clock on the wall decides nothing`() throws {
    try play(#function) { script, dice in
      let lines = Performance(script, rules: .defaults, reader: .auto).lines.map {
        Self.line($0, at: Int64(dice.roll(0...1 << 50)))
      }
      return Self.divergence(lines, from: Replay()).map { [$0] } ?? []
    }
  }

  @Test func `a log that is played with its own rules has the same outcomes`() throws {
    try play(#function) { script, _ in try Self.otherEnds(of: script) }
  }

  @Test func `do-not-disturb that has run out is over in a log that is played again`() throws {
    let script = [
      #"{"mono":0,"conn":"U","hello":{"app":"seat","role":"control"}}"#,
      #"{"mono":0,"conn":"A","hello":{"app":"mail"}}"#,
      #"{"mono":1000,"conn":"U","event":{"type":"do-not-disturb","level":60,"for_ms":1000}}"#,
      #"{"mono":2000000,"conn":"A","event":{"type":"announcement","text":"One"}}"#,
    ]
    #expect(try Self.otherEnds(of: script) == [])
  }

  @Test func `a log with a crash at any place goes on behind it, and every event ends once`() throws
  {
    try play(#function) { script, dice in
      let lines = Performance(script, rules: .defaults, reader: .auto).lines.filter {
        $0.hasPrefix("{\"seq\"")
      }
      let kept = Array(lines.prefix(dice.roll(2...lines.count)))
      let whole = kept + Restart(after: kept, pause: Int64(dice.roll(0...20_000_000))).lines
      if let fault = Self.divergence(whole, from: Replay()) {
        return ["cut at \(kept.count): \(fault)"]
      }
      return try Judge(whole.map { try JSON($0) }).faults.map { "cut at \(kept.count): \($0)" }
    }
  }

  @Test func `scripts from dice have nearly everything in them`() throws {
    var maker = ScriptMaker(Dice(seed: 1))
    var types: [String: Int] = [:]
    var results: [String: Int] = [:]
    var refused = 0
    for _ in 0..<100 {
      let log = try Played(maker.script(80))
      for type in log.types { types[type, default: 0] += 1 }
      for outcome in log.entries("outcome") {
        results[outcome["event"]["result"].string ?? "", default: 0] += 1
      }
      refused += log.marks.count
    }

    for type in EventType.allCases
    where ![.zoomFocusChanged, .contentSizeChanged].contains(type) {
      #expect(types[type.rawValue] ?? 0 > 0, "\(type) is never said")
    }
    for type in ["focus", "deliver", "silence", "outcome", "gesture"] {
      #expect(types[type] ?? 0 > 20, "\(type) is hardly ever decided")
    }
    for result in A11yPresenter.Result.allCases {
      #expect(results[result.rawValue] ?? 0 > 0, "nothing is \(result)")
    }
    #expect(refused < 2_000)
  }

  // MARK: Replaying

  /// Events that end otherwise where the log of a script is played with its own rules.
  private static func otherEnds(of script: [String]) throws -> [String] {
    let lines = Performance(script, rules: .defaults, reader: .auto).lines
    var play = WhatIf(.only(.defaults), presenter: nil, after: .none)
    for line in lines { play.take(Array(line.utf8).span) }
    play.finish()
    let ends = play.takeEndings().map { ($0.of.number, $0.result.rawValue) }
    let now = Dictionary(ends) { $1 }
    var faults: [String] = []
    for entry in try lines.map({ try JSON($0) }) where entry["event"]["type"] == "outcome" {
      guard let of = entry["event"]["of"].integer, let was = entry["event"]["result"].string,
        now[of] != was
      else { continue }
      faults.append("\(of) was \(was), now \(now[of] ?? "nothing")")
    }
    return faults
  }

  private static func divergence(_ lines: [String], from replay: consuming Replay) -> String? {
    for line in lines {
      if let divergence = replay.take(Array(line.utf8).span) { return words(divergence) }
    }
    return nil
  }

  private static func words(_ divergence: Replay.Divergence) -> String {
    let was = divergence.recorded.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    let now = divergence.decided.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    return "entry \(divergence.seq.number) is \(was), and comes to \(now)"
  }

  /// Writes the presenter down behind so many entries, and goes on with what was read back.
  private static func restored(_ lines: [String], at place: Int) -> String? {
    var replay = Replay()
    for line in lines.prefix(place) {
      if let divergence = replay.take(Array(line.utf8).span) { return words(divergence) }
    }
    // Between a decision and the next nothing is written down.
    guard !replay.presenter.hasDecided else { return nil }
    var out = ByteBuffer(capacity: 65_536)
    replay.presenter.writeRecord(into: &out)
    var replica = Replica(replay.presenter.model)
    while replica.write(into: &out, budget: 65_536) {}
    var presenter = Presenter(rules: RuleSet([]))
    let reader = JSONReader(limit: Limits.answerBytes)
    for line in out.bytes.string.split(separator: "\n") {
      do throws(JSONFault) {
        try reader.read(Array(line.utf8).span)
      } catch {
        return "\(line) is no JSON"
      }
      guard presenter.restore(reader.document) else { return "\(line) cannot be read back" }
    }
    var rest = Replay()
    rest.resume(presenter, after: Seq(Int64(place)))
    return divergence(Array(lines.dropFirst(place)), from: rest)
  }

  /// The same line at another time on the wall.
  private static func line(_ line: String, at time: Int64) -> String {
    guard let start = line.range(of: ",\"time\":"), let end = line.range(of: ",\"mono\":"),
      let seal = line.range(of: ",\"crc\":", options: .backwards)
    else { return line }
    let body =
      line[..<start.upperBound] + "\(time)" + line[end.lowerBound..<seal.lowerBound]
    var digits = String(Checksum.value(of: body.utf8), radix: 16)
    digits = String(repeating: "0", count: 8 - digits.count) + digits
    return "\(body),\"crc\":\"\(digits)\"}"
  }
}
