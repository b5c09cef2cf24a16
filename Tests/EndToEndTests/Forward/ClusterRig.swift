// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A daemon, a Redis cluster and the forwarder between them.
final class ClusterRig: ForwardedLog {
  let daemon: RunningDaemon
  let cluster: RedisCluster
  private(set) var forwarder: DaemonProcess
  let machine: String
  private let words: [String]

  /// The forwarder is told the servers `seeds`, or else all; `settings` is the table `[redis]` of
  /// its file.
  init(
    _ cluster: RedisCluster? = nil,
    machine: String = "m-1",
    seeds: [Int]? = nil,
    settings: String = ""
  ) throws {
    daemon = try RunningDaemon()
    let cluster = try cluster ?? RedisCluster()
    self.cluster = cluster
    self.machine = machine
    let file = daemon.directory("forward.toml")
    try Data("[redis]\n\(settings)\n".utf8).write(to: URL(filePath: file))
    try #require(chmod(file, 0o600) == 0)
    words = [
      "--socket", daemon.socket, "--to", seeds.map(cluster.address) ?? cluster.address,
      "--machine", machine, "--all", "--config", file,
    ]
    forwarder = try Self.start(daemon, words)
  }

  private static func start(_ daemon: RunningDaemon, _ words: [String]) throws -> DaemonProcess {
    try DaemonProcess(
      words,
      of: SpeechTools.built("a11y-forward"),
      environment: RunningDaemon.home(in: daemon.directory)
    )
  }

  func restartForwarder() throws {
    forwarder.kill()
    forwarder = try Self.start(daemon, words)
  }

  /// The server that owns the slot of this machine.
  func owner() throws -> Int { try cluster.waitForOwner(of: machine) }

  func stored() throws -> [String] { try cluster.stored(machine).map(\.line) }

  /// Waits until the cluster has the log, byte for byte, nothing twice and nothing more.
  func expectWhole(_ words: Comment, within patience: Duration = .seconds(40)) throws {
    let deadline = Deadline(after: patience)
    var isWhole = false
    var last = ""
    repeat {
      let logged = try logged()
      // Between two owners nobody answers.
      let stored = (try? stored()) ?? []
      isWhole = stored == logged
      last = "\(stored.count) of \(logged.count) entries"
      if !isWhole { poll(nil, 0, 50) }
    } while !isWhole && !deadline.isOver
    #expect(isWhole, "\(words): \(last); \(forwarder.said)")
  }
}
