// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// An engine with the rights that the page about fleets names, and a machine that has just these.
final class ConfinedRig: ForwardedLog {
  let daemon: RunningDaemon
  let engine: EngineServer
  private let files: ScratchDirectory
  private(set) var forwarder: DaemonProcess
  private(set) var tender: DaemonProcess?

  static let machine = "counter-7"

  /// `edit` changes the files that the page shows, by their name.
  init(
    _ kind: EngineServer.Kind,
    program: String? = nil,
    config: String = "",
    edit: (String) -> String = { $0 }
  ) throws {
    files = try ScratchDirectory()
    daemon = try RunningDaemon(config: config)
    switch kind {
    case .nats:
      // The place of the store is the one thing that is the test's own.
      let main = try FleetPage.block(beginning: "jetstream {").replacing(
        #"jetstream { store_dir: "/var/lib/nats" }"#,
        with: ""
      )
      let machines = try FleetPage.block(beginning: "# The machines.")
      try Self.write(edit(main), files("nats-server.conf"))
      try Self.write(edit(machines), files("machines.conf"))
      engine = try EngineServer(.nats, ["-c", files("nats-server.conf")], program: program)
    case .redis:
      try Self.write(edit(FleetPage.block(beginning: "user default off")), files("users.acl"))
      engine = try EngineServer(.redis, ["--aclfile", files("users.acl")])
    }
    for (name, password) in [("tend", 1), ("reader", 2), ("counter-7", 7)] {
      try Self.write(
        """
        [forward]
        send = "all"
        heartbeat = 1
        [\(kind)]
        user = "\(name)"
        password = "change-me-\(password)"

        """,
        files("\(name).toml")
      )
    }
    if kind == .nats { tender = try Self.tend(engine, files) }
    forwarder = try Self.forward(daemon, engine, files)
  }

  private static func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
    try #require(chmod(path, 0o600) == 0)
  }

  private static func tend(
    _ engine: EngineServer,
    _ files: ScratchDirectory
  ) throws -> DaemonProcess {
    let words = ["--tend", "--to", engine.address, "--config", files("tend.toml")]
    let tender = try DaemonProcess(words, of: SpeechTools.built("a11y-forward"))
    _ = try tender.line(containing: "removing from")
    return tender
  }

  private static func forward(
    _ daemon: RunningDaemon,
    _ engine: EngineServer,
    _ files: ScratchDirectory
  ) throws -> DaemonProcess {
    try DaemonProcess(
      [
        "--socket", daemon.socket, "--to", engine.address, "--machine", machine, "--config",
        files("counter-7.toml"),
      ],
      of: SpeechTools.built("a11y-forward"),
      environment: RunningDaemon.home(in: daemon.directory)
    )
  }

  func startForwarder() throws { forwarder = try Self.forward(daemon, engine, files) }
  func startTender() throws { tender = try Self.tend(engine, files) }

  func killTender() {
    tender?.kill()
    tender = nil
  }

  /// Asks as the operator who may read everything.
  func fleet(_ words: String...) throws -> (status: Int32, output: String) {
    let rest = ["--from", engine.address, "--config", files("reader.toml")]
    return try Command(SpeechTools.built("a11yctl"), ["fleet"] + words + rest).run()
  }

  /// Waits until the engine has the log, byte for byte.
  func expectWhole(_ words: Comment) throws {
    let deadline = Deadline(after: .seconds(40))
    var (log, stored) = try (logged().joined(separator: "\n"), read())
    while log != stored, !deadline.isOver {
      poll(nil, 0, 50)
      (log, stored) = try (logged().joined(separator: "\n"), read())
    }
    #expect(stored == log, "\(words): \(forwarder.said) \(tender?.said ?? "")")
  }

  /// The lines of the machine that the engine gives to the operator.
  func read() throws -> String { try fleet("cat", Self.machine, "--json").output }

  func forget(_ app: String) throws {
    let count = try daemon.connect().ask(#"{"id":1,"op":"forget","apps":["\#(app)"]}"#)
    try #require(count["ok"]["count"].integer ?? 0 > 0)
  }
}

/// The page about fleets, whose examples are tried as they stand.
enum FleetPage {
  private static let path = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../docs/fleet.md").standardizedFileURL

  /// The lines of an example, whose first one begins so.
  static func block(beginning start: String) throws -> String {
    let lines = try String(contentsOf: path, encoding: .utf8).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    let first = try #require(lines.firstIndex { $0.hasPrefix("    \(start)") })
    let block = lines[first...].prefix { $0.hasPrefix("    ") }
    return block.map { $0.dropFirst(4) + "\n" }.joined()
  }
}

/// A machine that is no friend: it says to NATS whatever it likes.
final class NatsNeighbour {
  private let socket: EngineSocket
  private var asked = 0

  static let inbox = "_INBOX.counter-8.in"

  init(_ port: Int, user: String = "counter-8", password: String = "change-me-8") throws {
    socket = try EngineSocket(port: port)
    try socket.send(
      #"CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"\#(user)","#
        + #""pass":"\#(password)"}"# + "\r\nSUB \(Self.inbox) 1\r\n"
    )
    _ = try answer("PING\r\n")
  }

  /// The refusal of a message, or what came for it; nothing where the server just took it.
  func publish(
    _ subject: String,
    _ body: String = "",
    reply: String = inbox,
    header: String? = nil
  ) throws -> String {
    guard let header else {
      return try answer("PUB \(subject) \(reply) \(body.utf8.count)\r\n\(body)\r\nPING\r\n")
    }
    let head = "NATS/1.0\r\n\(header)\r\n\r\n"
    let counts = "\(head.utf8.count) \(head.utf8.count + body.utf8.count)"
    return try answer("HPUB \(subject) \(reply) \(counts)\r\n\(head)\(body)\r\nPING\r\n")
  }

  func subscribe(_ subject: String) throws -> String {
    asked += 1
    return try answer("SUB \(subject) \(asked + 1)\r\nPING\r\n")
  }

  /// All that comes up to the answer to a ping, which may overtake an answer of the store.
  private func answer(_ words: String) throws -> String {
    try socket.send(words)
    var lines = ""
    while true {
      let line = try socket.line()
      if line == "PONG" { return lines }
      if line == "PING" { try socket.send("PONG\r\n") }
      lines += line + "\n"
    }
  }

  /// All that has come since, behind another moment of the server's.
  func later() throws -> String { try answer("PING\r\n") }
}
