// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// Many subscribers at once: none is forgotten, and none costs anything while it has nothing to
/// get.
@Suite struct FeedRotationTests {
  private static let none = #"{"types":["pause"]}"#

  private func subscriber(
    of hand: HandBus,
    _ filter: String? = nil,
    from: String = "now",
    size: Int = 1 << 20
  ) -> HandLink {
    let link = hand.connect(size: size)
    let filter = filter.map { #","filter":\#($0)"# } ?? ""
    link.say(#"{"op":"subscribe","from":"\#(from)"\#(filter)}"#)
    return link
  }

  private func publish(_ link: HandLink, _ type: String, _ fields: String = "") {
    link.say(#"{"op":"publish","event":{"type":"\#(type)"\#(fields)}}"#)
  }

  /// The seqs of a subscriber's entries and checkpoints, without the first mark and the answer.
  private func seqs(_ lines: [String]) throws -> [Int64] {
    try lines.compactMap { text in
      let line = try JSON(text)
      if let seq = line["seq"].integer { return seq }
      guard line["mark"] == "checkpoint" else { return nil }
      return line["cursor"].string?.split(separator: ":").last.flatMap { Int64($0) }.map { -$0 }
    }
  }

  // MARK: Nothing to get

  @Test func `a turn costs the same for one and for a hundred subscribers that get none of it`()
    throws
  {
    var costs: [Int] = []
    for count in [1, 100] {
      let hand = try HandBus(on: MemoryDisk())
      let links = (0..<count).map { _ in subscriber(of: hand, Self.none) }
      let app = hand.connect()
      publish(app, "layout-changed")
      hand.settle()
      let before = hand.time.readings
      for _ in 0..<10 {
        publish(app, "layout-changed")
        app.say(#"{"op":"ping"}"#)
        hand.turn()
      }
      costs.append(hand.time.readings - before)
      #expect(links.allSatisfy { link in link.takeLines().count { $0.hasPrefix("{\"seq") } == 0 })
    }
    #expect(costs[0] == costs[1])
  }

  @Test func `a turn without new lines touches no subscriber`() throws {
    let hand = try HandBus(on: MemoryDisk())
    let links = (0..<50).map { subscriber(of: hand, $0 % 2 == 0 ? nil : Self.none) }
    hand.settle()
    let before = hand.time.readings
    links[0].say(#"{"op":"ping"}"#)
    hand.turn()

    #expect(hand.time.readings <= before + 1)
  }

  // MARK: Something to get

  @Test func `subscribers that have rested get the first line that they want, after any segment`()
    throws
  {
    var settings = Settings()
    settings.log.segmentBytes = ByteCount(3_000)
    let hand = try HandBus(on: MemoryDisk(), settings: settings)
    let links = (0..<5).map { _ in subscriber(of: hand, Self.none) }
    let app = hand.connect()
    hand.settle()
    for number in 0..<120 {
      publish(app, number % 40 == 39 ? "pause" : "resume")
      hand.settle()
      while hand.bus.hasLogWork { hand.bus.tendLog() }
    }

    #expect(hand.bus.log.segmentCount > 3)
    let heard = try links.map { try seqs($0.takeLines()) }
    #expect(heard[0].count == 3)
    #expect(heard.allSatisfy { $0 == heard[0] })
  }

  @Test func `a subscriber that rests is told each thousand entries, and where it is at the end`()
    throws
  {
    let hand = try HandBus(on: MemoryDisk())
    let early = subscriber(of: hand, Self.none)
    let app = hand.connect()
    hand.settle()
    let first = hand.bus.last.number
    var late: HandLink?
    var begin: Int64 = 0
    for number in 0..<113 {
      for _ in 0..<23 { publish(app, "resume") }
      if number == 25 {
        late = subscriber(of: hand, Self.none)
        hand.settle()
        begin = hand.bus.last.number
      }
      hand.settle()
    }
    let last = hand.bus.last.number
    let begun = try #require(late)
    #expect(last - first > 2_500)
    #expect(try seqs(early.takeLines()) == [-(first + 1_000), -(first + 2_000)])
    #expect(try seqs(begun.takeLines()).first == -(begin + 1_000))

    #expect(hand.bus.needsCheckpoint)
    hand.bus.checkpoint()
    #expect(try seqs(early.takeLines()) == [-last])
    #expect(try seqs(begun.takeLines()) == [-last])
    #expect(!hand.bus.needsCheckpoint)
    hand.bus.checkpoint()
    #expect(early.takeLines().isEmpty, "it has heard where it is")
  }

  @Test func `where the time of a turn is not enough, the others are first in the next`() throws {
    let hand = try HandBus(on: MemoryDisk())
    let links = (0..<30).map { _ in subscriber(of: hand) }
    let app = hand.connect()
    hand.settle()
    for link in links { _ = link.takeLines() }
    // Three subscribers are fed in a turn.
    hand.time.microsecondsPerReading = 500
    publish(app, "pause")
    var heard: [[Int]] = []
    while hand.turn() {
      heard.append(links.indices.filter { !links[$0].takeLines().isEmpty })
    }

    #expect(heard.count == 10)
    #expect(heard.allSatisfy { $0.count == 3 })
    #expect(heard.flatMap(\.self).sorted() == Array(links.indices))
  }

  @Test func `a subscriber that is far behind delays nobody who is at the end`() throws {
    let hand = try HandBus(on: MemoryDisk())
    let long = String(repeating: "x", count: 30_000)
    let app = hand.connect()
    for _ in 0..<100 { publish(app, "announcement", #","text":"\#(long)""#) }
    hand.settle()
    let live = subscriber(of: hand, #"{"types":["pause"]}"#)
    hand.settle()
    _ = live.takeLines()
    let behind = (0..<4).map { _ in subscriber(of: hand, from: "start", size: 1 << 24) }
    hand.time.microsecondsPerReading = 900
    hand.turn()
    publish(app, "pause")
    hand.turn()
    hand.turn()
    hand.turn()

    #expect(live.takeLines().count == 1)
    hand.settle()
    for link in behind { #expect(try seqs(link.takeLines()).count == Int(hand.bus.last.number)) }
  }

  @Test func `a subscriber that is behind gets nothing of entries that were forgotten meanwhile`()
    throws
  {
    let hand = try HandBus(on: MemoryDisk())
    let slow = subscriber(of: hand, #"{"types":["pause"]}"#, size: 500)
    let (mail, chat) = (hand.connect(), hand.connect())
    mail.say(#"{"op":"hello","app":"mail"}"#)
    chat.say(#"{"op":"hello","app":"chat"}"#)
    hand.settle()
    for _ in 0..<50 {
      publish(mail, "pause")
      publish(chat, "pause")
      hand.settle()
    }
    #expect(hand.bus.subscribers[0].isStalled)
    hand.connect().say(#"{"op":"forget","apps":["mail"]}"#)
    hand.settle()
    while !hand.bus.errands.isEmpty { hand.bus.tendLog() }
    var lines: [String] = []
    for _ in 0..<200 {
      slow.read()
      hand.settle()
      lines += slow.takeLines()
    }

    #expect(lines.count { $0.contains(#""app":"chat""#) } == 50)
    #expect(lines.allSatisfy { !$0.contains("forgotten") })
  }

  // MARK: All kinds at once

  @Test func `whatever comes, each gets just the lines that pass its filter, in their order`()
    throws
  {
    var dice = Dice()
    for _ in 0..<2 {
      let disk = MemoryDisk()
      var settings = Settings()
      settings.log.segmentBytes = ByteCount(dice.roll(3_000...60_000))
      let hand = try HandBus(on: disk, settings: settings)
      hand.time.microsecondsPerReading = Int64(dice.roll(0...600))
      var crowd: [Member] = []
      let app = hand.connect()
      for _ in 0..<300 {
        switch dice.roll(1...8) {
        case 1 where crowd.count < 90: crowd.append(join(hand, number: crowd.count, &dice))
        case 2 where !crowd.isEmpty:
          crowd.remove(at: dice.roll(0...crowd.count - 1)).link.close()
          hand.settle()
        case 3: hand.bus.checkpoint()
        case 4: while hand.bus.hasLogWork { hand.bus.tendLog() }
        case 5, 6:
          for member in crowd where dice.once(in: 2) { member.link.read() }
          hand.turn()
        default:
          for _ in 0..<dice.roll(1...4) { publish(app, Self.types[dice.roll(0...2)]) }
          hand.turn()
        }
        for index in crowd.indices { crowd[index].listen() }
      }
      repeat {
        for index in crowd.indices {
          crowd[index].link.read()
          crowd[index].listen()
        }
      } while hand.turn()

      let entries = disk.names.filter { $0.hasSuffix(".ndjson") }.sorted()
        .flatMap { disk.text($0).split(separator: "\n").map(String.init) }
        .filter { $0.hasPrefix("{\"seq\":") }
      let known = try entries.map { ($0, try JSON($0)) }
      for member in crowd {
        let expected = known.filter { member.wants($0.1) }.map(\.0)
        #expect(member.lines.filter { $0.hasPrefix("{\"seq\":") } == expected, "seed \(dice.seed)")
      }
    }
  }

  private static let types = ["pause", "resume", "layout-changed", "outcome"]

  /// One of a crowd, and the lines that it has heard.
  private struct Member {
    let link: HandLink
    /// The types that pass; nil where all do.
    let types: [String]?
    let begin: Int64
    var lines: [String] = []

    mutating func listen() { lines += link.takeLines() }

    func wants(_ entry: JSON) -> Bool {
      guard let seq = entry["seq"].integer, seq > begin else { return false }
      guard let types else { return true }
      return entry["event"]["type"].string.map(types.contains) ?? false
    }
  }

  /// A subscriber with one of some filters, or with one of its own that lets nothing pass, so that
  /// there are more filters than bits.
  private func join(_ hand: HandBus, number: Int, _ dice: inout Dice) -> Member {
    let size = dice.once(in: 3) ? dice.roll(20...400) : 1 << 20
    let types = Self.types.filter { _ in dice.once(in: 3) }
    let names = types.map { "\"\($0)\"" }.joined(separator: ",")
    let (link, passing): (HandLink, [String]?) =
      switch dice.roll(1...4) {
      case 1: (subscriber(of: hand, size: size), nil)
      case 2: (subscriber(of: hand, #"{"types":[\#(names)]}"#, size: size), types)
      default: (subscriber(of: hand, #"{"windows":["\#(number)"]}"#, size: size), [])
      }
    hand.settle()
    return Member(link: link, types: passing, begin: hand.bus.last.number)
  }
}
