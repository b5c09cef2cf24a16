// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The state, asked of the daemon over its socket.
@Suite(.timeLimit(.minutes(hangs)))
struct StateTests {
  let daemon: RunningDaemon
  let client: RawClient

  init() throws {
    daemon = try RunningDaemon()
    client = try daemon.connect()
  }

  private func window(_ id: String, _ state: String) throws -> Int64 {
    try client.publishAccepted(#"{"type":"window","window":"\#(id)","state":"\#(state)"}"#)
  }

  private func windows(_ state: JSON) -> [JSON] {
    (state["windows"].list ?? []).map { $0["window"] }
  }

  @Test func `the state is told with its cursor`() throws {
    let seq = try window("w", "active")

    let answer = try client.ask(#"{"id":1,"op":"state"}"#)

    #expect(answer["ok"]["cursor"].string == "\(daemon.ready.epoch):\(seq)")
    #expect(windows(answer["ok"]) == ["w"])
    #expect(try client.ask(#"{"id":1,"op":"state","at":\#(seq)}"#)["ok"] == answer["ok"])
  }

  @Test func `what was sent behind a question is worked on behind its answer`() throws {
    try client.send(
      (0..<5).map { #"{"id":\#($0),"op":"\#($0 % 2 == 0 ? "state" : "ping")"}"# }.joined(
        separator: "\n"
      )
    )

    #expect(try (0..<5).map { _ in try client.answer()["id"].integer } == [0, 1, 2, 3, 4])
  }

  @Test func `a subscription begins with the state, and goes on from there`() throws {
    let before = try window("v", "opened")
    let subscriber = try daemon.connect()

    let cursor = try subscriber.subscribe(#","state":true,"filter":{"types":["window"]}"#)
    let state = try subscriber.answer()
    let caughtUp = try subscriber.answer()
    let after = try window("w", "opened")

    #expect(cursor == "\(daemon.ready.epoch):\(before)")
    #expect(state["mark"] == "state")
    #expect(state["cursor"].string == cursor)
    #expect(windows(state["state"]) == ["v"])
    #expect(caughtUp["mark"] == "caught-up")
    #expect(try subscriber.entry().seq == after)
  }
}
