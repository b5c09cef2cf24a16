// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Where a subscription begins and what marks it has.
@Suite(.timeLimit(.minutes(hangs)))
struct SubscribeTests {
  let daemon: RunningDaemon
  let client: RawClient
  private let event = #"{"type":"announcement","text":"a"}"#

  init() throws {
    daemon = try RunningDaemon()
    client = try daemon.connect()
  }

  @Test(arguments: ["", #","from":"now""#])
  func `from now on comes what is published later`(from: String) throws {
    let before = try client.publishAccepted(event)
    let subscriber = try daemon.connect()

    let cursor = try subscriber.subscribe(from)
    let mark = try subscriber.answer()
    let after = try client.publishAccepted(event)

    #expect(cursor == "\(daemon.ready.epoch):\(before)")
    #expect(mark["mark"] == "caught-up")
    #expect(mark["cursor"] == .string(cursor))
    #expect(try subscriber.entry().seq == after)
  }

  @Test func `from the start comes everything, then what is published later`() throws {
    let before = try client.publishAccepted(event)
    let subscriber = try daemon.connect()

    let cursor = try subscriber.subscribe(#","from":"start""#)
    let (entries, mark) = try subscriber.entriesUntil(mark: "caught-up")
    let after = try client.publishAccepted(event)

    #expect(cursor == "\(daemon.ready.epoch):0")
    #expect(entries.map(\.seq) == Array(1...before))
    #expect(mark["cursor"] == .string("\(daemon.ready.epoch):\(before)"))
    #expect(try subscriber.entry().seq == after)
  }

  @Test func `caught-up is said once`() throws {
    let subscriber = try daemon.connect()
    try subscriber.subscribe(#","from":"start""#)
    _ = try subscriber.entriesUntilCaughtUp()

    var last: Int64 = 0
    for _ in 1...100 { last = try client.publishAccepted(event) }

    var lines: [String] = []
    let end = #"{"seq":\#(last),"#
    while lines.last?.hasPrefix(end) != true { lines.append(try subscriber.line()) }
    #expect(!lines.contains { $0.contains("caught-up") })
  }

  @Test(arguments: [0, 1, 5, 11, 12])
  func `after a cursor comes exactly what is behind it`(seq: Int64) throws {
    let event = #"{"type":"content-size-changed","category":"large"}"#
    for _ in 1...10 { try client.publishAccepted(event) }
    let last = try client.last()
    let subscriber = try daemon.connect()
    let wanted = "\(daemon.ready.epoch):\(seq)"

    let cursor = try subscriber.subscribe(#","from":"\#(wanted)""#)
    let (entries, mark) = try subscriber.entriesUntil(mark: "caught-up")

    #expect(cursor == wanted)
    #expect(entries.map(\.seq) == Array(1...last).filter { $0 > seq })
    #expect(mark["cursor"] == .string("\(daemon.ready.epoch):\(last)"))
  }

  @Test(arguments: [
    "", ":", "nonsense", "5", "$epoch", "$epoch:", ":5", "$epoch:-1", "$epoch:x", "$epoch:1.0",
    "$epoch:1:2", "$epoch: 1", "$epoch:99999999999999999999",
  ])
  func `what is no cursor is refused`(cursor: String) throws {
    let cursor = cursor.replacing("$epoch", with: daemon.ready.epoch)

    let answer = try client.ask(#"{"id":1,"op":"subscribe","from":"\#(cursor)"}"#)

    #expect(answer["err"]["code"] == "cursor.invalid", "\(answer)")
    try client.subscribe()
  }

  @Test(arguments: ["5", "true", "[]", "{}"])
  func `what is no text is no cursor`(from: String) throws {
    let answer = try client.ask(#"{"id":1,"op":"subscribe","from":\#(from)}"#)

    #expect(answer["err"]["code"] == "field.invalid", "\(answer)")
    #expect(answer["err"]["field"] == "from")
  }

  @Test(arguments: [
    (#""mode":"fast""#, "mode"), (#""mode":1"#, "mode"), (#""state":1"#, "state"),
    (#""state":"yes""#, "state"),
  ])
  func `a field of subscribe that is not right is named`(fields: String, field: String) throws {
    let answer = try client.ask(#"{"id":1,"op":"subscribe",\#(fields)}"#)

    #expect(answer["err"]["code"] == "field.invalid", "\(answer)")
    #expect(answer["err"]["field"] == .string(field))
    try client.subscribe()
  }

  @Test func `a cursor of another epoch is answered with ours`() throws {
    let other = "0123456789abcdef0123456789abcdef"

    let answer = try client.ask(#"{"id":1,"op":"subscribe","from":"\#(other):1"}"#)

    #expect(answer["err"]["code"] == "cursor.epoch", "\(answer)")
    #expect(answer["err"]["epoch"] == .string(daemon.ready.epoch))
  }

  @Test(arguments: [1, 1000])
  func `a cursor beyond the last is answered with the last`(beyond: Int64) throws {
    let last = try client.publishAccepted(event)

    let answer = try client.ask(
      #"{"id":1,"op":"subscribe","from":"\#(daemon.ready.epoch):\#(last + beyond)"}"#
    )

    #expect(answer["err"]["code"] == "cursor.future", "\(answer)")
    #expect(answer["err"]["last"] == .integer(last))
  }

  @Test func `a second subscription is too many`() throws {
    try client.subscribe()
    _ = try client.entriesUntilCaughtUp()

    let answer = try client.ask(#"{"id":1,"op":"subscribe"}"#)

    #expect(answer["err"]["code"] == "quota.exceeded", "\(answer)")
    #expect(try daemon.connect().publish(event)["ok"].isThere)
    #expect(try client.entry().json()["event"]["type"] == "client")
  }

  @Test func `nothing of a subscription comes before its reply`() throws {
    for _ in 1...50 { try client.publishAccepted(event) }
    let subscriber = try daemon.connect()
    let lines = [
      #"{"id":1,"op":"publish","event":\#(event)}"#, #"{"id":2,"op":"subscribe","from":"start"}"#,
      #"{"id":3,"op":"publish","event":\#(event)}"#, "",
    ]

    try subscriber.send(bytes: Array(lines.joined(separator: "\n").utf8))

    #expect(try subscriber.answer()["id"] == 1)
    let reply = try subscriber.answer()
    #expect(reply["id"] == 2)
    #expect(reply["ok"]["cursor"] == .string("\(daemon.ready.epoch):0"))
    // From here on replies and entries may come in any order, but each in its own.
    var (seqs, answer) = ([Int64](), JSON.absent)
    while seqs.count < 55 || !answer.isThere {
      let line = try JSON(subscriber.line())
      if let seq = line["seq"].integer { seqs.append(seq) }
      if line["id"].isThere { answer = line }
    }
    #expect(seqs == Array(1...55))
    #expect(answer["id"] == 3)
  }

  @Test func `nothing of a subscription comes after the reply to unsubscribe`() throws {
    let subscriber = try daemon.connect()
    try subscriber.subscribe()
    for _ in 1...500 { try client.send(#"{"op":"publish","event":\#(event)}"#) }

    try subscriber.send(#"{"id":"off","op":"unsubscribe"}"#)
    while try subscriber.answer()["id"] != "off" {}
    for _ in 1...10 { try client.publishAccepted(event) }
    let ping = try subscriber.ask(#"{"id":"ping","op":"ping"}"#)

    #expect(ping["id"] == "ping")
    #expect(try !subscriber.hasUnread())
  }

  @Test func `the reply to unsubscribe is empty`() throws {
    try client.subscribe()
    #expect(try client.answer()["mark"] == "caught-up")

    #expect(try client.ask(#"{"id":1,"op":"unsubscribe"}"#) == ["id": 1, "ok": [:]])
  }

  @Test func `who has unsubscribed may subscribe again`() throws {
    let cursor = try client.subscribe()
    #expect(try client.answer()["mark"] == "caught-up")
    _ = try client.ask(#"{"id":1,"op":"unsubscribe"}"#)
    let seq = try daemon.connect().publishAccepted(event)

    try client.subscribe(#","from":"\#(cursor)""#)

    #expect(try client.entriesUntilCaughtUp().contains { $0.seq == seq })
  }

  @Test func `all subscribers get the same bytes, and they are those on disk`() throws {
    let live = try daemon.connect()
    try live.subscribe(#","from":"start""#)
    try client.hello("Größe 😀")
    for number in 1...300 {
      try client.publishAccepted(#"{"type":"announcement","text":"\#(number) é \u00e9"}"#)
    }

    let replayed = try daemon.entries()
    var seen: [Entry] = []
    while seen.count < replayed.count { seen.append(try live.entry()) }

    #expect(seen == replayed)
    let stored = try daemon.linesOnDisk().filter { $0.hasPrefix(#"{"seq":"#) }
    #expect(stored == replayed.map(\.line))
  }

  @Test func `an entry is on disk before anybody gets it`() throws {
    let subscriber = try daemon.connect()
    try subscriber.subscribe()

    for number in 1...50 {
      try client.send(#"{"op":"publish","event":{"type":"announcement","text":"\#(number)"}}"#)
      let entry = try subscriber.entry()
      #expect(try daemon.linesOnDisk().contains(entry.line))
    }
  }
}
