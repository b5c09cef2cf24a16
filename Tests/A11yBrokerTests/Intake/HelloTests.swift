// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yRules
import A11yBroker
import A11yPresenter
import A11yRules
import A11yTestKit
import A11yWire
import Testing

@Suite struct HelloTests {
  let bus = HandDriven()

  @Test func `the answer tells all that a client has to know`() throws {
    let session = bus.connect(uid: 1_001)

    let answer = try bus.ask(session, #"{"id":1,"op":"hello","app":"contacts","want":[2,1]}"#)

    let ok = answer["ok"]
    #expect(
      ok.names == [
        "protocol", "server", "epoch", "epochs", "first", "last", "conn", "uid", "roles", "limits",
        "durability", "features",
      ]
    )
    #expect(ok["protocol"].integer == 1)
    #expect(ok["server"].string?.hasPrefix("a11yd/") == true)
    #expect(ok["epoch"].string == HandDriven.epoch)
    #expect(ok["epochs"].count == 1)
    #expect(ok["epochs"][0].names == ["epoch", "ordinal", "began", "first"])
    #expect(ok["epochs"][0]["epoch"].string == HandDriven.epoch)
    #expect(ok["first"].integer == 1)
    #expect(ok["last"].integer == bus.last)
    #expect(ok["conn"].integer == session.conn)
    #expect(ok["uid"].integer == 1_001)
    #expect(ok["roles"].strings == ["bus"])
    #expect(ok["limits"]["line_bytes"].integer == 65_536)
    #expect(ok["limits"].count == 13)
    #expect(ok["durability"].names == ["level", "loss_window_ms", "degraded"])
    #expect(ok["durability"]["degraded"].bool == false)
    #expect(ok["features"].strings != nil)
  }

