// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yTestKit
import Foundation
import Testing

/// The daemon's own answers about the focus, over its socket; a bus that a test plays could say
/// anything.
@Suite(.timeLimit(.minutes(hangs)))
struct FocusReplyTests {
  let daemon: RunningDaemon
  let client: RawClient

  init() throws {
    daemon = try RunningDaemon()
    client = try daemon.connect()
    try client.hello("app")
    for event in [
      #"{"type":"window","window":"w","state":"active"}"#,
      #"{"type":"elements","window":"w","replace":[{"id":"a","label":"A"},"#
        + #"{"id":"b","label":"B"}]}"#,
    ] {
      try client.publishAccepted(event)
    }
  }

  private func focus(_ event: String) throws -> (seq: Int64, focus: JSON) {
    let ok = try client.publish(event)["ok"]
    return (try #require(ok["seq"].integer), ok["focus"])
  }

  @Test(arguments: ["layout-changed", "screen-changed", "focus-changed"])
  func `a publisher is told what became of the focus`(type: String) throws {
    let moved = try focus(#"{"type":"\#(type)","window":"w","element":"b"}"#)

    #expect(moved.focus["result"] == "moved")
    let entry = try daemon.entries().first { $0.seq == moved.focus["seq"].integer }
    let event = try #require(entry).event()
    #expect(event["type"] == "focus")
    #expect(event["element"] == "b")

    let denied = try focus(#"{"type":"\#(type)","window":"w","element":"nobody"}"#)

    #expect(denied.focus["result"] == "denied")
    #expect(denied.focus["reason"] == "missing")
    // A screen waits for a reader first.
    guard type != "screen-changed" else { return }
    let outcome = try daemon.entries().map { try $0.event() }.first {
      $0["type"] == "outcome" && $0["of"] == .integer(denied.seq)
    }
    #expect(outcome?["why"]["focus"] == denied.focus)
  }

  @Test(arguments: [#"{"type":"layout-changed","window":"w"}"#, #"{"type":"screen-changed"}"#])
  func `nothing asked for is kept, and other types say nothing of it`(event: String) throws {
    let own = try client.publish(#"{"type":"announcement","text":"Hi"}"#)["ok"]

    #expect(own["focus"] == .absent)
    #expect(["kept", "moved"].contains(try focus(event).focus["result"].string))
  }

  @Test func `the library finds it in its receipt`() throws {
    let connection = try BusConnection(path: daemon.socket)

    let receipt = try connection.publish(.layoutChanged(focusOn: "nobody"))

    #expect(receipt.focus?.result == "denied")
    #expect(receipt.warnings.map(\.code) == ["focus.missing"])
  }
}
