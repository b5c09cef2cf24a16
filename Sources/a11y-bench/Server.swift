// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// The daemon or the peer that a round measures.
enum Subject {
  /// The daemon, by the path of its program.
  case daemon(String)
  case peer(Peer)

  var name: String {
    switch self {
    case .daemon: "a11yd"
    case .peer(let peer): peer.rawValue
    }
  }

  /// The server of others that it is, whose load is a program in C.
  var server: Peer? {
    if case .peer(let peer) = self, peer.word != nil { return peer }
    return nil
  }

  /// Whether a subscriber can leave out lines that it does not want.
  var filters: Bool {
    switch self {
    case .daemon, .peer(.nats), .peer(.mosquitto), .peer(.dbus): true
    case .peer(.relay), .peer(.sealingRelay), .peer(.redis), .peer(.disk), .peer(.sqlite): false
    }
  }
}

/// The directory of one server: its socket, its state, its configuration.
///
/// A home outlives the process, so that a figure can stop a daemon and start another on the same
/// log.
final class Home {
  let path: String
  let state: String

  /// Makes `name` below `parent`, and the state's directory in it or where `state` says.
  ///
  /// `settings` are further tables of the daemon's configuration.
  init(_ name: String, below parent: String, state: String? = nil, settings: String = "") throws {
    path = parent + "/" + name
    self.state = state ?? path + "/state"
    for path in [path, self.state] { try Directory.create(path, mode: 0o700) }
    // Retention would remove entries that are still to be counted.
    try write("[log]\nretain_bytes = 0\n" + settings, to: configuration)
  }

  deinit { remove(path) }

  var socket: String { path + "/bus.sock" }
  var configuration: String { path + "/a11yd.toml" }
}

/// A daemon or a peer, whose process ends with this object.
final class Server {
  /// The peer that it is; nil for the daemon.
  let peer: Peer?
  /// The home, which must not be removed before the process has ended.
  let home: Home
  /// The address for the server's own library.
  let address: String
  /// The time from the start of the program until it is ready.
  let startNanoseconds: Int
  /// The longest time of a clean stop, and of a start.
  private static let patienceNanoseconds = 60_000_000_000

  private let name: String
  private let program: StartedProgram
  private let isStarter: Bool
  private var isRunning = true

  /// Starts `subject` in `home` and waits until it is ready.
  ///
  /// `relayArguments` are further options for a relay.
  init(_ subject: Subject, in home: Home, relayArguments: [String] = []) throws {
    let launch = try ServerLaunch(subject, in: home, relayArguments: relayArguments)
    if case .peer(let other) = subject { peer = other } else { peer = nil }
    name = subject.name
    address = launch.address
    isStarter = launch.isStarter
    self.home = home
    let started = Clock.nanoseconds()
    program = try StartedProgram(launch.words, as: name, home: home.path)
    guard Self.waitUntilReady(launch, program, home, since: started) else {
      isRunning = false
      startNanoseconds = 0
      Leftovers.end(program.process)
      throw BenchFailure("\(name) did not become ready; \(program.lastWords)")
    }
    startNanoseconds = Clock.nanoseconds() - started
  }

  deinit { end() }

  private static func waitUntilReady(
    _ launch: ServerLaunch,
    _ program: StartedProgram,
    _ home: Home,
    since started: Int
  ) -> Bool {
    if case .line(let words) = launch.readiness { return program.waitForLine(with: words) }
    program.listenInBackground()
    while !launch.isReady(in: home) {
      guard Clock.nanoseconds() < started + patienceNanoseconds,
        Leftovers.isAlive(program.process)
      else { return false }
      Clock.sleep(milliseconds: 1)
    }
    return true
  }

  /// Asks for a clean stop, and insists on a clean exit code.
  func stop() throws {
    Processes.signal(.terminate, to: program.process)
    let deadline = Clock.nanoseconds() + Server.patienceNanoseconds
    var status: Int32?
    while status == nil {
      guard Clock.nanoseconds() < deadline else { throw BenchFailure("\(name) does not stop") }
      Clock.sleep(milliseconds: 1)
      status = Leftovers.reap(program.process)
    }
    isRunning = false
    guard let status, status == 0 || peer != nil else {
      throw BenchFailure("\(name) ended with wait status \(status ?? 0)")
    }
  }

  /// Kills the process.
  func end() {
    guard isRunning else { return }
    isRunning = false
    Leftovers.end(program.process)
  }

  /// The processes that serve: all that the program has started, and itself unless it only starts
  /// the server.
  private var processes: [pid_t] {
    let process = program.process
    let children = text(of: "/proc/\(process)/task/\(process)/children") ?? ""
    let started = children.split(separator: " ").compactMap { pid_t($0) }
    return isStarter ? started : [process] + started
  }

  /// The processor time of all processes so far.
  func processorNanoseconds() throws -> Int {
    try processes.reduce(0) { try $0 + CPUTime.of($1) }
  }

