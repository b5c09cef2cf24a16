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
      case .nats: "/usr/sbin/nats-server"
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

  let kind: Kind
  let port: Int
  private let directory: ScratchDirectory
  private let extra: [String]
  private(set) var process: DaemonProcess
  private var nats: NatsReading?
  private var redis: RedisReading?

  var address: String { "\(kind.rawValue)://127.0.0.1:\(port)" }

  init(_ kind: Kind, _ extra: [String] = []) throws {
    self.kind = kind
    self.extra = extra
    directory = try ScratchDirectory()
    port = try EngineSocket.freePort()
    process = try Self.start(kind, port, extra, in: directory)
    try waitUntilReady()
  }

  func kill() {
    process.kill()
    (nats, redis) = (nil, nil)
  }

  func start() throws {
    process = try Self.start(kind, port, extra, in: directory)
    try waitUntilReady()
  }

  private static func start(
    _ kind: Kind,
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
    return try DaemonProcess(words + extra, of: kind.program)
  }

  private func waitUntilReady() throws {
    switch kind {
    case .nats: _ = try process.line(containing: "Server is ready")
    case .redis: _ = try process.line(containing: "Ready to accept connections")
    }
  }

  /// All that the engine has of a machine, in its order.
  func stored(_ machine: String) throws -> [Stored] {
    do {
      return try ask(machine)
    } catch {
      // The server's own last words tell why it does not answer.
      let words = try? process.line(containing: "\n", within: .milliseconds(200))
      throw Missing("\(error); \(kind.rawValue) said: \(words ?? "")\(process.said.suffix(6_000))")
    }
  }

  private func ask(_ machine: String) throws -> [Stored] {
    // One connection for all questions, since each closed one keeps a port of ours for a minute.
    switch kind {
    case .nats:
      let reading = try nats ?? NatsReading(port)
      nats = reading
      return try reading.stored(machine)
    case .redis:
      let reading = try redis ?? RedisReading(port)
      redis = reading
      return try reading.stored(machine)
    }
  }
}

/// Questions to NATS in its own words.
private struct NatsReading {
  private let socket: EngineSocket

  init(_ port: Int) throws {
    socket = try EngineSocket(port: port)
    try socket.send("CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB in 1\r\n")
  }

  func stored(_ machine: String) throws -> [EngineServer.Stored] {
    var stored: [EngineServer.Stored] = []
    var next: Int64 = 1
    while true {
      let answer = try ask(#"{"seq":\#(next),"next_by_subj":"a11yd.\#(machine).log"}"#)
      let message = answer["message"]
      guard let number = message["seq"].integer else { return stored }
      let headers = Self.text(message["hdrs"]).split(separator: "\r\n")
      let epoch = headers.first { $0.hasPrefix("A11yd-Epoch: ") }?.dropFirst(13) ?? ""
      stored.append(
        .init(line: Self.text(message["data"]), epoch: String(epoch), id: String(number))
      )
      next = number + 1
    }
  }

  private func ask(_ body: String) throws -> JSON {
    let subject = "$JS.API.STREAM.MSG.GET.A11YD"
    try socket.send("PUB \(subject) in \(body.utf8.count)\r\n\(body)\r\n")
    while true {
      let words = try socket.line().split(separator: " ")
      if words.first == "PING" { try socket.send("PONG\r\n") }
      guard words.first == "MSG", let count = words.last.flatMap({ Int($0) }) else { continue }
      return try JSON(socket.bytes(count))
    }
  }

  private static func text(_ value: JSON) -> String {
    Data(base64Encoded: value.string ?? "").map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

/// Questions to Redis in its own words.
private struct RedisReading {
  private let socket: EngineSocket

  init(_ port: Int) throws { socket = try EngineSocket(port: port) }

  private enum Value {
    case text(String)
    case list([Value])

    var text: String {
      guard case .text(let text) = self else { return "" }
      return text
    }

    var list: [Value] {
      guard case .list(let list) = self else { return [] }
      return list
    }
  }

  func stored(_ machine: String) throws -> [EngineServer.Stored] {
    try socket.send("XRANGE a11yd:{\(machine)}:log - +\r\n")
    return try answer().list.map { entry in
      let fields = entry.list[1].list.map(\.text)
      return EngineServer.Stored(line: fields[1], epoch: fields[3], id: entry.list[0].text)
    }
  }

  private func answer() throws -> Value {
    let head = try socket.line()
    let number = Int(head.dropFirst()) ?? 0
    switch head.first {
    case "$": return .text(try socket.bytes(number))
    case "*": return .list(try (0..<number).map { _ in try answer() })
    default: return .text(String(head.dropFirst()))
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
