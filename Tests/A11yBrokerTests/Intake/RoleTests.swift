// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yTestKit
import A11yWire
import Testing

/// The table of roles, as the protocol's page has it.
@Suite struct RoleTests {
  private static let all = [
    "hello", "publish", "subscribe", "unsubscribe", "state", "explain", "rules", "stats", "ping",
    "forget", "reload", "describe",
  ]

  private static let allowed: [(role: Role, ops: Set<String>)] = [
    (.bus, Set(all)),
    (
      .publish,
      ["hello", "ping", "describe", "publish", "subscribe", "unsubscribe", "explain"]
    ),
    (.read, Set(all).subtracting(["forget", "reload"])),
    (.control, Set(all)),
  ]

  private static let fields = [
    "publish": #","event":{"type":"pause"}"#, "explain": #","seq":1"#, "forget": #","apps":[]"#,
  ]

  @Test(arguments: allowed, all)
  func `a socket lets its clients ask what is theirs to ask`(
    row: (role: Role, ops: Set<String>),
    op: String
  ) throws {
    let bus = HandDriven()
    let session = bus.connect(role: row.role)

    let answers = bus.say(session, #"{"id":1,"op":"\#(op)"\#(Self.fields[op] ?? "")}"#)

    if op == "forget", row.ops.contains(op) {
      // It is the log that answers.
      guard case .forget = session.errand else { throw HandDriven.Surprise(answers) }
      return
    }
    if op == "reload", row.ops.contains(op) {
      // Only who knows the files can answer.
      guard case .reload = session.errand else { throw HandDriven.Surprise(answers) }
      return
    }
    try #require(answers.count == 1)
    if Operation(rawValue: op) == nil, row.ops.contains(op) {
      #expect(answers[0].contains(#""code":"op.unknown","field":"op""#))
      return
    }
    let isDenied = answers[0].contains(#""code":"role.denied","field":"op""#)
    #expect(isDenied == !row.ops.contains(op), "\(answers[0])")
  }

  @Test(arguments: ["nonsense", "Publish", "publish ", ""])
  func `an operation that nobody knows is refused everywhere`(op: String) throws {
    for role in Role.allCases {
      let bus = HandDriven()
      let answer = try bus.ask(bus.connect(role: role), #"{"id":1,"op":"\#(op)"}"#)

      #expect(answer["err"]["code"].string == "op.unknown")
      #expect(answer["err"]["field"].string == "op")
    }
  }

  @Test(arguments: [
    ("{}", "field.missing"), (#"{"op":7}"#, "field.invalid"), (#"{"op":null}"#, "field.invalid"),
  ])
  func `a request names its operation`(line: String, code: String) throws {
    let bus = HandDriven()
    let answer = try bus.ask(bus.connect(), line)

    #expect(answer["id"] == .null)
    #expect(answer["err"]["code"].string == code)
    #expect(answer["err"]["field"].string == "op")
  }

  @Test func `an operation is known by what it says`() throws {
    let bus = HandDriven()
    let answer = try bus.ask(bus.connect(), #"{"id":1,"op":"p\u0069ng"}"#)

    #expect(answer["ok"]["last"].integer == 0)
  }

  // MARK: Types

  private static let events: [(type: EventType, json: String)] = [
    (.announcement, #""text":"a""#), (.layoutChanged, #""window":"w""#),
    (.screenChanged, #""window":"w""#), (.pageScrolled, #""text":"a""#),
    (.focusChanged, #""element":"e""#), (.voiceOverStatus, #""running":true"#),
    (.elements, #""window":"w","upsert":[]"#), (.window, #""window":"w","state":"opened""#),
    (.handled, #""of":1,"handled":true"#), (.busy, #""element":"e","busy":true"#),
    (.pause, #""key":"k""#), (.resume, #""key":"k""#), (.cancel, #""of":2"#),
    (.zoomFocusChanged, #""element":"e""#), (.contentSizeChanged, #""category":"large""#),
    (.action, #""action":"next""#), (.doNotDisturb, #""level":1"#),
    (.speech, #""reading":true,"state":"started""#),
  ]

  private static let publishers: [(role: Role, types: Set<EventType>)] = [
    (.bus, Set(EventType.allCases)),
    (
      .publish,
      Set(EventType.allCases).subtracting([.action, .doNotDisturb, .speech, .voiceOverStatus])
    ),
    (.read, [.speech, .voiceOverStatus, .cancel]),
    (.control, [.action, .doNotDisturb, .voiceOverStatus]),
  ]

  @Test func `an event of every type is tried`() {
    #expect(Set(Self.events.map(\.type)) == Set(EventType.allCases))
  }

  @Test(arguments: publishers, events)
  func `a socket takes the types that its clients may publish`(
    row: (role: Role, types: Set<EventType>),
    event: (type: EventType, json: String)
  ) throws {
    let bus = HandDriven()
    _ = try bus.publish(bus.connect(app: "x"))
    let session = bus.connect(role: row.role, app: "x")

    let answer = try bus.ask(
      session,
      #"{"id":1,"op":"publish","event":{"type":"\#(event.type.rawValue)",\#(event.json)}}"#
    )

    if row.types.contains(event.type) {
      // Whether a reference finds its entry is another question.
      #expect(answer["ok"]["seq"].integer == 4 || answer["err"]["field"].string == "event.of")
    } else {
      #expect(answer["err"]["code"].string == "role.denied")
      #expect(answer["err"]["field"].string == "event.type")
      #expect(bus.entries == [])
    }
  }

  @Test(arguments: [Role.bus, .read], [true, false])
  func `the words of a screen reader come from one alone`(role: Role, isReader: Bool) throws {
    let bus = HandDriven()
    let session = bus.connect(role: role, app: "orca", more: isReader ? #","role":"reader""# : "")

    let answer = try bus.ask(
      session,
      #"{"id":2,"op":"publish","event":{"type":"announcement","text":"a","class":"reading"}}"#
    )

    #expect(answer["ok"].isThere == isReader)
    if !isReader {
      #expect(answer["err"]["code"].string == "role.denied")
      #expect(answer["err"]["field"].string == "event.class")
    }
  }

  @Test(arguments: Role.allCases, EventType.Own.allCases)
  func `what the daemon alone writes nobody may publish`(role: Role, type: EventType.Own) throws {
    let bus = HandDriven()
    let answer = try bus.ask(
      bus.connect(role: role),
      #"{"id":1,"op":"publish","event":{"type":"\#(type.rawValue)"}}"#
    )

    #expect(answer["err"]["code"].string == "role.denied")
    #expect(answer["err"]["field"].string == "event.type")
    #expect(bus.last == 0)
  }
}
