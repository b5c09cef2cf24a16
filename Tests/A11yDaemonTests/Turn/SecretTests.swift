// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

/// A secret text, which the log must not hold, reaches the live readers once and nobody else.
@Suite struct SecretTests {
  let directory: ScratchDirectory
  let hand: HandBus

  init() throws {
    directory = try ScratchDirectory()
    hand = try HandBus(in: directory)
  }

  private static let word = "hunter2"
  private static let sensitive =
    #"{"op":"publish","event":{"type":"announcement","text":"hunter2","sensitive":true}}"#

  private func reader(
    _ app: String = "reader",
    size: Int = 1 << 20,
    more: String = ""
  ) -> HandLink {
    let link = hand.connect(size: size)
    link.say(
      #"{"op":"hello","app":"\#(app)","role":"reader"}"#,
      #"{"op":"subscribe"\#(more)}"#
    )
    hand.settle()
    return link
  }

  private func type(_ line: String) throws -> String? {
    let line = try JSON(line)
    return line["mark"].string ?? line["event"]["type"].string
  }

  /// The lines from the first deliver on, and what they are.
  private func delivered(to link: HandLink) throws -> [(type: String?, line: JSON)] {
    let lines: [(type: String?, line: JSON)] = try link.takeLines().map {
      (type: try type($0), line: try JSON($0))
    }
    return Array(lines.drop { $0.type != "deliver" })
  }

  /// Whether the word stands in any file of the log.
  private var isOnDisk: Bool {
    get throws {
      let files = LogFiles(path: directory.path)
      return try files.names.contains { name in
        try files.lines(name).contains { $0.contains(Self.word) }
      }
    }
  }

