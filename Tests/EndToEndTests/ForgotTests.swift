// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Forgetting is an entry, so that every copy of the log can follow.
@Suite(.timeLimit(.minutes(hangs)))
struct ForgotTests {
  @Test func `what was forgotten is told by its ranges`() throws {
    let daemon = try RunningDaemon()
    let app = try daemon.connect()
    try app.hello("org.x")
    let other = try daemon.connect()
    try other.hello("org.y")
    let gone = try [
      app.publishAccepted(#"{"type":"announcement","text":"One"}"#),
      app.publishAccepted(#"{"type":"announcement","text":"Two"}"#),
    ]
    let kept = try other.publishAccepted(#"{"type":"announcement","text":"Three"}"#)
    let last = try app.publishAccepted(#"{"type":"announcement","text":"Four"}"#)
    let reader = try daemon.connect()
    try reader.subscribe(#","filter":{"types":["forgot"]}"#)

    let answer = try other.ask(#"{"id":1,"op":"forget","apps":["org.x"]}"#)

    let entry = try reader.entry().json()
    let event = entry["event"]
    #expect(event["type"] == "forgot")
    #expect(event["count"] == answer["ok"]["count"])
    #expect(event["uid"].integer == Int64(getuid()))
    let ranges = Self.ranges(event)
    for seq in gone + [last] { #expect(ranges.contains { $0.contains(seq) }, "\(seq)") }
    #expect(!ranges.contains { $0.contains(kept) })
    let count = ranges.reduce(0) { $0 + Int64($1.count) }
    #expect(count == event["count"].integer)

    // It outlives a second forgetting, even of everything that the same user has sent.
    _ = try other.ask(#"{"id":2,"op":"forget","uids":[\#(getuid())]}"#)
    let again = Self.ranges(try reader.entry().json()["event"])
    let own = try #require(entry["seq"].integer)
    let touched = again.contains { $0.contains(own) }
    #expect(!again.isEmpty && !touched)
  }

  /// Only root may look into the memory of a process that keeps out of core dumps.
  @Test(.enabled(if: geteuid() == 0))
  func `what was forgotten is nowhere in the daemon's memory any more`() throws {
    let daemon = try RunningDaemon()
    let (app, reader) = (try daemon.connect(), try daemon.connect())
    try app.hello("org.x")
    try reader.hello("reader", role: "reader")
    try reader.subscribe()
    for number in 0..<100 {
      let text = "zebra-\(number)"
      _ = try app.publishAccepted(
        #"{"type":"elements","window":"w","upsert":[{"id":"\#(number)","label":"\#(text)"}]}"#
      )
      _ = try app.publishAccepted(#"{"type":"announcement","text":"\#(text)"}"#)
    }
    _ = try app.publishAccepted(
      #"{"type":"announcement","text":"zebra-secret","sensitive":true,"priority":"high"}"#
    )
    let other = try daemon.connect()
    _ = try other.ask(#"{"id":1,"op":"state"}"#)
    #expect(try Self.pieces(of: "zebra-", in: daemon.process.number) > 100)

    let answer = try other.ask(#"{"id":2,"op":"forget","apps":["org.x"]}"#)

    #expect(try #require(answer["ok"]["count"].integer) > 200)
    let start = ContinuousClock.now
    while try Self.pieces(of: "zebra-", in: daemon.process.number) > 0 {
      try #require(ContinuousClock.now - start < .seconds(1))
    }
    withExtendedLifetime((app, reader)) {}
  }

  /// How often a word stands in the memory of a process.
  private static func pieces(of word: String, in process: Int32) throws -> Int {
    let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
    let memory = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/mem"))
    var count = 0
    for line in maps.split(separator: "\n") where line.contains(" rw") && !line.contains("[v") {
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap {
        UInt64($0, radix: 16)
      }
      try memory.seek(toOffset: ends[0])
      var bytes = try memory.read(upToCount: Int(ends[1] - ends[0])) ?? Data()
      while let found = bytes.range(of: Data(word.utf8)) {
        count += 1
        bytes = bytes[found.upperBound...]
      }
    }
    return count
  }

  private static func ranges(_ event: JSON) -> [ClosedRange<Int64>] {
    (event["ranges"].list ?? []).compactMap { range in
      guard let ends = range.list?.compactMap(\.integer), ends.count == 2 else { return nil }
      return ends[0]...ends[1]
    }
  }

  @Test func `where nothing was forgotten there is nothing to tell`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()

    let answer = try client.ask(#"{"id":1,"op":"forget","apps":["org.none"]}"#)

    #expect(answer["ok"]["count"] == 0)
    #expect(!(try daemon.linesOnDisk().contains { $0.contains(#""type":"forgot""#) }))
  }

  @Test func `a bus tells what was forgotten before it came, once`() throws {
    let daemon = try RunningDaemon()
    let app = try daemon.connect()
    try app.hello("org.x")
    let gone = try app.publishAccepted(#"{"type":"announcement","text":"Private"}"#)
    try daemon.stop()
    let tool = Command(
      LogFiles.tool,
      ["log", "forget", "--app", "org.x", "--yes", "--log", daemon.state]
    )
    _ = try tool.output()

    try daemon.start()
    try daemon.stop()
    try daemon.start()

    let told = try daemon.linesOnDisk().filter { $0.contains(#""type":"forgot""#) }
    try #require(told.count == 1)
    let event = try JSON(told[0])["event"]
    #expect(Self.ranges(event).contains { $0.contains(gone) })
    #expect(event["uid"].integer == Int64(getuid()))
    #expect(!FileManager.default.fileExists(atPath: daemon.state + "/forgotten"))
    let verify = try Command(LogFiles.tool, ["log", "verify", "--log", daemon.state]).run()
    #expect(verify.status == 0, "\(verify.output)")
  }

  /// The next delivery to a reader.
  private func deliver(_ reader: RawClient) throws -> Int64 {
    while true {
      let entry = try reader.entry()
      if try entry.json()["event"]["type"] == "deliver" { return entry.seq }
    }
  }

  @Test(arguments: [true, false])
  func `a log replays as it is, though an app was forgotten that was being spoken`(
    isLater: Bool
  ) throws {
    let daemon = try RunningDaemon()
    let reader = try daemon.connect()
    _ = try reader.hello("voice", role: "reader")
    try reader.subscribe(#","filter":{"types":["deliver"]}"#)
    let app = try daemon.connect()
    try app.hello("org.x")
    let other = try daemon.connect()
    try other.hello("org.y")
    try app.publishAccepted(#"{"type":"announcement","text":"Private","priority":"high"}"#)
    let first = try deliver(reader)
    try other.publishAccepted(#"{"type":"announcement","text":"Mine"}"#)
    if isLater {
      // To forget nothing begins another segment, in which the speech ends.
      _ = try other.ask(#"{"id":1,"op":"forget","apps":["org.none"]}"#)
      try other.publishAccepted(#"{"type":"window","window":"w","state":"opened"}"#)
      let voice = try daemon.connect()
      try voice.publishAccepted(#"{"type":"speech","of":\#(first),"state":"finished"}"#)
    } else {
      _ = try other.ask(#"{"id":1,"op":"forget","apps":["org.x"]}"#)
    }
    let second = try deliver(reader)
    if isLater { _ = try other.ask(#"{"id":2,"op":"forget","apps":["org.x"]}"#) }
    let voice = try daemon.connect()
    try voice.publishAccepted(#"{"type":"speech","of":\#(second),"state":"finished"}"#)
    try other.publishAccepted(#"{"type":"announcement","text":"The end"}"#)
    _ = try deliver(reader)
    try daemon.stop()

    let replay = try Command(LogFiles.tool, ["replay", daemon.state]).run()
    #expect(replay.status == 0, "\(replay.output)")
  }
}
