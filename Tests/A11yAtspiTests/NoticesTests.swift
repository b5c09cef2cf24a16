// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yTestKit
import DBus
import Testing

@Suite(.timeLimit(.minutes(hangs))) struct NoticesTests {
  private var notices = Notices()

  private static func call(
    _ serial: UInt64,
    app: String = "Mail",
    replaces: UInt32 = 0,
    summary: String = "New mail",
    body: String = "",
    _ hints: [String: DBusValue] = [:]
  ) throws -> NoticeCall {
    let hints = hints.map { DBusValue.Entry($0.key, .variant($0.value)) }
    return try #require(
      NoticeCall(
        sender: ":1.5",
        serial: serial,
        [
          .string(app), .uint32(replaces), .string(""), .string(summary), .string(body),
          .list("s", []), .dictionary(hints), .int32(-1),
        ]
      )
    )
  }

  /// The event, app and ticket of the only act.
  private func posted(_ acts: [Notices.Act]) throws -> (JSONValue, app: String, ticket: Int64) {
    try #require(acts.count == 1)
    guard case .post(let event, let app, let ticket) = acts[0] else {
      throw Unexpected(words: "\(acts)")
    }
    return (try #require(JSONValue(json: event.json)), app, ticket)
  }

  private struct Unexpected: Error { let words: String }

  @Test mutating func `a notification is announced with summary and body`() throws {
    let (event, app, _) = try posted(
      notices.announce(Self.call(1, summary: "New mail", body: "From <b>Ada</b> &amp; Bob"))
    )

    #expect(app == "Mail")
    #expect(event["type"]?.string == "announcement")
    #expect(event["text"]?.string == "New mail. From Ada & Bob")
    #expect(event["origin"]?.string == "notification")
    #expect(event["priority"]?.string == "default")
    #expect(event["queue"]?.flag == true)
  }

  @Test(arguments: [(0, "low"), (1, "default"), (2, "high"), (9, "default")])
  mutating func `urgency is priority`(urgency: UInt8, priority: String) throws {
    let call = try Self.call(1, ["urgency": .byte(urgency)])
    #expect(try posted(notices.announce(call)).0["priority"]?.string == priority)
  }

  @Test mutating func `a replacement has the key of the first, by the id of the answer`() throws {
    let first = try posted(notices.announce(Self.call(1))).0["key"]?.string
    notices.answered(sender: ":1.5", serial: 1, by: ":1.9", id: 42)
    let other = try posted(notices.announce(Self.call(2))).0["key"]?.string
    notices.answered(sender: ":1.5", serial: 2, by: ":1.9", id: 43)
    let replaced = try posted(notices.announce(Self.call(3, replaces: 42))).0["key"]?.string
    let again = try posted(notices.announce(Self.call(4, replaces: 42))).0["key"]?.string

    #expect(first != nil)
    #expect(other != first)
    #expect(replaced == first)
    #expect(again == first)
  }

  @Test mutating func `without a server an id of the program's choice makes the key`() throws {
    let first = try posted(notices.announce(Self.call(1, replaces: 7))).0["key"]?.string
    let second = try posted(notices.announce(Self.call(2, replaces: 7))).0["key"]?.string
    let other = try posted(notices.announce(Self.call(3, replaces: 8))).0["key"]?.string

    #expect(first == second)
    #expect(other != first)
  }

  @Test mutating func `a tag makes the key within its app`() throws {
    let tag: [String: DBusValue] = ["x-canonical-private-synchronous": .string("volume")]
    let first = try posted(notices.announce(Self.call(1, tag))).0["key"]?.string
    let second = try posted(notices.announce(Self.call(2, tag))).0["key"]?.string
    let foreign = try posted(notices.announce(Self.call(3, app: "Other", tag))).0["key"]?.string

    #expect(first == second)
    #expect(foreign != first)
  }

  @Test mutating func `a closed notification is withdrawn, once`() throws {
    let (_, app, ticket) = try posted(notices.announce(Self.call(1)))
    notices.answered(sender: ":1.5", serial: 1, by: ":1.9", id: 42)

    #expect(notices.recorded(ticket: ticket, seq: 1_001) == [])
    #expect(notices.closed(id: 42, reason: 2, by: ":1.66") == [])
    #expect(notices.closed(id: 42, reason: 2, by: ":1.9") == [.cancel(1_001, app: app)])
    #expect(notices.closed(id: 42, reason: 2, by: ":1.9") == [])
  }

  @Test(arguments: [true, false])
  mutating func `the words stay of one that has been on the screen for its time`(
    isRecorded: Bool
  ) throws {
    let (_, _, ticket) = try posted(notices.announce(Self.call(1)))
    notices.answered(sender: ":1.5", serial: 1, by: ":1.9", id: 42)
    if isRecorded { #expect(notices.recorded(ticket: ticket, seq: 9) == []) }

    #expect(notices.closed(id: 42, reason: 1, by: ":1.9") == [])
    #expect(notices.recorded(ticket: ticket, seq: 9) == [])
    // The server gives its ids anew, and that of another is no word about this one.
    #expect(notices.closed(id: 42, reason: 3, by: ":1.9") == [])
    #expect(notices.withdrawn(id: 42).count == 1)
  }

  @Test mutating func `one that is closed before it is on record is withdrawn then`() throws {
    let (_, app, ticket) = try posted(notices.announce(Self.call(1)))
    notices.answered(sender: ":1.5", serial: 1, by: ":1.9", id: 42)

    #expect(notices.closed(id: 42, reason: 2, by: ":1.9") == [])
    #expect(notices.recorded(ticket: ticket, seq: 9) == [.cancel(9, app: app)])
  }

  @Test mutating func `a program may withdraw its notification itself`() throws {
    let (_, app, ticket) = try posted(notices.announce(Self.call(1, replaces: 3)))
    _ = notices.recorded(ticket: ticket, seq: 5)

    #expect(notices.withdrawn(id: 3) == [.cancel(5, app: app)])
  }

  @Test mutating func `while the session is locked notifications wait, the newest of a key`() throws
  {
    #expect(notices.setLocked(true) == [])
    #expect(notices.announce(try Self.call(1, summary: "First")) == [])
    #expect(notices.announce(try Self.call(2, replaces: 7, summary: "Half")) == [])
    #expect(notices.announce(try Self.call(3, replaces: 7, summary: "Whole")) == [])
    #expect(notices.announce(try Self.call(4, replaces: 8, summary: "Closed")) == [])
    #expect(notices.closed(id: 8, reason: 2, by: ":1.9") == [])
    let acts = notices.setLocked(false)

    #expect(try acts.map { try posted([$0]).0["text"]?.string } == ["First", "Whole"])
    #expect(notices.setLocked(false) == [])
  }

  @Test mutating func `a critical notification does not wait for the session's user`() throws {
    _ = notices.setLocked(true)
    let acts = notices.announce(try Self.call(1, summary: "Fire", ["urgency": .byte(2)]))

    #expect(try posted(acts).0["text"]?.string == "Fire")
    #expect(notices.setLocked(false) == [])
  }

  @Test mutating func `of many that wait the newest stay, and the rest is counted`() throws {
    _ = notices.setLocked(true)
    for serial in 1...70 { _ = notices.announce(try Self.call(UInt64(serial))) }

    #expect(notices.setLocked(false).count == 64)
    #expect(notices.overrun == 6)
  }

  @Test(arguments: [
    ("category", DBusValue.string("im.received.otp"), true),
    ("category", .string("im.received"), false),
    ("x-kde-visibility", .string("secret"), true),
    ("x-kde-visibility", .string("public"), false),
    ("x-gnome-privacy-scope", .string("user"), true),
    ("x-gnome-privacy-scope", .string("system"), false),
    ("x-example-sensitive", .boolean(true), true),
    ("sensitive", .byte(0), false),
  ])
  mutating func `words that a hint calls private are sensitive`(
    name: String,
    value: DBusValue,
    isSensitive: Bool
  ) throws {
    let event = try posted(notices.announce(Self.call(1, [name: value]))).0
    #expect(event["sensitive"]?.flag ?? false == isSensitive)
  }

  @Test mutating func `apps without a name go by their desktop entry`() throws {
    let entry: [String: DBusValue] = ["desktop-entry": .string("org.gnome.Evolution")]
    #expect(try posted(notices.announce(Self.call(1, app: "", entry))).app == "org.gnome.Evolution")
    #expect(try posted(notices.announce(Self.call(2, app: "\u{7}"))).app == "notification")
    let long = String(repeating: "ä", count: 100)
    #expect(try posted(notices.announce(Self.call(3, app: long))).app.utf8.count == 128)
  }

  @Test mutating func `nothing is said for apps that are left alone, or without words`() throws {
    notices.silentApps = ["Mail"]
    #expect(notices.announce(try Self.call(1)) == [])
    #expect(notices.announce(try Self.call(2, app: "Other", summary: " \n")) == [])
  }

  @Test func `arguments of another kind are refused`() {
    #expect(NoticeCall(sender: ":1.5", serial: 1, [.string("Mail")]) == nil)
    let wrong = Array(repeating: DBusValue.int32(1), count: 8)
    #expect(NoticeCall(sender: ":1.5", serial: 1, wrong) == nil)
  }

  @Test mutating func `old notifications are forgotten, and their ids with them`() throws {
    let first = try posted(notices.announce(Self.call(1, replaces: 7))).0["key"]?.string
    for serial in 2...300 { _ = notices.announce(try Self.call(UInt64(serial))) }
    let later = try posted(notices.announce(Self.call(301, replaces: 7))).0["key"]?.string

    #expect(later != first)
  }
}
