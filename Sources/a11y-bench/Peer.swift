// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// The peers with which the daemon takes turns, so that a figure means something on any machine.
enum Peer: String, CaseIterable {
  /// This program as the relay that does nothing: the bound of sockets and scheduler.
  case relay
  /// A relay that parses, seals and stores: the bound of a bus with a log.
  case sealingRelay = "sealing relay"
  /// A file that is appended to and synced: the bound of the disk.
  case disk
  /// A table of SQLite with the same lines: a good store.
  case sqlite = "SQLite"
  case redis = "Redis Streams"
  case nats = "NATS JetStream"
  case mosquitto
  case dbus = "dbus-broker"

  /// The servers of others, each with its own C library.
  static let servers = [redis, nats, mosquitto, dbus]
  /// All that pass on the same lines.
  static let buses = [relay, sealingRelay] + servers

  /// Whether it can be measured without the daemon; SQLite needs the entries that the daemon
  /// logged.
  var standsAlone: Bool { self != .sqlite }

  /// The name of its load, and on the command line; nil for a peer that is no server of others.
  var word: String? { row.word }
  /// The Debian package and the program of a server.
  var program: String? { row.program }
  /// The part of the events that it is given, since a run of the slow ones would take minutes.
  var patience: Int { row.patience }
  /// Its way of serving, as the loads use it.
  var way: String { row.way }
  /// The fate of its lines when it or the machine stops.
  var durability: String { row.durability }

  private typealias Facts = (
    word: String?, program: String?, patience: Int, way: String, durability: String
  )

  private var row: Facts {
    switch self {
    case .relay:
      (nil, nil, 1, "forwards bytes over a Unix socket and answers each line", "stores nothing")
    case .sealingRelay:
      (
        nil, nil, 1, "parses each line with simdjson, numbers it and seals it, over a Unix socket",
        "each turn is written to a file before it is sent; never synchronised"
      )
    case .disk: (nil, nil, 1, "fdatasync", "each piece is synchronised")
    case .sqlite:
      (nil, nil, 1, "one prepared insert in this process, no sockets", "as the row says")
    case .redis:
      (
        "redis", "redis-server", 1,
        "hiredis over a Unix socket; XADD in a pipeline, XREAD BLOCK of up to 1,000",
        "append-only file, written each turn, synchronised each second (everysec)"
      )
    case .nats:
      (
        "nats", "nats-server", 2,
        "libnats over TCP to this machine; js_PublishAsync, ordered push consumers",
        "stream on disk, synchronised every two minutes, its default"
      )
    case .mosquitto:
      (
        "mosquitto", "mosquitto", 10,
        "libmosquitto over a Unix socket; MQTT 3.1.1, no limit of lines in flight",
        "QoS 1; sessions in memory, saved when it stops and every 30 minutes, its default"
      )
    case .dbus:
      (
        "dbus", "dbus-broker", 5,
        "sd-bus over a Unix socket; broadcast signals, and calls where an answer is wanted",
        "stores nothing"
      )
    }
  }

  // MARK: Programs

  /// The reason why it cannot be measured, if there is one.
  var obstacle: String? {
    if let program, (try? Self.installed(program)) == nil {
      return "\(program) is not installed; make deps-bench installs it"
    }
    let needed = self == .sealingRelay ? "sealing-relay" : word.map { $0 + "-load" }
    if let needed, access(Self.built(needed), X_OK) != 0 {
      return "\(needed) was not built; make bench builds it"
    }
    return nil
  }

  /// The path of a load or of another program that `make bench` builds, in a directory beside this
  /// program.
  static func built(_ name: String) -> String { neighbour("peers/" + name) }

  /// The path of something that lies in the same directory as this program.
  static func neighbour(_ name: String) -> String {
    let own = File.resolved("/proc/self/exe") ?? ""
    return (own.lastIndex(of: "/").map { String(own[...$0]) } ?? "") + name
  }

  /// The path of a program on this machine.
  static func installed(_ name: String) throws -> String {
    let path = Environment.value("PATH") ?? ""
    // A user's path lacks the directories of the administrator, where some servers are.
    let places = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/bin"]
    let found = places.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    guard let found else { throw BenchFailure("\(name) is not installed") }
    return found
  }
}

