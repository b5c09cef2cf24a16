// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Everything goes on where it was when the daemon comes back.
@Suite(.timeLimit(.minutes(hangs)))
struct RestartTests {
  let daemon: RunningDaemon

  init() throws { daemon = try RunningDaemon() }

  @Test func `after a stop the numbering goes on, without a gap`() throws {
    let epoch = daemon.ready.epoch
    var texts: [String] = []
    for round in 1...4 {
      let client = try daemon.connect()
      for number in 1...20 {
        texts.append("\(round)/\(number)")
        try client.publishAccepted(#"{"type":"announcement","text":"\#(round)/\#(number)"}"#)
      }
      #expect(try daemon.stop() == .exited(0))
      try daemon.start()
    }

    let entries = try daemon.entries()

    try expectWhole(entries)
    #expect(daemon.ready.epoch == epoch)
    #expect(try entries.compactMap { try $0.event()["text"].string } == texts)
    let types = try entries.map { try $0.event()["type"].string }
    #expect(types.count { $0 == "opened" } == 5)
    #expect(types.count { $0 == "closed" } == 4)
    for (index, type) in types.enumerated() where type == "closed" {
      #expect(types[index + 1] == "opened")
    }
  }

  @Test func `the ready line tells the last seq`() throws {
    let client = try daemon.connect()
    for _ in 1...5 { try client.publishAccepted(#"{"type":"announcement","text":"a"}"#) }
    try daemon.stop()

    try daemon.start()

    let last = try daemon.connect().last()
    #expect(daemon.ready.last == last)
    #expect(daemon.ready.socket == daemon.socket)
    #expect(try daemon.entries().last?.event()["type"] == "rules")
  }

  @Test func `what was acknowledged is there once when the daemon is killed`() throws {
    let epoch = daemon.ready.epoch
    var acknowledged: [Int64: String] = [:]
    for round in 1...6 {
      let process = daemon.process.number
      // At some moment or other, in the middle of work.
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(.random(in: 1...40))) {
        kill(process, SIGKILL)
      }
      for answer in try publishUntilKilled(round: round) {
        let seq = try #require(answer["ok"]["seq"].integer, "\(answer)")
        #expect(answer["ok"]["durability"] == "written")
        acknowledged[seq] = answer["id"].string
      }
      #expect(try daemon.process.end() == .killed(SIGKILL))
      try daemon.start()
      #expect(daemon.ready.epoch == epoch)
    }

    let entries = try daemon.entries()

    try expectWhole(entries)
    let texts = try entries.map { ($0.seq, try $0.event()["text"].string) }
    let found = Dictionary(uniqueKeysWithValues: texts)
    for (seq, text) in acknowledged { #expect(found[seq] == text) }
    let all = texts.compactMap { $0.1 }
    #expect(Set(all).count == all.count)
    #expect(!acknowledged.isEmpty)
  }

  @Test func `a killed daemon's successor tells what it has found`() throws {
    try daemon.connect().publishAccepted(#"{"type":"announcement","text":"a"}"#)
    daemon.kill()
    try daemon.start()

    let types = try daemon.entries().map { try $0.event()["type"].string }

    #expect(types.count { $0 == "opened" } == 2)
    #expect(types.count { $0 == "closed" } == 0)
    #expect(types.suffix(2) == ["opened", "rules"])
  }

  @Test(arguments: [true, false])
  func `a cursor from before a restart goes on exactly behind it`(isClean: Bool) throws {
    let client = try daemon.connect()
    for number in 1...10 {
      try client.publishAccepted(#"{"type":"announcement","text":"\#(number)"}"#)
    }
    let cursor = try daemon.connect().subscribe()
    try client.publishAccepted(#"{"type":"announcement","text":"11"}"#)
    if isClean { try daemon.stop() } else { daemon.kill() }
    try daemon.start()

    let subscriber = try daemon.connect()
    try subscriber.subscribe(#","from":"\#(cursor)""#)
    let entries = try subscriber.entriesUntilCaughtUp()

    let seq = try #require(Int64(cursor.split(separator: ":")[1]))
    #expect(entries.first?.seq == seq + 1)
    #expect(try entries.first?.event()["text"] == "11")
    #expect(entries.last?.seq == daemon.ready.last)
  }

  /// As people do it: a copy of the directory, put back into its place or over its files.
  @Test(arguments: [true, false])
  func `a log that was put back from a copy gives no number twice`(inPlace: Bool) throws {
    let client = try daemon.connect()
    let kept = try client.publishAccepted(#"{"type":"announcement","text":"kept"}"#)
    let epoch = daemon.ready.epoch
    let (state, copy) = (daemon.directory("state"), daemon.directory("copy"))
    try FileManager.default.copyItem(atPath: state, toPath: copy)
    let lost = try client.publishAccepted(#"{"type":"announcement","text":"lost"}"#)
    daemon.kill()
    for name in try FileManager.default.contentsOfDirectory(atPath: copy) {
      let content = try Data(contentsOf: URL(filePath: copy + "/" + name))
      // A file that was half written may have its name by now.
      if !inPlace { try? FileManager.default.removeItem(atPath: state + "/" + name) }
      try content.write(to: URL(filePath: state + "/" + name))
    }

    try daemon.start()

    #expect(daemon.ready.epoch != epoch)
    let entries = try daemon.entries()
    #expect(entries.map(\.seq) == Array(1...entries[entries.count - 1].seq))
    #expect(try entries.compactMap { try $0.event()["text"].string } == ["kept"])
    let answer = try daemon.connect().ask(#"{"op":"subscribe","from":"\#(epoch):\#(lost)"}"#)
    #expect(answer["err"]["code"] == "cursor.future")
    #expect(answer["err"]["last"].integer == kept)
    try daemon.connect().subscribe(#","from":"\#(epoch):\#(kept)""#)
    // From here on it is a log like any other.
    let next = daemon.ready.epoch
    daemon.kill()
    try daemon.start()
    #expect(daemon.ready.epoch == next)
  }

  @Test func `what retention had taken is a gap after a restart too`() throws {
    let config = "[log]\nsegment_bytes = \"64 KiB\"\nretain_bytes = \"256 KiB\"\n"
    let daemon = try RunningDaemon(config: config)
    let line = #"{"op":"publish","event":{"type":"announcement","text":"a"}}"# + "\n"
    let client = try daemon.connect()
    try client.send(bytes: Array(String(repeating: line, count: 10_000).utf8))
    let last = try client.last()
    daemon.kill()
    try daemon.start()

    let first = try #require(daemon.connect().hello("looker")["first"].integer)
    let subscriber = try daemon.connect()
    try subscriber.subscribe(#","from":"\#(daemon.ready.epoch):0""#)

    #expect(first > 1)
    // Retention goes on as soon as the medium has the new segment's state, so that there may be
    // more than one gap. Entries and gaps follow each other all the same.
    var next: Int64 = 1
    var heard = try subscriber.line()
    while heard != #"{"mark":"caught-up"}"#, !heard.hasPrefix(#"{"mark":"caught-up","#) {
      if heard.hasPrefix(#"{"seq":"#) {
        let seq = try Entry(heard).seq
        try #require(seq == next && seq >= first)
        next += 1
      } else {
        let to = try #require(JSON(heard)["to"].integer)
        let gap: JSON = [
          "mark": "gap", "from": .integer(next), "to": .integer(to), "reason": "retention",
        ]
        try #require(try JSON(heard) == gap)
        next = to + 1
      }
      heard = try subscriber.line()
    }
    #expect(next - 1 > last)
  }

  /// Publishes as fast as is answered, and returns the answers that came before the end.
  private func publishUntilKilled(round: Int) throws -> [JSON] {
    let client = try daemon.connect()
    var answers: [JSON] = []
    var portion = 0
    while true {
      portion += 1
      let lines = (1...40).map { number in
        let text = "\"\(round)/\(portion)/\(number)\""
        let event = #"{"type":"announcement","text":\#(text)}"#
        return #"{"id":\#(text),"op":"publish","event":\#(event)}"# + "\n"
      }
      // Where it is dead already, what it has answered is still to be read.
      try? client.send(bytes: Array(lines.joined().utf8))
      for _ in lines {
        guard let line = try client.lineOrEnd() else { return answers }
        answers.append(try JSON(line))
      }
    }
  }

  /// Every seq is there once, every checksum is right, and mono never goes back.
  private func expectWhole(
    _ entries: [Entry],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let seqs = entries.map(\.seq)
    #expect(seqs == Array(1...Int64(max(1, seqs.count))), sourceLocation: sourceLocation)
    let monos = try entries.compactMap { try $0.json()["mono"].integer }
    #expect(monos == monos.sorted(), sourceLocation: sourceLocation)
    for entry in entries {
      let (covered, written) = try entry.checksum()
      #expect(Checksum.text(of: covered) == written, sourceLocation: sourceLocation)
    }
  }
}
