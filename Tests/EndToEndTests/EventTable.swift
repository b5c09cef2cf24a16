// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

/// The events that clients publish, right ones and wrong ones, as the protocol has them.
///
/// `$own` stands for the seq of an announcement of the same client, `$action`, `$focus`, `$gesture`
/// and `$deliver` for those of the last of each.
enum EventTable {
  static let published = EventType.allCases.map(\.rawValue)

  static let daemons = [
    "focus", "deliver", "silence", "outcome", "gesture", "opened", "closed", "rules", "client",
  ]

  /// An event and the field that is wrong with it.
  struct Wrong: Sendable, CustomTestStringConvertible {
    let event: String
    let field: String

    init(_ event: String, _ field: String) {
      self.event = event
      self.field = field
    }

    var testDescription: String { "\(field) in \(event.prefix(120))" }
  }

  static func text(bytes: Int) -> String { String(repeating: "x", count: bytes) }
}

extension EventTable {
  static let right: [String] = announcements + changes + models + gestures

  private static let announcements: [String] = [
    #"{"type":"announcement","text":"Item was added"}"#,
    #"{"type":"announcement","text":" "}"#,
    #"{"type":"announcement","text":"Grüße 😀 \"quoted\" \\ \n \u0007 \u2028"}"#,
    #"{"type":"announcement","text":"\#(text(bytes: 32_768))"}"#,
    #"{"type":"announcement","text":[{"text":"98110","spell":true}]}"#,
    #"""
    {"type":"announcement","text":[{"text":"a","spell":false,"ipa":"ə","lang":"de"},{"text":"b"}]}
    """#,
    #"{"type":"announcement","text":"a","priority":"low"}"#,
    #"{"type":"announcement","text":"a","priority":"default"}"#,
    #"{"type":"announcement","text":"a","priority":"high"}"#,
    #"{"type":"announcement","text":"a","queue":true}"#,
    #"{"type":"announcement","text":"a","queue":false}"#,
    #"{"type":"announcement","text":"a","class":"message"}"#,
    #"{"type":"announcement","text":"a","class":"status"}"#,
    #"{"type":"announcement","text":"a","class":"progress","final":true}"#,
    #"{"type":"announcement","text":"a","class":"timer","final":false}"#,
    #"{"type":"announcement","text":"a","class":"value"}"#,
    #"{"type":"announcement","text":"a","class":"chat"}"#,
    #"{"type":"announcement","text":"a","class":"hint"}"#,
    #"{"type":"announcement","text":"a","class":"x"}"#,
    #"{"type":"announcement","text":"a","class":"our-own-class-of-as-many-letters"}"#,
    #"{"type":"announcement","text":"a","mode":"all"}"#,
    #"{"type":"announcement","text":"a","mode":"latest"}"#,
    #"{"type":"announcement","text":"a","mode":"latest-interrupt"}"#,
    #"{"type":"announcement","text":"a","mode":"current-then-latest"}"#,
    #"{"type":"announcement","text":"a","window":"main","element":"list/3"}"#,
    #"{"type":"announcement","text":"a","window":"\#(text(bytes: 128))"}"#,
    #"{"type":"announcement","text":"a","element":"\#(text(bytes: 128))"}"#,
    #"{"type":"announcement","text":"a","cause":"auto"}"#,
    #"{"type":"announcement","text":"a","cause":"user"}"#,
    #"{"type":"announcement","text":"a","cause":$action}"#,
    #"{"type":"announcement","text":"a","basis":$focus}"#,
    #"{"type":"announcement","text":"a","key":"download"}"#,
    #"{"type":"announcement","text":"a","ttl_ms":0}"#,
    #"{"type":"announcement","text":"a","ttl_ms":86400000}"#,
    #"{"type":"announcement","text":"a","sensitive":false}"#,
    #"{"type":"announcement","text":"a","foreground":true}"#,
    #"{"type":"announcement","text":"a","foreground":false}"#,
    #"""
    {"type":"announcement","text":"a","priority":"high","queue":true,"class":"progress",
    "mode":"latest","final":true,"window":"w","element":"e","cause":"user","basis":$focus,"key":"k",
    "ttl_ms":1000,"sensitive":false,"foreground":true}
    """#.replacing("\n", with: ""),
  ]

  private static let changes: [String] = [
    #"{"type":"layout-changed"}"#,
    #"{"type":"layout-changed","element":"e"}"#,
    #"{"type":"layout-changed","text":"Sorted by name"}"#,
    #"{"type":"layout-changed","window":"w","cause":$action,"key":"k","ttl_ms":5}"#,
    #"{"type":"screen-changed"}"#,
    #"{"type":"screen-changed","element":"e","modal":true}"#,
    #"{"type":"screen-changed","text":"Settings","modal":false,"window":"w"}"#,
    #"{"type":"page-scrolled","text":"Page 5 of 17"}"#,
    #"{"type":"page-scrolled","text":"Page 5 of 17","element":"list","continuous":true}"#,
    #"{"type":"page-scrolled","text":"a","continuous":false,"cause":"user"}"#,
    #"{"type":"focus-changed","element":"e"}"#,
    #"{"type":"focus-changed","window":"w","element":"e","basis":$focus}"#,
    #"{"type":"voiceover-status","running":true,"reader":"Orca"}"#,
    #"{"type":"voiceover-status","running":false}"#,
    #"{"type":"pause"}"#,
    #"{"type":"resume"}"#,
    #"{"type":"cancel","of":$own}"#,
    #"{"type":"zoom-focus-changed","frame":[0,0,100,20],"element":"e"}"#,
    #"{"type":"content-size-changed","category":"extra-large"}"#,
  ]

  private static let models: [String] = [
    #"{"type":"elements","window":"w","upsert":[{"id":"a"}]}"#,
    #"{"type":"elements","window":"w","upsert":[]}"#,
    #"{"type":"elements","window":"w","remove":["a","b"]}"#,
    #"{"type":"elements","window":"w","upsert":[{"id":"a"}],"remove":["b"]}"#,
    #"""
    {"type":"elements","window":"w","upsert":[{"id":"a","parent":"p","index":0,"label":"Name",
    "value":"Anna","hint":"Edits the name","traits":["button","selected"],"frame":[-10,0,300,20],
    "modal":false,"hidden":true,"accessible":false,"lang":"de","actions":["Copy","Delete"],
    "responds":["escape","magic-tap"]}]}
    """#.replacing("\n", with: ""),
    #"""
    {"type":"elements","window":"w","upsert":[{"id":"a","parent":null,"label":null,"value":null,
    "hint":null,"traits":null,"frame":null,"lang":null}]}
    """#.replacing("\n", with: ""),
    #"""
    {"type":"elements","window":"w","upsert":[{"id":"a","traits":["button","link","static-text",
    "search-field","image","keyboard-key","header","selected","not-enabled","adjustable",
    "allows-direct-interaction","plays-sound","updates-frequently","starts-media-session",
    "summary-element","causes-page-turn","text-field"]}]}
    """#.replacing("\n", with: ""),
    #"{"type":"elements","window":"w","upsert":[{"id":"a","traits":[],"actions":[]}]}"#,
    #"{"type":"elements","window":"w","upsert":[{"id":"a","label":"\#(text(bytes: 4096))"}]}"#,
    #"{"type":"elements","window":"w","upsert":[{"id":"\#(text(bytes: 128))"}]}"#,
    #"{"type":"window","window":"w","state":"opened","title":"Contacts","modal":false}"#,
    #"{"type":"window","window":"w","state":"opened","lock":true}"#,
    #"{"type":"window","window":"w","state":"active"}"#,
    #"{"type":"window","window":"w","state":"inactive"}"#,
    #"{"type":"window","window":"w","state":"closed","modal":true}"#,
    #"{"type":"busy","element":"e","busy":true}"#,
    #"{"type":"busy","window":"w","element":"e","busy":false}"#,
  ]

  private static let gestures: [String] =
    [
      "next", "previous", "first", "last", "focus", "activate", "increment", "decrement", "scroll",
      "escape", "magic-tap", "stop", "repeat", "pause", "resume",
    ].map { #"{"type":"action","action":"\#($0)"}"# } + [
      #"{"type":"action","action":"activate","app":"contacts","window":"w","element":"clear"}"#,
      #"{"type":"action","action":"custom","element":"e","name":"Delete"}"#,
      #"{"type":"action","action":"touch","point":[10,20]}"#,
      #"{"type":"handled","of":$gesture,"handled":true}"#,
      #"{"type":"handled","of":$gesture,"handled":false}"#,
      #"{"type":"do-not-disturb","level":0}"#,
      #"{"type":"do-not-disturb","level":100}"#,
      #"{"type":"speech","of":$deliver,"state":"started"}"#,
      #"{"type":"speech","of":$deliver,"state":"finished"}"#,
      #"{"type":"speech","of":$deliver,"state":"interrupted","heard_ms":1500}"#,
      #"{"type":"speech","reading":true,"state":"started"}"#,
      #"{"type":"speech","reading":true,"state":"finished"}"#,
    ]
}

extension EventTable {
  static let wrong: [Wrong] = wrongAnnouncements + wrongCommons + wrongOthers + wrongElements

  private static func announcement(_ fields: String) -> String {
    #"{"type":"announcement","text":"a",\#(fields)}"#
  }

  private static let wrongAnnouncements: [Wrong] =
    ["7", "true", "null", "{}", #""""#, "[]", "\"\(text(bytes: 32_769))\""].map {
      Wrong(#"{"type":"announcement","text":\#($0)}"#, "event.text")
    } + [
      Wrong(#"{"type":"announcement","text":["a"]}"#, "event.text[0]"),
      Wrong(#"{"type":"announcement","text":[{"text":"a"},7]}"#, "event.text[1]"),
      Wrong(#"{"type":"announcement","text":[{"text":7}]}"#, "event.text[0].text"),
      Wrong(
        #"{"type":"announcement","text":[{"text":"a"},{"text":"b","spell":1}]}"#,
        "event.text[1].spell"
      ),
      Wrong(#"{"type":"announcement","text":[{"text":"a","ipa":1}]}"#, "event.text[0].ipa"),
      Wrong(#"{"type":"announcement","text":[{"text":"a","lang":1}]}"#, "event.text[0].lang"),
      Wrong(#"{"type":"announcement","text":[{"text":"a","pitch":"x"}]}"#, "event.text[0].pitch"),
      Wrong(announcement(#""priority":"urgent""#), "event.priority"),
      Wrong(announcement(#""priority":"High""#), "event.priority"),
      Wrong(announcement(#""priority":1"#), "event.priority"),
      Wrong(announcement(#""queue":"yes""#), "event.queue"),
      Wrong(announcement(#""queue":1"#), "event.queue"),
      Wrong(announcement(#""class":"Status""#), "event.class"),
      Wrong(announcement(#""class":"""#), "event.class"),
      Wrong(announcement(#""class":"class7""#), "event.class"),
      Wrong(announcement(#""class":"\#(text(bytes: 33))""#), "event.class"),
      Wrong(announcement(#""class":7"#), "event.class"),
      Wrong(announcement(#""mode":"newest""#), "event.mode"),
      Wrong(announcement(#""mode":["all"]"#), "event.mode"),
      Wrong(announcement(#""final":0"#), "event.final"),
    ]

  private static let wrongCommons: [Wrong] =
    ["window", "element"].flatMap { name in
      ["7", "true", "[]", "{}", #""""#, "\"\(text(bytes: 129))\""].map {
        Wrong(announcement(#""\#(name)":\#($0)"#), "event.\(name)")
      }
    }
    + ["1.0", "1e3", "-1", "86400001", #""5""#, "true", "9223372036854775808", "[1]"].map {
      Wrong(announcement(#""ttl_ms":\#($0)"#), "event.ttl_ms")
    }
    + [#""me""#, #""User""#, "true", "1.0", "1e0", "[1]", "{}", "9223372036854775808"].map {
      Wrong(announcement(#""cause":\#($0)"#), "event.cause")
    }
    + [#""user""#, "true", "1.0", "1e0", "[1]", "9223372036854775808"].map {
      Wrong(announcement(#""basis":\#($0)"#), "event.basis")
    }
    + [
      Wrong(announcement(#""key":7"#), "event.key"),
      Wrong(announcement(#""key":["k"]"#), "event.key"),
      Wrong(announcement(#""sensitive":"yes""#), "event.sensitive"),
      Wrong(announcement(#""sensitive":0"#), "event.sensitive"),
      Wrong(announcement(#""foreground":1"#), "event.foreground"),
    ]

  private static let wrongOthers: [Wrong] = [
    Wrong(#"{"type":"layout-changed","element":7}"#, "event.element"),
    Wrong(#"{"type":"layout-changed","text":7}"#, "event.text"),
    Wrong(#"{"type":"screen-changed","modal":"yes"}"#, "event.modal"),
    Wrong(#"{"type":"screen-changed","text":{}}"#, "event.text"),
    Wrong(#"{"type":"page-scrolled","text":5}"#, "event.text"),
    Wrong(#"{"type":"page-scrolled","text":"a","continuous":"no"}"#, "event.continuous"),
    Wrong(#"{"type":"page-scrolled","text":"a","element":[]}"#, "event.element"),
    Wrong(#"{"type":"focus-changed","element":7}"#, "event.element"),
    Wrong(#"{"type":"focus-changed","element":"e","window":""}"#, "event.window"),
    Wrong(#"{"type":"voiceover-status","running":"yes"}"#, "event.running"),
    Wrong(#"{"type":"voiceover-status","running":true,"reader":7}"#, "event.reader"),
    Wrong(#"{"type":"window","window":"w","state":"minimised"}"#, "event.state"),
    Wrong(#"{"type":"window","window":"w","state":1}"#, "event.state"),
    Wrong(#"{"type":"window","window":7,"state":"opened"}"#, "event.window"),
    Wrong(#"{"type":"window","window":"w","state":"opened","title":7}"#, "event.title"),
    Wrong(#"{"type":"window","window":"w","state":"opened","modal":1}"#, "event.modal"),
    Wrong(#"{"type":"handled","of":"1","handled":true}"#, "event.of"),
    Wrong(#"{"type":"handled","of":1.0,"handled":true}"#, "event.of"),
    Wrong(#"{"type":"handled","of":$gesture,"handled":"yes"}"#, "event.handled"),
    Wrong(#"{"type":"busy","element":"e","busy":1}"#, "event.busy"),
    Wrong(#"{"type":"busy","element":1,"busy":true}"#, "event.element"),
    Wrong(#"{"type":"cancel","of":"$own"}"#, "event.of"),
    Wrong(#"{"type":"cancel","of":true}"#, "event.of"),
    Wrong(#"{"type":"zoom-focus-changed","frame":"all"}"#, "event.frame"),
    Wrong(#"{"type":"zoom-focus-changed","frame":[0,0,1]}"#, "event.frame"),
    Wrong(#"{"type":"zoom-focus-changed","frame":[0,0,1,1.5]}"#, "event.frame[3]"),
    Wrong(#"{"type":"content-size-changed","category":7}"#, "event.category"),
    Wrong(#"{"type":"action","action":"jump"}"#, "event.action"),
    Wrong(#"{"type":"action","action":"Next"}"#, "event.action"),
    Wrong(#"{"type":"action","action":1}"#, "event.action"),
    Wrong(#"{"type":"action","action":"focus","app":7}"#, "event.app"),
    Wrong(#"{"type":"action","action":"focus","window":7}"#, "event.window"),
    Wrong(#"{"type":"action","action":"focus","element":7}"#, "event.element"),
    Wrong(#"{"type":"action","action":"touch","point":"here"}"#, "event.point"),
    Wrong(#"{"type":"action","action":"custom","name":7}"#, "event.name"),
    Wrong(#"{"type":"do-not-disturb","level":101}"#, "event.level"),
    Wrong(#"{"type":"do-not-disturb","level":-1}"#, "event.level"),
    Wrong(#"{"type":"do-not-disturb","level":1.0}"#, "event.level"),
    Wrong(#"{"type":"do-not-disturb","level":1e1}"#, "event.level"),
    Wrong(#"{"type":"do-not-disturb","level":true}"#, "event.level"),
    Wrong(#"{"type":"speech","of":$deliver,"state":"paused"}"#, "event.state"),
    Wrong(#"{"type":"speech","of":$deliver,"state":1}"#, "event.state"),
    Wrong(#"{"type":"speech","of":"x","state":"started"}"#, "event.of"),
    Wrong(
      #"{"type":"speech","of":$deliver,"state":"interrupted","heard_ms":"1"}"#,
      "event.heard_ms"
    ),
    Wrong(
      #"{"type":"speech","of":$deliver,"state":"interrupted","heard_ms":1.0}"#,
      "event.heard_ms"
    ),
    Wrong(#"{"type":"speech","reading":"yes","state":"started"}"#, "event.reading"),
  ]

  private static func element(_ field: String, _ value: String, _ place: String = "") -> Wrong {
    Wrong(
      #"{"type":"elements","window":"w","upsert":[{"id":"a","\#(field)":\#(value)}]}"#,
      "event.upsert[0].\(field)\(place)"
    )
  }

  private static let wrongElements: [Wrong] = [
    Wrong(#"{"type":"elements","window":7,"upsert":[]}"#, "event.window"),
    Wrong(#"{"type":"elements","window":"w","upsert":{}}"#, "event.upsert"),
    Wrong(#"{"type":"elements","window":"w","upsert":["a"]}"#, "event.upsert[0]"),
    Wrong(#"{"type":"elements","window":"w","upsert":[{"id":7}]}"#, "event.upsert[0].id"),
    Wrong(#"{"type":"elements","window":"w","upsert":[{"id":""}]}"#, "event.upsert[0].id"),
    Wrong(
      #"{"type":"elements","window":"w","upsert":[{"id":"\#(text(bytes: 129))"}]}"#,
      "event.upsert[0].id"
    ),
    Wrong(#"{"type":"elements","window":"w","remove":"a"}"#, "event.remove"),
    Wrong(#"{"type":"elements","window":"w","remove":["a",7]}"#, "event.remove[1]"),
    Wrong(#"{"type":"elements","window":"w","remove":[""]}"#, "event.remove[0]"),
    Wrong(
      #"{"type":"elements","window":"w","upsert":[{"id":"a"},{"id":"b","traits":["knob"]}]}"#,
      "event.upsert[1].traits[0]"
    ),
    element("parent", "7"),
    element("parent", #""""#),
    element("index", #""0""#),
    element("index", "1.0"),
    element("label", "7"),
    element("label", "\"\(text(bytes: 4097))\""),
    element("value", "[]"),
    element("hint", "7"),
    element("traits", #""button""#),
    element("traits", #"["button",7]"#, "[1]"),
    element("traits", #"["Button"]"#, "[0]"),
    element("frame", #""0,0,1,1""#),
    element("frame", "[0,0,1]"),
    element("frame", "[0,0,1,1,1]"),
    element("frame", "[0,0,1,1.5]", "[3]"),
    element("frame", "[0,1.0,1,1]", "[1]"),
    element("frame", #"["0",0,1,1]"#, "[0]"),
    element("modal", #""no""#),
    element("hidden", "0"),
    element("accessible", #""true""#),
    element("lang", "7"),
    element("actions", #""Copy""#),
    element("actions", #"["Copy",7]"#, "[1]"),
    element("responds", #""escape""#),
    element("responds", #"["escape","tap"]"#, "[1]"),
  ]

  static let incomplete: [Wrong] = [
    Wrong(#"{"type":"announcement"}"#, "event.text"),
    Wrong(#"{"type":"announcement","priority":"high"}"#, "event.text"),
    Wrong(#"{"type":"announcement","text":[{"spell":true}]}"#, "event.text[0].text"),
    Wrong(#"{"type":"focus-changed"}"#, "event.element"),
    Wrong(#"{"type":"voiceover-status","reader":"Orca"}"#, "event.running"),
    Wrong(#"{"type":"elements","window":"w","upsert":[{"label":"A"}]}"#, "event.upsert[0].id"),
    Wrong(#"{"type":"elements","window":"w","upsert":[{"id":"a"},{}]}"#, "event.upsert[1].id"),
    Wrong(#"{"type":"window","state":"opened"}"#, "event.window"),
    Wrong(#"{"type":"handled","handled":true}"#, "event.of"),
    Wrong(#"{"type":"handled","of":$gesture}"#, "event.handled"),
    Wrong(#"{"type":"busy","element":"e"}"#, "event.busy"),
    Wrong(#"{"type":"cancel"}"#, "event.of"),
    Wrong(#"{"type":"action"}"#, "event.action"),
    Wrong(#"{"type":"do-not-disturb"}"#, "event.level"),
    Wrong(#"{"type":"speech","of":$deliver}"#, "event.state"),
  ]
}
