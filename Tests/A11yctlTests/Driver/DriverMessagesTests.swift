// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yHttp
import A11yWire
import Testing

@testable import a11yctl

/// The messages of AT Driver, as the page of the W3C defines them.
@Suite struct DriverMessagesTests {
  private static func refusal(_ text: String) -> String {
    switch DriverRequest(text) {
    case .command(let id, let command): "\(id) \(command)"
    case .refused(let id, let refusal):
      "\(id.map { "\($0)" } ?? "null") \(refusal.error.rawValue)"
    }
  }

  @Test(
    arguments: [
      ("not JSON", "null"), ("[]", "null"), ("7", "null"), ("", "null"),
      (#"{"id":1,"type":"foobar"}"#, "1"), (#"{"id":1,"method":7,"params":{}}"#, "1"),
      (#"{"method":"session.new","params":{}}"#, "null"),
      (#"{"id":-1,"method":"session.new","params":{}}"#, "null"),
      (#"{"id":1.5,"method":"session.new","params":{}}"#, "null"),
      (#"{"id":"1","method":"session.new","params":{}}"#, "null"),
      (#"{"id":1,"method":"session.new"}"#, "1"),
      (#"{"id":1,"method":"session.new","params":[]}"#, "1"),
      (#"{"id":1,"method":"session.new","params":{"other":1}}"#, "1"),
      (#"{"id":1,"method":"session.new","params":{"capabilities":{"firstMatch":[]}}}"#, "1"),
      (
        #"{"id":1,"method":"session.new","params":{"capabilities":{"alwaysMatch":{"atName":1}}}}"#,
        "1"
      ),
      (#"{"id":1,"method":"settings.getSettings","params":{"settings":[]}}"#, "1"),
      (#"{"id":1,"method":"settings.getSettings","params":{"settings":[{"name":1}]}}"#, "1"),
      (#"{"id":1,"method":"settings.setSettings","params":{"settings":[{"name":"x"}]}}"#, "1"),
      (#"{"id":1,"method":"interaction.userIntent","params":{"keys":["a"]}}"#, "1"),
      (#"{"id":1,"method":"interaction.userIntent","params":{"name":"pressKeys"}}"#, "1"),
      (#"{"id":1,"method":"interaction.userIntent","params":{"name":"pressKeys","keys":[]}}"#, "1"),
      (
        #"{"id":1,"method":"interaction.userIntent","params":{"name":"pressKeys","keys":[1]}}"#,
        "1"
      ),
    ]
  )
  func `a message that is no command is an invalid argument`(text: String, id: String) {
    #expect(Self.refusal(text) == "\(id) invalid argument")
  }

  @Test(arguments: [
    (#"{"id":7,"method":"press"}"#, "7"), (#"{"method":"session.end","params":{}}"#, "null"),
  ])
  func `a command that nobody knows is unknown`(text: String, id: String) {
    #expect(Self.refusal(text) == "\(id) unknown command")
  }

  @Test(
    arguments: [
      (#""session.new","params":{}"#, .newSession(wanted: [])),
      (#""session.new","params":{"capabilities":{}}"#, .newSession(wanted: [])),
      (
        #""session.new","params":{"capabilities":{"alwaysMatch":{"atName":"a"}}}"#,
        .newSession(wanted: [.init("atName", "a")])
      ),
      (#""settings.getSupportedSettings","params":{"any":1}"#, .getSupportedSettings),
      (#""settings.getSettings","params":{"settings":[{"name":"a"}]}"#, .getSettings(["a"])),
      (
        #""settings.setSettings","params":{"settings":[{"name":"a","value":null}]}"#,
        .setSettings([("a", .null)])
      ),
      (#""interaction.userIntent","params":{"name":"x:y"}"#, .otherIntent("x:y")),
      (
        #""interaction.userIntent","params":{"name":"pressKeys","keys":["\uE008","a"]}"#,
        .pressKeys(["\u{E008}", "a"])
      ),
    ] as [(String, DriverCommand)]
  )
  func `a command is read with its parameters`(text: String, command: DriverCommand) {
    #expect(DriverRequest(#"{"id":0,"method":\#(text),"x":1}"#) == .command(id: 0, command))
  }

  @Test(
    arguments: [
      ("{}", true), (#"{"atName":"a11yd"}"#, true), (#"{"atName":"NVDA"}"#, false),
      (#"{"platformName":"linux"}"#, true), (#"{"platformName":"windows"}"#, false),
      (#"{"atVersion":"1.2.3"}"#, true), (#"{"atVersion":"1.2"}"#, false),
      (#"{"atVersion":">=1.2"}"#, true), (#"{"atVersion":"> 1.2.3"}"#, false),
      (#"{"atVersion":"<1.10"}"#, true), (#"{"atVersion":"<=1.2.3.0"}"#, true),
      (#"{"atVersion":"<1.2"}"#, false), (#"{"atVersion":"=>1"}"#, false),
      (#"{"user-defined property":7}"#, true), (#"{"nvda:speed":7}"#, false),
    ]
  )
  func `capabilities match or do not`(wanted: String, matches: Bool) throws {
    let members = try #require(JSONValue(json: wanted)?.members)
    let matched = DriverCapabilities(version: "1.2.3").matched(members)

    #expect((matched != nil) == matches)
    guard let matched else { return }
    #expect(matched["atName"] == "a11yd")
    #expect(matched["user-defined property"] == members.first { $0.name.first == "u" }?.value)
  }

  // MARK: What is told

  private static func told(_ entries: Entry...) -> [String] {
    var output = CapturedOutput()
    return entries.flatMap { output.receive($0) }.map(\.description)
  }

  private static func delivery(_ seq: Int, of: Int, _ runs: String) throws -> Entry {
    try RecordedEntry.of("a11yd", seq, #"{"type":"deliver","of":[\#(of)],"to":1,"speak":\#(runs)}"#)
  }

  @Test func `what is spoken is told once, and its end is no news`() throws {
    let told = try Self.told(
      RecordedEntry.announcement(1, "One"),
      Self.delivery(2, of: 1, #"[{"text":"One, "},{"text":"two"}]"#),
      RecordedEntry.outcome(3, of: 1, "heard")
    )
    #expect(told == [#"{"method":"interaction.capturedOutput","params":{"data":"One, two"}}"#])
  }

  @Test func `what is not spoken is withheld with the reason, and once`() throws {
    let told = try Self.told(
      RecordedEntry.announcement(1, "One"),
      RecordedEntry.outcome(2, of: 1, "duplicate"),
      RecordedEntry.outcome(3, of: 1, "duplicate"),
      RecordedEntry.outcome(4, of: 9, "expired")
    )
    let params = #"{"text":"One","reason":"duplicate","seq":1}"#
    #expect(told == [#"{"method":"a11yd:speech.withheldOutput","params":\#(params)}"#])
  }

  @Test(
    arguments: [
      ("reading", #"{"method":"interaction.capturedOutput","params":{"data":"Inbox"}}"#),
      (
        "text",
        #"{"method":"a11yd:speech.withheldOutput","params":"#
          + #"{"text":"","reason":"secret","seq":2}}"#
      ),
    ]
  )
  func `of secret words, a screen reader's own alone are told`(kind: String, told: String) throws {
    var output = CapturedOutput()
    let hidden = try Self.delivery(2, of: 1, #"[{"redacted":"1-8"}]"#)

    #expect(output.receive(hidden).isEmpty)
    #expect(output.receiveSecret(of: 2, kind: kind, "Inbox").map(\.description) == [told])
    #expect(output.receiveSecret(of: 2, kind: kind, "Inbox").isEmpty)
  }

  @Test func `texts that wait for their end have a bound`() throws {
    var output = CapturedOutput()
    for seq in 1...CapturedOutput.mostTexts + 1 {
      _ = output.receive(try RecordedEntry.announcement(seq, "x"))
    }
    #expect(try output.receive(RecordedEntry.outcome(2_000, of: 1, "expired")).isEmpty)
    #expect(try output.receive(RecordedEntry.outcome(2_001, of: 2, "expired")).count == 1)
  }

  // MARK: Keys

  @Test func `a key is found by its meaning, alone or with Shift`() {
    // Places 10 and 11: a, of which the server names no capital; 1 with an exclamation mark.
    let map: [UInt32] = [0x61, 0, 0x31, 0x21]
    let bytes = map.flatMap { word in (0..<4).map { UInt8(word >> (8 * $0) & 255) } }
    let layout = KeyLayout(first: 10, width: 2, bytes)

    #expect(layout.stroke(0x61) == .init(place: 10, isShifted: false))
    #expect(layout.stroke(0x41) == .init(place: 10, isShifted: true))
    #expect(layout.stroke(0x21) == .init(place: 11, isShifted: true))
    #expect(layout.stroke(0x62) == nil)
    #expect(layout.stroke(0) == nil)
  }

  @Test(
    arguments: [
      ("a", 0x61), ("é", 0xE9), ("€", 0x100_20AC), ("\u{E004}", 0xFF09), ("\u{E006}", 0xFF0D),
      ("\u{E008}", 0xFFE1), ("\u{E009}", 0xFFE3), ("\u{E00A}", 0xFFE9), ("\u{E014}", 0xFF53),
      ("\u{E016}", 0xFF63), ("\u{E01A}", 0xFFB0), ("\u{E031}", 0xFFBE), ("\u{E03C}", 0xFFC9),
      ("\u{E03D}", 0xFFEB), ("\u{E053}", 0xFFEC), ("\u{E05C}", 0xFF9E), ("\u{E05D}", 0xFF9F),
    ] as [(Unicode.Scalar, UInt32)]
  )
  func `WebDriver's characters have X11's names`(sign: Unicode.Scalar, symbol: UInt32) {
    #expect(KeyNames.symbol(of: sign) == symbol)
  }

  @Test(
    arguments: [
      ([:], "There is no X server"), (["DISPLAY": "there:0"], "There is no X server"),
      (["DISPLAY": ":59999"], "The X server :59999 does not answer."),
      (
        ["DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland", "WAYLAND_DISPLAY": "wayland-0"],
        "Wayland lets no program"
      ),
    ]
  )
  func `where no key can be pressed it says why`(variables: [String: String], words: String) {
    do throws(DriverRefusal) {
      _ = try X11Keyboard { variables[$0] }
      Issue.record("keys can be pressed there")
    } catch {
      #expect(error.error == .noKeyboard)
      #expect(error.words.hasPrefix(words))
    }
  }

  // MARK: The opening

  private static func status(
    _ target: String = "/session?token=abc",
    token: String? = "abc",
    _ fields: String...
  ) -> String {
    let opening = WebSocketOpening(port: 4_382, token: token)
    let lines = ["GET \(target) HTTP/1.1"] + fields + ["", ""]
    let head = HttpHead(Array(lines.joined(separator: "\r\n").utf8))
    let (bytes, isOpen) = opening.answer(to: head)
    let lineOne = String(decoding: bytes, as: UTF8.self).split(separator: " ")[1]
    #expect(isOpen == (lineOne == "101"))
    return String(lineOne)
  }

  private static let good = [
    "Upgrade: websocket", "Connection: keep-alive, Upgrade", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ].joined(separator: "\r\n")

  @Test(arguments: ["127.0.0.1:4382", "localhost:4382", "LOCALHOST:4382", "[::1]:4382"])
  func `the loopback's own names are let in`(host: String) {
    #expect(Self.status("/session?token=abc", "Host: \(host)", Self.good) == "101")
    #expect(
      Self.status("/session", "Host: \(host)", "Authorization: Bearer abc", Self.good) == "101"
    )
    #expect(Self.status("/session", token: nil, "Host: \(host)", Self.good) == "101")
  }

  @Test func `pages, strangers and those without the token are not`() {
    let host = "Host: localhost:4382"
    #expect(Self.status("/session?token=abc", host, "Origin: null", Self.good) == "403")
    #expect(Self.status("/session?token=abc", "Host: evil.example:4382", Self.good) == "403")
    #expect(Self.status("/session?token=abc", "Host: localhost", Self.good) == "403")
    #expect(Self.status("/session?token=abc", Self.good) == "403")
    #expect(Self.status("/session", host, Self.good) == "401")
    #expect(Self.status("/session?token=abd", host, Self.good) == "401")
    #expect(Self.status("/session?token=", host, "Authorization: Basic abc", Self.good) == "401")
    #expect(Self.status("/other?token=abc", host, Self.good) == "404")
    #expect(Self.status("/session?token=abc", host) == "426")
  }

  @Test func `the accepting word is that of RFC 6455`() {
    let opening = WebSocketOpening(port: 1, token: nil)
    let lines = ["GET /session HTTP/1.1", "Host: localhost:1", Self.good, "", ""]
    let (bytes, _) = opening.answer(to: HttpHead(Array(lines.joined(separator: "\r\n").utf8)))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
  }

  @Test(
    arguments: [
      ("", "2jmj7l5rSw0yVb/vlWAYkK/YBwk="), ("abc", "qZk+NkcGgWq6PiVxeFDCbJzQ2J0="),
      (String(repeating: "a", count: 55), "wci73CJ5bijA4VFj0giZtlYh1lo="),
      (String(repeating: "a", count: 56), "wtszD2CDhUyZ1LW/tujynyAb5pk="),
      (String(repeating: "a", count: 64), "AJi6gktcFkJ716ESKlpEKiXsZE0="),
    ]
  )
  func `the hash is SHA-1`(text: String, hash: String) {
    #expect(Base64.encode(SHA1.digest(of: Array(text.utf8))) == hash)
  }
}