  @Test func `a reader gets the words right behind the deliver that does not have them`() throws {
    let reader = reader()
    let watcher = hand.connect()
    watcher.say(#"{"op":"subscribe"}"#)
    let app = hand.connect()
    app.say(Self.sensitive)
    hand.settle()

    let lines = try delivered(to: reader)
    #expect(lines.prefix(2).map(\.type) == ["deliver", "secret"])
    #expect(lines[0].line["event"]["speak"] == [["redacted": "1-8"]])
    #expect(lines[1].line["of"] == lines[0].line["seq"])
    #expect(lines[1].line["speak"] == [["text": "hunter2"]])
    #expect(lines[1].line["kind"] == "text")
    #expect(lines[1].line.names == ["mark", "of", "kind", "speak"])
    let watched = watcher.takeLines()
    #expect(watched.contains { $0.contains(#""type":"deliver""#) })
    #expect(!watched.contains { $0.contains(Self.word) || $0.contains(#""mark":"secret""#) })
  }

  @Test func `every reader gets them, and one with a filter too`() throws {
    let readers = [
      reader(), reader("second"),
      reader("third", more: #","filter":{"types":["deliver","silence"]}"#),
    ]
    let deaf = reader("fourth", more: #","filter":{"types":["announcement"]}"#)
    let latest = reader("fifth", more: #","mode":"latest""#)
    let app = hand.connect()
    app.say(Self.sensitive)
    hand.settle()

    for link in readers + [latest] {
      #expect(link.takeLines().filter { $0.contains(#""mark":"secret""#) }.count == 1)
    }
    #expect(!deaf.takeLines().contains { $0.contains(Self.word) })
  }

  @Test func `neither a replay nor the log nor a later reader has them`() throws {
    _ = reader()
    let app = hand.connect()
    app.say(Self.sensitive)
    hand.settle()
    let later = reader("later", more: #","from":"start""#)
    hand.settle()

    let lines = later.takeLines()
    #expect(lines.contains { $0.contains(#""redacted":"1-8""#) })
    #expect(!lines.contains { $0.contains(Self.word) })
    #expect(!(try isOnDisk))
  }

  @Test func `who begins to subscribe in the same turn gets what comes behind that`() throws {
    let link = hand.connect()
    let app = hand.connect()
    link.say(#"{"op":"hello","app":"reader","role":"reader"}"#, #"{"op":"subscribe"}"#)
    app.say(Self.sensitive)
    hand.settle()

    #expect(link.takeLines().filter { $0.contains(#""mark":"secret""#) }.count == 1)
  }

  // MARK: A reader that does not read

  @Test func `a reader that has fallen behind gets the line from the log and no words`() throws {
    let link = reader(size: 4_000)
    let app = hand.connect()
    for number in 0..<40 {
      app.say(
        #"{"op":"publish","event":{"type":"window","window":"w\#(number)","state":"opened"}}"#
      )
    }
    hand.settle()
    app.say(Self.sensitive)
    hand.settle()
    var heard = link.takeLines()
    for _ in 0..<20 {
      link.read()
      hand.settle()
      heard += link.takeLines()
    }

    let delivers = heard.filter { $0.contains(#""type":"deliver""#) }
    #expect(delivers.count == 1)
    #expect(delivers[0].contains(#""redacted":"1-8""#))
    #expect(!heard.contains { $0.contains(Self.word) || $0.contains(#""mark":"secret""#) })
  }

  @Test(arguments: [0, 1, 40, 100, 200, 260, 300, 350, 400, 450, 500])
  func `the words go with their line or not at all, wherever the socket is full`(room: Int) throws {
    let link = reader()
    _ = link.takeLines()
    link.resize(room)
    link.read()
    let app = hand.connect()
    app.say(Self.sensitive)
    hand.settle()
    link.resize(1 << 20)
    var heard: [String] = []
    for _ in 0..<5 {
      link.read()
      hand.settle()
      heard += link.takeLines()
    }

    let kinds = try heard.map { try type($0) }
    let place = try #require(kinds.firstIndex(of: "deliver"))
    #expect(kinds.filter { $0 == "deliver" }.count == 1)
    let secrets = kinds.indices.filter { kinds[$0] == "secret" }
    #expect(secrets.isEmpty || secrets == [place + 1])
    // Whole lines, in order, none twice.
    let seqs = try heard.compactMap { try JSON($0)["seq"].integer }
    #expect(seqs == Array((seqs.first ?? 0)..<(seqs.first ?? 0) + Int64(seqs.count)))
  }

  @Test func `a line that was begun brings its words`() throws {
    let link = reader()
    let app = hand.connect()
    app.say(#"{"op":"hello","app":"org.x"}"#)
    hand.settle()
    _ = link.takeLines()
    // The announcement's own line fits, and a part of the deliver's.
    link.resize(250)
    link.read()
    app.say(Self.sensitive)
    hand.settle()
    link.resize(1 << 20)
    link.read()
    hand.settle()

    let kinds = try link.takeLines().map { try type($0) }
    #expect(kinds == ["announcement", "deliver", "secret"])
  }

  // MARK: Values

  private static let field =
    #"{"op":"publish","event":{"type":"elements","window":"w","upsert":[{"id":"p","#
    + #""label":"Password","traits":["text-field","secure"],"value":"hunter2"}]}}"#

  @Test func `the focus that comes to a secure field brings its value behind its label`() throws {
    let link = reader()
    let app = hand.connect()
    app.say(
      #"{"op":"hello","app":"org.x"}"#,
      #"{"op":"publish","event":{"type":"window","window":"w","state":"active"}}"#,
      Self.field
    )
    hand.settle()
    _ = link.takeLines()
    app.say(
      #"{"op":"publish","event":{"type":"focus-changed","window":"w","element":"p","#
        + #""cause":"user"}}"#
    )
    hand.settle()

    let lines = try delivered(to: link)
    try #require(lines.prefix(2).map(\.type) == ["deliver", "secret"])
    #expect(
      lines[0].line["event"]["speak"] == [
        ["text": "Password"], ["redacted": "1-8"], ["text": "secure, text field"],
      ]
    )
    #expect(lines[1].line["kind"] == "value")
    #expect(
      lines[1].line["speak"] == [
        ["text": "Password"], ["text": "hunter2"], ["text": "secure, text field"],
      ]
    )
    #expect(lines[1].line["masked"] == "7 bullets")
    #expect(!(try isOnDisk))

    // A field that is emptied has nothing left to tell.
    app.say(
      #"{"op":"publish","event":{"type":"elements","window":"w","upsert":[{"id":"p","value":null},"#
        + #"{"id":"q","label":"Q"}]}}"#,
      #"{"op":"publish","event":{"type":"focus-changed","window":"w","element":"q","#
        + #""cause":"user"}}"#,
      #"{"op":"publish","event":{"type":"focus-changed","window":"w","element":"p","#
        + #""cause":"user"}}"#
    )
    hand.settle()
    #expect(!link.takeLines().contains { $0.contains(Self.word) })
  }

  @Test func `a value that is announced for a secure field is a secret`() throws {
    let link = reader()
    let app = hand.connect()
    app.say(
      #"{"op":"hello","app":"org.x"}"#,
      #"{"op":"publish","event":{"type":"window","window":"w","state":"active"}}"#,
      #"{"op":"publish","event":{"type":"elements","window":"w","upsert":[{"id":"p","#
        + #""label":"Password","traits":["text-field","secure"]}]}}"#,
      #"{"op":"publish","event":{"type":"announcement","class":"value","element":"p","#
        + #""text":"hunter2"}}"#
    )
    hand.settle()

    let lines = try delivered(to: link)
    try #require(lines.prefix(2).map(\.type) == ["deliver", "secret"])
    #expect(lines[1].line["kind"] == "value")
    #expect(lines[1].line["speak"] == [["text": "hunter2"]])
    #expect(!(try isOnDisk))
  }

  @Test func `the value of a secure field is spoken to readers, letter by letter, and never kept`()
    throws
  {
    let link = reader()
    let app = hand.connect()
    app.say(
      #"{"op":"hello","app":"org.x"}"#,
      #"{"op":"publish","event":{"type":"window","window":"w","state":"active"}}"#,
      #"{"op":"publish","event":{"type":"elements","window":"w","upsert":[{"id":"p","#
        + #""label":"Password","traits":["text-field","secure"]}]}}"#,
      #"{"op":"publish","event":{"type":"focus-changed","window":"w","element":"p","#
        + #""cause":"user"}}"#
    )
    hand.settle()
    let focus = link.takeLines().last { $0.contains(#""type":"deliver""#) }
    let spoken = try #require(try focus.map { try JSON($0)["seq"].integer } ?? nil)
    link.say(#"{"op":"publish","event":{"type":"speech","of":\#(spoken),"state":"finished"}}"#)
    hand.settle()
    _ = link.takeLines()
    app.say(
      #"{"op":"publish","event":{"type":"elements","window":"w","upsert":[{"id":"p","#
        + #""value":"hunter2"}]}}"#
    )
    hand.settle()

    let lines = try delivered(to: link)
    try #require(lines.prefix(2).map(\.type) == ["deliver", "secret"])
    #expect(lines[0].line["event"]["speak"] == [["redacted": "1-8"]])
    #expect(lines[1].line["of"] == lines[0].line["seq"])
    #expect(lines[1].line["kind"] == "value")
    #expect(lines[1].line["speak"] == [["text": "hunter2"]])

    // Another value of the same length is another value.
    let first = try #require(lines[0].line["seq"].integer)
    link.say(#"{"op":"publish","event":{"type":"speech","of":\#(first),"state":"finished"}}"#)
    hand.time.advance(microseconds: 2_000_000)
    app.say(
      #"{"op":"publish","event":{"type":"elements","window":"w","upsert":[{"id":"p","#
        + #""value":"hunter3"}]}}"#
    )
    hand.settle()
    hand.time.advance(microseconds: 2_000_000)
    hand.bus.wake()
    let next = try delivered(to: link)
    try #require(next.prefix(2).map(\.type) == ["deliver", "secret"])
    #expect(next[1].line["speak"] == [["text": "hunter3"]])
    #expect(!(try isOnDisk))
  }

  @Test func `runs keep how they are to be spoken`() throws {
    let link = reader()
    let app = hand.connect()
    app.say(
      #"{"op":"publish","event":{"type":"announcement","sensitive":true,"#
        + #""text":[{"text":"Code "},{"text":"98\"110","spell":true}]}}"#
    )
    hand.settle()

    let lines = try delivered(to: link)
    #expect(
      lines[1].line["speak"] == [["text": "Code "], ["text": "98\"110", "spell": true]]
    )
  }

  /// An app with an element that it describes in a sensitive event, and a user who has it act.
  private func act(on element: String, subscribing app: HandLink, _ seat: HandLink) {
    let window = #"{"type":"window","window":"w","state":"active"}"#
    let anna =
      #"{"type":"elements","window":"w","sensitive":true,"upsert":"#
      + #"[{"id":"anna","label":"Anna","actions":["Call hunter2"]}]}"#
    let others =
      #"{"type":"elements","window":"w","upsert":[{"id":"pin","traits":["secure"],"label":"P"},"#
      + #"{"id":"plain","label":"Plain"}]}"#
    app.say(#"{"op":"hello","app":"contacts"}"#, #"{"op":"subscribe"}"#)
    for event in [window, anna, others] { app.say(#"{"op":"publish","event":\#(event)}"#) }
    hand.settle()
    let action =
      #"{"type":"action","action":"custom","name":"Call hunter2","element":"\#(element)"}"#
    seat.say(#"{"op":"publish","event":\#(action)}"#)
    hand.settle()
  }

  @Test(arguments: ["anna", "pin"])
  func `only its app gets the name of an action that the log must not have`(element: String) throws
  {
    let reader = reader()
    let (app, seat) = (hand.connect(), hand.connect())
    act(on: element, subscribing: app, seat)

    let lines = try app.takeLines().map { try JSON($0) }
    let place = try #require(lines.firstIndex { $0["event"]["type"] == "gesture" })
    #expect(lines[place]["event"]["name"].string == nil)
    #expect(lines[place]["event"]["redacted"] == "9-32")
    #expect(
      lines[place + 1]
        == [
          "mark": "secret", "of": .integer(lines[place]["seq"].integer ?? 0), "kind": "action",
          "name": "Call hunter2",
        ]
    )
    #expect(!reader.takeLines().contains { $0.contains(Self.word) })
    #expect(try !isOnDisk)
  }

  @Test func `the name of any other action is on the log`() throws {
    let (app, seat) = (hand.connect(), hand.connect())
    act(on: "plain", subscribing: app, seat)

    let lines = try app.takeLines().map { try JSON($0) }
    #expect(lines.contains { $0["event"]["name"] == "Call hunter2" })
    #expect(!lines.contains { $0["mark"] == "secret" })
  }
}
