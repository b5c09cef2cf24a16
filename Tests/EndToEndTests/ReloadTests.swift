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

  private func reload(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: daemon.directory("a11yd.toml")))
    daemon.process.send(SIGHUP)
  }

  private func isServed() throws -> Bool {
    let client = try daemon.connect()
    try? client.send(#"{"id":1,"op":"ping"}"#)
    return try client.answer()["ok"].isThere
  }
}
