// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation

/// A machine whose forwarder reaches the engine over a link of its own.
final class FleetMachine: ForwardedLog {
  let name: String
  let daemon: RunningDaemon
  let link: EngineLink
  private let engine: EngineServer
  private(set) var forwarder: DaemonProcess

  init(_ name: String, _ engine: EngineServer) throws {
    self.name = name
    self.engine = engine
    daemon = try RunningDaemon(config: "[log]\nsegment_bytes = 131072\nretain_bytes = 1048576\n")
    link = try EngineLink(to: engine.port)
    forwarder = try Self.start(name, daemon, link, engine)
  }

  private static func start(
    _ name: String,
    _ daemon: RunningDaemon,
    _ link: EngineLink,
    _ engine: EngineServer
  ) throws -> DaemonProcess {
    try DaemonProcess(
      [
        "--socket", daemon.socket, "--to", "\(engine.kind)://127.0.0.1:\(link.port)",
        "--machine", name, "--all",
      ],
      of: SpeechTools.built("a11y-forward"),
      environment: RunningDaemon.home(in: daemon.directory)
    )
  }

  func restartForwarder() throws {
    forwarder.kill()
    forwarder = try Self.start(name, daemon, link, engine)
  }

  /// The difference between the log and what the engine has; nil where there is none.
  ///
  /// Entries that retention has taken are in the engine or in a gap; all that is on the disk is
  /// there byte for byte, nothing twice, and nothing that is on neither.
  func difference(_ stored: [String]) throws -> String? {
    let logged = try logged()
    guard let first = logged.first, let start = try JSON(first)["seq"].integer else {
      return "no log"
    }
    var older: [ClosedRange<Int64>] = []
    var newer: [String] = []
    var last: Int64 = 0
    for line in stored {
      let entry = try JSON(line)
      let isGap = entry["mark"] == "gap"
      let seq = entry[isGap ? "to" : "seq"].integer ?? 0
      guard seq > last else { return "\(seq) stands behind \(last)" }
      last = seq
      if seq < start { older.append((isGap ? entry["from"].integer ?? 0 : seq)...seq) }
      if !isGap, seq >= start { newer.append(line) }
    }
    if newer != logged {
      let place = zip(newer, logged).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      return "\(newer.count) of \(logged.count) entries from \(start) on, "
        + "differing at \(place.map(String.init) ?? "the end")"
    }
    return nil
  }
}
