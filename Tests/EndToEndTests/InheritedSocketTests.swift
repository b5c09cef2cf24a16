// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// A daemon that is handed its sockets, as systemd does, and the rights that come with each.
@Suite(.timeLimit(.minutes(hangs)))
struct InheritedSocketTests {
  let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  /// Requests that a role may not make.
  static let deniedOps: [(role: String, line: String)] = [
    ("publish", #"{"id":1,"op":"state"}"#), ("publish", #"{"id":1,"op":"rules"}"#),
    ("publish", #"{"id":1,"op":"stats"}"#),
    ("publish", #"{"id":1,"op":"forget","apps":["a"]}"#),
    ("read", #"{"id":1,"op":"forget","apps":["a"]}"#),
    ("publish", #"{"id":1,"op":"hello","role":"reader"}"#),
    ("control", #"{"id":1,"op":"hello","role":"reader"}"#),
  ]

  @Test(arguments: deniedOps)
  func `what a socket is not for is denied there`(role: String, line: String) throws {
    let daemon = try HandedDaemon(["publish", "read", "control"], in: scratch)

    let answer = try daemon.connect(role).ask(line)

    #expect(answer["id"] == 1)
    #expect(answer["err"]["code"] == "role.denied", "\(answer)")
    #expect(answer["err"]["msg"].string?.isEmpty == false)
  }

  @Test(arguments: [
    ("publish", ["hello", "ping", "describe", "publish", "subscribe"]),
    ("read", ["hello", "ping", "describe", "stats", "subscribe"]),
    ("control", ["hello", "ping", "describe", "stats", "subscribe"]),
    ("bus", ["hello", "ping", "describe", "stats", "publish", "subscribe"]),
  ])
  func `what a socket is for is done there`(role: String, ops: [String]) throws {
    let daemon = try HandedDaemon([role], in: scratch)
    let client = try daemon.connect(role)

    for op in ops {
      let answer = try client.ask(#"{"id":1,"op":"\#(op)","event":{"type":"pause"}}"#)
      let reply = answer["warn"].isThere ? try client.answer() : answer
      #expect(reply["ok"].isThere, "\(op): \(reply)")
    }
  }

  @Test(arguments: ["read", "bus"])
  func `a reader may be one where it can read`(role: String) throws {
    let daemon = try HandedDaemon([role], in: scratch)

    #expect(try daemon.connect(role).hello("orca", role: "reader")["protocol"] == 1)
  }

  /// Which events may be published where; what is not said of a role is left open.
  static let rights: [(event: String, allowed: [String], denied: [String])] =
    [
      #"{"type":"announcement","text":"a"}"#, #"{"type":"layout-changed"}"#,
      #"{"type":"screen-changed"}"#, #"{"type":"page-scrolled","text":"a"}"#,
      #"{"type":"focus-changed","element":"e"}"#,
      #"{"type":"elements","window":"w","upsert":[]}"#,
      #"{"type":"window","window":"w","state":"opened"}"#,
      #"{"type":"busy","element":"e","busy":true}"#, #"{"type":"pause"}"#, #"{"type":"resume"}"#,
      #"{"type":"zoom-focus-changed","frame":[0,0,1,1],"element":"e"}"#,
      #"{"type":"content-size-changed","category":"large"}"#,
    ].map { ($0, ["publish", "bus"], ["read", "control"]) } + [
      (#"{"type":"action","action":"next"}"#, ["control", "bus"], ["publish", "read"]),
      (#"{"type":"do-not-disturb","level":5}"#, ["control", "bus"], ["publish", "read"]),
      (
        #"{"type":"speech","reading":true,"state":"started"}"#, ["read", "bus"],
        ["publish", "control"]
      ),
      (#"{"type":"voiceover-status","running":true}"#, ["read", "control", "bus"], []),
    ]

  @Test func `each socket has its events`() throws {
    let daemon = try HandedDaemon(["bus", "publish", "read", "control"], in: scratch)

    for (event, allowed, denied) in Self.rights {
      for role in allowed {
        let answer = try daemon.connect(role).publish(event)
        #expect(answer["ok"]["seq"].isThere, "\(role) \(event): \(answer)")
      }
      for role in denied {
        let answer = try daemon.connect(role).publish(event)
        #expect(answer["err"]["code"] == "role.denied", "\(role) \(event): \(answer)")
      }
    }
  }

  @Test(arguments: EventTable.daemons, ["publish", "read", "control"])
  func `what only the daemon writes is denied everywhere`(type: String, role: String) throws {
    let daemon = try HandedDaemon([role], in: scratch)

    let answer = try daemon.connect(role).publish(#"{"type":"\#(type)"}"#)

    #expect(answer["err"]["code"] == "role.denied", "\(answer)")
  }

  @Test func `an app on the publish socket sees what is its own`() throws {
    let daemon = try HandedDaemon(["publish", "read"], in: scratch)
    let apps = try ["one", "two"].map { app in
      let client = try daemon.connect("publish")
      try client.hello(app)
      return client
    }
    try apps[0].subscribe(#","from":"start""#)
    _ = try apps[0].entriesUntilCaughtUp()

    let publisher = try daemon.connect("publish")
    try publisher.hello("one")
    for _ in 1...10 {
      try apps[1].publishAccepted(#"{"type":"announcement","text":"not yours"}"#)
      try publisher.publishAccepted(#"{"type":"announcement","text":"yours"}"#)
    }

    let replay = try daemon.connect("publish")
    try replay.hello("one")
    try replay.subscribe(#","from":"start""#)
    let again = try replay.entriesUntilCaughtUp()
    #expect(try again.count { try $0.event()["text"] == "yours" } == 10)
    #expect(!again.contains { $0.line.contains("not yours") })
    #expect(!again.contains { $0.line.contains(#""type":"opened""#) })
    #expect(!again.contains { $0.line.contains(#""app":"two""#) })
    var live: [Entry] = []
    while try live.count(where: { try $0.event()["text"] == "yours" }) < 10 {
      live.append(try apps[0].entry())
    }
    #expect(!live.contains { $0.line.contains("not yours") || $0.line.contains(#""two""#) })

    let reader = try daemon.connect("read")
    try reader.subscribe(#","from":"start","filter":{"types":["announcement"]}"#)
    #expect(try reader.entriesUntilCaughtUp().count == 20)
  }

  @Test func `an app cannot look at others by asking for them`() throws {
    let daemon = try HandedDaemon(["publish"], in: scratch)
    let (one, two) = (try daemon.connect("publish"), try daemon.connect("publish"))
    try one.hello("one")
    try two.hello("two")
    try two.publishAccepted(#"{"type":"announcement","text":"not yours","window":"w"}"#)

    try one.subscribe(#","from":"start","filter":{"apps":["two"],"windows":["w"]}"#)

    #expect(try one.entriesUntilCaughtUp() == [])
  }

  @Test(arguments: [[""], ["connection"], ["something-else"], ["bus"]])
  func `a single socket without a known name is the bus`(names: [String]) throws {
    let daemon = try HandedDaemon(names, in: scratch)
    let client = try daemon.connect(names[0])

    #expect(try client.ask(#"{"id":1,"op":"stats"}"#)["ok"].isThere)
    try client.publishAccepted(#"{"type":"announcement","text":"a"}"#)
    try client.publishAccepted(#"{"type":"do-not-disturb","level":1}"#)
  }

  @Test func `a socket among several whose name is not known is closed`() throws {
    let daemon = try HandedDaemon(["publish", "nonsense"], in: scratch)

    #expect(try daemon.connect("publish").last() > 0)
    let other = try daemon.connect("nonsense")
    try other.send(#"{"id":1,"op":"stats"}"#)
    // The listening socket is still ours, so that the connection waits there for ever.
    _ = try daemon.connect("publish").last()
    #expect(try !other.hasUnread())
    #expect(daemon.process.said.contains("nonsense"))
  }

  @Test func `an inherited socket stays when the daemon ends`() throws {
    let daemon = try HandedDaemon(["publish", "read", "control"], in: scratch)
    try daemon.connect("publish").publishAccepted(#"{"type":"announcement","text":"a"}"#)

    daemon.process.send(SIGTERM)

    #expect(try daemon.process.end() == .exited(0))
    for name in ["publish", "read", "control"] {
      #expect(FileManager.default.fileExists(atPath: daemon.path(name)), "\(name)")
      // A client that connects now waits for the next daemon.
      _ = try daemon.connect(name)
    }
  }

  @Test func `who connects between two daemons is served by the second`() throws {
    let daemon = try HandedDaemon(["bus"], in: scratch)
    let seq = try daemon.connect("bus").publishAccepted(#"{"type":"announcement","text":"a"}"#)
    daemon.process.send(SIGTERM)
    #expect(try daemon.process.end() == .exited(0))

    let client = try daemon.connect("bus")
    try client.send(#"{"id":1,"op":"publish","event":{"type":"announcement","text":"b"}}"#)
    try daemon.start()

    #expect(try #require(client.answer()["ok"]["seq"].integer) > seq)
  }

  @Test func `each connection has the user that it comes from`() throws {
    let daemon = try HandedDaemon(["publish", "read"], in: scratch)
    let client = try daemon.connect("publish")

    let ok = try client.hello("app")

    #expect(ok["uid"] == .integer(Int64(getuid())))
  }
}

/// A daemon that was handed listening sockets, whose paths we keep.
final class HandedDaemon {
  private(set) var process: DaemonProcess
  private let listeners: [UnixListener]
  private let names: [String]
  private let scratch: ScratchDirectory

  init(_ names: [String], in scratch: ScratchDirectory) throws {
    self.names = names
    self.scratch = scratch
    listeners = try names.map { name in
      try UnixListener(path: Self.path(name, in: scratch), mode: 0o600)
    }
    try Data().write(to: URL(filePath: scratch("a11yd.toml")))
    process = try Self.start(names, listeners, in: scratch)
  }

  func start() throws { process = try Self.start(names, listeners, in: scratch) }

  func connect(_ name: String) throws -> RawClient { try RawClient(path(name)) }

  func path(_ name: String) -> String { Self.path(name, in: scratch) }

  private static func path(_ name: String, in scratch: ScratchDirectory) -> String {
    scratch("\(name).sock")
  }

  private static func start(
    _ names: [String],
    _ listeners: [UnixListener],
    in scratch: ScratchDirectory
  ) throws -> DaemonProcess {
    var environment = try RunningDaemon.home(in: scratch)
    environment["LISTEN_FDS"] = "\(listeners.count)"
    environment["LISTEN_FDNAMES"] = names.joined(separator: ":")
    let process = try DaemonProcess(
      ["--state", scratch("state"), "--config", scratch("a11yd.toml")],
      environment: environment,
      inherited: listeners.map { $0.descriptor.number }
    )
    _ = try process.line(beginning: "a11yd: ready ")
    return process
  }
}
