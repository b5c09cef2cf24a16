// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The command that starts a server in a home of its own, and the sign that it is ready.
struct ServerLaunch {
  enum Readiness {
    /// A line on standard error.
    case line
    /// An answer to these words at the server's address.
    case answer(to: String, beginning: String)
    /// A connection.
    case connection
  }

  let program: String
  let arguments: [String]
  /// The address for the server's own library.
  let address: String
  let readiness: Readiness
  /// The port of a server without a Unix socket.
  var port: UInt16?
  /// Whether the program only starts the server, which is its child.
  var isStarter = false

  static func daemon(_ path: String, in home: Home) -> ServerLaunch {
    ServerLaunch(
      program: path,
      arguments: [
        "--config", home.configuration, "--socket", home.socket, "--state", home.state,
      ],
      address: home.socket,
      readiness: .line
    )
  }

  static func peer(
    _ peer: Peer,
    in home: Home,
    relayArguments: [String]
  ) throws(BenchFailure) -> ServerLaunch {
    switch peer {
    case .relay, .disk, .sqlite:
      ServerLaunch(
        program: "/proc/self/exe",
        arguments: ["--relay", home.socket] + relayArguments,
        address: home.socket,
        readiness: .line
      )
    case .sealingRelay:
      ServerLaunch(
        program: try PeerPrograms.built("sealing-relay"),
        arguments: [home.socket, home.state + "/log"],
        address: home.socket,
        readiness: .line
      )
    case .redis: try redis(in: home)
    case .nats: try nats(in: home)
    case .mosquitto: try mosquitto(in: home)
    case .dbus:
      ServerLaunch(
        program: try PeerPrograms.built("dbus-host"),
        arguments: [try installed("dbus-broker"), home.socket],
        address: "unix:path=" + home.socket,
        readiness: .connection,
        isStarter: true
      )
    }
  }

  private static func redis(in home: Home) throws(BenchFailure) -> ServerLaunch {
    ServerLaunch(
      program: try installed("redis-server"),
      arguments: [
        "--port", "0", "--unixsocket", home.socket, "--dir", home.state, "--appendonly", "yes",
        "--appendfsync", "everysec", "--save", "", "--maxclients", "20000",
        // A rewrite in the middle of a figure would be chance.
        "--auto-aof-rewrite-percentage", "0",
      ],
      address: home.socket,
      readiness: .answer(to: "PING\r\n", beginning: "+PONG")
    )
  }

  private static func nats(in home: Home) throws(BenchFailure) -> ServerLaunch {
    let port = try Socket.freePort()
    return ServerLaunch(
      program: try installed("nats-server"),
      arguments: [
        "--addr", "127.0.0.1", "--port", "\(port)", "--jetstream", "--store_dir", home.state,
      ],
      address: "nats://127.0.0.1:\(port)",
      readiness: .answer(to: "", beginning: "INFO"),
      port: port
    )
  }

  private static func mosquitto(in home: Home) throws(BenchFailure) -> ServerLaunch {
    let configuration = home.path + "/mosquitto.conf"
    if Files.text(configuration) == nil {
      // It would change its user when it is started by root.
      let text = """
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
      try Files.create(text, to: configuration)
    }
    return ServerLaunch(
      program: try installed("mosquitto"),
      arguments: ["-c", configuration],
      address: home.socket,
      readiness: .connection
    )
  }

  private static func installed(_ name: String) throws(BenchFailure) -> String {
    guard let path = PeerPrograms.installed(name) else {
      throw BenchFailure("\(name) is not installed")
    }
    return path
  }

  /// Whether the server in `home` serves by now.
  func isReady(in home: Home) -> Bool {
    do throws(BenchFailure) {
      let socket =
        if let port {
          try Socket(connectingToPort: port)
        } else {
          try Socket(connectingTo: home.socket)
        }
      guard case .answer(let words, let beginning) = readiness else { return true }
      try socket.deliver(words)
      var interest = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      guard poll(&interest, 1, 1_000) > 0 else { return false }
      var answer = [UInt8](repeating: 0, count: beginning.utf8.count)
      let count = answer.withUnsafeMutableBytes { recv(socket.number, $0.baseAddress, $0.count, 0) }
      return count == answer.count && answer.elementsEqual(beginning.utf8)
    } catch {
      return false
    }
  }
}
