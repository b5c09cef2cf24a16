// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// The bus as the daemon has it, with clients in memory and a clock that the test moves.
@Suite struct BusTests {
  let directory: ScratchDirectory
  let hand: HandBus

  init() throws {
    directory = try ScratchDirectory()
    hand = try HandBus(in: directory)
  }

  private func announce(_ text: String, id: Int? = nil) -> String {
    let id = id.map { #""id":\#($0),"# } ?? ""
    return #"{"op":"publish",\#(id)"event":{"type":"announcement","text":"\#(text)"}}"#
  }

  private var stored: [String] {
    get throws { try LogFiles(path: directory.path).entries.map { String($0.dropLast()) } }
  }

  // MARK: The way of an event

  @Test func `what one client publishes, another hears, at the time that the bus was told`() throws
  {
    let reader = hand.connect()
    reader.say(#"{"op":"subscribe","id":1}"#)
    hand.turn()
    let app = hand.connect()
    app.say(#"{"op":"hello","id":1,"app":"mail"}"#, announce("new", id: 2))
    hand.turn()

    let heard = reader.takeLines()
    let answers = try app.takeLines().map { try JSON($0) }
    let stored = try stored
    let entry = try JSON(stored[3])
    #expect(try JSON(heard[0])["ok"]["cursor"].isThere)
    #expect(try JSON(heard[1])["mark"] == "caught-up")
    #expect(Array(heard.dropFirst(2)) == Array(stored.dropFirst(2)))
    #expect(answers.map { $0["id"] } == [1, 2])
    #expect(answers[0]["ok"]["conn"] == 2)
    #expect(answers[1]["ok"]["seq"] == 4)
    #expect(entry["event"]["text"] == "new")
    #expect(entry["time"] == .integer(1_795_242_000_002_000))
    #expect(entry["mono"] == .integer(1_002_000))
    #expect(hand.bus.turns == 3, "the first is the bus's own")
    #expect(hand.said == [])
  }

  @Test(arguments: [(1, ["line", "answer"]), (30, ["answer", "line"])])
  func `others have the lines of few events before the publisher has its answer`(
    events: Int,
    expected: [String]
  ) throws {
    let (app, reader) = (hand.connect(), hand.connect())
    reader.say(#"{"op":"subscribe"}"#)
    hand.turn()
    var order: [String] = []
    app.onReceived = { order.append("answer") }
    reader.onReceived = { order.append("line") }
    for number in 1...events { app.say(announce("new \(number)", id: number)) }
    hand.turn()

    #expect(order == expected)
  }

  @Test func `a publisher that listens has its answer before the line`() throws {
    let app = hand.connect()
    app.say(#"{"op":"subscribe"}"#)
    hand.turn()
    _ = app.takeLines()
    app.say(announce("new", id: 2))
    hand.turn()
    app.say(#"{"op":"unsubscribe","id":3}"#, announce("late", id: 4))
    hand.turn()

    let lines = try app.takeLines().map { try JSON($0) }
    let entry = try #require(lines.firstIndex { $0["event"]["text"] == "new" })
    #expect(lines[..<entry].contains { $0["id"] == 2 })
    #expect(lines.suffix(2).map { $0["id"] } == [3, 4])
  }

  @Test func `an app that gives way has its answers, and then the farewell`() throws {
    var settings = Settings()
    settings.limits.elementBytesPerApp = 1_000
    settings.limits.elementBytesPerUser = 1_500
    let hand = try HandBus(on: MemoryDisk(), settings: settings)
    let (heavy, light) = (hand.connect(), hand.connect())
    func elements(of bytes: Int) -> String {
      let label = String(repeating: "a", count: bytes)
      return #"{"id":1,"op":"publish","event":{"type":"elements","window":"w","upsert":"#
        + #"[{"id":"x","label":"\#(label)"}]}}"#
    }
    heavy.say(#"{"op":"hello","app":"heavy"}"#, elements(of: 900))
    light.say(#"{"op":"hello","app":"light"}"#)
    hand.turn()
    _ = heavy.takeLines()
    heavy.say(#"{"id":2,"op":"ping"}"#)
    light.say(elements(of: 800))
    hand.turn()

    let lines = try heavy.takeLines().map { try JSON($0) }
    #expect(lines.count == 2)
    #expect(lines.first?["id"] == 2)
    #expect(lines.last?["bye"]["code"] == "quota.exceeded", "\(lines)")
  }

  @Test func `nothing happens where nobody is ready`() {
    _ = hand.connect()

    #expect(!hand.turn())
    #expect(!hand.bus.isBehind)
  }

  @Test func `who wants everything is sent stretches of the files as they are`() throws {
    let app = hand.connect()
    for number in 1...20 { app.say(announce("number \(number)")) }
    hand.settle()
    hand.bus.synchronize()
    hand.syncing.complete()
    hand.bus.takeSyncAnswer()
    let all = hand.connect()
    all.say(#"{"op":"subscribe","from":"start"}"#)
    let some = hand.connect()
    some.say(#"{"op":"subscribe","from":"start","filter":{"types":["announcement"]}}"#)
    hand.settle()

    let stored = try stored
    #expect(all.takeLines().filter { $0.hasPrefix(#"{"seq":"#) } == stored)
    #expect(all.bytesFromFiles == stored.reduce(0) { $0 + $1.utf8.count + 1 })
    #expect(some.bytesFromFiles == 0)
  }

  @Test func `the disk is asked in the very turn in which somebody waits for it, once for all`()
    throws
  {
    let clients = [hand.connect(), hand.connect(), hand.connect()]
    for client in clients {
      client.say(
        #"{"op":"publish","id":1,"ack":"synced","event":{"type":"announcement","text":"a"}}"#
      )
    }
    hand.turn()
    #expect(hand.syncing.isOut)
    #expect(hand.syncing.requests == 1)

    hand.syncing.complete()
    hand.bus.takeSyncAnswer()

    for client in clients {
      let answers = try client.takeLines().map { try JSON($0)["ok"]["durability"] }
      #expect(answers == ["synced"])
    }
    #expect(hand.syncing.requests == 1)
  }

  @Test func `an answer does not overtake one that waits for the disk`() throws {
    let client = hand.connect()
    client.say(
      #"{"op":"publish","id":1,"ack":"synced","event":{"type":"announcement","text":"a"}}"#
    )
    hand.turn()
    client.say(#"{"op":"ping","id":2}"#, announce("b", id: 3))
    hand.settle()
    #expect(client.takeLines() == [])

    hand.syncing.complete()
    hand.bus.takeSyncAnswer()

    let answers = try client.takeLines().map { try JSON($0) }
    #expect(answers.map { $0["id"] } == [1, 2, 3])
    #expect(answers[0]["ok"]["durability"] == "synced")
    #expect(answers[2]["ok"]["durability"] == "written")
  }

  @Test func `a durable subscriber gets what the medium has, and not what came meanwhile`() throws {
    let durable = hand.connect()
    durable.say(#"{"op":"subscribe","durable":true}"#)
    let other = hand.connect()
    other.say(#"{"op":"subscribe"}"#)
    let app = hand.connect()
    app.say(#"{"op":"hello","app":"mail"}"#)
    hand.settle()
    func confirm() {
      hand.syncing.complete()
      hand.bus.takeSyncAnswer()
      hand.settle()
    }
    func texts(_ client: HandLink) throws -> [String] {
      try client.takeLines().compactMap { try JSON($0)["event"]["text"].string }
    }
    app.say(announce("safe"))
    hand.settle()
    hand.bus.synchronize()
    app.say(announce("not yet"))
    hand.settle()

    #expect(try texts(durable) == [])
    #expect(try texts(other) == ["safe", "not yet"])
    confirm()
    #expect(try texts(durable) == ["safe"])
    hand.bus.synchronize()
    confirm()
    #expect(try texts(durable) == ["not yet"])
  }

  // MARK: Little by little

  @Test func `a client that takes seven bytes at a time gets whole lines in their order`() throws {
    let reader = hand.connect(size: 7)
    reader.say(#"{"op":"subscribe"}"#)
    let app = hand.connect()
    hand.settle()
    var heard: [String] = []
    for number in 0..<20 {
      app.say(announce("number \(number)"), announce(String(repeating: "x", count: number)))
      hand.settle()
      reader.read()
      heard += reader.takeLines()
    }
    while hand.settle(), hand.bus.subscribers.contains(where: \.isStalled) {
      reader.read()
      heard += reader.takeLines()
    }
    heard += reader.takeLines()

    #expect(try JSON(heard[0])["mark"] == "caught-up")
    #expect(heard.dropFirst() == (try stored).dropFirst(2), "the first entries are from before")
    #expect(heard.count == 41)
  }

  @Test func `replies come between whole lines of events`() throws {
    var dice = Dice()
    let reader = hand.connect(size: 97)
    reader.say(#"{"op":"subscribe","from":"start"}"#)
    let app = hand.connect()
    var heard: [String] = []
    var asked = 0
    for _ in 0..<200 {
      switch dice.roll(1...3) {
      case 1: app.say(announce(String(repeating: "x", count: dice.roll(0...300))))
      case 2:
        asked += 1
        reader.say(#"{"op":"ping","id":\#(asked)}"#)
      default: reader.read()
      }
      hand.turn()
      heard += reader.takeLines()
    }
    while hand.settle(), hand.bus.subscribers.contains(where: \.isStalled) {
      reader.read()
      heard += reader.takeLines()
    }
    heard += reader.takeLines()

    let lines = try heard.map { try JSON($0) }
    let entries = heard.filter { $0.hasPrefix(#"{"seq":"#) }
    #expect(entries == (try stored), "seed \(dice.seed)")
    #expect(lines.compactMap(\.["id"].integer) == (0..<asked).map { Int64($0 + 1) })
    #expect(lines.count { $0["mark"] == "caught-up" } == 1, "seed \(dice.seed)")
    #expect(lines.count == entries.count + asked + 1, "seed \(dice.seed)")
  }

  @Test func `what is more than a turn's work comes first in the next`() {
    let line = String(repeating: " ", count: 16_000) + #"{"op":"ping","id":1}"#
    let links = (0..<20).map { _ in hand.connect() }
    for link in links { link.say(line) }
    var answered: [Int] = []

    repeat {
      hand.turn()
      answered.append(links.count { !$0.takeLines().isEmpty })
    } while hand.bus.isBehind

    #expect(answered.allSatisfy { (1..<20).contains($0) })
    #expect(answered.reduce(0, +) == 20)
  }

  // MARK: Going

  @Test func `a client that has ended is buried, and the log says so`() throws {
    let reader = hand.connect()
    reader.say(#"{"op":"subscribe"}"#)
    hand.settle()
    var app: HandLink? = hand.connect(uid: 1_001)
    weak let seen = app
    app?.say(#"{"op":"hello","app":"mail"}"#, announce("last words"))
    app?.end()
    hand.settle()
    app = nil

    let events = try reader.takeLines().dropFirst().map { try JSON($0)["event"] }
      .filter { ["client", "announcement"].contains($0["type"]) }
    #expect(
      events.map { $0["state"].string ?? $0["text"].string } == ["joined", "last words", "left"]
    )
    #expect(events.last?["reason"] == "disconnected")
    #expect(hand.left == [1_001])
    #expect(hand.bus.connections.count == 1)
    #expect(seen == nil, "nobody holds its link any more")
  }

  @Test func `one who ends while it still listens stays until it goes in full`() throws {
    let reader = hand.connect(size: 7)
    reader.say(#"{"op":"subscribe"}"#)
    reader.end()
    hand.settle()
    #expect(hand.bus.connections.count == 1)

    reader.close()
    hand.settle()

    #expect(hand.bus.connections.isEmpty)
    #expect(hand.bus.subscribers.isEmpty)
    #expect(hand.left == [1_000])
  }

  @Test func `who comes when the oldest entries have gone is told where the log begins`() throws {
    var settings = Settings()
    settings.log.segmentBytes = ByteCount(1_000)
    settings.log.retainEntries = 10
    let hand = try HandBus(on: MemoryDisk(), settings: settings)
    let app = hand.connect()
    for number in 0..<40 {
      app.say(announce("number \(number)"))
      hand.settle()
    }
    let first = hand.bus.log.first
    let reader = hand.connect()
    reader.say(#"{"op":"hello","id":1,"app":"late"}"#, #"{"op":"subscribe","from":"start"}"#)
    hand.settle()

    let heard = try reader.takeLines().map { try JSON($0) }
    #expect(first > Seq(1))
    #expect(heard[0]["ok"]["first"].integer == first.number)
    #expect(heard[1]["seq"].integer == first.number, "nothing is missing")
  }

  @Test func `a reader does not wait for the check of its next segment`() throws {
    var settings = Settings()
    settings.log.segmentBytes = ByteCount(2_500_000)
    let disk = MemoryDisk()
    let before = try HandBus(on: disk, settings: settings)
    let app = before.connect()
    let text = String(repeating: "x", count: 4_000)
    while before.bus.log.segmentCount < 3 {
      for _ in 0..<10 { app.say(announce(text)) }
      before.settle()
    }
    before.bus.close()
    let hand = try HandBus(on: disk, settings: settings, time: before.time)
    let reader = hand.connect(size: 200_000)
    reader.say(#"{"op":"subscribe","from":"start"}"#)
    // More than a turn's share: the first segment is waited for.
    repeat { hand.turn() } while reader.takeLines().count < 2

    var turnsWithoutLines = 0
    var heard: [String] = []
    while heard.last?.contains("caught-up") != true {
      reader.read()
      try #require(hand.turn())
      let lines = reader.takeLines()
      if lines.isEmpty { turnsWithoutLines += 1 } else { heard = lines }
    }

    #expect(turnsWithoutLines == 0)
  }

  @Test func `on a quiet machine, too, entries go when they are too old`() throws {
    let disk = MemoryDisk()
    let hand = try HandBus(on: disk)
    let app = hand.connect()
    disk.modified = hand.time.wall
    app.say(#"{"op":"publish","event":{"type":"announcement","text":"old"}}"#)
    hand.settle()
    let day: Int64 = 86_400_000_000

    for _ in 1...9 {
      hand.time.advance(microseconds: day)
      hand.bus.retain()
      while hand.bus.log.isWritingState { hand.bus.tendLog() }
    }
    hand.bus.retain()

    #expect(hand.bus.log.first == hand.bus.log.last.next)
    #expect(disk.names.allSatisfy { !disk.text($0).contains(#""old""#) })
  }

  @Test func `a state has its name when the medium has it, and is not worked on until then`() throws
  {
    var settings = Settings()
    settings.log.segmentBytes = ByteCount(65_536)
    let disk = MemoryDisk()
    let hand = try HandBus(on: disk, settings: settings)
    while hand.bus.log.isWritingState { hand.bus.tendLog() }
    let first = hand.bus.log.active.first
    hand.syncing.holdsBesides = true
    let app = hand.connect()
    let text = String(repeating: "x", count: 4_000)
    while hand.bus.log.active.first == first {
      app.say(#"{"op":"publish","event":{"type":"announcement","text":"\#(text)"}}"#)
      hand.settle()
    }
    let name = SegmentName.state(hand.bus.log.active.first)

    for _ in 0..<100 where hand.bus.hasLogWork { hand.bus.tendLog() }

    #expect(!hand.bus.hasLogWork)
    #expect(!disk.names.contains(name))
    hand.syncing.holdsBesides = false
    hand.bus.takeSyncAnswer()
    #expect(disk.names.contains(name))
    #expect(!hand.bus.log.isWritingState)
  }

  /// A line that brings 800 elements more.
  private func elements(_ number: Int) -> String {
    let list = (0..<800).map { #"{"id":"\#(number)-\#($0)","label":"An element with a label"}"# }
      .joined(separator: ",")
    return #"{"op":"publish","event":{"type":"elements","window":"w","upsert":[\#(list)]}}"#
  }

  @Test func `the state beside a segment is written in slices, and entries go in between`() throws {
    var settings = Settings()
    settings.log.segmentBytes = ByteCount(100_000)
    settings.log.retainAge = nil
    let disk = MemoryDisk()
    let hand = try HandBus(on: disk, settings: settings)
    let app = hand.connect()
    for number in 0..<25 {
      app.say(elements(number))
      hand.settle()
    }
    while hand.bus.log.isWritingState { hand.bus.tendLog() }
    let before = disk.writes.count
    // The next segment begins with all of them.
    let filler = String(repeating: "x", count: 30_000)
    var between = 0
    for id in 1...10 {
      app.say(
        #"{"op":"publish","id":\#(id),"event":{"type":"announcement","text":"\#(filler)"}}"#
      )
      hand.turn()
      if hand.bus.log.isWritingState { between += 1 }
    }
    while hand.bus.log.isWritingState { hand.bus.tendLog() }

    let slices = disk.writes.dropFirst(before).filter { $0.name.contains(".state") }.map(\.bytes)
    // Twice what a slice is meant to be, since its last line is written whole.
    #expect(slices.allSatisfy { $0 <= 524_288 })
    #expect(slices.reduce(0, +) > 1_000_000)
    #expect(between > 1)
  }

  @Test func `the state within a segment is written in slices too`() throws {
    let disk = MemoryDisk()
    let hand = try HandBus(on: disk)
    let app = hand.connect()
    for number in 0..<60 {
      app.say(elements(number))
      hand.settle()
      while hand.bus.hasLogWork { hand.bus.tendLog() }
    }

    let slices = disk.writes.filter { SegmentName.latest.contains($0.name) }.map(\.bytes)
    #expect(slices.allSatisfy { $0 <= 524_288 })
    #expect(slices.reduce(0, +) > 1_000_000)
  }

  @Test func `at the end everybody is told goodbye, and the log is whole`() throws {
    let app = hand.connect()
    app.say(#"{"op":"hello","app":"mail"}"#)
    hand.settle()

    hand.bus.close()

    let last = try JSON(try #require(app.takeLines().last))
    let events = try stored.map { try JSON($0)["event"] }
    #expect(last["bye"]["code"] == "shutting-down")
    #expect(
      events.map { $0["state"].string ?? $0["type"].string } == [
        "opened", "rules", "joined", "left", "closed",
      ]
    )
    #expect(hand.left == [1_000])
  }
}
