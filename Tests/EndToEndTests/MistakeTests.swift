// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// A mistake in a file never silences a machine: the daemon starts without what it cannot use.
@Suite(.timeLimit(.minutes(hangs)))
struct MistakeTests {
  @Test(arguments: [
    "[log\n", "[log]\nretain_days = \"soon\"\n", "[log]\nretain_day = 3\n",
    "[limits]\nconnections = \"many\"\n", "= 3\n", "[server]\nlog_level = \"loud\"\n",
    "[log]\nretain_days =\n",
  ])
  func `a daemon starts in spite of a mistake, and says where it is`(text: String) throws {
    let daemon = try RunningDaemon(config: text)
    let line = text.hasPrefix("[log\n") || text.hasPrefix("= 3") ? 1 : 2

    let client = try daemon.connect()
    try client.publishAccepted(#"{"type":"announcement","text":"a"}"#)

    #expect(daemon.process.said.contains("\(daemon.directory("a11yd.toml")):\(line):"))
    let told = try client.ask(#"{"id":1,"op":"stats"}"#)["ok"]["reloads"]["refused"]
    #expect(told.string?.contains("a11yd.toml:\(line):") == true, "\(told)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `the rest of the file is in force`() throws {
    let daemon = try RunningDaemon(
      config: "[limits]\nconnections = \"many\"\nconnections_per_uid = 3\n"
    )

    let hello = try daemon.connect().ask(#"{"id":1,"op":"hello","app":"a"}"#)

    #expect(hello["ok"]["limits"]["connections_per_uid"] == 3)
    #expect(hello["ok"]["limits"]["connections"] == 4096)
  }

  @Test func `a mistake that is put right is taken over by a reload`() throws {
    let daemon = try RunningDaemon(config: "[limits]\nconnections_per_uid = \"many\"\n")
    let client = try daemon.connect()
    let file = URL(filePath: daemon.directory("a11yd.toml"))
    try Data("[limits]\nconnections_per_uid = 3\n".utf8).write(to: file)

    daemon.process.send(SIGHUP)

    _ = try daemon.process.line(containing: "The configuration was read again")
    let stats = try client.ask(#"{"id":1,"op":"stats"}"#)["ok"]
    #expect(stats["reloads"]["count"] == 1)
    #expect(!stats["reloads"]["refused"].isThere)
  }

  @Test func `a configuration that is not there does not keep the daemon from starting`() throws {
    let scratch = try ScratchDirectory()

    let process = try DaemonProcess(
      RunningDaemon.arguments(in: scratch),
      environment: RunningDaemon.home(in: scratch)
    )

    _ = try process.line(beginning: "a11yd: ready ")
    #expect(process.said.contains("\(scratch("a11yd.toml")): cannot be read: No such file"))
  }

  @Test func `places in a file that cannot be used give way to the usual ones`() throws {
    let scratch = try ScratchDirectory()
    try Data(
      "[server]\nsocket = \"/proc/none/bus.sock\"\nstate = \"/dev/null/state\"\n".utf8
    ).write(to: URL(filePath: scratch("a11yd.toml")))

    let process = try DaemonProcess(
      ["--config", scratch("a11yd.toml")],
      environment: RunningDaemon.home(in: scratch)
    )

    let ready = try RunningDaemon.Ready(process.line(beginning: "a11yd: ready "))
    #expect(ready.socket == scratch("run/a11yd/bus.sock"))
    #expect(try RawClient(ready.socket).last() > 0)
    #expect(FileManager.default.fileExists(atPath: scratch("states/a11yd")))
    let file = scratch("a11yd.toml")
    #expect(process.said.contains("\(file):2:1: server.socket: Cannot listen at"))
    #expect(process.said.contains("\(file):3:1: server.state: The state directory"))
  }

  /// Things in the place of a file that never end or never begin.
  @Test(arguments: ["pipe", "directory", "device"])
  func `what is no file is not waited for`(kind: String) throws {
    let scratch = try ScratchDirectory()
    try FileManager.default.createDirectory(
      atPath: scratch("rules"),
      withIntermediateDirectories: false
    )
    for name in ["a11yd.toml", "rules/10.toml"] {
      switch kind {
      case "pipe": #expect(mkfifo(scratch(name), 0o600) == 0)
      case "directory": #expect(mkdir(scratch(name), 0o700) == 0)
      default: #expect(symlink("/dev/tty", scratch(name)) == 0)
      }
    }
    try Data("[rules]\ndirs = [\"\(scratch("rules"))\"]\n".utf8)
      .write(to: URL(filePath: scratch("good.toml")))

    for file in ["a11yd.toml", "good.toml"] {
      let (socket, state) = (scratch("bus.sock"), scratch("state"))
      let process = try DaemonProcess(
        ["--config", scratch(file), "--socket", socket, "--state", state],
        environment: RunningDaemon.home(in: scratch)
      )
      _ = try process.line(beginning: "a11yd: ready ")
      let client = try RawClient(socket)
      process.send(SIGHUP)
      _ = try process.line(containing: "are kept as they were")
      #expect(try client.last() > 0)
      process.send(SIGTERM)
      #expect(try process.end() == .exited(0), "\(process.said)")
    }
  }
}

/// Nothing that the daemon says of itself makes it wait.
@Suite(.timeLimit(.minutes(hangs)))
struct UnheardTests {
  let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
    try Data("[rules]\ndirs = []\n".utf8).write(to: URL(filePath: scratch("a11yd.toml")))
  }

  /// Starts a daemon by a shell that arranges what is behind its standard error.
  private func begin(_ shell: String, _ more: [String: String] = [:]) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", shell, "sh", DaemonProcess.program] + RunningDaemon.arguments(in: scratch)
    process.environment = try RunningDaemon.home(in: scratch).merging(
      ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"].merging(more) { $1 }
    ) { $1 }
    try process.run()
    return process
  }

  private func client() throws -> RawClient {
    let deadline = Deadline.usual
    while true {
      if let client = try? RawClient(scratch("bus.sock")) { return client }
      if deadline.isOver { throw Missing("a daemon that takes connections") }
    }
  }

  private func end(_ process: Process) throws {
    process.terminate()
    let deadline = Deadline.usual
    while process.isRunning {
      if deadline.isOver {
        kill(process.processIdentifier, SIGKILL)
        throw Missing("the end of the daemon")
      }
    }
    #expect(process.terminationStatus == 0)
  }

  @Test func `a standard error that nobody reads stops nothing`() throws {
    let full = try ClosedPipe()
    let process = Process()
    process.executableURL = URL(filePath: DaemonProcess.program)
    process.arguments = RunningDaemon.arguments(in: scratch)
    process.environment = try RunningDaemon.home(in: scratch)
    process.standardError = full.writing
    try process.run()

    let client = try client()
    for _ in 0..<20 { kill(process.processIdentifier, SIGHUP) }
    #expect(try client.last() > 0)
    try end(process)
  }

  @Test func `a service manager without room stops nothing, and is told later that all is ready`()
    throws
  {
    let manager = try Manager(scratch("notify"))
    try manager.fill()
    let process = try begin("exec \"$@\" 2>/dev/null", ["NOTIFY_SOCKET": scratch("notify")])

    let client = try client()
    for _ in 0..<20 { kill(process.processIdentifier, SIGHUP) }
    #expect(try client.last() > 0)

    try manager.listen(until: "READY=1")
    try end(process)
  }

  @Test func `signals for other kinds of programs change nothing`() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()

    for signal in [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPIPE, SIGXFSZ] {
      daemon.process.send(signal)
      #expect(try client.last() > 0, "\(signal)")
    }

    #expect(try daemon.stop() == .exited(0))
  }
}

/// A pipe that is full, and of which nobody reads.
private final class ClosedPipe {
  let reading: FileHandle
  let writing: FileHandle

  init() throws {
    let pipe = Pipe()
    (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
    let number = writing.fileDescriptor
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    while write(number, "x", 1) == 1 {}
    _ = fcntl(number, F_SETFL, 0)
  }
}

/// The socket of a service manager, which reads when it is asked to.
private final class Manager {
  private let path: String
  private let number: Int32

  init(_ path: String) throws {
    self.path = path
    var address = sockaddr_un()
    number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) }
    }
    guard bound == 0 else { throw POSIXError(.EADDRINUSE) }
  }

  deinit { close(number) }

  /// Leaves no room in the queue; several senders, since each has a limit of its own.
  func fill() throws {
    for _ in 0..<16 {
      let sender = try UnixDatagram(to: path)
      while (try? sender.send("x")) != nil {}
    }
  }

  /// Reads until this comes.
  func listen(until state: String) throws {
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while true {
      let count = recv(number, &buffer, buffer.count, 0)
      guard count > 0 else { throw Missing("\(state) at the service manager") }
      if String(decoding: buffer[..<count], as: UTF8.self) == state { return }
    }
  }
}
