// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Foundation
import Testing

/// The schema against the tables of the protocol's page, which are written out again here.
@Suite struct ContractTests {
  private static let common = [
    "window", "element", "cause", "basis", "key", "ttl_ms", "sensitive", "foreground",
    "origin",
  ]

  /// Every type that clients publish, with the fields that it has of its own.
  private static let events: [(type: String, own: [String])] = [
    ("announcement", ["text", "priority", "queue", "class", "mode", "final"]),
    ("layout-changed", ["text"]),
    ("screen-changed", ["text", "modal"]),
    ("page-scrolled", ["text", "continuous"]),
    ("focus-changed", []),
    ("voiceover-status", ["running", "reader"]),
    ("elements", ["upsert", "remove", "replace"]),
    ("window", ["state", "title", "modal", "lock"]),
    ("handled", ["of", "handled"]),
    ("busy", ["busy"]),
    ("pause", []),
    ("resume", []),
    ("cancel", ["of"]),
    ("zoom-focus-changed", ["zoom", "frame"]),
    ("content-size-changed", ["category"]),
    ("action", ["action", "app", "point", "name", "of"]),
    ("do-not-disturb", ["level", "for_ms"]),
    ("speech", ["of", "state", "heard_ms", "estimated", "reading", "reason", "by", "mark"]),
  ]

  @Test(arguments: events)
  func `a type has its own fields and the common ones`(type: String, own: [String]) throws {
    let names = try #require(EventType(rawValue: type)).fields.all.map(\.name.description)

    #expect(names.first == "type")
    #expect(Set(names) == Set(["type"] + own + Self.common))
    #expect(names.count == Set(names).count)
  }

  @Test func `all types of the contract can be published, and no others`() {
    #expect(Set(EventType.allCases.map(\.rawValue)) == Set(Self.events.map(\.type)))
  }

