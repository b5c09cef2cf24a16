// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// How the daemon starts, and with which number it ends where it cannot.
@Suite(.timeLimit(.minutes(hangs)))
struct StartupTests {
  let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test func `it tells its version`() throws {
    let (end, said) = try run(["--version"])

    #expect(end == .exited(0))
    #expect(said.contains(/[0-9]+\.[0-9]+/))
  }

  @Test func `it tells how it is used`() throws {
    let (end, said) = try run(["--help"])

    #expect(end == .exited(0))
    let options = [
      "--config", "--socket", "--state", "--log-level", "--check-config", "--version", "--help",
    ]
    for option in options { #expect(said.contains(option), "\(option)") }
  }

  @Test(arguments: [
    ["--nonsense"], ["--socket"], ["--state"], ["--config"], ["-x"], ["--log-level", "loudest"],
    ["positional"],
  ])
  func `a command line that is wrong is told so`(arguments: [String]) throws {
    let (end, said) = try run(arguments)

    #expect(end == .exited(64), "\(said)")
    #expect(!said.isEmpty)
  }

  @Test func `a socket that somebody listens on is left to him`() throws {
    let daemon = try RunningDaemon()

    let (end, said) = try run(["--socket", daemon.socket, "--state", scratch("state")])

    #expect(end == .exited(73), "\(said)")
    #expect(try daemon.connect().last() > 0)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(arguments: ["sockets/bus.sock", String(repeating: "x", count: 120)])
  func `a place that no socket can have ends the start, and the log is not touched`(
    place: String
  ) throws {
    try Data().write(to: URL(filePath: scratch("sockets")))

    let (end, said) = try run(["--socket", scratch(place), "--state", scratch("state")])

    #expect(end == .exited(71), "\(said)")
    #expect(said.contains(scratch(place)), "\(said)")
    #expect(!FileManager.default.fileExists(atPath: scratch("state")))
  }

  @Test func `a state directory that another holds is left to him`() throws {
    let daemon = try RunningDaemon()
    try daemon.connect().publishAccepted(#"{"type":"announcement","text":"a"}"#)

    let (end, said) = try run(["--socket", scratch("sock"), "--state", daemon.state])

    #expect(end == .exited(75), "\(said)")
    #expect(!FileManager.default.fileExists(atPath: scratch("sock")))
    let client = try daemon.connect()
    try client.publishAccepted(#"{"type":"announcement","text":"b"}"#)
    #expect(try daemon.entries().compactMap { try $0.event()["text"].string } == ["a", "b"])
  }

  @Test(arguments: [0o755, 0o750, 0o701, 0o770])
  func `a state directory that others may look into is not used`(mode: Int) throws {
    try FileManager.default.createDirectory(
      atPath: scratch("state"),
      withIntermediateDirectories: false
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: mode],
      ofItemAtPath: scratch("state")
    )

    let (end, said) = try run(["--socket", scratch("sock"), "--state", scratch("state")])

    #expect(end == .exited(77), "\(said)")
    #expect(try Self.mode(of: scratch("state")) == mode)
    #expect(!FileManager.default.fileExists(atPath: scratch("sock")))
  }

  @Test(.enabled(if: getuid() == 0, "giving a directory away needs root"))
  func `a state directory of another user is not used`() throws {
    try FileManager.default.createDirectory(
      atPath: scratch("state"),
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700, .ownerAccountID: 4711]
    )

    let (end, said) = try run(["--socket", scratch("sock"), "--state", scratch("state")])

    #expect(end == .exited(77), "\(said)")
  }

  @Test(arguments: [
    "[log\n", "[log]\nretain_days = \"soon\"\n", "[log]\nsegment_bytes = -1\n",
    "[log]\nretain_day = 3\n", "[limits]\nconnections = \"many\"\n", "= 3\n",
  ])
  func `a configuration that is wrong is told so when it is checked`(text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: scratch("a11yd.toml")))

    let (end, said) = try run(["--check-config"] + RunningDaemon.arguments(in: scratch))

    #expect(end == .exited(78), "\(said)")
    #expect(said.contains(scratch("a11yd.toml")), "\(said)")
    #expect(!FileManager.default.fileExists(atPath: scratch("state")))
    #expect(!FileManager.default.fileExists(atPath: scratch("bus.sock")))
  }

