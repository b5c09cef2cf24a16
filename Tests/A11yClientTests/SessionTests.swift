// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yClient

/// The client's side of the protocol, without a bus: lines are said to it by hand.
@Suite struct SessionTests {
  private let shutDown = #"{"bye":{"code":"shutting-down","msg":"until later"}}"#

  private func follower(from place: StartingPoint = .start) -> Session {
    Session(Introduction(app: "org.test"), SubscriptionRequest(from: place), keepsPlace: true)
  }

  @Test func `it speaks first, and once on each connection`() throws {
    var session = follower()
    try session.begin()
    #expect(session.said() == ["hello", "subscribe"])

    try session.begin()
    #expect(session.said() == ["hello", "subscribe"])
  }

  @Test func `a line is told however it is cut`() throws {
    var session = Session()
    for byte in Array(Says.entry(1).utf8) {
      session.hear(bytes: [byte])
      #expect(try session.next() == nil)
    }
    session.hear("")
    guard case .item(.entry(let entry))? = try session.next() else {
      throw Missing("the entry")
    }
    #expect(entry.seq == 1)
  }

  @Test func `a new connection goes on behind the last line`() throws {
    var session = follower()
    try session.begin()
    session.hear(Says.subscribed(after: 4), Says.entry(5))
    #expect(try session.next() == .subscribed)
    #expect(try session.next() != nil)

    #expect(session.lose(.disconnected(reason: "it was closed"), at: 7) == "it was closed")
    #expect(session.lose(.disconnected(reason: "it was closed"), at: 7) == nil)
    #expect(session.nextAttempt > 7)
    _ = session.said()
    try session.begin()
    #expect(session.unsent.string.contains("\(Says.epoch):5"))
  }

  @Test func `what comes before a farewell is told, and nothing behind it`() throws {
    var session = Session()
    session.hear(Says.mark("caught-up", 1), shutDown, Says.entry(2))
    #expect(try session.next() != nil)
    for _ in 1...2 {
      #expect(throws: ClientError.dismissed(code: "shutting-down", message: "until later")) {
        try session.next()
      }
    }
  }

  @Test func `entries that the bus has lost are told, and asked for again`() throws {
    var session = follower()
    try session.begin()
    session.hear(Says.subscribed(after: 8))
    #expect(try session.next() == .subscribed)
    try session.begin()
    _ = session.said()
    session.hear(Says.refused(-1, #"{"code":"cursor.future","msg":"too far","last":6}"#))
    #expect(try session.next() == .withdrawn(from: 7, to: 8))
    #expect(session.said() == ["subscribe"])
  }

  @Test func `answers come with the ids of their requests`() throws {
    var session = Session()
    let id = try session.request("ping")
    session.hear(Says.accepted(Int(id), seq: 3), Says.refused(nil, #"{"code":"internal"}"#))
    guard case .answer(id, .success)? = try session.next() else { throw Missing("an answer") }
    guard case .answer(nil, .failure)? = try session.next() else { throw Missing("a refusal") }
  }
}

extension Session {
  /// The bus says lines.
  mutating func hear(_ lines: String...) {
    for line in lines { hear(bytes: Array(line.utf8) + [10]) }
  }

  fileprivate mutating func hear(bytes: [UInt8]) {
    receive { room in
      room.copyBytes(from: bytes)
      return bytes.count
    }
  }

  /// The operations of the requests to be sent, which are sent.
  fileprivate mutating func said() -> [String] {
    let text = unsent.string
    sent(text.utf8.count)
    let lines = text.split(separator: "\n")
    return lines.compactMap { line in JSONValue(json: String(line))?["op"]?.string }
  }
}