  @Test func `who says hello is in the log from then on`() throws {
    let session = bus.connect(uid: 1_001)
    _ = bus.say(session, #"{"op":"hello","app":"contacts","client":"lib 1"}"#)

    let entry = try JSON(try #require(bus.entries.first))

    #expect(bus.entries.count == 1)
    #expect(entry["app"].string == "a11yd")
    #expect(entry["uid"].integer == 0)
    #expect(entry["conn"].integer == 0)
    let event = entry["event"]
    #expect(event["type"].string == "client")
    #expect(event["state"].string == "joined")
    #expect(event["app"].string == "contacts")
    #expect(event["uid"].integer == 1_001)
    #expect(event["conn"].integer == session.conn)
    #expect(event["client"].string == "lib 1")
  }

  @Test(arguments: [
    "A11YD", "uid:0", "UID:77", "uid:78", "a11yd ", " contacts", "con\u{200B}tacts",
    "mail\u{202E}x",
    "soft\u{00AD}hyphen", "\u{2800}", "wide\u{3000}", "line\u{2028}break", "tag\u{E0041}",
  ])
  func `a name under which one could pass for another is refused`(name: String) throws {
    let session = bus.connect(uid: 77)

    let answer = try bus.ask(session, #"{"id":1,"op":"hello","app":"\#(name)"}"#)

    #expect(answer["err"]["code"] == "field.invalid")
    #expect(answer["err"]["field"] == "app")
  }

  @Test(arguments: ["uid:77", "نامه\u{200C}ها", "a11yd-demo", "Ünïcode ✓", "A B"])
  func `a name that people read as it is written is taken`(name: String) throws {
    let session = bus.connect(uid: 77)

    let answer = try bus.ask(session, #"{"id":1,"op":"hello","app":"\#(name)"}"#)

    #expect(answer["ok"]["uid"].integer == 77)
    #expect(session.app == name)
  }

  @Test func `without a name an app is called by its user's number`() throws {
    let session = bus.connect(uid: 77)
    _ = bus.say(session, #"{"op":"hello"}"#)
    _ = try bus.publish(session)

    #expect(session.app == "uid:77")
    #expect(try JSON(bus.entries[1])["app"].string == "uid:77")
  }

  @Test func `events bear the name that was given`() throws {
    let session = bus.connect(app: #"a\"b"#)

    _ = try bus.publish(session)

    #expect(try JSON(bus.entries[0])["app"].string == #"a"b"#)
  }

  @Test(arguments: [
    #"{"op":"hello"}"#, #"{"op":"ping"}"#, #"{"op":"stats"}"#, #"{"op":"nonsense"}"#,
    #"{"op":"publish","event":{"type":"pause"}}"#, #"{"op":"publish"}"#,
  ])
  func `hello comes once and first`(before: String) throws {
    let session = bus.connect()
    _ = bus.say(session, before)

    let answer = try bus.ask(session, #"{"id":1,"op":"hello","app":"late"}"#)

    #expect(answer["err"]["code"].string == "field.invalid")
    #expect(answer["err"]["field"].string == "op")
    #expect(session.app == "uid:1000")
  }

  @Test func `lines that are nothing do not come before hello`() throws {
    let session = bus.connect()
    _ = bus.say(session, "")
    _ = bus.say(session, " \t\r")

    #expect(try bus.ask(session, #"{"id":1,"op":"hello"}"#)["ok"].isThere)
  }

  @Test(arguments: [
    (#""app":"""#, "app"), (#""app":"a\u0007b""#, "app"), (#""app":"\u009f""#, "app"),
    (#""app":"a\nb""#, "app"), (#""app":7"#, "app"), (#""app":null"#, "app"),
    (#""app":"a11yd""#, "app"), (#""client":"""#, "client"), (#""client":[]"#, "client"),
    (#""want":1"#, "want"), (#""want":["1"]"#, "want[0]"), (#""want":[1.0]"#, "want[0]"),
    (#""role":"publisher""#, "role"), (#""role":true"#, "role"),
    (#""advice":1"#, "advice"), (#""advice":"true""#, "advice"),
  ])
  func `a wrong field is refused by its name`(field: String, name: String) throws {
    let session = bus.connect()

    let answer = try bus.ask(session, #"{"id":1,"op":"hello",\#(field)}"#)

    #expect(answer["err"]["code"].string == "field.invalid")
    #expect(answer["err"]["field"].string == name)
    #expect(bus.entries == [])
  }

  @Test func `a name has up to 128 bytes`() throws {
    let name = String(repeating: "ß", count: 64)

    #expect(try bus.ask(bus.connect(), #"{"id":1,"op":"hello","app":"\#(name)"}"#)["ok"].isThere)
    let long = try bus.ask(bus.connect(), #"{"id":1,"op":"hello","app":"\#(name)a"}"#)
    #expect(long["err"]["code"].string == "field.invalid")
  }

  @Test(arguments: ["[]", "[0]", "[2,3]", "[-1]"])
  func `a client that wants another protocol is told that there is none`(want: String) throws {
    let answer = try bus.ask(bus.connect(), #"{"id":1,"op":"hello","want":\#(want)}"#)

    #expect(answer["err"]["code"].string == "version.unsupported")
    #expect(answer["err"]["field"].string == "want")
  }

  @Test(
    arguments: [(.bus, true), (.read, true), (.publish, false), (.control, false)] as [(Role, Bool)]
  )
  func `readers come to the sockets for readers`(role: Role, isAllowed: Bool) throws {
    let session = bus.connect(role: role)

    let answer = try bus.ask(session, #"{"id":1,"op":"hello","app":"Orca","role":"reader"}"#)

    #expect(session.isReader == isAllowed)
    if isAllowed {
      #expect(answer["ok"]["roles"].strings == [role.rawValue, "reader"])
      #expect(try JSON(bus.entries[0])["event"]["role"].string == "reader")
    } else {
      #expect(answer["err"]["code"].string == "role.denied")
      #expect(answer["err"]["field"].string == "role")
      #expect(bus.entries == [])
    }
  }

  @Test func `a refused hello makes nobody a reader`() throws {
    let session = bus.connect()
    let answer = try bus.ask(session, #"{"id":1,"op":"hello","app":"a11yd","role":"reader"}"#)
    _ = try bus.publish(session)

    #expect(answer["err"]["field"].string == "app")
    #expect(!session.isReader)
    #expect(!(try JSON(bus.entries[0])["event"]["role"].isThere))
  }

  @Test func `a daemon that cannot write says so`() throws {
    var broker = Broker(
      log: HandDriven.empty,
      presenter: Presenter(rules: RuleSet()),
      uid: 0,
      quotas: Quotas(),
      recall: { _ in .gone }
    )
    var turn = Turn()
    broker.begin(&turn, at: Stamp(time: 0, mono: 0))
    broker.isDegraded = true
    let session = broker.connect(uid: 1, role: .bus)
    broker.receive(Array(#"{"id":1,"op":"hello"}"#.utf8).span, from: session, into: &turn)

    var out = ByteBuffer(capacity: 0)
    broker.render(turn.replies[0], of: turn, into: &out)
    let answer = try JSON(out.bytes.string)

    #expect(answer["ok"]["durability"]["level"].string == "received")
    #expect(answer["ok"]["durability"]["degraded"].bool == true)
  }
}
