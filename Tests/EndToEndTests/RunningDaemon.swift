// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// The real daemon with a socket and a log of its own, for as long as this object lives.
///
/// It may be stopped or killed and started again on the same log, any number of times.
final class RunningDaemon {
  let directory: ScratchDirectory
  private(set) var process: DaemonProcess
  /// The line of the last start about itself.
  private(set) var ready: Ready

  var socket: String { directory("bus.sock") }
  var state: String { directory("state") }

  /// Starts a daemon; of configuration it has what is given here and nothing of the machine's.
  init(config: String = "") throws {
    directory = try ScratchDirectory()
    try Data(config.utf8).write(to: URL(filePath: directory("a11yd.toml")))
    (process, ready) = try Self.start(in: directory)
  }

  /// Asks it to end and waits until it has.
  @discardableResult
  func stop() throws -> DaemonProcess.End {
    process.send(SIGTERM)
    return try process.end()
  }

  /// Ends it without its knowledge.
  func kill() { process.kill() }

  /// Starts it again, on the same socket and log, after it has been stopped or killed.
  func start() throws { (process, ready) = try Self.start(in: directory) }

  /// A new client of it.
  func connect() throws -> RawClient { try RawClient(socket) }

  private static func start(in directory: ScratchDirectory) throws -> (DaemonProcess, Ready) {
    let process = try DaemonProcess(arguments(in: directory), environment: home(in: directory))
    return (process, try Ready(process.line(beginning: "a11yd: ready ")))
  }
}

extension RunningDaemon {
  static func arguments(in directory: ScratchDirectory) -> [String] {
    let (socket, state) = (directory("bus.sock"), directory("state"))
    return ["--socket", socket, "--state", state, "--config", directory("a11yd.toml")]
  }

  /// The variables by which a session tells where things are; all within the scratch directory.
  static func home(in directory: ScratchDirectory) throws -> [String: String] {
    let places = [
      "HOME": "home", "XDG_RUNTIME_DIR": "run", "XDG_CONFIG_HOME": "config",
      "XDG_STATE_HOME": "states",
    ]
    for place in places.values {
      try FileManager.default.createDirectory(
        atPath: directory(place),
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    }
    return places.mapValues { directory($0) }
  }

  /// The line by which a daemon tells that it can be used.
  struct Ready: Equatable {
    let socket: String
    let epoch: String
    let last: Int64

    init(_ line: String) throws {
      let form = /a11yd: ready (.+) epoch=([0-9a-f]+) last=([0-9]+)/
      let match = try #require(line.wholeMatch(of: form), "\(line)")
      socket = String(match.1)
      epoch = String(match.2)
      last = try #require(Int64(match.3))
    }
  }
}

extension RunningDaemon {
  /// The memory that it has, in bytes.
  func memory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process.number)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  }

  /// How many files it has open.
  func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.number)/fd").count
  }

  /// The files of the log, in order.
  func segments() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: state)
      .filter { $0.hasSuffix(".ndjson") }.sorted()
  }

  /// The whole log as it stands in its files, line by line.
  func linesOnDisk() throws -> [String] {
    try segments().flatMap { name in
      try String(contentsOfFile: "\(state)/\(name)", encoding: .utf8)
        .split(separator: "\n").map(String.init)
    }
  }

  /// The whole log as a new subscriber gets it, up to what is there now.
  func entries() throws -> [Entry] {
    let client = try connect()
    try client.send(#"{"id":0,"op":"subscribe","from":"start"}"#)
    _ = try client.answer()
    return try client.entriesUntilCaughtUp()
  }
}
