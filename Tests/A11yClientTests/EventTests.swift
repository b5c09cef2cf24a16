// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import Testing

struct EventTests {
  @Test(arguments: [
    (
      Event.announcement("Saved", priority: .low, kind: .status, mode: .latest, queue: true),
      #"{"type":"announcement","text":"Saved","priority":"low","queue":true,"class":"status","#
        + #""mode":"latest"}"#
    ),
    (
      .announcement(SpeechText(runs: [.init("98110", spell: true), .init(" is here")])),
      #"{"type":"announcement","text":[{"text":"98110","spell":true},{"text":" is here"}]}"#
    ),
    (
      .layoutChanged(window: "main", focusOn: "save"),
      #"{"type":"layout-changed","window":"main","element":"save"}"#
    ),
    (
      .screenChanged(window: "main", text: "Contacts", modal: true),
      #"{"type":"screen-changed","window":"main","modal":true,"text":"Contacts"}"#
    ),
    (
      .pageScrolled("Page 1 of 2", in: "list", continuous: false),
      #"{"type":"page-scrolled","text":"Page 1 of 2","continuous":false,"element":"list"}"#
    ),
    (
      .focusChanged(to: "name", window: "main").cause(.user),
      #"{"type":"focus-changed","window":"main","element":"name","cause":"user"}"#
    ),
    (
      .elements(
        window: "main",
        upsert: [AppElement("save", label: "Save", traits: [.button]).with("value", .null)],
        remove: ["old"]
      ),
      #"{"type":"elements","upsert":[{"id":"save","label":"Save","traits":["button"],"#
        + #""value":null}],"remove":["old"],"window":"main"}"#
    ),
    (
      .window("main", .active, title: "Contacts"),
      #"{"type":"window","state":"active","title":"Contacts","window":"main"}"#
    ),
    (
      .cancel(7).key("k").timeToLive(.seconds(2)).basis(3).sensitive().foreground(false),
      #"{"type":"cancel","of":7,"key":"k","ttl_ms":2000,"basis":3,"sensitive":true,"#
        + #""foreground":false}"#
    ),
    (
      .speech(of: 4, .interrupted, heard: .milliseconds(300)).cause(.action(2)),
      #"{"type":"speech","of":4,"state":"interrupted","heard_ms":300,"cause":2}"#
    ),
  ])
  func `events are written as the wire has them`(event: Event, json: String) {
    #expect(event.json == json)
  }

  @Test func `JSON of one's own is sent byte by byte, on one line`() throws {
    let event = try Event(json: "{\"type\":\"pause\",\r\n \"key\":\"\\u00e9\"}")

    #expect(event.json == "{\"type\":\"pause\",   \"key\":\"\\u00e9\"}")
  }

  @Test func `fields can be added to JSON of one's own`() throws {
    let event = try Event(json: #"{"type":"pause","key":"a"}"#).key("b").window("w")

    #expect(event.json == #"{"type":"pause","key":"b","window":"w"}"#)
  }

  @Test(arguments: ["", "nonsense", "{\"a\":1}}", "{\"a\":1,\"a\":2}", "[]"])
  func `what is no strict JSON object does not become an event`(json: String) {
    #expect(throws: ClientError.self) { try Event(json: json) }
  }

  @Test func `a value survives its way there and back`() throws {
    let text = #"{"type":"x","a":[1,-2.5e3,true,false,null,"é\n\"\\"],"b":{"c":{}}}"#

    let event = try Event(json: text).with("type", "y")

    #expect(event.json == #"{"a":[1,-2.5e3,true,false,null,"é\n\"\\"],"b":{"c":{}},"type":"y"}"#)
  }
}
