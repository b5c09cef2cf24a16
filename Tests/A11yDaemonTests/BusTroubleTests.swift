// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// The words to clients and the operator while the disk fails.
@Suite struct BusTroubleTests {
  let disk = MemoryDisk()
  let hand: HandBus

  init() throws {
    disk.modified = HandDriven.wall
    hand = try HandBus(on: disk)
  }

  private func announce(_ text: String, id: Int, ack: String? = nil) -> String {
    let ack = ack.map { #""ack":"\#($0)","# } ?? ""
    return #"{"op":"publish","id":\#(id),\#(ack)"event":{"type":"announcement","text":"\#(text)"}}"#
  }

  private func fail(_ error: Errno = .noSpace) {
    disk.refusal = { call, _ in
      switch call {
      case .create, .write, .synchronize: error
      default: nil
      }
    }
  }

  private func recover() { disk.refusal = { _, _ in nil } }

  /// Announces these numbers, each in a turn of its own.
  private func say(_ numbers: ClosedRange<Int>, as app: HandLink, on hand: HandBus) {
    for id in numbers {
      app.say(announce("number \(id)", id: id))
      hand.settle()
    }
  }

  /// Turns a bit of the fourth entry around, and says which file it is in.
  @discardableResult
  private func spoilFourth(on disk: MemoryDisk) throws -> String {
    let name = SegmentName.entries(Seq(1))
    let places = LogFiles.places(of: try #require(disk[name]))
    disk[name]?[places[3] + 30] ^= 1
    return name
  }

  private func answers(_ link: HandLink) throws -> [JSON] {
    try link.takeLines().map { try JSON($0) }
  }

  /// The medium answers, and the bus hears of it.
  private func sync(_ error: Errno? = nil) {
    hand.bus.synchronize()
    if let error { hand.syncing.fail(error) } else { hand.syncing.complete() }
    hand.bus.takeSyncAnswer()
  }

  // MARK: The disk gives nothing back

  @Test func `whichever read fails, nobody is sent half a line with something behind it`() throws {
    for failing in 1...30 {
      let disk = MemoryDisk()
      let hand = try HandBus(on: disk)
      let app = hand.connect()
      for id in 1...9 { app.say(announce("number \(id)", id: id)) }
      hand.settle()
      hand.bus.synchronize()
      hand.syncing.complete()
      hand.bus.takeSyncAnswer()
      var reads = 0
      disk.refusal = { call, _ in
        guard call == .read else { return nil }
        reads += 1
        return reads == failing ? .inputOutput : nil
      }
      let reader = hand.connect(size: 1_500)
      reader.say(#"{"op":"subscribe","from":"start"}"#)
      for _ in 0..<20 {
        hand.settle()
        reader.read()
      }

      for line in reader.takeLines() {
        #expect(throws: Never.self, "read \(failing)") { try JSON(line) }
      }
    }
  }

  // MARK: The disk takes nothing

  @Test func `events are taken, delivered, and said to be received`() throws {
    let reader = hand.connect()
    reader.say(#"{"op":"subscribe"}"#)
    let app = hand.connect()
    app.say(#"{"op":"hello","app":"mail"}"#, announce("before", id: 1))
    hand.settle()
    fail()
    for id in 2...4 { app.say(announce("number \(id)", id: id, ack: id == 3 ? "received" : nil)) }
    hand.settle()

    let replies = try answers(app)
    #expect(
      replies.map { $0["ok"]["durability"].string } == ["written"]
        + Array(repeating: "received", count: 3)
    )
    #expect(replies.map { $0["ok"]["seq"].integer } == [4, 5, 6, 7])
    let heard = try answers(reader).compactMap { $0["event"]["text"].string }
    #expect(heard == ["before", "number 2", "number 3", "number 4"])
    #expect(hand.bus.isInTrouble)
  }

  @Test func `the operator is told once when it begins and once when it ends`() {
    let app = hand.connect()
    fail()
    for id in 1...5 {
      app.say(announce("a", id: id))
      hand.settle()
      hand.bus.heal()
    }
    #expect(hand.said.count == 1)
    #expect(hand.said.first?.contains("No space left on device (ENOSPC)") == true)
    #expect(hand.lastLeft == hand.bus.last)
    #expect(hand.bus.status.contains("storage degraded"))

    recover()
    hand.bus.heal()
    hand.bus.heal()

    #expect(hand.said.count == 2)
    #expect(hand.said.last?.contains("can be written again") == true)
    #expect(!hand.bus.isInTrouble)
    #expect(!hand.bus.status.contains("storage degraded"))
  }

  @Test func `who comes is told that the bus is degraded, and later that it is not`() throws {
    fail()
    let first = hand.connect()
    first.say(#"{"op":"hello","id":1,"app":"a"}"#)
    hand.settle()
    let second = hand.connect()
    second.say(#"{"op":"hello","id":1,"app":"b"}"#, #"{"op":"stats","id":2}"#)
    hand.settle()
    recover()
    hand.bus.heal()
    let third = hand.connect()
    third.say(#"{"op":"hello","id":1,"app":"c"}"#)
    hand.settle()

    let degraded = try answers(second)
    #expect(degraded[0]["ok"]["durability"]["degraded"] == true)
    #expect(degraded[0]["ok"]["durability"]["level"] == "received")
    #expect(degraded[1]["ok"]["log"]["degraded"] == true)
    let ok = try answers(third)
    #expect(ok[0]["ok"]["durability"]["degraded"] == false)
    #expect(ok[0]["ok"]["durability"]["level"] == "written")
  }

  @Test func `who asks for synced is refused before anything is taken`() throws {
    let app = hand.connect()
    fail()
    app.say(announce("a", id: 1))
    hand.settle()
    let last = hand.bus.last
    app.say(announce("b", id: 2, ack: "synced"), announce("c", id: 3))
    hand.settle()

    let replies = try answers(app)
    #expect(replies[1]["id"] == 2)
    #expect(replies[1]["err"]["code"] == "storage.degraded")
    #expect(replies[1]["err"]["field"] == "ack")
    #expect(replies[2]["ok"]["seq"].integer == last.next.number)
    recover()
    hand.bus.heal()
    app.say(announce("d", id: 4, ack: "synced"))
    hand.settle()
    sync()
    sync()
    #expect(try answers(app).map { $0["ok"]["durability"].string } == ["synced"])
  }

  @Test func `a disk that fails when forgetting begins cuts no line of the same turn`() throws {
    let seat = hand.connect()
    seat.say(#"{"op":"subscribe","from":"now"}"#)
    let app = hand.connect()
    hand.settle()
    _ = seat.takeLines()
    var isStruck = false
    disk.refusal = { call, _ in
      guard call == .synchronize, !isStruck else { return nil }
      isStruck = true
      return .inputOutput
    }

    app.say(announce("first", id: 1), announce("second", id: 2))
    app.say(#"{"op":"forget","id":3,"apps":["other"]}"#)
    hand.settle()

    #expect(isStruck)
    let lines = seat.takeLines()
    for line in lines { #expect(throws: Never.self) { try JSON(line) } }
    let texts = try lines.compactMap { try JSON($0)["event"]["text"].string }
    #expect(texts == ["first", "second"])
  }

  @Test func `what was taken in the very turn in which the disk fails is told so`() throws {
    let app = hand.connect()
    app.say(#"{"op":"hello","app":"mail"}"#)
    hand.settle()
    fail()
    app.say(announce("a", id: 1), announce("b", id: 2, ack: "synced"), announce("c", id: 3))
    hand.settle()

    let replies = try answers(app)
    #expect(replies.map(\.["id"].integer) == [1, 2, 3])
    #expect(replies[0]["ok"]["durability"] == "received")
    #expect(replies[1]["err"]["code"] == "storage.degraded")
    #expect(replies[1]["err"]["msg"].string?.contains("seq 5") == true, "it was taken all the same")
    #expect(replies[2]["ok"]["seq"] == 6)
  }

  @Test func `everything that was in memory is in the log when the disk is back`() throws {
    let app = hand.connect()
    fail(.inputOutput)
    for id in 1...20 {
      app.say(announce("number \(id)", id: id))
      hand.settle()
    }
    recover()
    hand.bus.heal()
    hand.bus.close()

    let again = try HandBus(on: disk)
    let reader = again.connect()
    reader.say(#"{"op":"subscribe","from":"start"}"#)
    again.settle()
    let texts = try answers(reader).compactMap { $0["event"]["text"].string }
    #expect(texts == (1...20).map { "number \($0)" })
    #expect(again.bus.epoch == hand.bus.epoch)
  }

  @Test func `what is too old makes room before the disk is tried again`() throws {
    var settings = Settings()
    settings.log.segmentBytes = ByteCount(1_000)
    let hand = try HandBus(on: disk, settings: settings)
    let app = hand.connect()
    for id in 1...20 {
      app.say(announce("number \(id)", id: id))
      hand.settle()
    }
    let first = hand.bus.log.first
    disk.room = 0
    app.say(announce("too much", id: 21))
    hand.settle()
    #expect(hand.bus.isInTrouble)
    #expect(hand.bus.log.first == first)

    hand.time.advance(microseconds: 8 * 86_400 * 1_000_000)
    hand.bus.heal()

    #expect(hand.bus.isInTrouble)
    #expect(hand.bus.log.first > first)
    #expect(disk[SegmentName.entries(first)] == nil)
  }

  @Test func `a stop that heals the disk leaves no mark behind`() throws {
    let app = hand.connect()
    fail()
    app.say(announce("a", id: 1))
    hand.settle()
    recover()

    #expect(hand.bus.close())

    let again = try HandBus(on: disk)
    #expect(again.bus.epoch == hand.bus.epoch)
  }

  @Test func `a stop in trouble says goodbye, and the next start begins a new epoch`() throws {
    let app = hand.connect()
    app.say(announce("a", id: 1))
    hand.settle()
    disk.room = 0
    app.say(announce("b", id: 2))
    hand.settle()

    #expect(!hand.bus.close())

    #expect(try JSON(try #require(app.takeLines().last))["bye"]["code"] == "shutting-down")
    #expect(hand.lastLeft == hand.bus.last)
    #expect(hand.said.contains { $0.contains("could not be closed") })
    disk.room = nil
    #expect(try HandBus(on: disk).bus.epoch != hand.bus.epoch)
  }

  // MARK: The medium has not kept it

  @Test func `who waits for the medium waits through a rescue`() throws {
    let app = hand.connect()
    app.say(announce("a", id: 1, ack: "synced"), announce("b", id: 2))
    hand.settle()
    #expect(app.takeLines() == [])

    sync(.inputOutput)
    #expect(app.takeLines() == [])
    #expect(!hand.bus.isInTrouble)
    #expect(hand.said.count == 1)
    #expect(hand.said.first?.contains("written anew") == true)
    hand.syncing.complete()
    hand.bus.takeSyncAnswer()

    let replies = try answers(app)
    #expect(replies.map { $0["ok"]["durability"].string } == ["synced", "written"])
  }

  @Test func `who waits for the medium is refused when it fails twice, each by its id`() throws {
    let app = hand.connect()
    app.say(
      announce("a", id: 1, ack: "synced"),
      announce("b", id: 2),
      announce("c", id: 3, ack: "synced")
    )
    let other = hand.connect()
    other.say(announce("d", id: 7, ack: "synced"))
    hand.settle()

    sync(.inputOutput)
    sync(.inputOutput)

    let replies = try answers(app)
    #expect(replies.map(\.["id"].integer) == [1, 2, 3])
    #expect(replies[0]["err"]["code"] == "storage.degraded")
    #expect(replies[0]["err"]["field"] == "ack")
    #expect(replies[1]["ok"]["durability"] == "written")
    #expect(replies[2]["err"]["code"] == "storage.degraded")
    #expect(try answers(other).map { $0["err"]["code"].string } == ["storage.degraded"])
    #expect(hand.bus.isInTrouble)
    #expect(hand.lastLeft == hand.bus.last)

    // It is believed when it has kept something.
    hand.bus.heal()
    #expect(hand.bus.isInTrouble)
    sync()
    #expect(!hand.bus.isInTrouble)
    app.say(announce("e", id: 4, ack: "synced"))
    hand.settle()
    sync()
    #expect(try answers(app).map { $0["ok"]["durability"].string } == ["synced"])
  }

  // MARK: Damage

  @Test func `the first entry of a start tells how the log was found`() throws {
    let app = hand.connect()
    app.say(announce("a", id: 1))
    hand.settle()
    // The daemon was killed in the middle of a line.
    disk[SegmentName.entries(Seq(1))]?.append(contentsOf: #"{"seq":"#.utf8)
    let killed = try HandBus(on: disk)
    killed.bus.close()
    let stopped = try HandBus(on: disk)
    let reader = stopped.connect()
    reader.say(#"{"op":"subscribe","from":"start","filter":{"types":["opened"]}}"#)
    stopped.settle()

    let found = try answers(reader).map { $0["event"]["recovery"] }.filter(\.isThere)
    #expect(found.map { $0["clean"] } == [true, false, true])
    #expect(found.map { $0["torn_bytes"] } == [0, 7, 0])
    #expect(found.allSatisfy { $0["new_epoch"] == false && $0["damaged"] == [] })
    #expect(
      found.map { $0["last"] } == [
        0, .integer(hand.bus.last.number), .integer(killed.bus.last.number),
      ]
    )
  }

  @Test func `damage is told at the start, in the log and to the operator`() throws {
    let app = hand.connect()
    for id in 1...5 { app.say(announce("number \(id)", id: id)) }
    hand.settle()
    hand.bus.close()
    let name = SegmentName.entries(Seq(1))
    let places = LogFiles.places(of: try #require(disk[name]))
    disk[name]?[places[3] + 30] ^= 1

    let again = try HandBus(on: disk)
    let reader = again.connect()
    reader.say(#"{"op":"subscribe","from":"start"}"#)
    again.settle()

    let heard = try answers(reader)
    let opened = try #require(heard.last { $0["event"]["type"] == "opened" })
    #expect(opened["event"]["recovery"]["damaged"] == [["from": 4, "to": 4]])
    #expect(opened["event"]["recovery"]["quarantined"] == 1)
    #expect(heard.contains(["mark": "gap", "from": 4, "to": 4, "reason": "corruption"]))
  }

  @Test(arguments: ["mono", "time"], ["9223372036854775807", "4611686018427387904", "-1"])
  func `an entry with a time that no clock has shown is damaged, whatever its checksum`(
    clock: String,
    number: String
  ) throws {
    let app = hand.connect()
    for id in 1...5 { app.say(announce("number \(id)", id: id)) }
    hand.settle()
    hand.bus.close()
    let name = SegmentName.entries(Seq(1))
    var lines = try #require(disk[name]).split(separator: 10).map(Array.init)
    let place = try #require(lines.firstIndex { $0.starts(with: Array("{\"seq\":4,".utf8)) })
    var line = String(decoding: lines[place].dropLast(18), as: UTF8.self)
    line.replace(try Regex("\"\(clock)\":[0-9]+"), with: "\"\(clock)\":\(number)")
    var sealed = ByteBuffer(capacity: 512)
    sealed.append(line.utf8Span.span)
    sealed.seal(from: 0)
    lines[place] = sealed.bytes.array.dropLast()
    disk[name] = lines.flatMap { $0 + [10] }

    let again = try HandBus(on: disk)
    let reader = again.connect()
    reader.say(#"{"op":"subscribe","from":"start"}"#)
    again.settle()

    let opened = try #require(answers(reader).last { $0["event"]["type"] == "opened" })
    #expect(opened["event"]["recovery"]["damaged"] == [["from": 4, "to": 4]])
  }

  @Test func `a key whose entry is lost is free for another`() throws {
    var settings = Settings()
    settings.log.segmentBytes = ByteCount(1_000)
    let disk = MemoryDisk()
    let hand = try HandBus(on: disk, settings: settings)
    let event =
      #"{"op":"publish","id":1,"dedupe":"k","event":{"type":"announcement","text":"a"}}"#
    let app = hand.connect()
    app.say(event)
    hand.settle()
    let seq = try answers(app)[0]["ok"]["seq"]
    say(2...10, as: app, on: hand)
    hand.bus.close()
    try spoilFourth(on: disk)

    let again = try HandBus(on: disk, settings: settings)
    let client = again.connect()
    client.say(event)
    again.settle()

    #expect(seq == 4)
    let answer = try answers(client)[0]["ok"]
    #expect(answer["duplicate"] == .absent)
    #expect(try #require(answer["seq"].integer) > hand.bus.last.number)
  }

  @Test func `damage in an older segment is told to the operator when somebody meets it`() throws {
    var settings = Settings()
    settings.log.segmentBytes = ByteCount(1_000)
    settings.log.retainAge = nil
    let disk = MemoryDisk()
    let hand = try HandBus(on: disk, settings: settings)
    let app = hand.connect()
    say(1...20, as: app, on: hand)
    hand.bus.close()
    let name = try spoilFourth(on: disk)

    let again = try HandBus(on: disk, settings: settings)
    #expect(again.said == [])
    let reader = again.connect()
    reader.say(#"{"op":"subscribe","from":"start"}"#)
    again.settle()

    #expect(
      try answers(reader).contains(["mark": "gap", "from": 4, "to": 4, "reason": "corruption"])
    )
    #expect(again.said.count == 1)
    #expect(again.said.first?.contains(name) == true)
    #expect(
      again.said.first?.contains("is damaged: entry 4 is lost, everything else is intact.") == true
    )
  }
}