  /// What some work costs this server.
  func cost(of work: () throws -> Void) throws -> Cost {
    try Cost(processor: processorNanoseconds, of: work)
  }

  /// The resident memory of all processes.
  func residentBytes() throws -> Int {
    try processes.reduce(0) { sum, process in
      let lines = text(of: "/proc/\(process)/status")?.split(separator: "\n") ?? []
      let words = lines.first { $0.hasPrefix("VmRSS:") }?.split { " \t".contains($0) } ?? []
      guard words.count > 1, let kibibytes = Int(words[1]) else {
        throw BenchFailure("the memory of process \(process) cannot be read")
      }
      return sum + kibibytes * 1024
    }
  }

  /// Asks for the last seq.
  func last() throws -> Int { try Asker(at: home.socket).ask("ping", for: #""last":"#) }

  /// Asks for the number of turns.
  func turns() throws -> Int { try Asker(at: home.socket).ask("stats", for: #""turns":"#) }

  /// Publishes until the log has at least `entries` and returns how many it has.
  ///
  /// The daemon writes entries of its own between the published ones, so the number of events is
  /// not known beforehand.
  @discardableResult
  func fillLog(with entries: Int) throws -> Int {
    let traffic = try Traffic(at: home.socket, lines: Announcements())
    var last = try last()
    while last < entries {
      try traffic.publishAll(min(entries - last, max(entries / 20, 1)))
      last = try self.last()
    }
    return last
  }
}

/// The command that starts a server in a home of its own, and the sign that it is ready.
struct ServerLaunch {
  enum Readiness {
    /// A line with these words on standard error.
    case line(String)
    /// An answer to these words at the server's socket.
    case answer(to: String, beginning: String)
    /// A connection.
    case connection
  }

  let words: [String]
  /// The address for the server's own library.
  let address: String
  let readiness: Readiness
  /// Whether the program only starts the server, which is its child.
  let isStarter: Bool

  private static let ready = Readiness.line("a11yd: ready ")

  private init(
    _ words: [String],
    at address: String,
    _ readiness: Readiness = ready,
    isStarter: Bool = false
  ) {
    self.words = words
    self.address = address
    self.readiness = readiness
    self.isStarter = isStarter
  }

  init(_ subject: Subject, in home: Home, relayArguments: [String]) throws {
    let (socket, state) = (home.socket, home.state)
    switch subject {
    case .daemon(let path):
      let options = ["--config", home.configuration, "--socket", socket, "--state", state]
      self.init([path] + options, at: socket)
    case .peer(.relay), .peer(.disk), .peer(.sqlite):
      self.init(["/proc/self/exe", "--relay", socket] + relayArguments, at: socket)
    case .peer(.sealingRelay):
      self.init([Peer.built("sealing-relay"), socket, state + "/log"], at: socket)
    case .peer(.redis):
      let options = [
        "--port", "0", "--unixsocket", socket, "--dir", state, "--appendonly", "yes",
        "--appendfsync", "everysec", "--save", "", "--maxclients", "20000",
        // A rewrite in the middle of a figure would be chance.
        "--auto-aof-rewrite-percentage", "0",
      ]
      self.init(
        [try Peer.installed("redis-server")] + options,
        at: socket,
        .answer(to: "PING\r\n", beginning: "+PONG")
      )
    case .peer(.nats):
      let (_, address) = try LoopbackAddress.listenAtFreePort()
      let port = String(address.description.split(separator: ":")[1])
      let options = ["--addr", "127.0.0.1", "--port", port, "--jetstream", "--store_dir", state]
      self.init(
        [try Peer.installed("nats-server")] + options,
        at: "nats://\(address)",
        .line("Server is ready")
      )
    case .peer(.mosquitto):
      let configuration = home.path + "/mosquitto.conf"
      try write(Self.mosquittoSettings(home), to: configuration)
      self.init([try Peer.installed("mosquitto"), "-c", configuration], at: socket, .connection)
    case .peer(.dbus):
      self.init(
        [Peer.built("dbus-host"), try Peer.installed("dbus-broker"), socket],
        at: "unix:path=" + socket,
        .connection,
        isStarter: true
      )
    }
  }

  /// Mosquitto would change its user when it is started by root.
  private static func mosquittoSettings(_ home: Home) -> String {
    """
    listener 0 \(home.socket)
    user root
    allow_anonymous true
    persistence true
    persistence_location \(home.state)/
    max_inflight_messages 0
    max_queued_messages 0
    max_queued_bytes 0
    log_type error
    log_dest stderr

    """
  }

  /// Whether the server in `home` serves by now.
  func isReady(in home: Home) -> Bool {
    guard let connection = try? BenchConnection(to: home.socket, as: "a trial") else {
      return false
    }
    guard case .answer(let words, let beginning) = readiness else { return true }
    var isRight: Bool?
    try? connection.deliver(words)
    try? connection.wait(for: "to be served", patience: 1_000, until: { isRight != nil }) {
      try connection.receive { isRight = $0.starts(with: beginning.utf8) }
    }
    return isRight == true
  }
}
