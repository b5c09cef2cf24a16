// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The lines of the log, byte by byte.
@Suite(.timeLimit(.minutes(hangs)))
struct EntryTests {
  let daemon: RunningDaemon
  let client: RawClient

  init() throws {
    daemon = try RunningDaemon()
    client = try daemon.connect()
  }

  @Test func `an entry holds what is promised, in this order, and nothing else`() throws {
    let conn = try #require(client.hello("app")["conn"].integer)
    let event = #"{"type":"announcement","text":"Item was added"}"#
    let plain = try client.publishAccepted(event)
    let keyed = try client.publishAccepted(event, with: #","dedupe":"k""#)

    let entries = try daemon.entries()

    for (seq, key) in [(plain, ""), (keyed, #","dedupe":"k""#)] {
      let entry = try #require(entries.first { $0.seq == seq })
      let json = try entry.json()
      let time = try #require(json["time"].integer)
      let mono = try #require(json["mono"].integer)
      let crc = try entry.checksum().written
      #expect(
        entry.line == #"""
          {"seq":\#(seq),"time":\#(time),"mono":\#(mono),"app":"app","uid":\#(getuid()),\#
          "conn":\#(conn)\#(key),"event":\#(event),"crc":"\#(crc)"}
          """#
      )
    }
  }

  @Test func `the checksum covers every byte before it`() throws {
    #expect(Checksum.text(of: "123456789".utf8) == "e3069283")
    try client.hello("Größe 😀")
    for text in ["a", "Ünïcödé 😀", String(repeating: "x", count: 30_000)] {
      try client.publishAccepted(#"{"type":"announcement","text":"\#(text)"}"#)
      try client.publishAccepted(
        #"{"type":"announcement","text":"\#(text)"}"#,
        with: #","dedupe":"\#(text.utf8.count)""#
      )
    }

    for entry in try daemon.entries() {
      let (covered, written) = try entry.checksum()
      #expect(Checksum.text(of: covered) == written, "\(entry.line.prefix(200))")
    }
  }

  @Test func `time is the wall clock's and mono never goes back`() throws {
    let before = Int64(Date.now.timeIntervalSince1970 * 1e6) - 1_000_000
    for _ in 1...200 { try client.publishAccepted(#"{"type":"announcement","text":"a"}"#) }
    let after = Int64(Date.now.timeIntervalSince1970 * 1e6) + 1_000_000

    let entries = try daemon.entries().map { try $0.json() }

    let times = entries.compactMap { $0["time"].integer }
    let monos = entries.compactMap { $0["mono"].integer }
    #expect(times.count == entries.count)
    #expect(times.allSatisfy { ($0 > before - 20_000_000) && $0 < after })
    #expect(times.suffix(200).allSatisfy { $0 > before })
    #expect(monos == monos.sorted())
    // Both are in microseconds.
    let (wall, bus) = (times[times.count - 1] - times[0], monos[monos.count - 1] - monos[0])
    #expect(bus > 0)
    #expect(abs(wall - bus) < 1_000_000)
  }

  @Test func `the log begins with an entry of the daemon that tells its epoch`() throws {
    let opened = try #require(try daemon.entries().first)

    let json = try opened.json()
    #expect(json["seq"] == 1)
    #expect(json["app"] == "a11yd")
    #expect(json["uid"] == .integer(Int64(getuid())))
    #expect(json["conn"] == 0)
    #expect(json["event"]["type"] == "opened")
    #expect(opened.line.contains(daemon.ready.epoch))
    #expect(daemon.ready.last == 2)
  }

  @Test func `whoever says hello has joined, and has left when the connection is closed`() throws {
    try client.hello("org.example.App")
    let last = try client.last()
    client.close()

    let watcher = try daemon.connect()
    try watcher.subscribe(#","from":"start","filter":{"types":["client"]}"#)
    let joined = try watcher.entry()
    let left = try watcher.entry()

    #expect(joined.seq <= last)
    for (entry, word) in [(joined, "joined"), (left, "left")] {
      let json = try entry.json()
      #expect(json["app"] == "a11yd")
      #expect(json["conn"] == 0)
      #expect(json["event"]["type"] == "client")
      #expect(try entry.eventText().contains("\"\(word)\""))
      #expect(try entry.eventText().contains(#""org.example.App""#))
    }
  }

  @Test func `whoever publishes without hello has joined before the event`() throws {
    let first = try client.publishAccepted(#"{"type":"announcement","text":"a"}"#)
    let second = try client.publishAccepted(#"{"type":"announcement","text":"b"}"#)

    let types = try daemon.entries().map { try $0.event()["type"].string }

    #expect(first == 4)
    #expect(second == 5)
    #expect(types == ["opened", "rules", "client", "announcement", "announcement"])
  }

  @Test func `whoever only looks leaves no trace`() throws {
    _ = try client.last()
    _ = try client.ask(#"{"id":1,"op":"stats"}"#)
    _ = try client.ask(#"{"id":1,"op":"publish","event":{"type":"nonsense"}}"#)
    client.close()

    let other = try daemon.connect()
    try other.hello("other")

    let types = try daemon.entries().map { try $0.event()["type"].string }
    #expect(types == ["opened", "rules", "client"])
  }

  @Test(arguments: [
    ("12345678", "1-8"), ("123456789", "9-32"), ("Ä", "1-8"),
    ("secret word of thirty-two letter", "9-32"), ("secret words of thirty-three chrs", "33+"),
  ])
  func `a sensitive text is on no disk and with no subscriber`(text: String, length: String) throws
  {
    let watcher = try daemon.connect()
    try watcher.subscribe(#","filter":{"types":["announcement"]}"#)
    let event = #"{"type":"announcement","text":"\#(text)","priority":"high","sensitive":true}"#

    let seq = try client.publishAccepted(event)

    let live = try watcher.entry()
    let stored = try #require(try daemon.entries().first { $0.seq == seq })
    #expect(live == stored)
    let json = try live.event()
    #expect(json["redacted"] == .string(length))
    #expect(json["priority"] == "high")
    #expect(!json["text"].isThere)
    let bytes = Array(text.utf8)
    for name in try FileManager.default.subpathsOfDirectory(atPath: daemon.state) {
      let data = FileManager.default.contents(atPath: "\(daemon.state)/\(name)") ?? Data()
      #expect(data.firstRange(of: Data(bytes)) == nil, "\(name)")
    }
  }

  @Test func `a sensitive text in runs is kept out too`() throws {
    let runs = #"[{"text":"pin "},{"text":"98110","spell":true}]"#

    try client.publishAccepted(#"{"type":"announcement","text":\#(runs),"sensitive":true}"#)

    let entry = try #require(try daemon.entries().last { !$0.line.contains(#""conn":0"#) })
    #expect(try entry.event()["redacted"] == "9-32")
    #expect(!entry.line.contains("\"98110\""))
  }
}
