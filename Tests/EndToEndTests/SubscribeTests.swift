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

/// Which entries a subscriber asks for.
@Suite(.timeLimit(.minutes(hangs)))
struct FilterTests {
  let daemon: RunningDaemon

  init() throws { daemon = try RunningDaemon() }

  /// A filter and whether it lets an event of an app pass.
  struct Case: Sendable {
    let text: String
    let passes: @Sendable (_ app: String, _ event: JSON) -> Bool
  }

  static let cases: [Case] = [
    Case(text: "{}") { _, _ in true },
    Case(text: #"{"types":["announcement"]}"#) { $1["type"] == "announcement" },
    Case(text: #"{"types":["pause","window"]}"#) { ["pause", "window"].contains($1["type"]) },
    Case(text: #"{"types":[]}"#) { _, _ in false },
    Case(text: #"{"apps":["one"]}"#) { app, _ in app == "one" },
    Case(text: #"{"apps":["one","two"]}"#) { app, _ in app == "one" || app == "two" },
    Case(text: #"{"apps":["nobody"]}"#) { _, _ in false },
    Case(text: #"{"apps":[]}"#) { _, _ in false },
    Case(text: #"{"windows":["w1"]}"#) { $1["window"] == "w1" },
    Case(text: #"{"windows":["w1","w2"]}"#) { ["w1", "w2"].contains($1["window"]) },
    Case(text: #"{"windows":[]}"#) { _, _ in false },
    Case(text: #"{"elements":["e1"]}"#) { $1["element"] == "e1" },
    Case(text: #"{"elements":[]}"#) { _, _ in false },
    Case(text: #"{"priorities":["high"]}"#) { $1["priority"] == "high" },
    Case(text: #"{"priorities":["high","low"]}"#) { ["high", "low"].contains($1["priority"]) },
    Case(text: #"{"priorities":[]}"#) { _, _ in false },
    Case(text: #"{"apps":["one"],"types":["announcement"],"windows":["w1"]}"#) { app, event in
      app == "one" && event["type"] == "announcement" && event["window"] == "w1"
    },
    Case(text: #"{"windows":["w1"],"elements":["e2"],"priorities":["low"]}"#) { _, event in
      event["window"] == "w1" && event["element"] == "e2" && event["priority"] == "low"
    },
    Case(text: #"{"apps":["one"],"types":[]}"#) { _, _ in false },
  ]

  @Test func `what passes a filter comes, live and again, and nothing else`() throws {
    // All at once, since each may have to wait a second for the checkpoint that ends it.
    let subscribers = try Self.cases.map { filter in
      let live = try daemon.connect()
      try live.subscribe(#","filter":\#(filter.text)"#)
      #expect(try live.answer()["mark"] == "caught-up")
      return (filter, live)
    }
    let published = try publishAll()
    let last = try daemon.connect().last()

    for (filter, live) in subscribers {
      let replay = try daemon.connect()
      try replay.subscribe(#","from":"start","filter":\#(filter.text)"#)
      let again = try fromApps(replay.entriesUntilCaughtUp())
      let lived = try fromApps(entries(of: live, until: last))

      let wanted = published.filter { filter.passes($0.app, $0.event) }.map(\.seq)
      #expect(again.map(\.seq) == wanted, "\(filter.text)")
      #expect(lived == again, "\(filter.text)")
    }
  }

  @Test(arguments: [
    (#""types":"pause""#, "filter.types"), (#""types":{}"#, "filter.types"),
    (#""types":[1]"#, "filter.types[0]"), (#""apps":7"#, "filter.apps"),
    (#""apps":["one",null]"#, "filter.apps[1]"), (#""windows":true"#, "filter.windows"),
    (#""elements":[["e"]]"#, "filter.elements[0]"), (#""priorities":"high""#, "filter.priorities"),
    (#""priorities":["urgent"]"#, "filter.priorities[0]"),
  ])
  func `a filter that is wrong is refused`(fields: String, field: String) throws {
    let client = try daemon.connect()

    let answer = try client.ask(#"{"id":1,"op":"subscribe","filter":{\#(fields)}}"#)

    #expect(answer["err"]["code"] == "field.invalid", "\(answer)")
    #expect(answer["err"]["field"] == .string(field))
    try client.subscribe()
  }

  @Test(arguments: ["7", "[]", #""all""#])
  func `a filter that is no object is refused`(filter: String) throws {
    let client = try daemon.connect()

    let answer = try client.ask(#"{"id":1,"op":"subscribe","filter":\#(filter)}"#)

    #expect(answer["err"]["code"] == "field.invalid", "\(answer)")
    #expect(answer["err"]["field"] == "filter")
  }

  @Test func `a filter is the same when it is written with escapes`() throws {
    let subscriber = try daemon.connect()
    try subscriber.subscribe(#","filter":{"windows":["\u0077\u0031"]}"#)

    let client = try daemon.connect()
    try client.publishAccepted(#"{"type":"announcement","text":"a","window":"w2"}"#)
    let seq = try client.publishAccepted(#"{"type":"announcement","text":"a","window":"\u00771"}"#)

    #expect(try subscriber.entry().seq == seq)
  }

  private typealias Published = (seq: Int64, app: String, event: JSON)

  /// Events of two apps, in two windows, on two elements, of all priorities, and of other types.
  private func publishAll() throws -> [Published] {
    let clients = try ["one", "two"].map { app in
      let client = try daemon.connect()
      try client.hello(app)
      return (app, client)
    }
    var all: [Published] = []
    func publish(_ event: String) throws {
      for (app, client) in clients {
        all.append((try client.publishAccepted(event), app, try JSON(event)))
      }
    }
    for window in ["w1", "w2"] {
      try publish(#"{"type":"window","window":"\#(window)","state":"opened"}"#)
      for element in ["e1", "e2"] {
        for priority in ["low", "default", "high"] {
          try publish(
            #"{"type":"announcement","text":"a","priority":"\#(priority)","#
              + #""window":"\#(window)","element":"\#(element)"}"#
          )
        }
        try publish(#"{"type":"layout-changed","element":"\#(element)","window":"\#(window)"}"#)
      }
    }
    try publish(#"{"type":"pause"}"#)
    return all
  }

  /// The entries of apps: those that the daemon writes count as their event's, and are left out.
  private func fromApps(_ entries: [Entry]) throws -> [Entry] {
    try entries.filter { try $0.json()["conn"] != 0 }
  }

  /// The entries that a live subscriber gets up to one: a checkpoint tells that it has passed it.
  private func entries(of subscriber: RawClient, until last: Int64) throws -> [Entry] {
    var entries: [Entry] = []
    while (entries.last?.seq ?? 0) < last {
      let line = try subscriber.line()
      if line.hasPrefix(#"{"seq":"#) {
        entries.append(try Entry(line))
      } else {
        let cursor = try #require(JSON(line)["cursor"].string)
        if try #require(Int64(cursor.split(separator: ":")[1])) >= last { break }
      }
    }
    return entries
  }
}
