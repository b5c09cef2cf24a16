// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Clients that do not read, and that nobody else notices them.
@Suite(.timeLimit(.minutes(hangs)))
struct FlowTests {
  private let event = #"{"type":"announcement","text":"a"}"#

  @Test func `a subscriber that does not read loses nothing and holds nobody up`() throws {
    let daemon = try RunningDaemon()
    let (slow, fast) = (try daemon.connect(), try daemon.connect())
    try slow.subscribe()
    try fast.subscribe()
    let publisher = try daemon.connect()
    let first = try publisher.publishAccepted(event)
    let before = try daemon.memory()

    let line = #"{"op":"publish","event":\#(event)}"# + "\n"
    let portion = Array(String(repeating: line, count: 2000).utf8)
    var seen = try seqs(of: fast, until: first)
    for _ in 1...40 {
      try publisher.send(bytes: portion)
      // The fast one is level with the publisher while the slow one has read nothing.
      seen += try seqs(of: fast, until: publisher.last())
    }
    let last = try #require(seen.last)

    // Their ends are on record, too.
    #expect(last >= first + 80_000)
    #expect(seen == Array(seen[0]...last))
    #expect(try daemon.memory() - before < 16_000_000)
    let slowly = try seqs(of: slow, until: last)
    #expect(slowly == seen)
    try slow.send(#"{"id":"alive","op":"unsubscribe"}"#)
    var answer = try slow.line()
    while answer.hasPrefix("{\"seq\":") { answer = try slow.line() }
    #expect(try JSON(answer)["id"] == "alive")
  }

  @Test func `a subscriber that wants the latest is spared what newer entries stand for`() throws {
    let daemon = try RunningDaemon()
    let (lazy, publisher) = (try daemon.connect(), try daemon.connect())
    try lazy.subscribe(#","mode":"latest""#)
    for key in ["a", "b"] {
      let event = #"{"type":"announcement","text":"\#(key)","key":"\#(key)"}"#
      let line = #"{"op":"publish","event":\#(event)}"# + "\n"
      try publisher.send(bytes: Array(String(repeating: line, count: 10_000).utf8))
    }
    let last = try publisher.last()

    var (seqs, skipped) = ([Int64](), Int64(0))
    while (seqs.last ?? 0) < last {
      let line = try lazy.line()
      if line.hasPrefix(#"{"seq":"#) { seqs.append(try Entry(line).seq) }
      let mark = try JSON(line)
      if mark["mark"] == "skipped", case .integer(let count) = mark["count"] { skipped += count }
    }

    #expect(skipped > 10_000)
    // Nothing is lost without being counted, and nothing comes out of order.
    #expect(seqs == seqs.sorted())
    #expect(last - seqs[0] + 1 == Int64(seqs.count) + skipped)
  }

  @Test func `a subscriber that leaves entries unread still has its requests executed`() throws {
    let daemon = try RunningDaemon()
    let (lazy, publisher) = (try daemon.connect(), try daemon.connect())
    try lazy.subscribe()
    let text = String(repeating: "x", count: 30_000)
    let long = #"{"op":"publish","event":{"type":"announcement","text":"\#(text)"}}"# + "\n"
    for _ in 1...100 { try publisher.send(bytes: Array(long.utf8)) }
    let last = try publisher.last()

    try lazy.send(#"{"id":"lazy","op":"publish","event":{"type":"pause","window":"lazy"}}"#)

    let watcher = try daemon.connect()
    try watcher.subscribe(#","from":"start","filter":{"types":["pause"]}"#)
    let found = try watcher.entry()
    #expect(found.seq > last)
    // And it finds everything in the end: the reply and each entry once.
    var (seqs, reply) = ([Int64](), JSON.absent)
    while !reply.isThere || (seqs.last ?? 0) < found.seq {
      let line = try lazy.line()
      if line.hasPrefix(#"{"seq":"#) {
        seqs.append(try Entry(line).seq)
      } else if line.hasPrefix(#"{"id":"#) {
        reply = try JSON(line)
      }
    }
    #expect(seqs == Array(seqs[0]...found.seq))
    #expect(reply["ok"]["seq"] == .integer(found.seq))
  }

  @Test func `no reply ever stands in the middle of an entry`() throws {
    let daemon = try RunningDaemon()
    let (lazy, publisher) = (try daemon.connect(), try daemon.connect())
    try lazy.subscribe()
    let text = String(repeating: "x", count: 3000)
    let line = #"{"op":"publish","event":{"type":"announcement","text":"\#(text)"}}"# + "\n"

    var (entries, replies) = ([Entry](), 0)
    func take() throws {
      let line = try lazy.line()
      if line.hasPrefix(#"{"seq":"#) {
        entries.append(try Entry(line))
      } else if try JSON(line)["id"] == .integer(Int64(replies + 1)) {
        replies += 1
      } else {
        try #require(line.contains("caught-up"), "\(line.prefix(300))")
      }
    }
    // It reads a line for every three that there are, and asks all the time.
    for number in 1...400 {
      try publisher.send(bytes: Array(String(repeating: line, count: 3).utf8))
      try lazy.send(#"{"id":\#(number),"op":"ping"}"#)
      try take()
    }
    let last = try publisher.last()
    while replies < 400 || (entries.last?.seq ?? 0) < last { try take() }

    #expect(entries.map(\.seq) == Array(entries[0].seq...last))
    for entry in entries.indices.filter({ $0 % 10 == 0 }).map({ entries[$0] }) {
      let (covered, written) = try entry.checksum()
      #expect(Checksum.text(of: covered) == written)
    }
  }

  @Test func `who leaves replies unread is no longer read, and nobody else`() throws {
    let daemon = try RunningDaemon()
    let (deaf, other) = (try daemon.connect(), try daemon.connect())
    #expect(try other.ask(#"{"id":1,"op":"ping"}"#)["ok"].isThere)
    let before = try daemon.memory()

    // Sends until the daemon takes no more, which must be long before the end.
    let lines = (1...400_000).map { #"{"id":\#($0),"op":"ping"}"# }
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    let sent = try deaf.offer(bytes, patience: .milliseconds(700))

    #expect(sent < bytes.count)
    #expect(try daemon.memory() - before < 8_000_000)
    for number in 1...20 {
      #expect(try other.ask(#"{"id":\#(number),"op":"publish","event":\#(event)}"#)["ok"].isThere)
    }
    // It goes on in order when the replies are read.
    let rest = Array(bytes[sent...])
    let answers = try deaf.converse(rest, lines: lines.count)
    for (number, answer) in zip(1..., answers) {
      let start = #"{"id":\#(number),"ok":{"last":"#
      try #require(answer.hasPrefix(start), "\(answer) instead of \(start)…")
    }
    #expect(answers.count == lines.count)
  }

  @Test func `one who sends half a line holds nobody up`() throws {
    let daemon = try RunningDaemon()
    let (half, other) = (try daemon.connect(), try daemon.connect())
    let line = #"{"id":"half","op":"ping"}"#

    try half.send(bytes: Array(line.utf8.prefix(10)))
    for number in 1...100 {
      #expect(try other.ask(#"{"id":\#(number),"op":"ping"}"#)["ok"].isThere)
    }
    #expect(try !half.hasUnread())

    try half.send(bytes: Array(line.utf8.dropFirst(10)) + [10])
    #expect(try half.answer()["id"] == "half")
  }

  @Test func `when the daemon stops, everybody is told why`() throws {
    let daemon = try RunningDaemon()
    let clients = try (1...5).map { _ in try daemon.connect() }
    try clients[4].hello("reader", role: "reader")
    for client in clients { _ = try client.last() }
    try clients[1].publishAccepted(event)
    try clients[2].subscribe()
    try clients[3].subscribe(#","from":"start","filter":{"types":[]}"#)
    try clients[3].endSending()

    #expect(try daemon.stop() == .exited(0))

    for (number, client) in clients.enumerated() {
      let last = try #require(try client.linesUntilEnd().last, "client \(number)")
      let bye = try JSON(last)["bye"]
      #expect(bye["code"] == "shutting-down", "client \(number): \(last)")
      #expect(bye["msg"].string?.isEmpty == false)
    }
  }

  @Test func `what was sent before the daemon stops is answered or not on the log`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    _ = try client.last()
    let lines = (1...500).map { #"{"id":\#($0),"op":"publish","event":\#(event)}"# + "\n" }

    try client.send(bytes: Array(lines.joined().utf8))
    try daemon.stop()

    let answers = try client.linesUntilEnd().map { try JSON($0) }
    let seqs = answers.compactMap { $0["ok"]["seq"].integer }
    try daemon.start()
    let stored = try daemon.entries().filter { try $0.event()["type"] == "announcement" }
    #expect(stored.map(\.seq) == seqs)
    #expect(answers.last?["bye"]["code"] == "shutting-down")
  }

  @Test(arguments: ["connections_per_uid", "connections"])
  func `connections are counted, and one too many is told so`(limit: String) throws {
    let daemon = try RunningDaemon(config: "[limits]\n\(limit) = 3\n")
    let clients = try (1...3).map { _ in try daemon.connect() }
    for client in clients { _ = try client.last() }

    let bye = try #require(try refusal(by: daemon))
    #expect(bye["code"] == "quota.exceeded")
    #expect(bye["msg"].string?.isEmpty == false)
    for client in clients { #expect(try client.ask(#"{"id":1,"op":"ping"}"#)["ok"].isThere) }

    // There is room again as soon as one has gone.
    clients[0].close()
    let deadline = Deadline.usual
    while try refusal(by: daemon) != nil {
      if deadline.isOver { throw Missing("room for another connection") }
    }
  }

  @Test func `a connection that is closed leaves nothing behind`() throws {
    let daemon = try RunningDaemon()
    let other = try daemon.connect()
    _ = try other.last()
    let before = try daemon.descriptors()

    for round in 1...300 {
      let client = try daemon.connect()
      switch round % 4 {
      case 0: try client.subscribe()
      case 1: try client.send(bytes: Array(#"{"id":1,"op":"pi"#.utf8))
      case 2: try client.hello("app")
      default: break
      }
    }

    let deadline = Deadline.usual
    while try daemon.descriptors() > before {
      _ = try other.last()
      if deadline.isOver { throw Missing("the end of \(try daemon.descriptors() - before) files") }
    }
  }

  /// The refusal that a new client gets before it is closed; nil where it is served.
  private func refusal(by daemon: RunningDaemon) throws -> JSON? {
    let client = try daemon.connect()
    // It may be closed already, which is as good as being closed afterwards.
    try? client.send(#"{"id":1,"op":"ping"}"#)
    let answer = try client.answer()
    if answer["ok"].isThere { return nil }
    #expect(try client.lineOrEnd() == nil)
    return answer["bye"]
  }

  private func seqs(of subscriber: RawClient, until last: Int64) throws -> [Int64] {
    var seqs: [Int64] = []
    while (seqs.last ?? 0) < last { seqs.append(try subscriber.entry().seq) }
    return seqs
  }
}
