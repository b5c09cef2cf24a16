// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Taking over another configuration while clients are there.
@Suite(.timeLimit(.minutes(hangs)))
struct ReloadTests {
  let daemon: RunningDaemon
  let client: RawClient

  init() throws {
    daemon = try RunningDaemon(config: "[limits]\nconnections_per_uid = 2\n")
    client = try daemon.connect()
    try client.subscribe()
    #expect(try client.answer()["mark"] == "caught-up")
  }

  @Test func `a new limit holds and nobody is disconnected`() throws {
    let second = try daemon.connect()
    _ = try second.last()
    #expect(try !isServed())

    try reload("[limits]\nconnections_per_uid = 10\n")

    let deadline = Deadline.usual
    while try !isServed() {
      if deadline.isOver { throw Missing("the new limit; it said: \(daemon.process.said)") }
    }
    let seq = try second.publishAccepted(#"{"type":"announcement","text":"a"}"#)
    var entry = try client.entry()
    while entry.seq < seq { entry = try client.entry() }
    #expect(entry.seq == seq)
  }

  @Test func `a configuration that is wrong changes nothing`() throws {
    try reload("[limits]\nconnections_per_uid = \"many\"\n")

    _ = try daemon.process.line(containing: daemon.directory("a11yd.toml"))
    let second = try daemon.connect()
    let seq = try second.publishAccepted(#"{"type":"announcement","text":"a"}"#)
    var entry = try client.entry()
    while entry.seq < seq { entry = try client.entry() }
    #expect(try !isServed())
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a request to reload does what the signal does, and is answered when it is done`()
    throws
  {
    try write("[limits]\nconnections_per_uid = 10\n[reader]\nms_per_char = 70\n")

    let other = try daemon.connect()

    let answer = try other.ask(#"{"id":7,"op":"reload"}"#)

    var rules = try client.entry()
    while try rules.json()["event"]["type"] != "rules" { rules = try client.entry() }
    #expect(answer["ok"] == ["rules": .integer(rules.seq), "problems": []])
    #expect(try rules.json()["event"]["reader"]["ms_per_char"] == 70)
    #expect(daemon.process.said.contains("The configuration was read again: "))
    #expect(try isServed())
    let again = try other.ask(#"{"id":8,"op":"reload"}"#)
    #expect(again["ok"] == answer["ok"])
  }

  @Test func `a request to reload is told what is wrong, and nothing changes`() throws {
    let file = daemon.directory("a11yd.toml")
    try write("[limits]\nconnections_per_uid = \"many\"\n[reader\n")

    let answer = try client.ask(#"{"id":7,"op":"reload"}"#)["ok"]

    let problems = try #require(answer["problems"].list)
    #expect(problems.map(\.["file"].string) == [file, file])
    #expect(problems.map(\.["line"].integer).sorted { $0 ?? 0 < $1 ?? 0 } == [2, 3])
    #expect(problems.contains { $0["msg"].string?.contains("connections_per_uid") == true })
    #expect(answer["rules"] == 2)
    #expect(daemon.process.said.contains("Configuration and rules are kept as they were: "))
    let stats = try client.ask(#"{"id":8,"op":"stats"}"#)["ok"]["reloads"]
    #expect(stats["count"] == 1)
    #expect(stats["refused"].string?.contains("\(file):2:1: ") == true, "\(stats)")
  }

  @Test func `whoever asks is answered, with many at once, signals between, and some that leave`()
    throws
  {
    try write("[limits]\nconnections_per_uid = 100\n")
    #expect(try client.ask(#"{"id":0,"op":"reload"}"#)["ok"].isThere)
    let clients = try (0..<24).map { _ in try daemon.connect() }

    for (number, client) in clients.enumerated() {
      for id in 1...5 { try client.send(#"{"id":\#(id),"op":"reload"}"#) }
      if number.isMultiple(of: 4) { daemon.process.send(SIGHUP) }
      if number.isMultiple(of: 5) { client.close() }
    }

    for (number, client) in clients.enumerated() where !number.isMultiple(of: 5) {
      for id in 1...5 {
        let answer = try client.answer()
        #expect(answer["id"].integer == Int64(id))
        #expect(answer["ok"] == ["rules": 2, "problems": []])
      }
    }
    #expect(try daemon.stop() == .exited(0))
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: daemon.directory("a11yd.toml")))
  }

  private func reload(_ text: String) throws {
    try write(text)
    daemon.process.send(SIGHUP)
  }

  private func isServed() throws -> Bool {
    let client = try daemon.connect()
    try? client.send(#"{"id":1,"op":"ping"}"#)
    return try client.answer()["ok"].isThere
  }
}
