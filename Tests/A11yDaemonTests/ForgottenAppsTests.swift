// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// An app that is forgotten while the bus runs, and the secrets that it leaves.
@Suite struct ForgottenAppsTests {
  @Test func `what an app says while it is being forgotten is not meant`() throws {
    let hand = try HandBus(on: MemoryDisk())
    let app = hand.connect()
    app.say(
      #"{"op":"hello","app":"mail"}"#,
      #"{"op":"publish","event":{"type":"window","window":"before","title":"B"}}"#
    )
    hand.settle()
    let seat = hand.connect()
    seat.say(#"{"id":1,"op":"forget","apps":["mail"]}"#)
    hand.turn()
    #expect(!hand.bus.errands.isEmpty)
    app.say(
      #"{"op":"publish","dedupe":"k","event":{"type":"window","window":"meanwhile","title":"M"}}"#,
      #"{"id":2,"op":"ping"}"#
    )
    hand.turn()
    #expect(!hand.bus.errands.isEmpty)

    while !hand.bus.errands.isEmpty { hand.bus.tendLog() }

    app.say(
      #"{"id":3,"op":"publish","dedupe":"k","event":{"type":"window","window":"meanwhile","#
        + #""title":"M"}}"#,
      #"{"id":4,"op":"state"}"#
    )
    hand.settle()
    let answers = try app.takeLines().map { try JSON($0) }
    #expect(answers.first { $0["id"] == 3 }?["ok"]["duplicate"] == true)
    let state = try #require(answers.first { $0["id"] == 4 })["ok"]
    #expect(state["windows"].list?.map { $0["window"] } == ["meanwhile"])
  }

  private func elements(_ upsert: String) -> String {
    #"{"op":"publish","event":{"type":"elements","window":"w","upsert":[\#(upsert)]}}"#
  }

  @Test func `after a start, too, a secret of an app that was forgotten stays one`() throws {
    let disk = MemoryDisk()
    var moments: [MemoryDisk] = []
    do {
      let hand = try HandBus(on: disk)
      let app = hand.connect()
      app.say(#"{"op":"hello","app":"mail"}"#, elements(#"{"id":"code","traits":["secure"]}"#))
      hand.settle()
      while hand.bus.log.isWritingState { hand.bus.tendLog() }
      let seat = hand.connect()
      seat.say(#"{"id":1,"op":"forget","apps":["mail"]}"#)
      hand.turn()
      while !hand.bus.errands.isEmpty {
        moments.append(disk.snapshot())
        hand.bus.tendLog()
      }
      hand.bus.close()
    }
    moments.append(disk)

    for (index, moment) in moments.enumerated() {
      let again = try HandBus(on: moment)
      let app = again.connect()
      app.say(#"{"op":"hello","app":"mail"}"#, elements(#"{"id":"code","value":"s3cret"}"#))
      again.settle()
      while again.bus.log.isWritingState { again.bus.tendLog() }
      #expect(moment.names.allSatisfy { !moment.text($0).contains("s3cret") }, "killed in \(index)")
    }
    #expect(moments.count > 3)
    #expect(disk.names.allSatisfy { !disk.text($0).contains("secure") })
  }

  @Test func `an app that was forgotten while no bus ran has its secrets still`() throws {
    let disk = MemoryDisk()
    do {
      let hand = try HandBus(on: disk)
      let app = hand.connect()
      app.say(#"{"op":"hello","app":"mail"}"#, elements(#"{"id":"code","traits":["secure"]}"#))
      hand.settle()
      hand.bus.close()
    }
    let work = try #require(
      try Forgetting<BrokerState>(Selection(apps: ["mail"], uids: nil, before: nil), onUnused: disk)
    )
    while try !work.advance(budget: 1_000) {}
    #expect(disk.names.allSatisfy { !disk.text($0).contains(#""code""#) })

    // The power may go as soon as the work is done.
    for disk in [disk, disk.afterPowerLoss()] {
      let again = try HandBus(on: disk)
      let app = again.connect()
      app.say(#"{"op":"hello","app":"mail"}"#, elements(#"{"id":"code","value":"s3cret"}"#))
      again.settle()

      #expect(disk.names.allSatisfy { !disk.text($0).contains("s3cret") })
    }
  }

  @Test func `a note of what was forgotten stays until the medium has the entry that tells of it`()
    throws
  {
    let disk = MemoryDisk()
    do {
      let hand = try HandBus(on: disk)
      hand.connect().say(#"{"op":"hello","app":"mail"}"#)
      hand.settle()
      hand.bus.close()
    }
    try ForgottenNote.keep([ForgottenNote.Run(Seq(1)...Seq(1), uid: 7)], on: disk)
    var moments: [MemoryDisk] = []
    disk.refusal = { [unowned disk] _, _ in
      moments.append(disk.snapshot())
      return nil
    }
    let hand = try HandBus(on: disk)
    hand.settle()
    disk.refusal = { _, _ in nil }
    #expect(!disk.names.contains(ForgottenNote.name))
    moments.append(disk)

    for (index, moment) in moments.enumerated() {
      let disk = moment.afterPowerLoss()
      try HandBus(on: disk).settle()

      let log = disk.names.map(disk.text).joined()
      #expect(log.contains(#""type":"forgot","ranges":[[1,1]]"#), "the power went in \(index)")
    }
    #expect(moments.count > 3)
  }

  @Test func `before an entry goes, the medium has the state that keeps its secrets, by its name`()
    throws
  {
    let disk = MemoryDisk()
    let hand = try HandBus(on: disk)
    let app = hand.connect()
    app.say(#"{"op":"hello","app":"mail"}"#, elements(#"{"id":"code","traits":["secure"]}"#))
    hand.settle()
    while hand.bus.log.isWritingState { hand.bus.tendLog() }
    var steps: [String] = []
    disk.refusal = { call, name in
      switch call {
      case .rename: steps.append(name.hasSuffix(".state.new") ? "state" : "entries")
      case .synchronizeNames: steps.append("names")
      default: break
      }
      return nil
    }
    let seat = hand.connect()
    seat.say(#"{"id":1,"op":"forget","apps":["mail"]}"#)
    hand.turn()

    while !hand.bus.errands.isEmpty { hand.bus.tendLog() }

    let state = try #require(steps.lastIndex(of: "state"))
    #expect(steps[state...].starts(with: ["state", "names", "entries"]))
  }

  @Test func `what is being spoken of an app that is forgotten is stopped, and never said again`()
    throws
  {
    let disk = MemoryDisk()
    let hand = try HandBus(on: disk)
    let reader = hand.connect()
    reader.say(#"{"op":"hello","app":"reader","role":"reader"}"#, #"{"op":"subscribe"}"#)
    let app = hand.connect()
    app.say(#"{"op":"hello","app":"mail"}"#)
    hand.settle()
    _ = reader.takeLines()
    app.say(
      #"{"op":"publish","event":{"type":"announcement","text":"the plan","priority":"high"}}"#,
      #"{"op":"publish","event":{"type":"announcement","text":"the rest","key":"k"}}"#
    )
    hand.settle()
    let heard = try reader.takeLines().map { try JSON($0) }
    let deliver = try #require(heard.first { $0["event"]["type"] == "deliver" }?["seq"].integer)
    let other = hand.connect()
    other.say(
      #"{"op":"hello","app":"other"}"#,
      #"{"op":"publish","event":{"type":"announcement","text":"and this"}}"#,
      #"{"id":1,"op":"forget","apps":["mail"]}"#
    )
    hand.turn()
    while !hand.bus.errands.isEmpty { hand.bus.tendLog() }
    hand.time.advance(microseconds: 1_000)
    hand.bus.wake()

    let told = try reader.takeLines().map { try JSON($0)["event"] }
    #expect(told.first { $0["type"] == "silence" }?["of"].integer == deliver)
    let last = try #require(told.last { $0["type"] == "deliver" })
    #expect(last["speak"].list?.map { $0["text"] } == ["and this"])
    reader.close()
    hand.settle()
    hand.time.advance(microseconds: 3_600_000_000)
    hand.bus.wake()
    #expect(disk.names.allSatisfy { !disk.text($0).contains("the plan") })
    #expect(disk.names.allSatisfy { !disk.text($0).contains("the rest") })
    #expect(disk.names.filter { disk.text($0).contains(#""mail""#) } == [])
  }

  @Test func `who waits for the disk is answered when forgetting has waited for it`() throws {
    let hand = try HandBus(on: MemoryDisk())
    let app = hand.connect()
    app.say(
      #"{"id":1,"op":"publish","ack":"synced","event":{"type":"announcement","text":"a"}}"#
    )
    hand.turn()
    let seat = hand.connect()
    seat.say(#"{"id":2,"op":"forget","apps":["other"]}"#)
    hand.turn()

    #expect(app.takeLines().contains { $0.contains(#""durability":"synced""#) })
  }
}
