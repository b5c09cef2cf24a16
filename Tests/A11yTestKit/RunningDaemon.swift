// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The real daemon with a socket and a log of its own, for as long as this object lives.
///
/// It may be stopped or killed and started again on the same log, any number of times.
package final class RunningDaemon {
  package let directory: ScratchDirectory
  package private(set) var process: DaemonProcess
  /// The line of the last start about itself.
  package private(set) var ready: Ready

  package var socket: String { directory("bus.sock") }
  package var state: String { directory("state") }

  /// Starts a daemon; of configuration it has what is given here and nothing of the machine's.
  ///
  /// Where a log is named, it goes on with a copy of that.
  package init(config: String = "", log: String? = nil) throws {
    directory = try ScratchDirectory()
    if let log { try FileManager.default.copyItem(atPath: log, toPath: directory("state")) }
    try Data(config.utf8).write(to: URL(filePath: directory("a11yd.toml")))
    (process, ready) = try Self.start(in: directory)
  }

  /// Asks it to end and waits until it has.
  @discardableResult
  package func stop() throws -> DaemonProcess.End {
    process.send(SIGTERM)
    return try process.end()
  }

  /// Ends it without its knowledge.
  package func kill() { process.kill() }

  /// Starts it again, on the same socket and log, after it has been stopped or killed.
  package func start() throws { (process, ready) = try Self.start(in: directory) }

  /// A new client of it.
  package func connect() throws -> RawClient { try RawClient(socket) }

  private static func start(in directory: ScratchDirectory) throws -> (DaemonProcess, Ready) {
    let process = try DaemonProcess(arguments(in: directory), environment: home(in: directory))
    return (process, try Ready(process.line(beginning: "a11yd: ready ")))
  }
}

extension RunningDaemon {
  package static func arguments(in directory: ScratchDirectory) -> [String] {
    let (socket, state) = (directory("bus.sock"), directory("state"))
    return ["--socket", socket, "--state", state, "--config", directory("a11yd.toml")]
  }

  /// The variables by which a session tells where things are; all within the scratch directory.
  package static func home(in directory: ScratchDirectory) throws -> [String: String] {
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
  package struct Ready: Equatable {
    package let socket: String
    package let epoch: String
    package let last: Int64

    package init(_ line: String) throws {
      let form = /a11yd: ready (.+) epoch=([0-9a-f]+) last=([0-9]+)/
      guard let match = line.wholeMatch(of: form), let last = Int64(match.3) else {
        throw Missing("a place, an epoch and a number in \(line)")
      }
      socket = String(match.1)
      epoch = String(match.2)
      self.last = last
    }
  }
}

extension RunningDaemon {
  /// The memory that it has, in bytes.
  package func memory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process.number)/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
      let kibibytes = Int(line.filter(\.isNumber))
    else { throw Missing("VmRSS in \(status)") }
    return kibibytes * 1024
  }

  /// How many files it has open.
  package func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.number)/fd").count
  }

  /// The files of the log, in order.
  package func segments() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: state)
      .filter { $0.hasSuffix(".ndjson") }.sorted()
  }

  /// The whole log as it stands in its files, line by line.
  package func linesOnDisk() throws -> [String] {
    try segments().flatMap { name in
      try String(contentsOfFile: "\(state)/\(name)", encoding: .utf8)
        .split(separator: "\n").map(String.init)
    }
  }
}
