// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yTestKit
import A11yWire
import Testing

/// Windows, readers and the rest of what `state` tells.
@Suite struct ModelTests {
  @Test func `a new model is empty`() throws {
    #expect(
      try Story().state == [
        "cursor": .string(String(repeating: "e", count: 32) + ":7"), "focus": .null, "windows": [],
        "reader": ["running": false, "name": .null, "conn": .null], "do_not_disturb": 0,
        "pending": [],
      ]
    )
  }

  // MARK: Windows

  @Test func `a window has the state that its app told last`() throws {
    var story = Story()
    let app = story.join("mail")

    story.window(app, "w", #""state":"opened","title":"Inbox","modal":true"#)
    story.window(app, "w", #""title":"Inbox (2)""#)

    #expect(
      try story.state["windows"] == [
        [
          "app": "mail", "window": "w", "state": "opened", "title": "Inbox (2)", "modal": true,
          "focus": .null,
        ]
      ]
    )
    story.window(app, "w", #""modal":false,"state":"inactive""#)
    #expect(try story.state["windows"][0]["modal"] == false)
    #expect(try story.state["windows"][0]["state"] == "inactive")
    #expect(try story.state["windows"][0]["title"] == "Inbox (2)")
  }

  @Test func `windows of all apps stand in the order of arrival`() throws {
    var story = Story()
    let apps = [story.join("z"), story.join("a"), story.join("a", uid: 7)]
    for (index, window) in ["3", "1", "2", "0"].enumerated() {
      story.window(apps[index % 3], window, #""state":"opened""#)
    }
    story.window(apps[0], "3", #""state":"closed""#)
    story.window(apps[0], "3", #""state":"opened""#)

    let windows = try story.state["windows"].list ?? []

    #expect(windows.map { $0["window"] } == ["1", "2", "0", "3"])
  }

  @Test func `only the window that was made active last is the active one`() throws {
    var story = Story()
    let one = story.join("one")
    let two = story.join("two")
    story.window(one, "w", #""state":"active""#)
    story.window(two, "w", #""state":"active""#)
    #expect(try states(story) == ["inactive", "active"])

    story.window(one, "w", #""state":"inactive""#)
    #expect(try states(story) == ["inactive", "active"])

    story.window(one, "w", #""state":"active""#)
    #expect(try states(story) == ["active", "inactive"])

    story.window(one, "w", #""state":"closed""#)
    story.window(one, "w", #""state":"opened""#)
    #expect(try states(story) == ["inactive", "opened"])
  }

  private func states(_ story: Story) throws -> [JSON] {
    try (story.state["windows"].list ?? []).map { $0["state"] }
  }

  @Test func `a window that only elements tell of is there, too`() throws {
    var story = Story()
    let app = story.join("mail")
    story.elements(app, "w", #""upsert":[{"id":"a"}]"#)
    story.elements(app, "never", #""remove":["a"]"#)
    story.window(app, "nor-this", #""state":"closed""#)

    #expect(try story.state["windows"].count == 1)
    #expect(try story.state["windows"][0]["state"] == "opened")
    #expect(try story.state["windows"][0]["title"] == .null)
  }

  @Test func `a closed window takes its elements with it`() throws {
    var story = Story()
    let app = story.join("mail")
    story.elements(app, "w", #""upsert":[{"id":"a","label":"A"}]"#)
    story.window(app, "w", #""state":"closed""#)
    #expect(try story.state["windows"] == [])

    story.window(app, "w", #""state":"opened""#)
    #expect(try story.ids() == [])
  }

  @Test func `a screen makes its window modal, and the next one without ends it`() throws {
    var story = Story()
    let app = story.join("mail")
    story.tell(app, #"{"type":"screen-changed","modal":true,"window":"w"}"#)
    #expect(try story.state["windows"][0]["modal"] == true)

    story.tell(app, #"{"type":"screen-changed","window":"other"}"#)
    #expect(try story.state["windows"].count == 1)
    #expect(try story.state["windows"][0]["modal"] == true)

    story.tell(app, #"{"type":"screen-changed","window":"w"}"#)
    #expect(try story.state["windows"][0]["modal"] == false)
  }

  @Test func `a withheld title is unknown, and so is the one before it`() throws {
    var story = Story()
    let app = story.join("mail")
    story.window(app, "w", #""state":"opened","title":"Inbox""#)
    story.window(app, "w", #""state":"active","sensitive":true"#)
    #expect(try story.state["windows"][0]["title"] == "Inbox")

    story.window(app, "w", #""sensitive":true,"redacted":"9-32""#)
    #expect(try story.state["windows"][0]["title"] == .null)
  }

  // MARK: Clients

  @Test func `the windows of an app stay five seconds after its last connection`() throws {
    var story = Story()
    let one = story.join("mail")
    let two = story.join("mail")
    let other = story.join("mail", uid: 7)
    story.window(one, "w", #""state":"active""#)
    story.leave(one)
    story.wait(60)
    story.leave(two)
    story.wait(4.999_999)
    story.tell(other, #"{"type":"pause"}"#)
    #expect(try story.state["windows"].count == 1)

    story.wait(0.000_001)
    story.tell(other, #"{"type":"pause"}"#)

    #expect(try story.state["windows"] == [])
  }

  @Test func `an app that comes back in time finds its windows`() throws {
    var story = Story()
    story.window(story.join("mail"), "w", #""state":"active""#)
    story.own(#"{"type":"opened"}"#)
    story.wait(4)
    let again = story.join("mail")
    story.wait(60)
    story.window(again, "v", #""state":"opened""#)
    #expect(try story.state["windows"].count == 2)

    story.leave(again)
    story.wait(4)
    story.own(#"{"type":"opened"}"#)
    story.wait(4.999_999)
    story.own(#"{"type":"closed"}"#)
    #expect(try story.state["windows"].count == 2)

    story.wait(0.000_001)
    story.own(#"{"type":"closed"}"#)
    #expect(try story.state["windows"] == [])
  }

  @Test func `a start ends all connections`() throws {
    var story = Story()
    let app = story.join("mail")
    let reader = story.join("orca", reader: true)
    story.listen(reader)
    story.window(app, "w", #""state":"active""#)
    story.tell(reader, #"{"type":"voiceover-status","running":true,"reader":"Orca"}"#)
    story.own(#"{"type":"opened"}"#)

    #expect(try story.state["reader"]["running"] == false)
    #expect(try story.state["windows"].count == 1)
    story.wait(5)
    story.own(#"{"type":"closed"}"#)
    #expect(try story.state["windows"] == [])
    #expect(story.model == restored(replica(story.model, budget: 1)))
  }

  @Test func `an app whose first entry is lost leaves like any other`() throws {
    var story = Story()
    let lost = Story.Client(conn: 99, app: "mail", uid: 1)
    story.window(lost, "w", #""state":"opened""#)
    story.leave(lost)
    #expect(try story.state["windows"].count == 1)

    story.wait(5)
    story.own(#"{"type":"closed"}"#)

    #expect(try story.state["windows"] == [])
  }

  // MARK: Reader, focus, quiet

  @Test func `a reader that listens and says nothing runs, and the oldest owns speech`() throws {
    var story = Story()
    let old = story.join("orca", reader: true)
    let young = story.join("other", reader: true)
    #expect(try story.state["reader"] == ["running": false, "name": .null, "conn": .null])

    story.listen(old)
    story.listen(young)
    #expect(try story.state["reader"] == ["running": true, "name": .null, "conn": 1])

    story.tell(old, #"{"type":"voiceover-status","running":false,"reader":"Orca"}"#)
    #expect(try story.state["reader"] == ["running": false, "name": "Orca", "conn": 1])

    story.leave(old)
    #expect(try story.state["reader"] == ["running": true, "name": .null, "conn": 2])

    story.leave(young)
    #expect(try story.state["reader"] == ["running": false, "name": .null, "conn": .null])
  }

  @Test func `the reader's status told by the user's seat holds without a reader`() throws {
    var story = Story()
    let seat = story.join("seat")
    story.tell(seat, #"{"type":"voiceover-status","running":true,"reader":"Orca"}"#)
    story.tell(seat, #"{"type":"voiceover-status","running":false}"#)
    story.leave(seat)
    #expect(try story.state["reader"] == ["running": false, "name": "Orca", "conn": .null])

    let reader = story.join("orca", reader: true)
    #expect(try story.state["reader"]["running"] == false)
    story.listen(reader)
    #expect(try story.state["reader"]["running"] == true)

    story.leave(reader)
    #expect(try story.state["reader"] == ["running": false, "name": .null, "conn": .null])
  }

  @Test func `the level of quiet is the last that was set`() throws {
    var story = Story()
    let seat = story.join("seat")
    story.tell(seat, #"{"type":"do-not-disturb","level":80}"#)
    story.own(#"{"type":"opened"}"#)
    #expect(try story.state["do_not_disturb"] == 80)
  }

  @Test func `the bus ends do-not-disturb without being a client`() {
    var story = Story()
    var other = Story()
    let seat = story.join("seat")
    _ = other.join("seat")
    story.tell(seat, #"{"type":"do-not-disturb","level":80}"#)
    story.own(#"{"type":"do-not-disturb","level":0}"#)
    #expect(story.model == other.model)
  }

  @Test func `the focus is where the last entry about it says, and every window keeps its own`()
    throws
  {
    var story = Story()
    let app = story.join("mail")
    story.window(app, "v", #""state":"opened""#)
    story.window(app, "w", #""state":"opened""#)
    story.own(#"{"type":"focus","app":"mail","uid":1000,"window":"v","element":"a","by":1}"#)
    story.own(#"{"type":"focus","app":"mail","uid":1000,"window":"w","element":"b","by":1}"#)
    #expect(
      try story.state["focus"] == [
        "seq": 5, "app": "mail", "window": "w", "element": "b", "suggestion": .null,
      ]
    )
    #expect(try (story.state["windows"].list ?? []).map { $0["focus"] } == ["a", "b"])

    story.own(#"{"type":"focus","app":"mail","uid":1000,"window":"w","element":null,"by":1}"#)

    #expect(try story.state["focus"] == .null)
    #expect(try (story.state["windows"].list ?? []).map { $0["focus"] } == ["a", .null])
  }

  // MARK: Lines that concern the model

  @Test(arguments: [
    (#"{"type":"elements","window":"w"}"#, true), (#"{"type":"window"}"#, true),
    (#"{"type":"client"}"#, true), (#"{"type":"opened"}"#, true), (#"{"type":"focus"}"#, true),
    (#"{"type":"voiceover-status"}"#, true), (#"{"type":"do-not-disturb"}"#, true),
    (#"{"type":"screen-changed"}"#, true), (#"{"type":"\u0065lements","window":"w"}"#, true),
    (#"{"type":"announcement","text":"elements"}"#, false), (#"{"type":"speech"}"#, false),
    (#"{"type":"outcome","of":1,"why":{"focus":{"result":"denied"}}}"#, false),
    (
      #"{"type":"outcome","of":1,"why":{"focus":{},"suggestion":{"window":"w","element":"e"}}}"#,
      true
    ),
    (#"{"type":"forgotten"}"#, false),
    (#"{"type":"closed"}"#, false), (#"{"type":"of the future"}"#, false),
  ])
  func `a line tells without being parsed whether it concerns the model`(
    event: String,
    concerns: Bool
  ) {
    let names = ["x", #"\",\"event\":{\"type\":\"announcement\"}"#, #"\\"#]
    for app in names {
      for dedupe in ["", #","dedupe":"1""#, #","dedupe":"\",\"event\":{\"type\":\"pause""#] {
        let line =
          #"{"seq":1,"mono":1,"app":"\#(app)","conn":1\#(dedupe),"event":\#(event),"crc":"0"}"#

        #expect(Model.concerns(Array(line.utf8).span) == concerns, "\(line)")
      }
    }
  }

  @Test func `types that do not concern the model change nothing`() throws {
    var story = Story()
    let app = story.join("mail")
    story.elements(app, "w", #""upsert":[{"id":"e"}]"#)
    let before = story.model

    for type in EventType.allCases where !type.has(.changesModel) {
      let event =
        #"{"type":"\#(type.rawValue)","running":true,"level":9,"state":"active","#
        + #""modal":true,"upsert":[{"id":"x"}],"window":"w","element":"e"}"#
      story.tell(app, event)
    }
    for type in EventType.Own.allCases {
      let event = #"{"type":"\#(type.rawValue)","state":"left","conn":1,"app":"mail","uid":1000}"#
      let line = #"{"seq":1,"mono":1,"app":"a11yd","conn":0,"event":\#(event),"crc":"0"}"#
      if !Model.concerns(Array(line.utf8).span) { story.own(event) }
    }

    #expect(story.model == before)
  }
}
