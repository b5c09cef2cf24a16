// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A real engine with a store of its own, for as long as this object lives.
///
/// It may be killed and started again on the same store.
final class EngineServer {
  enum Kind: String, CaseIterable {
    case nats
    case redis

    /// The reason for which it cannot be tried here; nil where it can.
    var obstacle: String? {
      FileManager.default.isExecutableFile(atPath: program) ? nil : "\(program) is missing"
    }

    fileprivate var program: String {
      switch self {
      // Debian's 2.9.10 crashes now and then where several ask for a stream that it is just making.
      case .nats: NatsCluster.obstacle == nil ? NatsCluster.program : EngineServer.debianNats
      case .redis: "/usr/bin/redis-server"
      }
    }
  }

  /// A line as it is stored.
  struct Stored: Equatable {
    let line: String
    let epoch: String
    /// The id in Redis, and the number in the stream in NATS.
    let id: String
  }

  static let debianNats = "/usr/sbin/nats-server"

  let kind: Kind
  let port: Int
  private let program: String
  private let directory: ScratchDirectory
  private let extra: [String]
  private(set) var process: DaemonProcess
  private var nats: NatsReading?
  private var redis: RedisTalk?

  var address: String { "\(kind.rawValue)://127.0.0.1:\(port)" }

  init(
    _ kind: Kind,
    _ extra: [String] = [],
    port: Int? = nil,
    program: String? = nil
  ) throws {
    self.kind = kind
    self.extra = extra
    self.program = program ?? kind.program
    directory = try ScratchDirectory()
    self.port = try port ?? EngineSocket.freePort()
    process = try Self.start(kind, self.program, self.port, extra, in: directory)
    try waitUntilReady()
  }

  func kill() {
    process.kill()
    (nats, redis) = (nil, nil)
  }

  func start() throws {
    process = try Self.start(kind, program, port, extra, in: directory)
    try waitUntilReady()
  }

  private static func start(
    _ kind: Kind,
    _ program: String,
    _ port: Int,
    _ extra: [String],
    in directory: ScratchDirectory
  ) throws -> DaemonProcess {
    let words =
      switch kind {
      case .nats: ["-a", "127.0.0.1", "-p", "\(port)", "-js", "-sd", directory.path]
      case .redis:
        [
          "--bind", "127.0.0.1", "--port", "\(port)", "--dir", directory.path, "--appendonly",
          "yes",
          "--appendfsync", "always",
        ]
      }
    return try DaemonProcess(words + extra, of: program)
  }

  private func waitUntilReady() throws {
    switch kind {
    case .nats: _ = try process.line(containing: "Server is ready")
    case .redis: _ = try process.line(containing: "Ready to accept connections")
    }
  }

  /// All that the engine has of a machine, in its order.
  func stored(_ machine: String) throws -> [Stored] {
    try ask(nats: { try $0.stored(machine) }, redis: { try $0.stored(machine) })
  }

  /// The newest line that it has of a machine.
  func newest(_ machine: String) throws -> String? {
    try ask(nats: { try $0.newest(machine) }, redis: { try $0.newest(machine) })
  }

  /// One connection for all questions, since each closed one keeps a port of ours for a minute.
  private func ask<Result>(
    nats inNats: (NatsReading) throws -> Result,
    redis inRedis: (RedisTalk) throws -> Result
  ) throws -> Result {
    do {
      switch kind {
      case .nats:
        let reading = try nats ?? NatsReading(port)
        nats = reading
        return try inNats(reading)
      case .redis:
        let reading = try redis ?? RedisTalk(port: port)
        redis = reading
        return try inRedis(reading)
      }
    } catch {
      // The server's own last words tell why it does not answer.
      let words = try? process.line(containing: "\n", within: .milliseconds(200))
      throw Missing("\(error); \(kind.rawValue) said: \(words ?? "")\(process.said.suffix(6_000))")
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// A test with real engines of a fleet, for which `make test-fleet` asks.
  static var fleet: Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["A11Y_FLEET"] != nil,
      "make test-fleet runs the tests with engines"
    )
  }
}
