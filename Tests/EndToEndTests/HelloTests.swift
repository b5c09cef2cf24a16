// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// How client and daemon introduce themselves.
@Suite(.timeLimit(.minutes(hangs)))
struct HelloTests {
  let daemon: RunningDaemon
  let client: RawClient

  init() throws {
    daemon = try RunningDaemon()
    client = try daemon.connect()
  }

  /// The limits that a client may rely on.
  static let limits: KeyValuePairs<String, Int64> = [
    "line_bytes": 65_536, "connections": 4096, "connections_per_uid": 1024,
    "element_bytes_per_app": 67_108_864, "element_bytes_per_uid": 268_435_456,
    "windows_per_app": 256, "elements_per_app": 100_000, "label_bytes": 4096,
    "text_bytes": 32_768, "in_buffer": 131_072, "out_buffer": 262_144, "pending": 64,
  ]

  @Test func `hello holds everything that is promised`() throws {
    let ok = try client.hello("org.example.App")

    #expect(ok["protocol"] == 1)
    #expect(ok["server"].string?.isEmpty == false)
    #expect(ok["epoch"].string?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    #expect(ok["epoch"].string == daemon.ready.epoch)
    #expect(ok["first"] == 1)
    #expect(try #require(ok["last"].integer) >= 1)
    #expect(try #require(ok["conn"].integer) > 0)
    #expect(ok["uid"] == .integer(Int64(getuid())))
    #expect(ok["roles"].isThere)
    #expect(ok["roles"] != .null)
    #expect(ok["features"].list?.allSatisfy { $0.string != nil } == true)
    #expect(ok["durability"]["level"].string != nil)
    #expect(ok["durability"]["loss_window_ms"].integer != nil)
    #expect(ok["durability"]["degraded"] == false)
    for (name, value) in Self.limits { #expect(ok["limits"][name] == .integer(value), "\(name)") }
  }

  @Test func `limits are told as they are configured`() throws {
    let config = "[limits]\nconnections = 50\nconnections_per_uid = 7\nin_buffer = \"256 KiB\"\n"
    let daemon = try RunningDaemon(config: config)

    let limits = try daemon.connect().hello("app")["limits"]

    #expect(limits["connections"] == 50)
    #expect(limits["connections_per_uid"] == 7)
    #expect(limits["in_buffer"] == 262_144)
    #expect(limits["line_bytes"] == 65_536)
  }

  @Test func `each connection has a number of its own`() throws {
    let numbers = try (1...5).map { _ in try daemon.connect().hello("app")["conn"] }

    #expect(Set(numbers.compactMap(\.integer)).count == 5)
  }

  @Test func `hello is said once`() throws {
    try client.hello("app")

    let answer = try client.ask(#"{"id":1,"op":"hello","app":"other"}"#)

    #expect(answer["err"]["code"] == "field.invalid")
    #expect(answer["err"]["field"] == "op")
    try expectApp("app")
  }

  @Test func `hello is said first`() throws {
    _ = try client.last()

    let answer = try client.ask(#"{"id":1,"op":"hello","app":"late"}"#)

    #expect(answer["err"]["code"] == "field.invalid")
    #expect(answer["err"]["field"] == "op")
    try expectApp("uid:\(getuid())")
  }

  @Test(arguments: ["[1]", "[2,1]", "[1,2]", "[1,1]"])
  func `a version that is wanted is spoken`(want: String) throws {
    let answer = try client.ask(#"{"id":1,"op":"hello","want":\#(want)}"#)

    #expect(answer["ok"]["protocol"] == 1, "\(answer)")
  }

  @Test(arguments: ["[2]", "[2,3]", "[0]"])
  func `a version that is not spoken is refused`(want: String) throws {
    let answer = try client.ask(#"{"id":1,"op":"hello","want":\#(want)}"#)

    #expect(answer["err"]["code"] == "version.unsupported", "\(answer)")
  }

  @Test(arguments: [
    (#""want":1"#, "want"), (#""want":"1""#, "want"), (#""want":{}"#, "want"),
    (#""want":["1"]"#, "want[0]"), (#""want":[1.0]"#, "want[0]"), (#""want":[1,true]"#, "want[1]"),
    (#""app":"""#, "app"), (#""app":7"#, "app"), (#""app":["a"]"#, "app"),
    ("\"app\":\"\(String(repeating: "a", count: 129))\"", "app"),
    ("\"app\":\"\(String(repeating: "é", count: 65))\"", "app"),
    (#""app":"a\nb""#, "app"), (#""app":"a\tb""#, "app"), (#""app":"\u001b[1m""#, "app"),
    (#""app":"\u0001""#, "app"), (#""app":"a\u007f""#, "app"), (#""app":"a\u0085b""#, "app"),
    (#""role":"publisher""#, "role"), (#""role":"Reader""#, "role"), (#""role":1"#, "role"),
    (#""client":7"#, "client"),
  ])
  func `a field of hello that is not right is named`(fields: String, field: String) throws {
    let answer = try client.ask(#"{"id":1,"op":"hello",\#(fields)}"#)

    #expect(answer["err"]["code"] == "field.invalid", "\(answer)")
    #expect(answer["err"]["field"] == .string(field))
    #expect(answer["err"]["msg"].string?.isEmpty == false)
  }

  @Test(arguments: [
    "a", "org.gnome.Contacts", "Kontakte 😀", "\\u00e9", String(repeating: "a", count: 128),
    String(repeating: "é", count: 64), "a b/c:d", #"\"quoted\""#,
  ])
  func `an app may call itself what it likes`(name: String) throws {
    try client.hello(name)

    try expectApp(try #require(JSON("\"\(name)\"").string))
  }

  @Test(arguments: ["", #","client":"library 1.0""#, #","want":[1]"#])
  func `an app that gives no name has its user's number`(fields: String) throws {
    let answer = try client.ask(#"{"id":1,"op":"hello"\#(fields)}"#)

    #expect(answer["ok"].isThere, "\(answer)")
    try expectApp("uid:\(getuid())")
  }

  @Test func `a client may do without hello`() throws { try expectApp("uid:\(getuid())") }

  @Test func `a reader may say that it is one`() throws {
    let ok = try client.hello("orca", role: "reader")

    #expect(ok["protocol"] == 1)
  }

  /// Publishes something and looks under which name it is on the log.
  private func expectApp(
    _ app: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let seq = try client.publishAccepted(#"{"type":"announcement","text":"who am I?"}"#)
    let entry = try #require(try daemon.entries().first { $0.seq == seq })
    let json = try entry.json()
    #expect(json["app"] == .string(app), sourceLocation: sourceLocation)
    #expect(json["uid"] == .integer(Int64(getuid())), sourceLocation: sourceLocation)
  }
}