  @Test func `a configuration that is right is told so, and nothing is started`() throws {
    let text = """
      [limits]
      connections_per_uid = 10
      [log]
      segment_bytes = "1 MiB"
      retain_days = 3
      retain_bytes = "10 MiB"
      retain_entries = 1000
      [reader]
      ms_per_char = 40
      grace_ms = "1.5 s"
      [rules]
      dirs = []
      """
    try Data(text.utf8).write(to: URL(filePath: scratch("a11yd.toml")))

    let (end, said) = try run(["--check-config"] + RunningDaemon.arguments(in: scratch))

    #expect(end == .exited(0), "\(said)")
    #expect(!FileManager.default.fileExists(atPath: scratch("state")))
    #expect(!FileManager.default.fileExists(atPath: scratch("bus.sock")))
  }

  @Test func `with a configuration named, the session's own is not read`() throws {
    let home = try RunningDaemon.home(in: scratch)
    try FileManager.default.createDirectory(
      atPath: scratch("config/a11yd"),
      withIntermediateDirectories: true
    )
    try Data("nonsense".utf8).write(to: URL(filePath: scratch("config/a11yd/a11yd.toml")))
    try Data().write(to: URL(filePath: scratch("a11yd.toml")))

    let named = try run(["--check-config", "--config", scratch("a11yd.toml")], environment: home)
    let usual = try run(["--check-config"], environment: home)

    #expect(named.end == .exited(0), "\(named.said)")
    #expect(usual.end == .exited(78), "\(usual.said)")
  }

  @Test func `a socket file that nobody listens on is replaced`() throws {
    let daemon = try RunningDaemon()
    daemon.kill()
    #expect(FileManager.default.fileExists(atPath: daemon.socket))

    try daemon.start()

    #expect(try daemon.connect().last() > 0)
  }