  @Test func `an element has the contract's fields`() {
    let names = Schema.record(.element).all.map(\.name.description)

    #expect(
      Set(names) == [
        "id", "parent", "index", "label", "value", "hint", "traits", "frame", "modal", "hidden",
        "accessible", "lang", "actions", "responds", "role", "checked", "expanded", "required",
        "invalid", "set",
      ]
    )
  }

  @Test func `a run has the contract's fields`() {
    let names = Schema.record(.run).all.map(\.name.description)

    #expect(
      Set(names) == [
        "text", "spell", "punctuation", "ipa", "lang", "pitch", "pitch_range", "rate", "volume",
        "voice", "capitals", "as", "mark",
      ]
    )
  }

  @Test func `a filter has the contract's fields`() {
    let names = Schema.record(.filter).all.map(\.name.description)

    #expect(Set(names) == ["types", "apps", "windows", "elements", "priorities"])
  }

  @Test(
    arguments: [
      (.priority, ["low", "default", "high"]),
      (.mode, ["all", "latest", "latest-interrupt", "current-then-latest"]),
      (.windowState, ["opened", "active", "inactive", "closed"]),
      (
        .speechState,
        ["started", "finished", "interrupted", "lost", "elsewhere", "progress"]
      ),
      (.gestureResponse, ["escape", "magic-tap"]),
      (.acknowledgement, ["received", "written", "synced"]),
      (.role, ["reader"]),
      (
        .action,
        [
          "next", "previous", "first", "last", "focus", "touch", "activate", "increment",
          "decrement", "scroll", "escape", "magic-tap", "custom", "stop", "repeat", "pause",
          "resume",
        ]
      ),
      (
        .trait,
        [
          "button", "link", "static-text", "search-field", "image", "keyboard-key", "header",
          "selected", "not-enabled", "adjustable", "allows-direct-interaction", "plays-sound",
          "updates-frequently", "starts-media-session", "summary-element", "causes-page-turn",
          "text-field", "secure",
        ]
      ),
    ] as [(WordSet, [String])]
  )
  func `a field that chooses from words chooses from the contract's`(set: WordSet, words: [String])
  {
    #expect(Set(set.words.map(\.description)) == Set(words))
  }

  @Test func `the codes are the closed set of version 1`() {
    #expect(
      Set(RefusalCode.allCases.map(\.rawValue)) == [
        "json.invalid", "line.too-long", "op.unknown", "field.missing", "field.invalid",
        "type.unknown", "version.unsupported", "role.denied", "quota.exceeded", "cursor.invalid",
        "cursor.epoch", "cursor.future", "seq.unknown", "storage.degraded", "shutting-down",
        "internal",
      ]
    )
  }

  @Test func `types of the daemon's own entries can be filtered for`() {
    let words = Set(WordSet.type.words.map(\.description))

    #expect(words.isSuperset(of: EventType.allCases.map(\.rawValue)))
    #expect(words.isSuperset(of: EventType.Own.allCases.map(\.rawValue)))
    #expect(
      words.isSuperset(of: [
        "focus", "deliver", "silence", "outcome", "gesture", "opened", "closed", "rules", "client",
        "forgotten",
      ])
    )
  }

  // MARK: The events of the contract, as a user would write them

  @Test(arguments: [
    #"{"type":"announcement","text":"Item was added"}"#,
    #"{"type":"announcement","text":[{"text":"98110","spell":true},{"text":"x","pitch":-0.5}]}"#,
    #"{"type":"announcement","text":"a","priority":"high","class":"my-own-class","final":true}"#,
    #"{"type":"layout-changed"}"#, #"{"type":"layout-changed","element":"e"}"#,
    #"{"type":"layout-changed","text":"New"}"#, #"{"type":"screen-changed"}"#,
    #"{"type":"screen-changed","text":"Settings","modal":true}"#,
    #"{"type":"page-scrolled","text":"Page 5 of 17","element":"list","continuous":false}"#,
    #"{"type":"page-scrolled"}"#, #"{"type":"focus-changed","element":"e"}"#,
    #"{"type":"voiceover-status","running":true,"reader":"Orca"}"#,
    #"{"type":"elements","window":"w","upsert":[{"id":"a","label":"","frame":[0,-1,20,30]}]}"#,
    #"{"type":"elements","window":"w","upsert":[{"id":"a","label":null,"frame":null}]}"#,
    #"{"type":"elements","window":"w","remove":["a","b"],"upsert":[]}"#,
    #"{"type":"elements","window":"w","replace":[]}"#,
    #"{"type":"window","window":"w","state":"opened","title":"Contacts","modal":false}"#,
    #"{"type":"window","window":"w","title":""}"#, #"{"type":"handled","of":1,"handled":false}"#,
    #"{"type":"busy","element":"e","busy":true}"#, #"{"type":"pause"}"#, #"{"type":"resume"}"#,
    #"{"type":"cancel","of":3}"#, #"{"type":"zoom-focus-changed","frame":[1,2,3,4]}"#,
    #"{"type":"content-size-changed","category":"extra-large"}"#,
    #"{"type":"action","action":"next"}"#, #"{"type":"action","action":"custom","name":"Delete"}"#,
    #"{"type":"action","action":"touch","point":[10,-20]}"#,
    #"{"type":"action","action":"touch","element":"e"}"#,
    #"{"type":"do-not-disturb","level":0}"#, #"{"type":"do-not-disturb","level":100}"#,
    #"{"type":"speech","of":1,"state":"finished","heard_ms":0}"#,
    #"{"type":"speech","reading":true,"state":"started"}"#,
  ])
  func `events of the contract are stored as given`(event: String) throws {
    let stored = try Stored(event)

    #expect(try parsed(stored.text) == parsed(event))
    #expect(stored.unknown == [])
  }

  @Test(
    arguments: [
      (#"{"type":"announcement"}"#, .fieldMissing, "text"),
      (#"{"type":"announcement","text":""}"#, .fieldInvalid, "text"),
      (#"{"type":"announcement","text":[]}"#, .fieldInvalid, "text"),
      (#"{"type":"announcement","text":[{"text":""}]}"#, .fieldInvalid, "text"),
      (#"{"type":"announcement","text":[{"spell":true}]}"#, .fieldMissing, "text[0].text"),
      (#"{"type":"announcement","text":["a"]}"#, .fieldInvalid, "text[0]"),
      (#"{"type":"announcement","text":null}"#, .fieldInvalid, "text"),
      (#"{"type":"announcement","text":"a","priority":"urgent"}"#, .fieldInvalid, "priority"),
      (#"{"type":"announcement","text":"a","class":"My Class"}"#, .fieldInvalid, "class"),
      (#"{"type":"announcement","text":"a","class":""}"#, .fieldInvalid, "class"),
      (#"{"type":"announcement","text":"a","ttl_ms":-1}"#, .fieldInvalid, "ttl_ms"),
      (#"{"type":"announcement","text":"a","ttl_ms":86400001}"#, .fieldInvalid, "ttl_ms"),
      (#"{"type":"announcement","text":"a","ttl_ms":1.0}"#, .fieldInvalid, "ttl_ms"),
      (#"{"type":"announcement","text":"a","cause":"someone"}"#, .fieldInvalid, "cause"),
      (#"{"type":"announcement","text":"a","cause":0}"#, .fieldInvalid, "cause"),
      (#"{"type":"announcement","text":"a","window":""}"#, .fieldInvalid, "window"),
      (#"{"type":"announcement","text":"a","sensitive":1}"#, .fieldInvalid, "sensitive"),
      (#"{"type":"focus-changed"}"#, .fieldMissing, "element"),
      (#"{"type":"voiceover-status"}"#, .fieldMissing, "running"),
      (#"{"type":"elements","upsert":[]}"#, .fieldMissing, "window"),
      (#"{"type":"elements","window":"w"}"#, .fieldMissing, "upsert"),
      (
        #"{"type":"elements","window":"w","upsert":[{"label":"a"}]}"#, .fieldMissing, "upsert[0].id"
      ),
      (#"{"type":"elements","window":"w","upsert":[{"id":null}]}"#, .fieldInvalid, "upsert[0].id"),
      (
        #"{"type":"elements","window":"w","upsert":[{"id":"a"},{"id":"b","frame":[1,2,3,4.5]}]}"#,
        .fieldInvalid, "upsert[1].frame[3]"
      ),
      (
        #"{"type":"elements","window":"w","replace":[{"id":"a","traits":["button","heading"]}]}"#,
        .fieldInvalid, "replace[0].traits[1]"
      ),
      (#"{"type":"elements","window":"w","remove":["a",""]}"#, .fieldInvalid, "remove[1]"),
      (#"{"type":"window","state":"opened"}"#, .fieldMissing, "window"),
      (#"{"type":"handled","of":1}"#, .fieldMissing, "handled"),
      (#"{"type":"busy","busy":true}"#, .fieldMissing, "element"),
      (#"{"type":"cancel"}"#, .fieldMissing, "of"),
      (#"{"type":"cancel","of":"1"}"#, .fieldInvalid, "of"),
      (#"{"type":"zoom-focus-changed","frame":[1,2,3]}"#, .fieldInvalid, "frame"),
      (#"{"type":"content-size-changed"}"#, .fieldMissing, "category"),
      (#"{"type":"content-size-changed","category":"a\u0007"}"#, .fieldInvalid, "category"),
      (#"{"type":"action"}"#, .fieldMissing, "action"),
      (#"{"type":"action","action":"jump"}"#, .fieldInvalid, "action"),
      (#"{"type":"action","action":"custom"}"#, .fieldMissing, "name"),
      (#"{"type":"action","action":"touch"}"#, .fieldMissing, "point"),
      (#"{"type":"do-not-disturb","level":101}"#, .fieldInvalid, "level"),
      (#"{"type":"do-not-disturb"}"#, .fieldMissing, "level"),
      (#"{"type":"speech","of":1}"#, .fieldMissing, "state"),
      (#"{"type":"speech","state":"started"}"#, .fieldMissing, "of"),
      (#"{"type":"speech","of":1,"state":"finished","heard_ms":-1}"#, .fieldInvalid, "heard_ms"),
    ] as [(String, RefusalCode, String)]
  )
  func `values that the contract does not allow are refused by their field`(
    event: String,
    code: RefusalCode,
    field: String
  ) throws {
    let refusal = try #require(try Stored.refusal(of: event), "\(event) was stored")

    #expect(refusal.code == code)
    #expect(refusal.field == field)
    #expect(!refusal.message.isEmpty)
  }

  @Test(
    arguments: [
      (#"{"type":"nonsense"}"#, .typeUnknown), (#"{"type":"Announcement"}"#, .typeUnknown),
      (#"{"type":""}"#, .typeUnknown), (#"{}"#, .fieldMissing), (#"{"type":7}"#, .fieldInvalid),
      (#"{"type":null}"#, .fieldInvalid), (#"{"type":"outcome"}"#, .roleDenied),
      (#"{"type":"forgotten"}"#, .roleDenied), (#"{"type":"opened"}"#, .roleDenied),
    ] as [(String, RefusalCode)]
  )
  func `an event has one of the types that may be published`(
    event: String,
    code: RefusalCode
  ) throws {
    let refusal = try #require(try Stored.refusal(of: event))

    #expect(refusal.code == code)
    #expect(refusal.field == "type")
  }

  @Test func `escaped letters make no other word`() throws {
    let event =
      #"{"\u0074ype":"\u0061nnouncement","text":"a","priority":"h\u0069gh","class":"ch\u0061t"}"#

    #expect(
      try Stored(event).text
        == #"{"type":"\u0061nnouncement","text":"a","priority":"h\u0069gh","class":"ch\u0061t"}"#
    )
  }

  @Test(arguments: ["layout-changed", "screen-changed"])
  func `a change is about an element or a text, not both`(type: String) throws {
    let event = #"{"type":"\#(type)","element":"e","text":"t"}"#

    let refusal = try #require(try Stored.refusal(of: event))

    #expect(refusal.code == .fieldInvalid)
    #expect(refusal.field == "element" || refusal.field == "text")
  }

  @Test func `seqs that an event refers to are told apart`() throws {
    let stored = try Stored(#"{"type":"cancel","of":3,"cause":1,"basis":2}"#)

    #expect(stored.cause == Seq(1))
    #expect(stored.basis == Seq(2))
    #expect(stored.of == Seq(3))
    #expect(try Stored(#"{"type":"pause","cause":"user"}"#).cause == nil)
  }

  @Test func `unknown fields are left out and named by their path`() throws {
    let stored = try Stored(
      """
      {"foo":1,"type":"elements","window":"w","upsert":[{"id":"a","bar":{"id":2}},{"id":"b"}],\
      "id":3,"op":4}
      """
    )

    #expect(
      stored.text == #"{"type":"elements","upsert":[{"id":"a"},{"id":"b"}],"window":"w"}"#
    )
    #expect(stored.unknown == ["foo", "id", "op", "upsert[].bar"])
  }

  @Test(arguments: [
    (String(repeating: "x", count: 30_000), String(repeating: "x", count: 128)),
    // A single character: a letter with thousands of accents.
    (
      "e" + String(repeating: "\u{301}", count: 30_000),
      "e" + String(repeating: "\u{301}", count: 63)
    ),
    (String(repeating: "€", count: 100), String(repeating: "€", count: 42)),
    (String(repeating: "é", count: 64), String(repeating: "é", count: 64)),
  ])
  func `the name of an unknown field is cut to the bytes of a name`(
    name: String,
    told: String
  ) throws {
    let stored = try Stored("{\"type\":\"announcement\",\"text\":\"a\",\"\(name)\":1}")

    #expect(stored.unknown.map { Array($0.utf8) } == [Array(told.utf8)])
  }

  private func parsed(_ text: String) throws -> NSDictionary? {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
  }
}
