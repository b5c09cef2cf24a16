// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A subscriber that wants no entry before the medium has it.
@Suite(.timeLimit(.minutes(hangs)))
struct DurableTests {
  private func publish(_ count: Int, _ client: RawClient, ack: String) throws {
    for number in 0..<count {
      let event = #"{"type":"announcement","text":"\#(number)"}"#
      let answer = try client.ask(#"{"id":1,"op":"publish","ack":"\#(ack)","event":\#(event)}"#)
      #expect(answer["ok"]["seq"].integer != nil)
    }
  }

  @Test(arguments: ["now", "start"])
  func `each entry comes once, in order, when it is safe`(from: String) throws {
    let daemon = try RunningDaemon()
    let app = try daemon.connect()
    try app.hello("org.x")
    let follower = try daemon.connect()
    let ok = try follower.ask(#"{"id":1,"op":"subscribe","from":"\#(from)","durable":true}"#)["ok"]
    let cursor = try #require(ok["cursor"].string)
    let after = try #require(Int64(cursor.split(separator: ":")[1]))

    try publish(20, app, ack: "written")
    try publish(1, app, ack: "synced")
    let last = try #require(app.ask(#"{"id":2,"op":"ping"}"#)["ok"]["last"].integer)

    var seqs: [Int64] = []
    while (seqs.last ?? 0) < last {
      let line = try JSON(follower.line())
      if let seq = line["seq"].integer {
        seqs.append(seq)
        let stats = try app.ask(#"{"id":3,"op":"stats"}"#)["ok"]["log"]["synced"].integer
        #expect(try #require(stats) >= seq, "\(seq) came before it was safe")
      }
    }
    #expect(seqs == Array((after + 1)...last))
  }

  @Test func `a subscription keeps its cursor when others follow in the same breath`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    try client.send(
      bytes: Array(
        """
        {"id":1,"op":"subscribe"}
        {"id":2,"op":"unsubscribe"}
        {"id":3,"op":"subscribe","from":"start"}

        """.utf8
      )
    )
    var cursors: [Int64: String] = [:]
    while cursors.count < 2 {
      let line = try JSON(client.line())
      if let id = line["id"].integer, let cursor = line["ok"]["cursor"].string {
        cursors[id] = cursor
      }
    }
    #expect(cursors[1]?.hasSuffix(":0") == false)
    #expect(cursors[3]?.hasSuffix(":0") == true)
  }
}
