// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Marks that tell where a subscriber is, or what it can no longer get.
@Suite(.timeLimit(.minutes(hangs)))
struct MarkTests {
  private let event = #"{"type":"announcement","text":"a"}"#

  @Test func `a thousand entries that are filtered out move the checkpoint`() throws {
    let daemon = try RunningDaemon()
    let (client, subscriber) = (try daemon.connect(), try daemon.connect())
    let start = try client.last()
    try subscriber.subscribe(#","filter":{"types":[]}"#)
    #expect(try subscriber.answer()["mark"] == "caught-up")

    let line = #"{"op":"publish","event":\#(event)}"# + "\n"
    try client.send(bytes: Array(String(repeating: line, count: 5000).utf8))
    let last = try client.last()

    var cursors = [start]
    while cursors.last != last {
      let mark = try subscriber.answer()
      #expect(mark["mark"] == "checkpoint")
      cursors.append(try seq(of: mark, in: daemon))
    }
    for (one, next) in zip(cursors, cursors.dropFirst()) {
      #expect(one < next)
      #expect(next - one <= 1000)
    }
  }

  @Test func `in replay, too, a checkpoint comes at each thousand`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    let line = #"{"op":"publish","event":\#(event)}"# + "\n"
    try client.send(bytes: Array(String(repeating: line, count: 3500).utf8))
    let last = try client.last()

    let subscriber = try daemon.connect()
    try subscriber.subscribe(#","from":"start","filter":{"types":["pause"]}"#)
    var (cursors, mark) = ([Int64](), try subscriber.answer())
    while mark["mark"] == "checkpoint" {
      cursors.append(try seq(of: mark, in: daemon))
      mark = try subscriber.answer()
    }

    #expect(mark["mark"] == "caught-up")
    #expect(try seq(of: mark, in: daemon) == last)
    #expect(cursors.count >= 3)
    for (one, next) in zip([0] + cursors, cursors) {
      #expect((one + 1...one + 1000).contains(next))
    }
  }

  @Test func `after about a second a checkpoint tells of a single entry`() throws {
    let daemon = try RunningDaemon()
    let (client, subscriber) = (try daemon.connect(), try daemon.connect())
    try subscriber.subscribe(#","filter":{"types":["pause"]}"#)
    #expect(try subscriber.answer()["mark"] == "caught-up")

    let begin = ContinuousClock.now
    let last = try client.publishAccepted(event)
    var mark = try subscriber.answer()
    while try seq(of: mark, in: daemon) < last { mark = try subscriber.answer() }

    #expect(mark["mark"] == "checkpoint")
    #expect(ContinuousClock.now - begin < .seconds(4))
    #expect(try seq(of: mark, in: daemon) == last)
  }

  @Test func `a checkpoint's cursor is one to go on from`() throws {
    let daemon = try RunningDaemon()
    let (client, first) = (try daemon.connect(), try daemon.connect())
    try first.subscribe(#","filter":{"types":["pause"]}"#)
    #expect(try first.answer()["mark"] == "caught-up")
    let line = #"{"op":"publish","event":\#(event)}"# + "\n"
    try client.send(bytes: Array(String(repeating: line, count: 1500).utf8))
    let mark = try first.answer()
    first.close()
    let pause = try client.publishAccepted(#"{"type":"pause"}"#)

    let cursor = try #require(mark["cursor"].string)
    let second = try daemon.connect()
    try second.subscribe(#","from":"\#(cursor)","filter":{"types":["pause"]}"#)

    #expect(mark["mark"] == "checkpoint")
    #expect(try second.entry().seq == pause)
  }

  @Test(arguments: ["retain_bytes = \"256 KiB\"", "retain_entries = 1200"])
  func `what retention has taken is a gap with exact bounds, and the stream goes on`(
    setting: String
  ) throws {
    let config = "[log]\nsegment_bytes = \"64 KiB\"\n\(setting)\n"
    let daemon = try RunningDaemon(config: config)
    let client = try daemon.connect()
    var first: Int64 = 1
    var rounds = 0
    while first <= 3 {
      rounds += 1
      try #require(rounds < 100, "nothing is ever removed")
      let line = #"{"op":"publish","event":\#(event)}"# + "\n"
      try client.send(bytes: Array(String(repeating: line, count: 500).utf8))
      _ = try client.last()
      first = try #require(daemon.connect().hello("looker")["first"].integer)
    }

    // They stay, since those who leave are logged, which could move the first seq once more.
    var subscribers: [RawClient] = []
    for isWhole in [true, false] {
      let subscriber = try daemon.connect()
      subscribers.append(subscriber)
      first = try #require(subscriber.hello("looker")["first"].integer)
      let from = isWhole ? 0 : first / 2
      try subscriber.subscribe(#","from":"\#(daemon.ready.epoch):\#(from)""#)
      let mark = try subscriber.answer()
      #expect(mark["mark"] == "gap")
      #expect(mark["from"] == .integer(from + 1))
      let to = try #require(mark["to"].integer)
      #expect(mark["reason"] == "retention")
      let entries = try subscriber.entriesUntilCaughtUp()
      let seqs = entries.map(\.seq)
      #expect(seqs == Array(to + 1..<to + 1 + Int64(seqs.count)))
      // The ends of events are logged as time goes by, and take older entries with them.
      let later = try #require(daemon.connect().hello("looker")["first"].integer)
      #expect(first - 1...later - 1 ~= to)
      let next = try client.publishAccepted(event)
      var entry = try subscriber.entry()
      while entry.seq < next { entry = try subscriber.entry() }
      #expect(entry.seq == next)
    }

    let subscriber = try daemon.connect()
    first = try #require(subscriber.hello("looker")["first"].integer)
    try subscriber.subscribe(#","from":"\#(daemon.ready.epoch):\#(first - 1)""#)
    #expect(try Entry(subscriber.line()).seq == first)
    try client.publishAccepted(#"{"type":"announcement","text":"a","cause":1,"basis":1}"#)
    guard setting.hasPrefix("retain_bytes") else { return }
    let sizes = try daemon.segments().map { name in
      try Data(contentsOf: URL(filePath: "\(daemon.state)/\(name)")).count
    }
    let (taken, allowed) = (sizes.reduce(0, +), 6 * 65_536)
    #expect(taken < allowed)
  }

  private func seq(of mark: JSON, in daemon: RunningDaemon) throws -> Int64 {
    let parts = try #require(mark["cursor"].string, "\(mark)").split(separator: ":")
    #expect(parts[0] == daemon.ready.epoch)
    return try #require(Int64(parts[1]))
  }
}
