// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yTestKit
import A11yWire
import Testing

/// Filters as requests describe them, on lines as they are stored.
@Suite struct FilterTests {
  private func admits(
    _ filter: String?,
    _ entry: String,
    role: Role = .bus,
    app: String = "mail",
    uid: UInt32 = 1_000
  ) throws -> Bool {
    let bus = HandDriven()
    let session = bus.connect(uid: uid, role: role, app: app)
    let field = filter.map { #","filter":\#($0)"# } ?? ""
    #expect(bus.say(session, #"{"op":"subscribe"\#(field)}"#) == [])
    let subscription = try #require(session.subscription)
    guard let filter = subscription.filter else { return true }
    let reader = JSONReader(limit: 65_536)
    try reader.read(Array(entry.utf8).span)
    return filter.admits(reader.document)
  }

  private static func entry(
    _ event: String,
    app: String = "mail",
    uid: Int = 1_000,
    conn: Int = 3
  ) -> String {
    #"{"seq":1,"time":1,"mono":1,"app":"\#(app)","#
      + #""uid":\#(uid),"conn":\#(conn),"event":\#(event),"crc":"0"}"#
  }

  @Test(arguments: [1, 8, 9, 3_000])
  func `a list of names of any length is the list of its names`(count: Int) throws {
    let names = (1...count).map { #""app\#($0)""# }.joined(separator: ",")
    let filter = #"{"apps":[\#(names)]}"#

    #expect(try admits(filter, Self.entry(#"{"type":"pause"}"#, app: "app1")))
    #expect(try admits(filter, Self.entry(#"{"type":"pause"}"#, app: "app\(count)")))
    #expect(try admits(filter, Self.entry(#"{"type":"pause"}"#, app: #"ap\u0070\#(count)"#)))
    #expect(try !admits(filter, Self.entry(#"{"type":"pause"}"#, app: "app\(count + 1)")))
  }

  private static let announcement = entry(
    #"{"type":"announcement","text":"a","window":"w","element":"e"}"#
  )
  private static let high = entry(#"{"type":"announcement","text":"a","priority":"high"}"#)
  private static let ended = entry(
    #"{"type":"outcome","of":1,"result":"heard","app":"mail","uid":1000,"priority":"high"}"#,
    app: "a11yd",
    uid: 0,
    conn: 0
  )
  private static let upsert = entry(
    #"{"type":"elements","upsert":[{"id":"a"},{"id":"b\u0062"}],"remove":["c"],"window":"w"}"#
  )
  private static let replace = entry(#"{"type":"elements","replace":[{"id":"d"}],"window":"w"}"#)
  private static let joined = entry(
    #"{"type":"client","state":"joined","app":"mail","uid":1000,"conn":3}"#,
    app: "a11yd",
    uid: 0,
    conn: 0
  )

  @Test(
    arguments: [
      (nil, announcement, true), ("{}", announcement, true),
      (#"{"types":[]}"#, announcement, false),
      (#"{"types":["announcement"]}"#, announcement, true),
      (#"{"types":["window","announcement"]}"#, announcement, true),
      (#"{"types":["window"]}"#, announcement, false),
      (#"{"types":["client"]}"#, joined, true), (#"{"types":["opened"]}"#, joined, false),
      (#"{"apps":["mail"]}"#, announcement, true), (#"{"apps":["Mail"]}"#, announcement, false),
      (#"{"apps":["x","m\u0061il"]}"#, announcement, true), (#"{"apps":[]}"#, announcement, false),
      (#"{"windows":["w"]}"#, announcement, true), (#"{"windows":["v"]}"#, announcement, false),
      (#"{"windows":["w"]}"#, high, false), (#"{"windows":[]}"#, high, false),
      (#"{"elements":["e"]}"#, announcement, true), (#"{"elements":["f"]}"#, announcement, false),
      (#"{"elements":["a"]}"#, upsert, true), (#"{"elements":["bb"]}"#, upsert, true),
      (#"{"elements":["c"]}"#, upsert, true), (#"{"elements":["d"]}"#, upsert, false),
      (#"{"elements":["d"]}"#, replace, true), (#"{"elements":["a"]}"#, replace, false),
      (#"{"priorities":["high"]}"#, high, true),
      (#"{"priorities":["high"]}"#, ended, true),
      (#"{"priorities":["low"]}"#, ended, false),
      (#"{"priorities":["low","default"]}"#, high, false),
      (#"{"priorities":["default"]}"#, announcement, true),
      (#"{"priorities":["high"]}"#, announcement, false),
      (#"{"priorities":["default"]}"#, upsert, false),
      (#"{"types":["announcement"],"apps":["mail"],"windows":["w"]}"#, announcement, true),
      (#"{"types":["announcement"],"apps":["mail"],"windows":["v"]}"#, announcement, false),
      (#"{"types":["announcement"],"apps":[]}"#, announcement, false),
    ] as [(String?, String, Bool)]
  )
  func `all lists that are given must match, and in each one is enough`(
    filter: String?,
    entry: String,
    passes: Bool
  ) throws {
    #expect(try admits(filter, entry) == passes)
  }

  @Test func `an entry of the daemon's counts as belonging to what it is about`() throws {
    #expect(try admits(#"{"apps":["mail"]}"#, Self.joined))
    #expect(try !admits(#"{"apps":["a11yd"]}"#, Self.joined))
  }

  @Test(arguments: [
    (announcement, true), (joined, true),
    (entry(#"{"type":"announcement","text":"a"}"#, app: "other"), false),
    (entry(#"{"type":"announcement","text":"a"}"#, uid: 1_001), false),
    (
      entry(
        #"{"type":"client","state":"joined","app":"other","uid":1000}"#,
        app: "a11yd",
        uid: 0,
        conn: 0
      ), false
    ),
    (
      entry(
        #"{"type":"client","state":"joined","app":"mail","uid":1001}"#,
        app: "a11yd",
        uid: 0,
        conn: 0
      ), false
    ),
    (entry(#"{"type":"opened"}"#, app: "a11yd", uid: 0, conn: 0), false),
    (entry(#"{"type":"voiceover-status","running":true}"#, app: "Orca", uid: 42), true),
  ])
  func `an app on the publish socket sees what concerns itself, and the reader's status`(
    entry: String,
    passes: Bool
  ) throws {
    #expect(try admits(nil, entry, role: .publish) == passes)
    #expect(try admits("{}", entry, role: .publish) == passes)
    #expect(try admits(#"{"apps":["other","mail","Orca"]}"#, entry, role: .publish) == passes)
  }

  @Test func `an app's own filter narrows what it sees`() throws {
    #expect(try !admits(#"{"types":["window"]}"#, Self.announcement, role: .publish))
    #expect(try !admits(#"{"apps":["other"]}"#, Self.announcement, role: .publish))
  }

  @Test(arguments: [Role.bus, .read, .control])
  func `others see everything`(role: Role) throws {
    #expect(
      try admits(nil, Self.entry(#"{"type":"opened"}"#, app: "a11yd", uid: 0, conn: 0), role: role)
    )
    #expect(try admits(nil, Self.announcement, role: role, app: "x"))
  }

  @Test func `a line without an event passes no filter`() throws {
    #expect(try !admits("{}", #"{"closed":{"count":1}}"#))
  }
}