  @Test func `a file that is no socket is not replaced`() throws {
    try Data("precious".utf8).write(to: URL(filePath: scratch("bus.sock")))

    let (end, said) = try run(RunningDaemon.arguments(in: scratch).dropLast(2))

    #expect(end != .exited(0), "\(said)")
    #expect(try String(contentsOfFile: scratch("bus.sock"), encoding: .utf8) == "precious")
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `asked to end it ends well and removes its socket`(signal: Int32) throws {
    let daemon = try RunningDaemon()
    try daemon.connect().publishAccepted(#"{"type":"announcement","text":"a"}"#)

    daemon.process.send(signal)

    #expect(try daemon.process.end() == .exited(0))
    #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    #expect(try daemon.linesOnDisk().contains { $0.contains(#""type":"closed""#) })
  }

  @Test func `asked again and again while it ends, it ends well`() throws {
    let daemon = try RunningDaemon()
    try daemon.connect().publishAccepted(#"{"type":"announcement","text":"a"}"#)

    for _ in 0..<20_000 { daemon.process.send(SIGTERM) }

    #expect(try daemon.process.end() == .exited(0))
  }

  @Test func `the socket and the log are the user's alone`() throws {
    let daemon = try RunningDaemon()

    #expect(try Self.mode(of: daemon.socket) == 0o600)
    #expect(try Self.mode(of: daemon.state) == 0o700)
    for name in try FileManager.default.subpathsOfDirectory(atPath: daemon.state) {
      let path = "\(daemon.state)/\(name)"
      var isDirectory: ObjCBool = false
      #expect(FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory))
      #expect(try Self.mode(of: path) == (isDirectory.boolValue ? 0o700 : 0o600), "\(name)")
    }
  }

  @Test func `the socket is where the environment says`() throws {
    var home = try RunningDaemon.home(in: scratch)
    try Data().write(to: URL(filePath: scratch("a11yd.toml")))
    let arguments = ["--config", scratch("a11yd.toml")]

    for (variable, path) in [
      (nil, scratch("run/a11yd/bus.sock")), ("A11YD_SOCKET", scratch("elsewhere")),
    ] {
      if let variable { home[variable] = path }
      let process = try DaemonProcess(arguments, environment: home)
      let ready = try RunningDaemon.Ready(process.line(beginning: "a11yd: ready "))
      #expect(ready.socket == path)
      #expect(try RawClient(path).last() > 0)
      process.send(SIGTERM)
      #expect(try process.end() == .exited(0))
    }
  }

  @Test func `the log is where the environment says`() throws {
    var home = try RunningDaemon.home(in: scratch)
    try Data().write(to: URL(filePath: scratch("a11yd.toml")))
    let arguments = ["--config", scratch("a11yd.toml"), "--socket", scratch("sock")]

    for (variable, path) in [
      (nil, scratch("states/a11yd")), ("STATE_DIRECTORY", scratch("elsewhere")),
    ] {
      if let variable { home[variable] = path }
      let process = try DaemonProcess(arguments, environment: home)
      _ = try process.line(beginning: "a11yd: ready ")
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      #expect(names.contains { $0.hasSuffix(".ndjson") })
      process.send(SIGTERM)
      #expect(try process.end() == .exited(0))
    }
  }

  private func run(
    _ arguments: [String],
    environment: [String: String]? = nil
  ) throws -> (end: DaemonProcess.End, said: String) {
    let environment = try environment ?? RunningDaemon.home(in: scratch)
    let process = try DaemonProcess(arguments, environment: environment)
    return (try process.end(), process.said)
  }

  static func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }
}

/// The files of the log as anybody can read them.
@Suite(.timeLimit(.minutes(hangs)))
struct LogFileTests {
  let daemon: RunningDaemon

  /// Several segments, so that there are headers and closing lines between the entries.
  init() throws {
    daemon = try RunningDaemon(config: "[log]\nsegment_bytes = \"64 KiB\"\n")
    let client = try daemon.connect()
    try client.hello("app")
    for number in 1...2000 {
      try client.send(#"{"op":"publish","event":{"type":"announcement","text":"\#(number)"}}"#)
    }
    _ = try client.last()
  }

  @Test func `only entries have a seq and an event`() throws {
    let entries = try daemon.entries()
    let lines = try daemon.linesOnDisk()

    var stored: [String] = []
    for line in lines {
      let json = try JSON(line)
      #expect(json["seq"].isThere == json["event"].isThere, "\(line)")
      if json["event"].isThere { stored.append(line) }
    }
    #expect(stored.starts(with: entries.map(\.line)))
    #expect(stored.count < lines.count)
  }

  @Test func `each file is named for the first seq in it`() throws {
    let names = try daemon.segments()

    #expect(names.count > 2)
    for name in names {
      #expect(name.wholeMatch(of: /[0-9]{20}\.ndjson/) != nil)
      #expect(try StartupTests.mode(of: "\(daemon.state)/\(name)") == 0o600)
      let text = try String(contentsOfFile: "\(daemon.state)/\(name)", encoding: .utf8)
      let first = text.split(separator: "\n").first { $0.hasPrefix(#"{"seq":"#) }
      guard let first else { continue }
      #expect(Int64(name.prefix(20)) == (try Entry(String(first)).seq))
    }
  }

  @Test func `jq finds the entries`() throws {
    try daemon.stop()
    let files = try daemon.segments().map { "\(daemon.state)/\($0)" }
    let jq = ["/usr/bin/jq", "/usr/local/bin/jq"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    guard let jq else { return }

    let found = try Command(jq, ["-c", "select(.event) | .seq"] + files).output()

    let seqs = found.split(separator: "\n").compactMap { Int64($0) }
    #expect(seqs.count >= 2004)
    #expect(seqs == Array(1...Int64(seqs.count)))
  }
}
