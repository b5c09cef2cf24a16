// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Which entries a subscriber asks for.
@Suite(.timeLimit(.minutes(hangs)))
struct FilterTests {
  let daemon: RunningDaemon

  init() throws { daemon = try RunningDaemon() }

  /// A filter and whether it lets an event of an app pass.
  struct Case: Sendable {
    let text: String
    let passes: @Sendable (_ app: String, _ event: JSON) -> Bool
  }

  static let cases: [Case] = [
    Case(text: "{}") { _, _ in true },
    Case(text: #"{"types":["announcement"]}"#) { $1["type"] == "announcement" },
    Case(text: #"{"types":["pause","window"]}"#) { ["pause", "window"].contains($1["type"]) },
    Case(text: #"{"types":[]}"#) { _, _ in false },
    Case(text: #"{"apps":["one"]}"#) { app, _ in app == "one" },
    Case(text: #"{"apps":["one","two"]}"#) { app, _ in app == "one" || app == "two" },
    Case(text: #"{"apps":["nobody"]}"#) { _, _ in false },
    Case(text: #"{"apps":[]}"#) { _, _ in false },
    Case(text: #"{"windows":["w1"]}"#) { $1["window"] == "w1" },
    Case(text: #"{"windows":["w1","w2"]}"#) { ["w1", "w2"].contains($1["window"]) },
    Case(text: #"{"windows":[]}"#) { _, _ in false },
    Case(text: #"{"elements":["e1"]}"#) { $1["element"] == "e1" },
    Case(text: #"{"elements":[]}"#) { _, _ in false },
    Case(text: #"{"priorities":["high"]}"#) { $1["priority"] == "high" },
    Case(text: #"{"priorities":["high","low"]}"#) { ["high", "low"].contains($1["priority"]) },
    Case(text: #"{"priorities":[]}"#) { _, _ in false },
    Case(text: #"{"apps":["one"],"types":["announcement"],"windows":["w1"]}"#) { app, event in
      app == "one" && event["type"] == "announcement" && event["window"] == "w1"
    },
    Case(text: #"{"windows":["w1"],"elements":["e2"],"priorities":["low"]}"#) { _, event in
      event["window"] == "w1" && event["element"] == "e2" && event["priority"] == "low"
    },
    Case(text: #"{"apps":["one"],"types":[]}"#) { _, _ in false },
  ]

  @Test func `what passes a filter comes, live and again, and nothing else`() throws {
    // All at once, since each may have to wait a second for the checkpoint that ends it.
    let subscribers = try Self.cases.map { filter in
      let live = try daemon.connect()
      try live.subscribe(#","filter":\#(filter.text)"#)
      #expect(try live.answer()["mark"] == "caught-up")
      return (filter, live)
    }
    let published = try publishAll()
    let last = try daemon.connect().last()

    for (filter, live) in subscribers {
      let replay = try daemon.connect()
      try replay.subscribe(#","from":"start","filter":\#(filter.text)"#)
      let again = try fromApps(replay.entriesUntilCaughtUp())
      let lived = try fromApps(entries(of: live, until: last))

      let wanted = published.filter { filter.passes($0.app, $0.event) }.map(\.seq)
      #expect(again.map(\.seq) == wanted, "\(filter.text)")
      #expect(lived == again, "\(filter.text)")
    }
  }

  @Test(arguments: [
    (#""types":"pause""#, "filter.types"), (#""types":{}"#, "filter.types"),
    (#""types":[1]"#, "filter.types[0]"), (#""apps":7"#, "filter.apps"),
    (#""apps":["one",null]"#, "filter.apps[1]"), (#""windows":true"#, "filter.windows"),
    (#""elements":[["e"]]"#, "filter.elements[0]"), (#""priorities":"high""#, "filter.priorities"),
    (#""priorities":["urgent"]"#, "filter.priorities[0]"),
  ])
  func `a filter that is wrong is refused`(fields: String, field: String) throws {
    let client = try daemon.connect()

    let answer = try client.ask(#"{"id":1,"op":"subscribe","filter":{\#(fields)}}"#)

    #expect(answer["err"]["code"] == "field.invalid", "\(answer)")
    #expect(answer["err"]["field"] == .string(field))
    try client.subscribe()
  }

  @Test(arguments: ["7", "[]", #""all""#])
  func `a filter that is no object is refused`(filter: String) throws {
    let client = try daemon.connect()

    let answer = try client.ask(#"{"id":1,"op":"subscribe","filter":\#(filter)}"#)

    #expect(answer["err"]["code"] == "field.invalid", "\(answer)")
    #expect(answer["err"]["field"] == "filter")
  }

  @Test func `a filter is the same when it is written with escapes`() throws {
    let subscriber = try daemon.connect()
    try subscriber.subscribe(#","filter":{"windows":["\u0077\u0031"]}"#)

    let client = try daemon.connect()
    try client.publishAccepted(#"{"type":"announcement","text":"a","window":"w2"}"#)
    let seq = try client.publishAccepted(#"{"type":"announcement","text":"a","window":"\u00771"}"#)

    #expect(try subscriber.entry().seq == seq)
  }

  private typealias Published = (seq: Int64, app: String, event: JSON)

  /// Events of two apps, in two windows, on two elements, of all priorities, and of other types.
  private func publishAll() throws -> [Published] {
    let clients = try ["one", "two"].map { app in
      let client = try daemon.connect()
      try client.hello(app)
      return (app, client)
    }
    var all: [Published] = []
    func publish(_ event: String) throws {
      for (app, client) in clients {
        all.append((try client.publishAccepted(event), app, try JSON(event)))
      }
    }
    for window in ["w1", "w2"] {
      try publish(#"{"type":"window","window":"\#(window)","state":"opened"}"#)
      for element in ["e1", "e2"] {
        for priority in ["low", "default", "high"] {
          try publish(
            #"{"type":"announcement","text":"a","priority":"\#(priority)","#
              + #""window":"\#(window)","element":"\#(element)"}"#
          )
        }
        try publish(#"{"type":"layout-changed","element":"\#(element)","window":"\#(window)"}"#)
      }
    }
    try publish(#"{"type":"pause"}"#)
    return all
  }

  /// The entries of apps: those that the daemon writes count as their event's, and are left out.
  private func fromApps(_ entries: [Entry]) throws -> [Entry] {
    try entries.filter { try $0.json()["conn"] != 0 }
  }

  /// The entries that a live subscriber gets up to one: a checkpoint tells that it has passed it.
  private func entries(of subscriber: RawClient, until last: Int64) throws -> [Entry] {
    var entries: [Entry] = []
    while (entries.last?.seq ?? 0) < last {
      let line = try subscriber.line()
      if line.hasPrefix(#"{"seq":"#) {
        entries.append(try Entry(line))
      } else {
        let cursor = try #require(JSON(line)["cursor"].string)
        if try #require(Int64(cursor.split(separator: ":")[1])) >= last { break }
      }
    }
    return entries
  }
}