/// A load that a program in C sends through a server of others.
///
/// The program says `ready` when it is connected, goes ahead at a line from here, says `done` with
/// its figures, and ends at a second line. It has checked every line by then: their number, order
/// and bytes. The server's processor time and memory are looked at from here, in the pauses.
final class PeerLoad {
  enum Work: String {
    case stream, latency, fill, replay, idle, count
  }

  struct Figures {
    let nanoseconds: Int
    let first: Int
    let second: Int
  }

  private let server: Server
  private let name: String
  private let program: StartedProgram
  private let talk: BenchConnection
  private var hasEnded = false

  /// A million lines may have to be stored before a load is ready.
  private static let patienceMilliseconds: Int32 = 300_000

  /// Starts the load of `server` with the lines of a file, and waits until it is ready.
  init(_ work: Work, over server: Server, _ options: [String] = [], lines: String) throws {
    guard let peer = server.peer, let word = peer.word else {
      preconditionFailure("a load has its server")
    }
    self.server = server
    name = peer.rawValue
    let ends = try UnixStream.pair()
    // The C library cannot read from a descriptor that does not wait.
    _ = fcntl(ends.second.number, F_SETFL, 0)
    let words = [Peer.built(word + "-load"), "--at", server.address, "--lines", lines]
    program = try StartedProgram(
      words + options + [work.rawValue],
      as: name,
      home: server.home.path,
      talk: ends.second.number
    )
    talk = BenchConnection(over: ends.first, as: name)
    program.listenInBackground()
    guard try nextWords() == ["ready"] else { throw complaint() }
  }

  deinit { if !hasEnded { Leftovers.end(program.process) } }

  /// Lets the load go ahead and end, and returns its figures, with its cost to the server.
  func measure() throws -> (figures: Figures, cost: Cost) {
    let processorBefore = try server.processorNanoseconds()
    let figures = try goAhead()
    let processor = try server.processorNanoseconds() - processorBefore
    try release()
    return (figures, Cost(nanoseconds: figures.nanoseconds, processor: processor))
  }

  /// Lets the load go ahead, and returns its figures.
  func goAhead() throws -> Figures {
    try talk.deliver("go\n")
    let words = try nextWords()
    let numbers = words.compactMap { Int($0) }
    guard words.first == "done", numbers.count == 3 else { throw complaint() }
    return Figures(nanoseconds: numbers[0], first: numbers[1], second: numbers[2])
  }

  /// Lets the program end.
  func release() throws {
    try talk.deliver("end\n")
    hasEnded = true
    guard program.reap() == 0 else { throw complaint() }
  }

  private func nextWords() throws -> [Substring] {
    var words: [Substring]?
    do {
      let patience = Self.patienceMilliseconds
      try talk.wait(for: "for its load", patience: patience, until: { words != nil }) {
        try talk.receive { line in
          words = String(decoding: line.dropLast(), as: UTF8.self).split(separator: " ")
        }
      }
    } catch {
      throw complaint()
    }
    return words ?? []
  }

  /// The failure that the program put into words.
  private func complaint() -> BenchFailure {
    if !hasEnded {
      hasEnded = true
      // Its last words may still be in the pipe.
      Clock.sleep(milliseconds: 50)
      Leftovers.end(program.process)
    }
    return BenchFailure("\(name): \(program.lastLine)")
  }
}

/// The lines that a server of others keeps for those who come later.
extension Server {
  func storeLines(_ count: Int, of lines: String) throws {
    let options = ["--events", "\(count)", "--window", "1000"]
    _ = try PeerLoad(.fill, over: self, options, lines: lines).measure()
  }

  /// Entries per second and processor time for each, in µs, of one who reads all of them.
  func replayLines(_ count: Int, of lines: String) throws -> [Double] {
    let (figures, cost) = try PeerLoad(.replay, over: self, ["--events", "\(count)"], lines: lines)
      .measure()
    return cost.rates(of: figures.first)
  }

  func countLines(of lines: String) throws -> Int {
    try PeerLoad(.count, over: self, lines: lines).measure().figures.first
  }
}
